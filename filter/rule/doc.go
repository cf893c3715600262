// Package rule says what linkmilter does with which message: conditions on the
// envelope, the header and the results of authentication, and for the messages
// that meet them the edits and actions.
//
// It is a part of the program linkmilter and exports only what its other packages use.
// It sees the envelope and the header of a message: it knows neither links nor parts.
package rule

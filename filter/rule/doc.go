// Package rule selects the edits and actions for a message, by conditions on its
// envelope, its header and the results of authentication.
//
// It is a part of the program linkmilter and exports only what its other packages use.
// It sees the envelope and the header of a message: it knows neither links nor parts.
package rule

// Package header plans the edits of a message's header: it writes the fields that
// list the findings, removes forged ones, and removes the opt-out field.
//
// It is a part of the program linkmilter and exports only what its other packages use.
// It knows header fields, the signatures over them and reports. It must not know how
// links are found or judged, conditions of rules, or bodies.
package header

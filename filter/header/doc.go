// Package header plans the edits of a message's header: it writes the fields that
// list the findings, removes fields that claim to be genuine, and removes the
// opt-out field.
//
// It is a part of the program, not a library. It knows header fields and the
// signatures over them. It must not know links, rules or bodies.
package header

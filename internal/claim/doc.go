// Package claim judges who a message says it is from. Readers believe the sender's name, and also
// the subject, the headings and the first pictures. The addresses and signatures of the message
// support what these say, or do not.
//
// The package is pure: package filter collects a [Mail] from what it read, and [Judge] returns what the
// rules find. It knows nothing of MIME, HTML or the configuration.
package claim

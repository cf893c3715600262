// Package claim judges who a message says it is from. A reader takes the sender for what the name of
// the sender says, or else for whom the subject, the headings and the first pictures name. The
// addresses and signatures of the message support that, or do not.
//
// The package is pure: package filter collects a [Mail] from what it read, and [Judge] returns what the
// rules find. It knows nothing of MIME, HTML or the configuration.
package claim

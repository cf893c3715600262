// Package envelope describes the envelope of a message: all that a mail server knows about it apart
// from its bytes. Servers and commands fill an [Envelope], and the filter reads it.
package envelope

// Package milter serves the milter protocol of Sendmail and Postfix: it turns the
// MTA's commands into an [envelope.Envelope] and a raw message, and the filter's result
// into modifications and a final reply.
//
// It is a part of the program linkmilter and exports only what its other packages use.
// It knows the protocol and how the two MTAs differ. It must not know rules, links or
// MIME, which belong to the filter. Package mailserver has the parts that all mail
// servers share.
//
// The protocol engine is github.com/emersion/go-milter. This package gives each
// client a server of that library, and gives the library a connection in place of the
// socket. That connection negotiates the options, checks every packet and buffers the
// replies, so the library only sees complete, well-formed packets.
//
// An error inside linkmilter (a panic, a deadline, a limit) makes the MTA accept the
// message unchanged. An error in the protocol (a malformed or truncated packet)
// closes the connection, and the MTA applies its default action.
package milter

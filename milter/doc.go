// Package milter serves the milter protocol of Sendmail and Postfix: it turns
// what the MTA sends into a [filter.Envelope] and a raw message, and what the
// filter answers into modifications and a final reply.
//
// It knows the protocol, its two implementations in the field and their
// differences, sockets, deadlines and memory. It must not know rules, links
// or MIME: those are the filter's.
//
// The protocol engine is github.com/emersion/go-milter. This package gives
// every accepted connection a server of that library of its own and stands
// between it and the socket: there the option negotiation is read, every
// packet is checked, and deadlines, buffering and draining happen, so that the
// library only ever sees complete, well-formed packets.
//
// Whatever goes wrong inside linkmilter (an error, a panic, a deadline, a limit)
// ends in the message being accepted unchanged. Whatever goes wrong in the
// protocol (a malformed or truncated packet) closes the connection, and the
// MTA applies its own default action.
package milter

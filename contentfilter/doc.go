// Package contentfilter filters mail on its way from one mail server to the
// next: it takes a message by SMTP or LMTP, has the filter decide, and hands it on
// by SMTP or LMTP while the client waits.
//
// Nothing is queued. The client's commands are given to the next hop as they
// come, the next hop's replies go back as they are, and a message is accepted when
// the next hop has accepted it. A next hop that is down, slow or talks nonsense
// is a temporary failure: the client keeps the message and comes again.
//
// The protocol engine of the client's side is github.com/emersion/go-smtp. This
// package gives every connection a server of that library of its own and stands
// between it and the socket: there lines are bounded, replies of the next hop take
// the place of the library's, and the content of messages is read, of which the
// library would lose octets (see docs/decisions-contentfilter.md). The side of
// the next hop is written here: a relay needs replies and octets that the
// library's client does not give or keep.
//
// Whatever goes wrong in the filter (a panic, a deadline, a limit) ends in the
// original message going on. Whatever goes wrong in one of the two dialogues ends
// in no message being delivered by us, and the client being told so: a
// message is never sent on without its end.
package contentfilter

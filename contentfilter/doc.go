// Package contentfilter filters mail on its way from one mail server to the
// next: it takes a message by SMTP or LMTP, has the filter decide, and hands it on
// by SMTP or LMTP while the client waits.
//
// It is a part of the program linkmilter and exports only what its other packages use.
// It knows SMTP, LMTP, XFORWARD and the quarantine. It must not know rules, links or
// MIME structure, which are the filter's, nor solve what every mail server needs:
// package mailserver does that.
//
// Nothing is queued. The next hop gets the client's commands as they come, the client
// gets the next hop's replies unchanged, and a message is accepted when the next hop
// has accepted it. A next hop that is down, slow or talks nonsense is a temporary
// failure: the client keeps the message and tries again.
//
// The protocol engine of the client's side is github.com/emersion/go-smtp. This
// package gives each connection a server of that library and a connection in place of
// the socket, which bounds lines, sends the next hop's replies instead of the
// library's, and reads the content of messages: the library drops the CR of some lines,
// and does not see the end of a message after CR CR LF. The side of the next hop is
// written here: a relay needs replies and bytes that the library's client does not give
// or keep.
//
// An error in the filter (a panic, a deadline, a limit) makes the original message go
// on. An error in one of the two dialogues makes the client keep the message:
// linkmilter never sends a message on without its end.
package contentfilter

// Package contentfilter filters mail on its way from one mail server to the
// next: it takes a message by SMTP or LMTP, has the filter decide, and hands it on
// by SMTP or LMTP while the client waits.
//
// It is a part of the program linkmilter and exports only what its other packages use.
// It knows SMTP, LMTP, XFORWARD and the quarantine. It must not know rules, links or
// MIME structure, which belong to the filter. Package mailserver has the parts that all
// mail servers share.
//
// The package has no queue. It passes the client's commands on at once and returns the
// next hop's replies unchanged. It accepts a message when the next hop has accepted it.
// A next hop that is down or slow, or sends invalid replies, is a temporary failure: the
// client keeps the message and tries again.
//
// The protocol engine of the client's side is github.com/emersion/go-smtp. This
// package gives each client a server of that library, and gives the library a connection
// in place of the socket. That connection bounds lines, sends the next hop's replies
// instead of the library's, and reads the content of messages itself. The library would
// drop the CR of some lines, and miss the end of a message after CR CR LF. The client for
// the next hop is in this package: a relay needs exact replies and bytes, which the
// library's client does not give.
//
// After an error in the filter (a panic, a deadline, a limit) the original message goes
// on. After an error in either SMTP session the client keeps the message: linkmilter
// never delivers a message without its end.
package contentfilter

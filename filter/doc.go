// Package filter decides what happens to a message: it reads its texts, finds
// and judges the links in them, plans the edits that the rule for the message
// asks for, applies them and verifies the result.
//
// Three promises stand above everything else it does:
//
//   - No mail is lost or damaged. On any error, limit, panic or doubt the
//     original goes on, and the [Report] says why.
//   - Bytes that need no change keep every byte. Edits are the splices of a
//     [mime.Plan]; texts that are already there are never written again.
//   - What is shown is what is opened. A link opens the URL that was typed, and
//     one whose host failed policy is shown in ASCII and not linked.
//
// It knows messages through package mime, links through package engine and
// findings through package policy. It must not know sockets, protocols, files
// or metrics: packages milter and cmd/linkmilter bring the messages and take
// the results.
package filter

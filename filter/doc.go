// Package filter decides what happens to a message. It reads the texts, finds and
// judges the links in them, plans the edits that the rule for the message asks for,
// applies them and verifies the result.
//
// Three promises come first:
//
//   - No mail is lost or damaged. After any error, limit, panic or doubt the original
//     body goes on, and the [report.Report] says why.
//   - An edit changes no byte that it need not change: it is a list of splices, a
//     [mime.Plan].
//   - What is shown is what opens. A link opens the URL that was typed. A link whose
//     host failed policy is shown in ASCII and not linked.
//
// A message goes through a line of stages: read, plan the body, decide, plan the
// header, apply and verify, sign. Each stage returns a value that later stages do not
// change; pipeline.go runs them.
//
// The package is a part of the program linkmilter and exports only what its other
// packages use. It knows messages through package mime, links through package engine
// and findings through package policy. It must not know sockets, protocols, files or
// metrics.
package filter

// Package mime knows a mail message as ranges of bytes: where its header
// fields, its parts and their bodies begin and end, what text a leaf part
// holds, and how a plan of edits turns the message into another one in which
// every byte outside the plan is the same as before.
//
// The package is built on three decisions:
//
//   - Parsing finds ranges and copies nothing. It never fails: what is malformed
//     or may be read in more than one way is in [Message.Problems], each with a
//     stable [Reason], and nothing is guessed silently.
//   - Editing is splicing. Nothing is ever serialised again, so bytes that need
//     no change keep every byte.
//   - The result of an edit is not believed but parsed again and compared with
//     the original, see [Message.Verify].
//
// It follows RFC 5322 and RFC 6532 for header fields, RFC 2045, RFC 2046, RFC
// 2183 and RFC 2231 for parts and their parameters, RFC 2047 for encoded words
// and RFC 3676 for flowed text.
//
// It must not know links, policy, rules or mail servers. Whether a message may
// be edited at all is decided by its caller; structural facts for such
// decisions are methods of [Part].
package mime

// Package mime reads and edits mail messages. It is a part of the program linkmilter and exports only
// what its other packages use.
//
// A message is a slice of bytes. The package finds the ranges of its header fields and
// parts, decodes the text of leaf parts, and carries out plans of edits. Every byte
// outside a plan stays the same. Three decisions shape the package:
//
//   - Parsing finds ranges and copies nothing. It never fails and never guesses
//     silently: Message.Problems lists each malformed or ambiguous place with a stable
//     [Reason].
//   - Editing inserts and replaces ranges. It never writes the rest of a message again.
//   - [Message.Verify] parses the edited message and compares it with the original.
//
// The package follows RFC 5322 and RFC 6532 for header fields, RFC 2045, RFC 2046, RFC
// 2183 and RFC 2231 for parts and their parameters, RFC 2047 for encoded words and RFC
// 3676 for flowed text.
//
// The files form layers, and each file uses only names of lower layers. From the bottom: lines and
// reasons; message, fields and structure; parse; transfer encoding and text; plan and apply; encoders;
// rewrite and alternative; verify. Package internal/charset reads bytes as lenient programs do.
//
// The package does not know links, policy, rules or mail servers. Its callers decide
// which parts they read, and whether a message may be edited.
package mime

// Package charset decodes bytes to the texts that mail programs and browsers may show for
// them. The bytes are in a charset, in the encoded words of a header field, in uuencode
// or in yEnc.
//
// [Readings] and [LooseWords] repair and guess as lenient programs do, so their texts serve
// to judge a message, never to edit it. [Canonical], [Lookup] and [ByteOrder] are for
// callers that decode strictly.
package charset

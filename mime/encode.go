package mime

import (
	"encoding/base64"
	"strings"
)

// longestEncoded is the limit of RFC 2045 §6.7 and §6.8 for an encoded line.
const longestEncoded = 76

// normalised returns text with LF line ends.
func normalised(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// encodeText encodes text with LF line ends in quoted-printable or base64,
// whichever is shorter, with the given line end. The choice is made as if the
// line ends were CRLF, so that a message gets the same encoding in a file and on
// the wire.
func encodeText(text, eol string) (encoded, encoding string) {
	qp := encodeQuotedPrintable(text)
	b64 := encodeBase64(strings.ReplaceAll(text, "\n", "\r\n")) // RFC 2045 §6.8
	if len(qp)+strings.Count(qp, "\n") <= len(b64)+strings.Count(b64, "\n") {
		return strings.ReplaceAll(qp, "\n", eol), "quoted-printable"
	}
	return strings.ReplaceAll(b64, "\n", eol), "base64"
}

// encodeBase64 encodes octets in lines that LF separates.
func encodeBase64(octets string) string {
	encoded := base64.StdEncoding.EncodeToString([]byte(octets))
	var b strings.Builder
	b.Grow(len(encoded) + len(encoded)/longestEncoded)
	for len(encoded) > longestEncoded {
		b.WriteString(encoded[:longestEncoded])
		b.WriteByte('\n')
		encoded = encoded[longestEncoded:]
	}
	b.WriteString(encoded)
	return b.String()
}

// encodeQuotedPrintable encodes text with LF line ends (RFC 2045 §6.7). The
// standard library's writer leaves "From " at the start of a line, which delivery
// to an mbox file would change, and writes CRLF only.
func encodeQuotedPrintable(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	used := 0 // octets in the line
	for i := range len(text) {
		c := text[i]
		if c == '\n' {
			b.WriteByte('\n')
			used = 0
			continue
		}
		last := i+1 == len(text) || text[i+1] == '\n'
		n := 3
		if literal(text, i, last, used) {
			n = 1
		}
		// The last octet of a line needs no room for the "=" of a soft line break.
		room := longestEncoded - 1
		if last {
			room++
		}
		if used+n > room {
			b.WriteString("=\n")
			used = 0
			if n == 1 && !literal(text, i, last, used) {
				n = 3
			}
		}
		if n == 1 {
			b.WriteByte(c)
		} else {
			const digits = "0123456789ABCDEF"
			b.Write([]byte{'=', digits[c>>4], digits[c&15]})
		}
		used += n
	}
	return b.String()
}

// literal reports whether text[i] may stand for itself with used octets before
// it in its line. White space may not end a line.
func literal(text string, i int, last bool, used int) bool {
	switch c := text[i]; {
	case c == ' ' || c == '\t':
		return !last
	case c == 'F' && used == 0:
		return !strings.HasPrefix(text[i:], "From ")
	default:
		return c > ' ' && c <= '~' && c != '='
	}
}

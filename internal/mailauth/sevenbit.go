package mailauth

import (
	"bytes"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// maxLine is how many bytes a line may have without its line end. RFC 5322 §2.1.1
// allows 998, but the mailer esmtp of Sendmail 8.17.1 breaks lines of more than 990
// (L=990). Other servers may count the line end, or the dot of SMTP's dot-stuffing.
const maxLine = 980

// sevenBit reports whether servers have no reason to convert the message. Its header
// and body must be ASCII without NUL. Its lines must have at most 980 bytes and all
// end in CRLF, or all in LF as in files. RFC 6376 §5.3 wants this before signing: a
// server may convert 8-bit mail and break long lines, which breaks the signature.
func sevenBit(message []byte) bool {
	if !ascii.Is(message) || bytes.IndexByte(message, 0) >= 0 {
		return false
	}
	lines, pairs := 0, 0 // all line ends, and the CRLF among them
	for rest := message; len(rest) > 0; lines++ {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			if len(rest) > maxLine {
				return false
			}
			break
		}
		length := end
		if end > 0 && rest[end-1] == '\r' {
			pairs++
			length--
		}
		if length > maxLine {
			return false
		}
		rest = rest[end+1:]
	}
	return bytes.Count(message, []byte("\r")) == pairs && (pairs == 0 || pairs == lines)
}

package mailauth

import (
	"bytes"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// maxLine is how many octets a line may have without its line end. RFC 5322 §2.1.1
// allows 998, but the mailer esmtp of Sendmail 8.17.1 breaks lines of more than 990
// (L=990). Others may count the line end, or the dot that is put before one.
const maxLine = 980

// SevenBit reports whether nobody on the way has a reason to write the message
// in another form: its header and body are ASCII without NUL, in lines of at
// most 980 octets that all end alike, in CRLF or, as in files, in LF. RFC 6376
// §5.3 wants this of what is signed: a server that may not hand on 8-bit mail
// converts it, and a long line is broken, after which no signature verifies.
func SevenBit(message []byte) bool {
	if !ascii.Is(message) || bytes.IndexByte(message, 0) >= 0 {
		return false
	}
	lines, pairs := 0, 0 // line ends, and those of them that are CRLF
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

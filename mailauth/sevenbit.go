package mailauth

import "bytes"

// maxLine is how many octets a line may have without its line end. RFC 5322 §2.1.1
// allows 998, but the mailers of Sendmail break lines of more than 989 (L=990), and
// others have that limit, too.
const maxLine = 980

// SevenBit reports whether nobody on the way has a reason to write the message
// in another form: its header and body are ASCII without NUL, in lines of at
// most 980 octets that all end alike, in CRLF or, as in files, in LF. RFC 6376
// §5.3 wants this of what is signed: a server that may not hand on 8-bit mail
// converts it, and a long line is broken, after which no signature verifies.
func SevenBit(message []byte) bool {
	crlf := true // line ends are CRLF
	for pos := 0; pos < len(message); {
		line := message[pos:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
			cr := i > 0 && line[i-1] == '\r'
			if pos == 0 {
				crlf = cr
			}
			if cr != crlf {
				return false
			}
			pos += i + 1
			if cr {
				line = line[:i-1]
			}
		} else {
			pos = len(message)
		}
		if len(line) > maxLine || !plainASCII(line) {
			return false
		}
	}
	return true
}

// plainASCII reports whether a line holds neither NUL, nor CR, nor octets above 127.
func plainASCII(line []byte) bool {
	for _, c := range line {
		if c >= 0x80 || c == 0 || c == '\r' {
			return false
		}
	}
	return true
}

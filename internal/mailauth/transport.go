package mailauth

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// EightBit says what a [Signer] does with messages that have bytes above 127. A server
// that cannot pass them on converts them, which breaks a signature (RFC 6376 §5.3).
// Such servers have become rare.
type EightBit string

// How such messages are signed. The empty value is [EightBitSign].
const (
	EightBitSign    EightBit = "sign"    // signed unchanged
	EightBitConvert EightBit = "convert" // texts of messages that may be edited become 7-bit first
	EightBitLeave   EightBit = "leave"   // not signed
)

// validate refuses values that do not exist.
func (e EightBit) validate() error {
	switch e {
	case "", EightBitSign, EightBitConvert, EightBitLeave:
		return nil
	}
	return fmt.Errorf("DKIM eight_bit %q: unknown (want \"sign\")", string(e))
}

// ErrFragile says that a message is not signed since a mail server may change it on its
// way: it has NUL, lines of more than 980 bytes, mixed line ends or, with
// [EightBitLeave], bytes above 127.
var ErrFragile = errors.New("a mail server may change the message")

// maxLine is how many bytes a line may have without its line end. RFC 5322 §2.1.1
// allows 998, but the mailer esmtp of Sendmail 8.17.1 breaks lines of more than 990
// (L=990). Other servers may count the line end, or the dot of SMTP's dot-stuffing.
const maxLine = 980

// fragile reports whether servers may change a message before it arrives.
func (e EightBit) fragile(message []byte) bool {
	return e == EightBitLeave && !ascii.Is(message) || !keepsLines(message)
}

// keepsLines reports whether servers keep the lines of a message. They do if it has no NUL, its lines
// have at most 980 bytes, and all end in CRLF, or all in LF as in files.
func keepsLines(message []byte) bool {
	if bytes.IndexByte(message, 0) >= 0 {
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

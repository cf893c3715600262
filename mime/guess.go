package mime

import (
	"bytes"
	"encoding/base64"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// GuessText returns the text of a leaf that [Message.Text] refuses, as mail programs and
// browsers show it. It decodes bytes that contradict the declared charset or encoding, and
// returns the body of a multipart that the parser could not open. Use it to judge a
// message, never to edit it: the text may have controls and U+FFFD. The caller knows that p
// is a text. The error is that of the context, or of a decoder.
//
// If the text does not fit its charset, or has none, GuessText reads valid UTF-8 as UTF-8
// and everything else as windows-1252. It also reads ISO 8859-1 as windows-1252 (WHATWG
// Encoding §4.2). It does not decode UTF-7, as browsers do not.
func (m *Message) GuessText(p *Part) (string, error) {
	name := canonical(p.params.get("charset"))
	content := m.guessContent(p)
	if bytes.HasPrefix(content, []byte("\xEF\xBB\xBF")) {
		name = "utf-8" // the mark goes before what is declared
	}
	text, err := decodeWith(newMeter(m.ctx), guessEncoding(name, content), content)
	if err != nil {
		if m.ctx.Err() != nil {
			return "", m.ctx.Err()
		}
		return "", unreadable(reasonUndecodable, "%s: %v", name, err)
	}
	t := leafText{content: text}
	t.readFormat(p)
	return t.unflowed(), nil
}

// decodeWith decodes content. It decodes a long content twice, first to count the bytes of
// the text.
func decodeWith(t *meter, enc encoding.Encoding, content []byte) (string, error) {
	if enc == encoding.Nop {
		return string(content), nil
	}
	d := decoding{decoder: enc.NewDecoder()}
	decode := func() error {
		if err := t.inPieces(content, d.write); err != nil {
			return err
		}
		return d.transform(d.left, true)
	}
	size := 2 * len(content)
	if len(content) > longText {
		d.counting = true
		if err := decode(); err != nil {
			return "", err
		}
		size = d.again()
	}
	d.text.Grow(size)
	err := decode()
	return d.text.String(), err
}

// guessEncoding returns the encoding for content that claims the charset name.
func guessEncoding(name string, content []byte) encoding.Encoding {
	switch name {
	case "", "us-ascii", "utf-8":
	default:
		e := lookup(name)
		if e == charmap.ISO8859_1 {
			return charmap.Windows1252
		}
		if e != nil {
			return e
		}
	}
	if utf8.Valid(content) {
		return encoding.Nop
	}
	return charmap.Windows1252
}

// guessContent removes the transfer encoding as far as it can: it keeps what is not valid
// quoted-printable, skips bytes that are not base64 digits, and ignores unknown encodings.
func (m *Message) guessContent(p *Part) []byte {
	if content, err := m.content(p); err == nil {
		return content
	}
	body := m.Raw[p.bodyStart:p.end]
	switch p.encoding {
	case "quoted-printable":
		return guessQuotedPrintable(body)
	case "base64":
		return guessBase64(body)
	}
	return body
}

// guessQuotedPrintable decodes the valid escapes and soft line breaks.
func guessQuotedPrintable(body []byte) []byte {
	decoded := make([]byte, 0, len(body))
	for len(body) > 0 {
		i := bytes.IndexByte(body, '=')
		if i < 0 {
			break
		}
		decoded, body = append(decoded, body[:i]...), body[i:]
		if b, ok := hexByte(body); ok {
			decoded, body = append(decoded, b), body[3:]
			continue
		}
		if rest := bytes.TrimLeft(body[1:], " \t\r"); len(rest) > 0 && rest[0] == '\n' {
			body = rest[1:]
			continue
		}
		decoded, body = append(decoded, '='), body[1:]
	}
	return append(decoded, body...)
}

// guessBase64 decodes the digits up to the padding, without an incomplete last byte.
func guessBase64(body []byte) []byte {
	digits := make([]byte, 0, len(body))
	for _, c := range body {
		switch {
		case c == '=':
			if len(digits)%4 != 0 {
				return rawBase64(digits)
			}
		case ascii.IsAlphanumeric(c), c == '+', c == '/':
			digits = append(digits, c)
		}
	}
	return rawBase64(digits)
}

// rawBase64 decodes digits.
func rawBase64(digits []byte) []byte {
	if len(digits)%4 == 1 {
		digits = digits[:len(digits)-1]
	}
	decoded := make([]byte, base64.RawStdEncoding.DecodedLen(len(digits)))
	n, _ := base64.RawStdEncoding.Decode(decoded, digits) // digits only: cannot go wrong
	return decoded[:n]
}

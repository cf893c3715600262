package charset

import (
	"bytes"
	"strings"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// asciiOnly returns the ASCII characters of a content, whatever its charset is: bytes
// above 127 and controls become spaces. It leaves out the escape sequences of ISO 2022 and, if
// joined is set, NUL, which is between the characters in UTF-16. Behind kanji it has a space.
func asciiOnly(t *meter.Meter, content []byte, joined bool) (string, error) {
	var b strings.Builder
	b.Grow(len(content))
	kanji := false
	for len(content) > 0 {
		n := 1
		switch c := content[0]; {
		case c == '\x1b':
			n = escapeSequence(content)
			switch {
			case bytes.HasPrefix(content, toKanji):
				kanji = true
			case kanji && bytes.HasPrefix(content, toASCII):
				b.WriteByte(' ')
				kanji = false
			}
		case c == '\x0e' || c == '\x0f' || c == 0 && joined:
		case ' ' <= c && c < '\x7f' || c == '\t' || c == '\n' || c == '\r':
			b.WriteByte(c)
		default:
			b.WriteByte(' ')
		}
		content = content[n:]
		if err := t.Spend(n); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// The beginnings of the sequences of ISO 2022 in front of kanji and behind them.
var toKanji, toASCII = []byte("\x1b$"), []byte("\x1b(")

// behindKanji has a space where programs that do not know ISO 2022 show "(B" in front of a host.
var behindKanji = strings.NewReplacer("\x1b(B", "\x1b(B ", "\x1b(J", "\x1b(J ")

// escapeSequence returns the length of the escape sequence that s begins with (ECMA-48,
// ISO 2022): intermediate bytes and a final one, or a control sequence after "[".
func escapeSequence(s []byte) int {
	n := 1
	if n < len(s) && s[n] == '[' {
		for n++; n < len(s) && s[n] >= '0' && s[n] <= '?'; n++ {
		}
	}
	for n < len(s) && s[n] >= ' ' && s[n] <= '/' {
		n++
	}
	if n < len(s) && s[n] >= '0' && s[n] < '\x7f' {
		n++
	}
	return n
}

// asciiHZ returns the ASCII characters of a content in HZ (RFC 1843) without its escapes.
func asciiHZ(t *meter.Meter, content []byte) (string, error) {
	text, err := asciiOnly(t, content, true)
	return strings.NewReplacer("~{", "", "~}", "", "~~", "~", "~\r\n", "", "~\n", "").Replace(text), err
}

package charset

import (
	"bytes"
	"strings"
	"unicode/utf16"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// A utf7 is a variant of UTF-7: the byte that shifts to base64, and the base64 digit that it has in
// place of "/".
type utf7 struct{ shift, slash byte }

var (
	plainUTF7   = utf7{'+', '/'} // RFC 2152
	mailboxUTF7 = utf7{'&', ','} // RFC 3501 §5.1.3
)

// decode decodes UTF-7 as lenient programs do: it accepts characters that the standard wants
// escaped, and drops an incomplete character.
func (u utf7) decode(t *meter.Meter, content []byte) (string, error) {
	var b strings.Builder
	b.Grow(len(content))
	for pos := 0; pos < len(content); {
		start := pos
		if content[pos] != u.shift {
			b.WriteByte(content[pos])
			pos++
		} else {
			pos += u.shifted(&b, content[pos:])
		}
		if err := t.Spend(pos - start); err != nil {
			return "", err
		}
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD"), nil
}

// shifted decodes what follows a shift up to the end of the base64, and returns its length,
// including the shift and a closing "-".
func (u utf7) shifted(b *strings.Builder, content []byte) int {
	end := 1
	for end < len(content) && (IsBase64(content[end]) || content[end] == u.slash) {
		end++
	}
	raw := RawBase64(bytes.ReplaceAll(content[1:end], []byte{u.slash}, []byte("/")))
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
	}
	b.WriteString(string(utf16.Decode(units)))
	if end < len(content) && content[end] == '-' {
		if end == 1 {
			b.WriteByte(u.shift)
		}
		end++
	}
	return end
}

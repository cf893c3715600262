package charset

import (
	"strings"
	"unicode/utf16"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// decodeUTF7 decodes UTF-7 (RFC 2152) as lenient programs do: it accepts characters that
// the standard has escaped, and drops an incomplete character.
func decodeUTF7(t *meter.Meter, content []byte) (string, error) {
	var b strings.Builder
	b.Grow(len(content))
	for pos := 0; pos < len(content); {
		start := pos
		if content[pos] != '+' {
			b.WriteByte(content[pos])
			pos++
		} else {
			pos += shiftedUTF7(&b, content[pos:])
		}
		if err := t.Spend(pos - start); err != nil {
			return "", err
		}
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD"), nil
}

// shiftedUTF7 decodes what follows a "+" up to the end of the base64, and returns its
// length with the "+" and a closing "-".
func shiftedUTF7(b *strings.Builder, content []byte) int {
	end := 1
	for end < len(content) && IsBase64(content[end]) {
		end++
	}
	raw := RawBase64(content[1:end])
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
	}
	b.WriteString(string(utf16.Decode(units)))
	if end < len(content) && content[end] == '-' {
		if end == 1 {
			b.WriteByte('+')
		}
		end++
	}
	return end
}

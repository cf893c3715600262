package charset

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// decodeEscapes decodes the escape sequences of Python's string literals. Bytes above 127 are in
// ISO 8859-1. An escape with the name of a character becomes U+FFFD.
func decodeEscapes(t *meter.Meter, content []byte) (string, error) {
	return unescape(t, content, escapedCharacter)
}

// decodeRawEscapes decodes the escape sequences of code points only.
func decodeRawEscapes(t *meter.Meter, content []byte) (string, error) {
	return unescape(t, content, escapedCodePoint)
}

// unescape decodes what follows each backslash. The function returns the text of an escape sequence
// and its length in bytes, or 0 if there is no such sequence.
func unescape(t *meter.Meter, content []byte, escaped func(s []byte) (string, int)) (string, error) {
	var b strings.Builder
	for i := 0; i < len(content); {
		n := 1
		if content[i] != '\\' || i+1 == len(content) {
			b.WriteRune(rune(content[i]))
		} else if text, size := escaped(content[i+1:]); size > 0 {
			b.WriteString(text)
			n += size
		} else {
			b.WriteByte('\\')
			b.WriteRune(rune(content[i+1]))
			n++
		}
		i += n
		if err := t.Spend(n); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// escapedCharacter returns the text of an escape sequence without its backslash, and its length.
func escapedCharacter(s []byte) (string, int) {
	if i := strings.IndexByte("abfnrtv", s[0]); i >= 0 {
		return "\a\b\f\n\r\t\v"[i : i+1], 1
	}
	switch s[0] {
	case '\n':
		return "", 1
	case '\\', '\'', '"':
		return string(s[:1]), 1
	case 'x':
		return codePoint(s, 1, 2, 16)
	case 'N':
		if end := bytes.IndexByte(s[:min(len(s), maxNamed)], '}'); end > 0 && s[1] == '{' {
			return string(utf8.RuneError), end + 1
		}
	}
	for n := 3; n > 0; n-- {
		if text, size := codePoint(s, 0, n, 8); size > 0 {
			return text, size
		}
	}
	return escapedCodePoint(s)
}

// maxNamed is the length in bytes of the longest name of a character with its braces.
const maxNamed = 100

// escapedCodePoint is escapedCharacter for code points in hexadecimal.
func escapedCodePoint(s []byte) (string, int) {
	switch s[0] {
	case 'u':
		return codePoint(s, 1, 4, 16)
	case 'U':
		return codePoint(s, 1, 8, 16)
	}
	return "", 0
}

// codePoint returns the character whose code point the n digits at an offset of s give, and the end
// of the digits, or 0 if s has fewer digits.
func codePoint(s []byte, from, n, base int) (string, int) {
	if len(s) < from+n {
		return "", 0
	}
	code, err := strconv.ParseUint(string(s[from:from+n]), base, 31)
	if err != nil {
		return "", 0
	}
	return string(rune(code)), from + n
}

// maxPunycode is the length in bytes of the longest Punycode that is decoded, because decoding
// takes quadratic time.
const maxPunycode = 4 << 10

// dots replaces full stops, so that idna takes the content for one label; undots restores them.
var dots, undots = strings.NewReplacer(".", "\x01"), strings.NewReplacer("\x01", ".")

// decodePunycode decodes a content that is one string in Punycode (RFC 3492).
func decodePunycode(t *meter.Meter, content []byte) (string, error) {
	text, err := decodeIDNA(t, []byte("xn--"+dots.Replace(string(content))))
	return undots.Replace(strings.TrimPrefix(text, "xn--")), err
}

// decodeIDNA decodes the labels of a content that have Punycode.
func decodeIDNA(t *meter.Meter, content []byte) (string, error) {
	if len(content) > maxPunycode {
		return decodeUTF8(t, content)
	}
	text, _ := idna.Punycode.ToUnicode(string(content))
	return strings.ToValidUTF8(text, "\uFFFD"), nil
}

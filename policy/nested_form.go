package policy

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/percent"
)

// A nestedForm says how a URL inside another one is written. It is the number of times it is
// percent-encoded, or one of the forms below.
type nestedForm int

const (
	formNone     nestedForm = -1 - iota // no URL
	formBase64                          // in base64
	formDefense                         // of URL Defense version 2
	formHex                             // in hexadecimal digits
	formReversed                        // in base64 written backwards, in front of the place
)

// findNested returns the index in s at which the rest of a URL after its scheme begins, and the
// form of the URL.
func findNested(s string) (at int, form nestedForm) {
	for i := range len(s) - 1 {
		// The second byte rules out most places.
		switch next := s[i+1]; s[i] {
		case 'a', 'd':
			if next == 'H' && isBase64URL(s[i:]) {
				return i, formBase64
			}
		case 'Y':
			if next == 'U' && strings.HasPrefix(s[i:], doubledMark) && isDoubled(textInBase64(s[i:min(len(s), i+8)])) {
				return i, formBase64
			}
		case 'c':
			if next == '0' && strings.HasPrefix(s[i:], reversedMark) && decodeReversed(s[:i+len(reversedMark)]) != "" {
				return i + len(reversedMark), formReversed
			}
		case '6':
			if next == '8' && ascii.HasPrefixFold(s[i:], hexMark) {
				return i, formHex
			}
		case '-':
			if next == '3' && ascii.HasPrefixFold(s[i:], defenseMark) {
				return i + len(defenseMark), formDefense
			}
		case '=':
			if size, times := slashes(s[i+1:]); size > 0 {
				return i + 1 + size, nestedForm(times)
			}
		case ':', '%':
			if (next == '/' || next == '*') && isDefenseScheme(s[:i]) {
				return i + 1, 0
			}
			if size, times := delimiter(s[i:]); size > 0 {
				return i + size, nestedForm(times)
			}
		}
	}
	return len(s), formNone
}

// decode returns the URL at the start of s without its scheme.
func (f nestedForm) decode(s string) string {
	switch f {
	case formBase64:
		return decodeBase64(s)
	case formDefense:
		return decodeURLDefense(s)
	case formHex:
		return decodeHex(s)
	case 0:
		return plainURL(s)
	}
	s = beforeNext(s)
	for range f {
		s = percent.Decode(s)
	}
	return s
}

// plainURL returns the URL at the start of s, which is not encoded, except that URL Defense version
// 3 moves some characters to its end.
func plainURL(s string) string {
	if strings.Contains(s, "__;") {
		return strings.TrimLeft(defenseTokens(s), "/")
	}
	return beforeNext(strings.TrimLeft(s, "/"))
}

// base64Marks are the first letters of base64 that holds "http" or its end. If other text precedes
// the URL, a group of four letters may begin inside the scheme.
var base64Marks = [...]string{"aHR0c", "dHRw", "dHA6", "dHBz"}

// isBase64URL reports whether s begins with a URL in base64.
func isBase64URL(s string) bool {
	for _, mark := range base64Marks {
		if strings.HasPrefix(s, mark) {
			const beginning = 24
			return decodeBase64(s[:min(len(s), beginning)]) != ""
		}
	}
	return false
}

// decodeBase64 returns the URL at the start of s in base64 (RFC 4648 §4 or §5), without its scheme;
// "" if it has none. Services write more letters of base64 after the URL, as in "aHR0cHM6Ly9…/1".
// The URL ends where these do not decode to text.
func decodeBase64(s string) string {
	end := 0
	for end < len(s) && isBase64(s[end]) {
		end++
	}
	text := textInBase64(s[:end])
	if isDoubled(text) {
		return decodeBase64(text)
	}
	url := strings.ReplaceAll(text, `\/`, "/") // JSON
	colon := strings.IndexAny(url, ":%")
	if colon < 0 || colon > len("https") {
		return ""
	}
	size, times := delimiter(url[colon:])
	if size == 0 {
		return ""
	}
	return nestedForm(times).decode(url[colon+size:])
}

// textInBase64 returns the UTF-8 text that the start of base64 holds.
func textInBase64(s string) string {
	s = strings.NewReplacer("+", "-", "/", "_").Replace(s)
	whole := len(s) / 4 * 4
	bytes, err := base64.RawURLEncoding.DecodeString(s[:whole])
	if err != nil {
		return ""
	}
	if tail, err := base64.RawURLEncoding.DecodeString(s[whole:]); err == nil {
		bytes = append(bytes, tail...)
	}
	text := string(bytes)
	for i, r := range text {
		if r < ' ' || r == utf8.RuneError {
			return text[:i]
		}
	}
	return text
}

// doubledMark are the first letters of "http" encoded in base64 twice.
const doubledMark = "YUhSMG"

// isDoubled reports whether a text is a URL in base64.
func isDoubled(text string) bool { return strings.HasPrefix(text, base64Marks[0]) }

// reversedMark is the end of "http" in base64 written backwards.
const reversedMark = "c0RHa"

// decodeReversed returns the URL that s ends with, in base64 written backwards, without its scheme.
func decodeReversed(s string) string {
	start := len(s)
	for start > 0 && isBase64(s[start-1]) {
		start--
	}
	reversed := []byte(s[start:])
	slices.Reverse(reversed)
	return decodeBase64(string(reversed))
}

// hexMark is "http" in hexadecimal digits.
const hexMark = "68747470"

// decodeHex returns the URL at the start of s, in hexadecimal digits, without its scheme;
// "" if it has none.
func decodeHex(s string) string {
	var b strings.Builder
	for len(s) > 1 {
		c, ok := ascii.HexByte(s[0], s[1])
		if !ok {
			break
		}
		b.WriteByte(c)
		s = s[2:]
	}
	_, url, _ := strings.Cut(b.String(), "://")
	return url
}

// isBase64 reports whether c is in one of the two alphabets of base64.
func isBase64(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("+/-_", c) >= 0
}

// withDots returns a host with a dot for each character that UTS #46 maps to one.
func withDots(host string) string { return smallDots.Replace(hostname.FullStops(host)) }

// smallDots replaces those of these characters that are not full stops.
var smallDots = strings.NewReplacer("\u2024", ".", "\ufe52", ".")

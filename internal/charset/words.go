package charset

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/meter"
)

// LooseWords returns what mail programs may show for the value of a field with encoded words (RFC
// 2047). It also decodes words that break the rules: words inside quotes or other text, with raw
// spaces, without padding, with a part of a character, or without their end. It returns at most
// four different results. When ctx ends, it decodes no more words.
func LooseWords(ctx context.Context, value string) []string {
	if !strings.Contains(value, "=?") {
		return looseValues(ctx, value)
	}
	var readings []string
	for nth := range 3 {
		reading := looseWords(ctx, value, nth)
		readings = append(readings, looseValues(ctx, reading)...)
		if nth > 0 && strings.Contains(reading, "=?") { // some programs decode the result once more
			readings = append(readings, looseWords(ctx, reading, 0))
		}
	}
	unique := readings[:0]
	for _, reading := range readings {
		if !slices.Contains(unique, reading) {
			unique = append(unique, reading)
		}
	}
	return unique[:min(len(unique), maxReadings)]
}

// maxReadings is the number of readings of a field.
const maxReadings = 4

// looseValues returns the readings of a value without encoded words, which may have bytes
// of any charset.
func looseValues(ctx context.Context, value string) []string {
	if utf8.ValidString(value) {
		return []string{value}
	}
	return []string{nthReading(ctx, "", []byte(value), 0), nthReading(ctx, "", []byte(value), 1)}
}

// looseWords decodes a value with the nth reading of each charset. If nth is not 0, it reads words
// more leniently: without raw spaces, with characters divided between adjacent words, and with
// base64 for URLs.
func looseWords(ctx context.Context, value string, nth int) string {
	var b strings.Builder
	var open looseWord // the decoded content of adjacent words in one charset
	flush := func() {
		if open.encoding == 0 {
			return
		}
		open.content = append(open.content, decodeWord(ctx, open.encoding, open.left, nth > 0)...)
		b.WriteString(nthReading(ctx, open.charset, open.content, nth))
		open = looseWord{}
	}
	for value != "" && ctx.Err() == nil {
		before, word, rest, ok := cutWord(value, nth > 0)
		if !ok {
			break
		}
		if open.encoding != 0 && (!strings.EqualFold(open.charset, word.charset) || strings.Trim(before, " \t") != "") {
			flush()
		}
		if open.encoding == 0 && (b.Len() == 0 || strings.Trim(before, " \t") != "") {
			b.WriteString(before)
		}
		text := word.left
		if open.encoding == word.encoding {
			text = open.left + text
		} else {
			open.content = append(open.content, decodeWord(ctx, open.encoding, open.left, nth > 0)...)
		}
		whole := len(text)
		if nth > 0 {
			whole = wholeWord(word.encoding, text)
		}
		word.content = append(open.content, decodeWord(ctx, word.encoding, text[:whole], nth > 0)...)
		word.left = text[whole:]
		open, value = word, rest
	}
	flush()
	b.WriteString(value)
	return b.String()
}

// A looseWord is an encoded word, or several that belong together.
type looseWord struct {
	charset  string
	encoding byte   // 'b' or 'q', or 0
	content  []byte // what was decoded
	left     string // the encoded text that was not decoded yet
}

// wholeWord returns the length of the text of an encoded word without an incomplete
// character at its end: less than four digits of base64, or "=" with less than two.
func wholeWord(encoding byte, text string) int {
	if encoding == 'b' {
		if strings.Contains(text, "=") {
			return len(text)
		}
		return len(text) - len(text)%4
	}
	if i := strings.LastIndexByte(text, '='); i >= 0 && len(text)-i < len("=3D") {
		return i
	}
	return len(text)
}

// cutWord splits a value at its first encoded word. A word without an end goes up to the
// end of the value.
func cutWord(value string, spaceless bool) (before string, word looseWord, rest string, ok bool) {
	for from := 0; ; {
		i := strings.Index(value[from:], "=?")
		if i < 0 {
			return "", looseWord{}, "", false
		}
		start := from + i
		from = start + len("=?")
		charset, tail, found := strings.Cut(value[from:], "?")
		if !found || len(tail) < 2 || tail[1] != '?' || strings.Contains(charset, "=") {
			continue
		}
		encoding := tail[0] | 0x20
		if encoding != 'q' && encoding != 'b' {
			continue
		}
		text := value[from+len(charset)+len("?q?"):]
		text, rest, _ = strings.Cut(text, "?=")
		if spaceless {
			text = rawBlanks.Replace(text)
		}
		word.charset, _, _ = strings.Cut(charset, "*")
		word.encoding, word.left = encoding, text
		return value[:start], word, rest, true
	}
}

// rawBlanks removes the blanks that no text of an encoded word may have.
var rawBlanks = strings.NewReplacer(" ", "", "\t", "")

// decodeWord decodes the text of an encoded word. With forURLs, "-" and "_" are digits of base64,
// too.
func decodeWord(ctx context.Context, encoding byte, text string, forURLs bool) []byte {
	if encoding == 'b' {
		var decoded []byte
		for piece := range strings.SplitSeq(text, "=") {
			decoded = append(decoded, RawBase64(Base64Digits(meter.New(ctx), []byte(piece), forURLs))...)
		}
		return decoded
	}
	content := []byte(text)
	decoded := make([]byte, 0, len(content))
	for len(content) > 0 {
		if b, ok := escaped(content); ok {
			decoded, content = append(decoded, b), content[3:]
			continue
		}
		decoded, content = append(decoded, content[0]), content[1:]
		if decoded[len(decoded)-1] == '_' {
			decoded[len(decoded)-1] = ' '
		}
	}
	return decoded
}

// escaped returns the byte that s begins with as "=" and two hexadecimal digits.
func escaped(s []byte) (b byte, ok bool) {
	if len(s) < len("=3D") || s[0] != '=' {
		return 0, false
	}
	return ascii.HexByte(s[1], s[2])
}

// nthReading returns the nth reading of a content, or the last one if there are fewer.
func nthReading(ctx context.Context, charset string, content []byte, nth int) string {
	last := ""
	n := 0
	for text, err := range Readings(ctx, charset, content) {
		if err != nil {
			break
		}
		if last = text; n == nth {
			break
		}
		n++
	}
	return last
}

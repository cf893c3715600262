// Package textview returns the ways in which readers take a text that is shown for a link. They read
// look-alikes of letters and of URL syntax as these, skip spaces in a host, and repair texts such as
// "example[.]com".
//
// It is a part of the program linkmilter and exports only what its other packages use. It handles texts
// only, neither links nor findings.
package textview

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/scheme"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// MaxReadings is the largest number of readings of a text.
const MaxReadings = 5

// Readings appends the ways in which readers take a text that is shown for a target. These are:
// unchanged, with look-alikes of URL syntax replaced, without spaces in a host, with dots for the signs
// after "www", and in Latin letters.
func Readings(readings []string, text string) []string {
	text = Bare(text)
	readings = append(readings, text)
	if plain := Plain(text); plain != text {
		readings = append(readings, plain)
	}
	if joined := withoutSpaces(text); joined != "" {
		readings = append(readings, joined)
	}
	if dotted := withSignsAsDots(text); dotted != "" {
		readings = append(readings, dotted)
	}
	if latin := latinReading(text); latin != "" {
		readings = append(readings, Plain(latin))
	}
	return readings
}

// maxSpaced is the largest length in bytes of a URL whose host is written with spaces.
const maxSpaced = 256

// withoutSpaces returns a URL that is written with spaces in its host, but without the spaces. Examples
// are "www. example. com", "example . com" and "e x a m p l e . c o m". For any other text it returns
// "".
func withoutSpaces(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > maxSpaced {
		return ""
	}
	end := strings.IndexFunc(text, unicode.IsSpace)
	if end < 0 {
		return ""
	}
	first := text[:end]
	joined := strings.Join(strings.Fields(text), "")
	name, rest := scheme.Name(joined)
	switch {
	case ascii.HasPrefixFold(joined, "www.") && strings.Count(first, ".") < 2:
		return joined
	case scheme.IsLinked(name) && strings.HasPrefix(rest, "//") && !strings.Contains(first, "."):
		return joined
	case len(strings.Fields(text)) <= maxSpacedLabels && spacesBeforeDots(text):
		return joined
	case strings.Contains(text, ".") && isSpelled(text):
		return joined
	}
	return ""
}

// HostStart begins the names of many hosts.
const HostStart = "www"

// withSignsAsDots returns a host that has another sign in place of each dot, such as "www,example,com",
// with dots. For any other text it returns "".
func withSignsAsDots(text string) string {
	text = strings.TrimSpace(text)
	host := text
	if _, after, ok := strings.Cut(text, "://"); ok {
		host = after
	}
	if len(text) > maxSpaced || !ascii.HasPrefixFold(host, HostStart) || HasSpace(text) {
		return ""
	}
	sign, size := utf8.DecodeRuneInString(host[len(HostStart):])
	rest := host[min(len(host), len(HostStart)+size):]
	if size == 0 || strings.ContainsRune("./:", sign) || unicode.IsLetter(sign) || unicode.IsDigit(sign) || !strings.ContainsRune(rest, sign) {
		return ""
	}
	if i := strings.IndexAny(rest, "./?#"); i >= 0 && rest[i] == '.' {
		return "" // it has dots
	}
	return text[:len(text)-len(host)] + HostStart + "." + strings.ReplaceAll(rest, string(sign), ".")
}

// maxSpacedLabels is the largest number of words of a host that is written with spaces around its dots.
const maxSpacedLabels = 9

// isSpelled reports whether a text is one word with a space after each letter.
func isSpelled(text string) bool {
	for letter := range strings.FieldsSeq(text) {
		if utf8.RuneCountInString(strings.Trim(letter, ".")) > 1 {
			return false
		}
	}
	return true
}

// spacesBeforeDots reports whether each word after the first begins with a dot or follows a dot that is
// alone, as in "example . com" and "example .com". Sentences are not written so.
func spacesBeforeDots(text string) bool {
	before := "."
	for word := range strings.FieldsSeq(text) {
		if before != "." && word[0] != '.' {
			return false
		}
		before = word
	}
	return true
}

// Plain returns a text as readers take it for URLs. Characters that look like URL syntax become that
// syntax. A space separates a URL from punctuation in front of it, and a scheme is followed by two
// slashes.
func Plain(text string) string {
	if !ascii.Is(text) {
		text = asciiSyntax(norm.NFKC.String(asciiSyntax(text)))
	}
	if !strings.ContainsAny(text, `:/\`) && !strings.Contains(text, "www.") {
		return text
	}
	return PlainWords(text)
}

// PlainWords returns the words of a text as Plain describes.
func PlainWords(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 16)
	for text != "" {
		word := leading(text, false)
		plainWord(&b, word)
		text = text[len(word):]
		space := leading(text, true)
		b.WriteString(space)
		text = text[len(space):]
	}
	return b.String()
}

// leading returns the white space at the start of a text, or with space false the text up to the first
// white space.
func leading(text string, space bool) string {
	for i, r := range text {
		if unicode.IsSpace(r) != space {
			return text[:i]
		}
	}
	return text
}

// isCommand reports whether the text after two slashes or backslashes is a single word of letters and
// hyphens, as in the comment //todo or the command \\section. Readers do not take it for a host.
func isCommand(word string) bool {
	word = strings.TrimRight(word, ".,:;!?")
	return strings.Trim(strings.ReplaceAll(word, "-", ""), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// plainWord writes a word as Plain describes.
func plainWord(b *strings.Builder, word string) {
	if word != "" && ascii.IsAlphanumeric(word[0]) && strings.IndexByte(word, ':') < 0 {
		b.WriteString(word) // most words
		return
	}
	if host := strings.TrimLeft(word, `/\`); (strings.HasPrefix(word, `//`) || strings.HasPrefix(word, `\\`)) && !isCommand(host) {
		word = "https://" + host
	}
	before := strings.TrimLeftFunc(word, func(r rune) bool {
		return r != '[' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	b.WriteString(word[:len(word)-len(before)])
	if before != word {
		b.WriteByte(' ')
	}
	start, after := schemeIn(before)
	if start < 0 {
		b.WriteString(before)
		return
	}
	if b.WriteString(before[:start]); start > 0 {
		b.WriteByte(' ')
	}
	name, _ := scheme.Name(before[start:])
	if next, _ := schemeIn(strings.TrimLeft(before[after:], `/\`)); next == 0 {
		b.WriteByte(' ')
		plainWord(b, strings.TrimLeft(before[after:], `/\`))
		return
	}
	b.WriteString(name + "://")
	host, path := strings.ReplaceAll(strings.TrimLeft(before[after:], `/\.`), `\`, "/"), ""
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host, path = host[:i], host[i:]
	}
	host = withoutDots(host) // readers take several dots for one
	// A space ends the host before a character that no host has.
	if i := strings.IndexAny(host, "!\"$%&'()*+,;<=>^`{|}~"); i > 0 && !strings.Contains(host, "@") {
		host = host[:i] + " " + host[i:]
	}
	b.WriteString(host + path)
}

// WithOneDot returns a text with one dot in place of two, because readers take them for one. After
// "www" it replaces more than two as well. Elsewhere three dots are an ellipsis, as in "More...at".
func WithOneDot(text string) string {
	if text = strings.ReplaceAll(text, "\u2025", ".."); !strings.Contains(text, "..") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for word := range strings.FieldsSeq(text) {
		if ascii.HasPrefixFold(word, "www.") || !strings.Contains(word, "...") {
			word = withoutDots(word)
		}
		b.WriteString(word)
		b.WriteByte(' ')
	}
	return strings.TrimSuffix(b.String(), " ")
}

// withoutDots returns a text with one dot in place of several.
func withoutDots(text string) string {
	for strings.Contains(text, "..") {
		text = strings.ReplaceAll(text, "..", ".")
	}
	return text
}

// schemeIn returns the offsets of a web scheme in a word and of the text after its colon, or -1. It
// skips a URL in the path or query of another.
func schemeIn(word string) (start, after int) {
	for at := 0; ; {
		i := strings.IndexByte(word[at:], ':')
		if i < 0 {
			return -1, 0
		}
		at += i + 1
		for _, name := range scheme.Linked {
			start := at - 1 - len(name)
			if start < 0 || !strings.EqualFold(word[start:at-1], name) || strings.ContainsAny(word[:start], "/?=&#%@[") {
				continue
			}
			if next := word[at:]; next != "" && (next[0] == '/' || next[0] == '\\' || strings.Contains(next, ".")) {
				return start, at
			}
		}
	}
}

// Bare returns a text without control characters and without marks that strike characters out or
// underline them. Blank characters become spaces.
func Bare(text string) string {
	plain := 0
	for plain < len(text) && (text[plain] >= ' ' && text[plain] < 0x7f || isSpace(text[plain])) {
		plain++
	}
	if plain == len(text) {
		return text
	}
	return text[:plain] + strings.Map(func(r rune) rune {
		switch {
		case r > ' ' && r < 0x7f:
			return r
		case r == '\u0085': // white space for other programs, but browsers do not show it
			return -1
		case r == '\u2800', unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r >= '\ufff9' && r <= '\ufffb', unicode.Is(strokes, r):
			return -1
		}
		return r
	}, text[plain:])
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// HasSpace reports whether a text has white space.
func HasSpace(text string) bool { return strings.ContainsFunc(text, unicode.IsSpace) }

// strokes are marks that cross or surround a character, or draw a line above or below it.
var strokes = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x0305, Hi: 0x0305, Stride: 1},
	{Lo: 0x0332, Hi: 0x0338, Stride: 1},
	{Lo: 0x033f, Hi: 0x033f, Stride: 1},
	{Lo: 0x20d0, Hi: 0x20f0, Stride: 1},
}}

// asciiSyntax replaces look-alikes of ":", "/" and "." that follow an ASCII character. Elsewhere they
// are letters and signs of other scripts.
func asciiSyntax(text string) string {
	if !strings.ContainsFunc(text, looksLikeSyntax) {
		return text
	}
	all := Syntax()
	var b strings.Builder
	before := rune(' ')
	for _, r := range text {
		if like := all[r]; like != "" && before < utf8.RuneSelf && before > ' ' {
			b.WriteString(like)
			r = rune(like[0])
		} else {
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

// looksLikeSyntax reports whether a non-ASCII character looks like ":", "/" or ".".
func looksLikeSyntax(r rune) bool {
	return syntaxColumns()[r>>10]>>(r>>4&63)&1 > 0 && Syntax()[r] != ""
}

// syntaxColumns has a bit for each 16 characters, set if Syntax has one of them. It rules out most
// characters without a look-up.
var syntaxColumns = sync.OnceValue(func() *[unicode.MaxRune>>10 + 1]uint64 {
	columns := new([unicode.MaxRune>>10 + 1]uint64)
	for r := range Syntax() {
		columns[r>>10] |= 1 << (r >> 4 & 63)
	}
	return columns
})

// Syntax maps non-ASCII characters to the URL syntax that they look like (UTS #39 §4, and a few more
// that look so in most fonts).
var Syntax = sync.OnceValue(func() map[rune]string {
	all := map[rune]string{'\u02d0': ":", '\u02f8': ":", '\u2e31': ".", '\u00b7': ".", '\u2027': ".", '\u22c5': ".", '\u2022': "."}
	for _, r := range "\u2219\u2804\u2e3c\u2e33\u16eb\u1427\ua78f\u25e6\u02d9\u06d4\u30fb\u25cf\u2218\u25aa\u26ab\u00b0\u02f3\u066b" {
		all[r] = "."
	}
	all['\u060d'] = "/"
	for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r++ {
		class := ucd.ConfusableOf(r)
		if class == 0 {
			continue
		}
		like := norm.NFKC.String(class.Prototype())
		isSyntax := func(r rune) bool { return r == ':' || r == '/' || r == '.' }
		if like != "" && !strings.ContainsFunc(like, func(r rune) bool { return !isSyntax(r) }) && !strings.ContainsRune(HostDots, r) { // the scanner knows these
			all[r] = like
		}
	}
	return all
})

// HostDots are the full stops that separate labels (UTS #46 §2.3). IdeographicStops are those that also
// end sentences, without a space after them.
const (
	HostDots         = ".\u3002\uff0e\uff61"
	IdeographicStops = "\u3002\uff61"
)

// IsInWord reports whether a character is a letter, mark or digit.
func IsInWord(r rune) bool {
	return ascii.IsAlphanumeric(r) || r >= utf8.RuneSelf && unicode.In(r, unicode.Letter, unicode.Mark, unicode.Digit)
}

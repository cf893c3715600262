// Package textview says how readers take a text that is shown for a link: with look-alikes of letters and
// of the syntax of URLs, with spaces in a host, and with what they put in order, as "example[.]com".
//
// It is a part of the program linkmilter and exports only what its other packages use. It knows texts, and
// neither links nor judgement.
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

// MaxReadings is the number of ways in which readers may take a text.
const MaxReadings = 5

// Readings appends the ways in which readers take a text that is shown for a target: unchanged,
// with look-alikes of URL syntax read as that syntax, without spaces in a host, with the signs behind
// "www" as dots, and in Latin letters.
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

// maxSpaced is the length in bytes of a URL that is written with spaces in its host.
const maxSpaced = 256

// withoutSpaces returns a text that is a URL with spaces in its host, such as "www. example. com",
// "example . com" and "e x a m p l e . c o m", without them; "" for any other text.
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

// withSignsAsDots returns a text that is a host with another sign for each of its dots, such as
// "www,example,com"; "" for any other text.
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

// maxSpacedLabels is the number of words of a host that is written with spaces around its dots.
const maxSpacedLabels = 9

// isSpelled reports whether a text is one word with a space behind each letter.
func isSpelled(text string) bool {
	for letter := range strings.FieldsSeq(text) {
		if utf8.RuneCountInString(strings.Trim(letter, ".")) > 1 {
			return false
		}
	}
	return true
}

// spacesBeforeDots reports whether all words of a text but the first begin with a dot, or are
// behind one that is apart, as in "example . com" and "Example .com": no sentence is written so.
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

// Plain returns a text as readers take it for URLs. Characters that look like the syntax of
// a URL become that syntax. Punctuation before a URL is apart from it, and two slashes are
// before its host.
func Plain(text string) string {
	if !ascii.Is(text) {
		text = asciiSyntax(norm.NFKC.String(asciiSyntax(text)))
	}
	if !strings.ContainsAny(text, `:/\`) && !strings.Contains(text, "www.") {
		return text
	}
	return PlainWords(text)
}

// PlainWords writes the words of a text as plainText says.
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

// leading returns the white space at the start of a text, or the other characters there.
func leading(text string, space bool) string {
	for i, r := range text {
		if unicode.IsSpace(r) != space {
			return text[:i]
		}
	}
	return text
}

// isCommand reports whether what is behind two slashes or backslashes is a single word of letters and
// hyphens, as in a comment or command: //todo, \\section. Readers do not take it for a host.
func isCommand(word string) bool {
	word = strings.TrimRight(word, ".,:;!?")
	return strings.Trim(strings.ReplaceAll(word, "-", ""), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// plainWord writes a word as plainText says.
func plainWord(b *strings.Builder, word string) {
	if word != "" && ascii.IsAlphanumeric(word[0]) && strings.IndexByte(word, ':') < 0 {
		b.WriteString(word) // as most are
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
	host = withoutDots(host) // readers take several for one
	// A character that no host has ends the host.
	if i := strings.IndexAny(host, "!\"$%&'()*+,;<=>^`{|}~"); i > 0 && !strings.Contains(host, "@") {
		host = host[:i] + " " + host[i:]
	}
	b.WriteString(host + path)
}

// WithOneDot returns a text with a dot in place of two in a row, and of more behind "www": readers
// take these for one. Elsewhere three dots are an ellipsis, as in "More...at".
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

// schemeIn returns where a scheme begins in a word, and where the text behind its colon
// does. The text before it is not a URL with another URL in it.
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

// Bare returns a text without controls and without marks that strike characters out or
// underline them, and with a blank for what shows as one.
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
		case r == '\u0085': // white space to others, but browsers do not show it
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

// strokes are marks that cross a character, surround it or are a line above or below it.
var strokes = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x0305, Hi: 0x0305, Stride: 1},
	{Lo: 0x0332, Hi: 0x0338, Stride: 1},
	{Lo: 0x033f, Hi: 0x033f, Stride: 1},
	{Lo: 0x20d0, Hi: 0x20f0, Stride: 1},
}}

// asciiSyntax replaces characters that look like ":", "/" or "." where they follow a
// character of ASCII: elsewhere they are letters and signs of other scripts.
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

// looksLikeSyntax reports whether a character beyond ASCII looks like ":", "/" or ".".
func looksLikeSyntax(r rune) bool {
	return syntaxColumns()[r>>10]>>(r>>4&63)&1 > 0 && Syntax()[r] != ""
}

// syntaxColumns has a bit for each 16 characters, which is set if syntax has any of them: of
// most scripts it has few.
var syntaxColumns = sync.OnceValue(func() *[unicode.MaxRune>>10 + 1]uint64 {
	columns := new([unicode.MaxRune>>10 + 1]uint64)
	for r := range Syntax() {
		columns[r>>10] |= 1 << (r >> 4 & 63)
	}
	return columns
})

// Syntax has the characters beyond ASCII that look like the syntax of a URL (UTS #39
// §4), and some that look so in most fonts.
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

// HostDots are the full stops between labels (UTS #46 §2.3); ideographicStops are those
// that also end sentences, without white space behind them.
const (
	HostDots         = ".\u3002\uff0e\uff61"
	IdeographicStops = "\u3002\uff61"
)

// IsInWord reports whether a character may be in a word.
func IsInWord(r rune) bool {
	return ascii.IsAlphanumeric(r) || r >= utf8.RuneSelf && unicode.In(r, unicode.Letter, unicode.Mark, unicode.Digit)
}

package filter

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// asciiSyntax replaces characters that look like ":", "/" or "." where they follow a
// character of ASCII: elsewhere they are letters and signs of other scripts.
func asciiSyntax(text string) string {
	if !strings.ContainsFunc(text, looksLikeSyntax) {
		return text
	}
	all := syntax()
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

// isDotMark reports whether r is a mark of one dot or small ring, which is shown as a dot behind a blank or
// joiner.
func isDotMark(r rune) bool {
	switch r {
	case '\u0307', '\u030a', '\u0323', '\u0325', '\u0358', '\u05b4', '\u065c':
		return true
	}
	return false
}

// withMarksAsDots returns a text with a dot in place of such a mark and the blanks before it, where it is
// between two characters of ASCII.
func withMarksAsDots(text string) string {
	if ascii.Is(text) || !strings.ContainsFunc(text, isDotMark) {
		return text
	}
	var b strings.Builder
	for {
		i := strings.IndexFunc(text, isDotMark)
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		before, mark, rest := text[:i], text[i:i+size], text[i+size:]
		base := strings.TrimRightFunc(before, func(r rune) bool { return unicode.IsSpace(r) || ucd.IsDefaultIgnorable(r) })
		if n := len(base); 0 < n && n < i && base[n-1] < utf8.RuneSelf && rest != "" && ' ' < rest[0] && rest[0] < utf8.RuneSelf {
			before, mark = base, "."
		}
		b.WriteString(before)
		b.WriteString(mark)
		text = rest
	}
}

// looksLikeSyntax reports whether a character beyond ASCII looks like ":", "/" or ".".
func looksLikeSyntax(r rune) bool {
	return syntaxColumns()[r>>10]>>(r>>4&63)&1 > 0 && syntax()[r] != ""
}

// syntaxColumns has a bit for each 16 characters, which is set if syntax has any of them: of
// most scripts it has few.
var syntaxColumns = sync.OnceValue(func() *[unicode.MaxRune>>10 + 1]uint64 {
	columns := new([unicode.MaxRune>>10 + 1]uint64)
	for r := range syntax() {
		columns[r>>10] |= 1 << (r >> 4 & 63)
	}
	return columns
})

// smallDots are signs of one dot, or of one small spot, that no text has behind a letter of ASCII: dots
// of Braille, small squares and diamonds, and signs between words and behind abbreviations.
const smallDots = "\u2801\u2802\u2808\u2810\u2820\u2840\u2880" +
	"\u25ab\u2b1d\u2b1e\u2b29\U0001f784\U0001f78c\U0001f78d\U0001f797\U0001f798\U0001f79d\U0001f79e" +
	"\u0830\u0888\u0970\u0971\u09fd\u0a76\u0af0\u0f0b\u0f0c\u141d\u18df\u1b7c\u1c78\u1c79\u2e30\ua828\ufbb2\ufbb3\ufe45\ufe46" +
	"\U00010100\U00010101\U0001039f\U000103d0\U0001091f\U00010a50\U00010a51\U00010af4\U00010b39\U00011049\U0001104a\U000110bb" +
	"\U00011174\U000111c7\U000111c8\U0001123a\U0001123d\U0001144f\U000114c6\U000115c4\U00011643\U000116b9\U0001183b" +
	"\U00011a41\U00011a9a\U00011c43\U00016af5\U00016e98\U0001bc9f\U0001d01b\U0001d04f\U0001da88"

// syntax has the characters beyond ASCII that look like the syntax of a URL (UTS #39
// §4), and some that look so in most fonts.
var syntax = sync.OnceValue(func() map[rune]string {
	all := map[rune]string{'\u02d0': ":", '\u02f8': ":", '\u2e31': ".", '\u00b7': ".", '\u2027': ".", '\u22c5': ".", '\u2022': "."}
	for _, r := range smallDots {
		all[r] = "."
	}
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
		if like != "" && !strings.ContainsFunc(like, func(r rune) bool { return !isSyntax(r) }) && !strings.ContainsRune(hostDots, r) { // the scanner knows these
			all[r] = like
		}
	}
	return all
})

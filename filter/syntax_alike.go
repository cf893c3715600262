package filter

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

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

// syntax has the characters beyond ASCII that look like the syntax of a URL (UTS #39
// §4), and some that look so in most fonts.
var syntax = sync.OnceValue(func() map[rune]string {
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
		if like != "" && !strings.ContainsFunc(like, func(r rune) bool { return !isSyntax(r) }) && !strings.ContainsRune(hostDots, r) { // the scanner knows these
			all[r] = like
		}
	}
	return all
})

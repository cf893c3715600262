package textview

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// maxLatin is the largest length in bytes of a text that is read in Latin letters.
const maxLatin = 4 << 10

// latinReading returns a text in which words that only readers take for hosts are written in ASCII.
// Such a word has look-alikes of the letters of a top-level domain, as in "example.сом", or of
// capitals, as in "ᴇxᴀᴍᴘʟᴇ.ᴄᴏᴍ". Programs see no host there. It returns "" for a text without such
// words.
func latinReading(text string) string {
	if ascii.Is(text) || len(text) > maxLatin || !strings.ContainsFunc(text, isDot) {
		return ""
	}
	letters := strings.Map(ucd.LetterOfSign, text)
	found := letters != text
	words := strings.Fields(letters)
	for i, word := range words {
		if ascii.Is(word) {
			continue
		}
		if top := topLevelOf(asciiSyntax(norm.NFKC.String(word))); top != "" && (ascii.Is(top) || IsTopLevel(top)) {
			continue // other readings have it
		}
		if latin := latinHost(word); latin != "" {
			words[i], found = latin, true
		}
	}
	if !found {
		return ""
	}
	return strings.Join(words, " ")
}

// latinHost returns a word in Latin letters if it then ends in a top-level domain, otherwise "". The
// Cyrillic м only resembles an m. It counts in ".сом", but not in ".ме", which is a word.
func latinHost(word string) string {
	latin, ok := inLatin(word)
	if !ok {
		latin, ok = inLatin(strings.ReplaceAll(word, "м", "m"))
		ok = ok && len(topLevelOf(latin)) >= len("com")
	}
	if ok && IsTopLevel(topLevelOf(latin)) {
		return latin
	}
	return ""
}

// isDot reports whether r is a full stop, or looks like one.
func isDot(r rune) bool {
	return r == '.' || r >= utf8.RuneSelf && (Syntax()[r] == "." || strings.ContainsRune(HostDots, r))
}

// IsTopLevel reports whether a label is a top-level domain.
func IsTopLevel(label string) bool {
	var room [1]engine.Link
	return label != "" && len(hostScanner().Append(room[:0], "example."+label+"/")) > 0
}

// hostScanner finds hosts below the built-in top-level domains.
var hostScanner = sync.OnceValue(func() *engine.Scanner {
	scanner, err := engine.New(engine.Options{})
	if err != nil {
		panic(err) // no option can be wrong
	}
	return scanner
})

// topLevelOf returns the last label of the host in a word, or "" if the host has no dot. The word may
// have a scheme and a path.
func topLevelOf(word string) string {
	if _, after, ok := strings.Cut(word, "://"); ok {
		word = after
	}
	if i := strings.IndexAny(word, "/?#:"); i >= 0 {
		word = word[:i]
	}
	word = strings.TrimRightFunc(word, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) })
	i := strings.LastIndexAny(word, HostDots)
	if i < 0 {
		return ""
	}
	_, size := utf8.DecodeRuneInString(word[i:])
	return word[i+size:]
}

// inLatin returns a word with each character replaced by the ASCII letter or URL syntax that it looks
// like. ok is false if a letter looks like none. Other non-ASCII signs become spaces.
func inLatin(word string) (latin string, ok bool) {
	var b strings.Builder
	for _, r := range word {
		if strings.ContainsRune(HostDots, r) {
			r = '.'
		}
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		if like := ASCIILike(r); like != 0 {
			b.WriteRune(like)
			continue
		}
		decomposed := norm.NFKD.String(string(r))
		for _, part := range decomposed {
			like := ASCIILike(part)
			switch {
			case like != 0:
				b.WriteRune(like)
			case unicode.Is(unicode.Mn, part): // an accent
			case unicode.In(part, unicode.L, unicode.M, unicode.N):
				return "", false
			default:
				b.WriteByte(' ')
			}
		}
	}
	return b.String(), true
}

// ASCIILike returns the ASCII character that r looks like (UTS #39 §4), in lower case, or 0.
func ASCIILike(r rune) rune {
	if r < utf8.RuneSelf {
		return unicode.ToLower(r)
	}
	if like := Syntax()[r]; like != "" {
		return rune(like[0])
	}
	class := ucd.ConfusableOf(r)
	if class == 0 {
		return 0
	}
	prototype := class.Prototype()
	if prototype == "rn" {
		return 'm'
	}
	if like, size := utf8.DecodeRuneInString(prototype); like < utf8.RuneSelf && size == len(prototype) {
		return unicode.ToLower(like)
	}
	return 0
}

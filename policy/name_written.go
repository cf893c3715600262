package policy

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// The lengths in bytes of the longest word that is divided, and of the shortest added word.
const (
	maxDivided = 40
	minAdded   = 4
)

// writtenAs returns the protected domain whose name s is, in any case of letters and without
// hyphens; else nil. Beyond ASCII an upper case letter can look like another than in lower
// case. Accents do not count in names of brands, and in long names.
func (p *protectedSet) writtenAs(s string) *protectedDomain {
	if d := p.exact[otherNames.Value(strings.ToLower(s))]; d != nil {
		return d
	}
	names := p.words[wordKey(strings.ToLower(s))]
	if len(names) == 0 && !ascii.Is(s) {
		names = p.words[wordKey(s)]
	}
	for _, d := range names {
		if d.isWritten(s) {
			return d
		}
	}
	return nil
}

// isWritten reports whether s, which has the key of the name of d, is the name as in writtenAs.
func (d *protectedDomain) isWritten(s string) bool {
	word := strings.ReplaceAll(d.word, "-", "")
	if strings.EqualFold(s, word) || looksWritten(s, word) || looksWritten(strings.ToLower(s), word) || isWrittenInLookalikes(s, word) {
		return true
	}
	if !ascii.Is(s) && d.brand && utf8.RuneCountInString(word) >= minBrandTyped {
		return true
	}
	plain := stripped(s)
	return plain != s && (d.brand || utf8.RuneCountInString(word) >= minFar) && looksWritten(plain, word)
}

// isWrittenInLookalikes reports whether s is the word in ASCII, in any case of letters, with an l in
// place of an I, or with digits in place of letters.
func isWrittenInLookalikes(s, word string) bool {
	if len(s) != len(word) {
		return false
	}
	const digits, letters = "013458", "oleasb"
	for i := range len(s) {
		k := strings.IndexByte(digits, s[i])
		if !strings.EqualFold(s[i:i+1], word[i:i+1]) && (s[i] != 'l' && s[i] != '1' || word[i] != 'i') && (k < 0 || letters[k] != word[i]) {
			return false
		}
	}
	return true
}

// mistypedAs returns the protected domain with a long name of which s has one typing error, or nil.
// A plural is not one: "Docu Signs".
func (p *protectedSet) mistypedAs(s string) *protectedDomain {
	s = strings.ToLower(s)
	if len(s) < minBrandSure-1 || len(s) > maxDivided || !ascii.Is(s) || isHonestName(s) {
		return nil
	}
	for _, names := range [...]namesakes{p.typed.byStart.of(firstBytes(s)), p.typed.byEnd.of(lastBytes(s))} {
		for _, d := range names {
			if len(d.word) >= minBrandSure && !ordinary[d.word] && s != d.word+"s" && isOneEdit(s, d.word) && !popularSites().has(s+"."+d.suffix) {
				return d
			}
		}
	}
	return nil
}

// shortWrittenAs is writtenAs for names of three letters.
func (p *protectedSet) shortWrittenAs(s string) *protectedDomain {
	if !hasThreeLetters(s) {
		return nil
	}
	for _, d := range p.short[wordKey(strings.ToLower(s))] {
		if strings.EqualFold(s, d.word) && !ordinary[d.word] {
			return d
		}
	}
	return nil
}

// hasThreeLetters reports whether a word has three letters in ASCII.
func hasThreeLetters(word string) bool { return len(word) == minWord-1 }

// isSecondName reports whether a domain has a name that says a sender beside another name, too:
// programs and words do not, as in "Example Oracle".
func isSecondName(d *protectedDomain) bool {
	return d != nil && !ordinary[d.word] && !impersonated.Marked(d.domain, markProgram)
}

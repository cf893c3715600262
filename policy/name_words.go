package policy

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/spread"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/internal/wordlist"
)

// namedBy returns the words of a display name and the protected domain that they spell. If the name
// as written spells none, it tries other readings. The domain is nil if no reading spells one.
func (p *protectedSet) namedBy(name string) (words []string, d *protectedDomain) {
	if words, d = p.namedInReadings(name); d == nil {
		readings := digitsApart(name)
		if short := withoutForms(name); short != name {
			readings = slices.Insert(readings, 0, short)
		}
		for _, reading := range readings {
			if others, named := p.namedInReadings(reading); named != nil {
				words, d = others, named
				break
			}
		}
	}
	if d == nil {
		d = p.beforeLure(words)
	}
	if d != nil && mailboxNames[d.word] {
		d = cmp.Or(p.besideProvider(words), d)
	}
	return words, d
}

// namedInReadings is namedBy for the name as written and in readings of its letters.
func (p *protectedSet) namedInReadings(name string) (words []string, d *protectedDomain) {
	words, d = p.wordsAndDomain(name)
	for _, read := range [...]func(string) string{
		nameWithoutGaps,    // "P a y P a l"
		nameWithoutSymbols, // "PayPal㈱"
		partedName,         // "PayPal客服", "TeamPayPal"
		nameWithLetters,    // "P@yPal"
		nameInFont,         // "卩卂ㄚ卩卂ㄥ"
		p.nameWithSigns,    // "G⚪⚪gle"
		p.nameWithI,        // "lnstagram"
	} {
		if d != nil {
			break
		}
		if reading := read(name); reading != name {
			words, d = p.wordsAndDomain(reading)
		}
	}
	return words, d
}

// wordsAndDomain returns the words of a display name and the protected domain that they spell,
// or nil.
func (p *protectedSet) wordsAndDomain(name string) (words []string, d *protectedDomain) {
	words = withoutRepeat(nameWordsOf(name))
	if len(words) == 0 || len(words) > maxNameWords {
		return nil, nil
	}
	words = p.divided(words)
	d = namedDomain(name, words, p.writtenAs)
	if d == nil && slices.ContainsFunc(words, hasThreeLetters) {
		d = namedDomain(name, words, p.shortWrittenAs)
	}
	if d == nil {
		d = namedDomain(name, words, p.mistypedAs)
	}
	return words, d
}

// maxNameWords is how many words of a display name are searched for the name of a company.
const maxNameWords = 8

// nameWordsOf returns the words of a display name in ordinary letters. Single letters with signs or
// spaces between them make one word: "P.a.y.P.a.l".
func nameWordsOf(name string) []string {
	plain := plainLetters(VisibleText(name))
	if isSpelledOut(plain) {
		return spelledWords(plain)
	}
	words := make([]string, 0, maxNameWords)
	for word := range strings.FieldsFuncSeq(plain, isBetweenWords) {
		if word = strings.TrimLeftFunc(word, ucd.IsMark); word != "" {
			words = append(words, word)
		}
	}
	return spread.Joined(words)
}

// spelledWords returns the words of a display name that consists of single letters. At least two
// characters separate the words, as in "E.x.a.m.p.l.e. .T.e.a.m".
func spelledWords(name string) (words []string) {
	var word strings.Builder
	gap := 0
	for _, r := range name {
		if isBetweenWords(r) {
			gap++
			continue
		}
		if gap > 1 && word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
		gap = 0
		word.WriteRune(r)
	}
	return append(words, word.String())
}

// divided returns the words of a name. It divides the first word in which the name of a protected
// domain and an added word run together: "PayPalSupport", "teampaypal".
func (p *protectedSet) divided(words []string) []string {
	for i, word := range words {
		for at := range word[:min(len(word), maxDivided)] {
			if p.runsTogether(word[:at], word[at:]) {
				words[i] = word[:at]
				return slices.Insert(words, i+1, word[at:])
			}
		}
	}
	return words
}

// runsTogether reports whether one of two parts of a word is the name of a protected domain, and
// the other an added word.
func (p *protectedSet) runsTogether(first, second string) bool {
	if len(first) < minWord-1 || len(second) < minWord-1 {
		return false
	}
	return isAdded(second) && (p.writtenAs(first) != nil || p.shortWrittenAs(first) != nil) ||
		isAdded(first) && p.writtenAs(second) != nil
}

// isAdded reports whether a part of a word is an added word, or in a script without spaces a word
// that is often beside a name.
func isAdded(part string) bool {
	return len(part) >= minAdded && (addedWords.Has(strings.ToLower(part)) || !ascii.Is(part) && nameWords.Has(part))
}

// hasLureBeside reports whether one of several words of a name is a word that phishing adds to the
// name of a company. In a script without spaces, a word that is often beside a name counts, too.
func hasLureBeside(words []string) bool {
	return len(words) > 1 && slices.ContainsFunc(words, func(word string) bool {
		return addedWords.Has(strings.ToLower(stripped(word))) || isUnspacedWords(word)
	})
}

// withoutRepeat returns the words of a name without their repetition, if the name says all of them
// twice: for a field with two names programs show "PayPal <PayPal>".
func withoutRepeat(words []string) []string {
	half := len(words) / 2
	if half > 0 && slices.EqualFunc(words[:half], words[half:], strings.EqualFold) {
		return words[:half]
	}
	return words
}

// besideKeys has the keys of the words that are often beside a name.
var besideKeys = sync.OnceValue(func() map[string]bool {
	keys := make(map[string]bool)
	for _, list := range [...]*wordlist.List{addedWords, nameWords} {
		for word := range list.All() {
			keys[wordKey(word)] = true
		}
	}
	return keys
})

// isOftenBeside reports whether a word of a display name is often beside that of a company, or
// looks like such a word.
func isOftenBeside(word string) bool {
	lower := strings.ToLower(word)
	return addedWords.Has(lower) || nameWords.Has(lower) || isUnspacedWords(word) || (len(word) >= minWord || !ascii.Is(word)) && besideKeys()[wordKey(lower)]
}

// isUnspacedWords reports whether a word in a script without spaces consists of words that are often
// beside a name, such as 客户服务 and 中心.
func isUnspacedWords(word string) bool {
	if len(word) > maxDivided || word == "" || strings.ContainsFunc(word, func(r rune) bool { return !isUnspaced(r) }) {
		return false
	}
	var ends [maxDivided + 1]bool // where words end
	ends[0] = true
	for start := range word {
		for end := start + 1; ends[start] && end <= len(word); end++ {
			ends[end] = ends[end] || nameWords.Has(word[start:end])
		}
	}
	return ends[len(word)]
}

// namedDomain returns the protected domain that adjacent words of a display name spell, by
// writtenAs, or nil. Each of the other words must have digits, be the top-level domain of a
// country, be often beside a name, or name another domain.
func namedDomain(name string, words []string, writtenAs func(string) *protectedDomain) *protectedDomain {
	isName := func(word string) bool { return isSecondName(writtenAs(word)) }
	isNameAmong := func(words []string) bool { return slices.ContainsFunc(words, isName) }
	beside := func(word string) bool {
		if len(word) == 2 && strings.Contains(name, "."+word) || strings.ContainsAny(word, "0123456789") {
			return true
		}
		return isOftenBeside(word) || isName(word)
	}
	for first := range words {
		for end := len(words); end > first; end-- {
			if d := writtenAs(strings.Join(words[first:end], "")); d != nil && (isSecondName(d) || !isNameAmong(words[:first]) && !isNameAmong(words[end:])) {
				return d
			}
			if !beside(words[end-1]) {
				break
			}
		}
		if !beside(words[first]) {
			break
		}
	}
	return nil
}

// beforeLure returns the protected domain whose name begins the display name, if a later word is a
// lure: "Example Cloud Password Desk". It ignores names and lures that other owners have in their
// names, too.
func (p *protectedSet) beforeLure(words []string) *protectedDomain {
	isLure := func(word string) bool {
		word = strings.ToLower(word)
		return lures.Has(word) && !lures.Marked(word, markOthers)
	}
	for end := 1; end < len(words); end++ {
		d := p.writtenAs(strings.Join(words[:end], ""))
		if isSecondName(d) && d.isLong() && slices.ContainsFunc(words[end:], isLure) {
			return d
		}
	}
	return nil
}

// besideProvider returns the protected domain whose name is among the words of a display name, or
// nil. It does so only if another word is a provider of mailboxes: "Gmail PayPal Support".
func (p *protectedSet) besideProvider(words []string) *protectedDomain {
	for _, word := range words {
		if d := p.writtenAs(word); isSecondName(d) && !mailboxNames[d.word] {
			return d
		}
	}
	return nil
}

// disguisedIn returns the protected domain whose name one of the words is in letters or digits that
// only look like its own, or nil. No honest sender writes a name so, whatever is beside it.
func (p *protectedSet) disguisedIn(words []string) *protectedDomain {
	for _, word := range words {
		if d := p.writtenAs(word); d != nil && !isOtherName(word, d) && !strings.EqualFold(stripped(word), strings.ReplaceAll(d.word, "-", "")) {
			return d
		}
	}
	return nil
}

// isOtherName reports whether a word is another name of a domain, as in another script.
func isOtherName(word string, d *protectedDomain) bool {
	return otherNames.Value(strings.ToLower(word)) == d.domain
}

// lengthOfOtherName returns the length in code points of another name of the domain if adjacent
// words of a display name spell one; otherwise 0.
func lengthOfOtherName(words []string, d *protectedDomain) int {
	for first := range words {
		for end := first + 1; end <= len(words); end++ {
			if s := strings.Join(words[first:end], ""); isOtherName(s, d) {
				return utf8.RuneCountInString(s)
			}
		}
	}
	return 0
}

// otherNameIn returns the protected domain that has a word of a display name as another, non-ASCII
// name; or nil.
func (p *protectedSet) otherNameIn(words []string) *protectedDomain {
	for _, word := range words {
		if d := p.exact[otherNames.Value(strings.ToLower(word))]; d != nil && !ascii.Is(word) {
			return d
		}
	}
	return nil
}

// Lengths in bytes: the longest word that is divided, and the shortest added word in it.
const (
	maxDivided = 40
	minAdded   = 4
)

// writtenAs returns the protected domain whose name is s, whatever the case of its letters and
// without hyphens; otherwise nil. A non-ASCII letter may look like one letter in upper case and
// like another in lower case. In names of brands and in long names, accents do not count.
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

// isWrittenInLookalikes reports whether s is the ASCII word in any case of letters, perhaps with an
// l in place of an I and digits in place of letters.
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

// mistypedAs returns the protected domain with a long name from which s differs by one typing
// error, or nil. A plural is not an error: "Docu Signs".
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

// isSecondName reports whether the name of a domain says a sender even beside another name. Names
// of programs and ordinary words do not, as in "Example Oracle".
func isSecondName(d *protectedDomain) bool {
	return d != nil && !ordinary[d.word] && !impersonated.Marked(d.domain, markProgram)
}

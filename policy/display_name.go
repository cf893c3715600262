package policy

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/internal/wordlist"
)

// DisplayName judges the display name of an address. named are the links and suspects in
// the name. With some, it returns the worst finding about one that names another domain
// than the address has, or about the name of a protected domain, or nil. Without, it judges
// the name by itself: whether it is that of a protected domain, and by the Email Security
// Profile (UTS #39 §3.3).
func (j *Judge) DisplayName(name string, named []engine.Link, address engine.Link) []Finding {
	j = j.ready()
	if j.allowed.has(address) {
		return nil
	}
	out := collector{severities: j.severities}
	if len(named) > 0 {
		f := linkInName(name, named, address, j.protected)
		if f.Severity < SeverityMedium {
			f = cmp.Or(brandName(name, address, j.protected), f)
		}
		out.note(f)
		return out.findings
	}
	out.note(brandName(name, address, j.protected))
	judgeNameProfile(&out, name)
	return out.findings
}

// nameVariants has the variant for a display name by that for a text of a link.
var nameVariants = map[variant]variant{
	brandURL:         protectedAsName,
	brandAddress:     protectedAsName,
	otherURL:         otherAsName,
	otherAddress:     otherAsName,
	brandMentioned:   protectedInName,
	sameName:         sameAsName,
	nameAlone:        domainAsName,
	clickCounter:     addressInName,
	addressMentioned: addressInName,
}

// linkInName reports a link in a display name that is in another domain than the
// address.
func linkInName(name string, named []engine.Link, address engine.Link, set *protectedSet) Finding {
	domain := hostname.Registrable(address.ASCIIHost())
	if domain == "" {
		return Finding{}
	}
	worst, shown := worstMismatch(shownText{text: name, named: elsewhere(named, domain, address)}, address, set)
	return nameVariants[worst].finding(shown.Components().Host, hostname.Registrable(shown.ASCIIHost()), domain)
}

// maxNameWords is how many words of a display name can be the name of a company.
const maxNameWords = 8

// brandName reports a display name that is the name of a protected domain, perhaps with
// words such as "support", for an address of another owner.
func brandName(name string, address engine.Link, set *protectedSet) Finding {
	words, d := set.wordsAndDomain(name)
	for _, other := range [...]func(string) string{partedName, nameWithLetters, set.nameWithI} {
		if d != nil {
			break
		}
		if reading := other(name); reading != name {
			words, d = set.wordsAndDomain(reading)
		}
	}
	disguised := set.disguisedIn(words)
	if d = cmp.Or(disguised, d); d == nil {
		return Finding{}
	}
	domain := hostname.Registrable(address.ASCIIHost())
	if domain == "" || isSenderOf(address, domain, d, set) {
		return Finding{}
	}
	if disguised != nil && (d.own || !ordinary[d.word]) {
		return brandInName.finding(name, d.ascii, domain)
	}
	lured, length := hasLureBeside(words), utf8.RuneCountInString(d.word)
	switch {
	case length < minWord && !lured:
		return Finding{}
	case !lured && isProgram(address, d):
		return shortBrandInName.finding(name, d.ascii, domain)
	case d.own || !ordinary[d.word] && (length >= minBrandTyped || lured):
		return brandInName.finding(name, d.ascii, domain)
	}
	return shortBrandInName.finding(name, d.ascii, domain)
}

// disguisedIn returns the protected domain whose name is among the words in letters or digits that
// look like others, or nil. No honest sender writes a name so, whatever is beside it.
func (p *protectedSet) disguisedIn(words []string) *protectedDomain {
	for _, word := range words {
		if d := p.writtenAs(word); d != nil && !strings.EqualFold(stripped(word), strings.ReplaceAll(d.word, "-", "")) {
			return d
		}
	}
	return nil
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
	return words, d
}

// maxSigned is the length in bytes of a name whose signs are read as letters.
const maxSigned = 512

// nameWithLetters returns a display name with its signs replaced by lettersOfSigns, or "" if the
// name is longer than maxSigned.
func nameWithLetters(name string) string {
	if len(name) > maxSigned && len(VisibleText(name)) > maxSigned {
		return ""
	}
	return lettersOfSigns.Replace(name)
}

// nameWithI returns a display name with the first word replaced that is the name of a protected
// domain if l is read as I, and the name itself without such a word.
func (p *protectedSet) nameWithI(name string) string {
	letters := nameWithLetters(name)
	for _, word := range nameWordsOf(letters) {
		if len(word) < minWord || len(word) > maxDivided {
			continue
		}
		for reading := range withI(word) {
			if p.writtenAs(reading) != nil {
				return strings.Replace(letters, word, reading, 1)
			}
		}
	}
	return name
}

// partedName returns a display name with spaces between words in ASCII and those of scripts
// without spaces: "Example客服".
func partedName(name string) string {
	if ascii.Is(name) {
		return name
	}
	var b strings.Builder
	wasASCII, wasUnspaced := false, false
	for _, r := range name {
		isASCII, isUnspaced := r < utf8.RuneSelf && r != ' ', unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r == 'ー'
		if wasASCII && isUnspaced || wasUnspaced && isASCII {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		wasASCII, wasUnspaced = isASCII, isUnspaced
	}
	return b.String()
}

// isProgram reports whether an address may be that of a program with the name of d, which
// sends mail where people run it: "WordPress <wordpress@example.org>".
func isProgram(address engine.Link, d *protectedDomain) bool {
	local, _, _ := strings.Cut(address.Text, "@")
	return !d.own && impersonated.Marked(d.domain, markProgram) && ascii.EqualFold(local, d.word)
}

// minSpread is the number of letters from which on they are a name that is spread, not
// initials.
const minSpread = 4

// nameWordsOf returns the words of a display name in ordinary letters. Letters that have
// signs or spaces between them are a word: "P.a.y.P.a.l".
func nameWordsOf(name string) []string {
	words := make([]string, 0, maxNameWords)
	letters := 0 // words of one letter at the end
	join := func() {
		if i := len(words) - letters; letters >= minSpread {
			words = append(words[:i], strings.Join(words[i:], ""))
		}
		letters = 0
	}
	for word := range strings.FieldsFuncSeq(plainLetters(VisibleText(name)), isBetweenWords) {
		isLetter := utf8.RuneCountInString(word) == 1
		if !isLetter {
			join()
		}
		if words = append(words, word); isLetter {
			letters++
		}
	}
	join()
	return words
}

// The lengths in bytes of the longest word that is divided, and of the shortest added word.
const (
	maxDivided = 40
	minAdded   = 4
)

// divided returns the words of a name, of which the first that runs the name of a protected
// domain and an added word together is divided: "PayPalSupport".
func (p *protectedSet) divided(words []string) []string {
	for i, word := range words {
		for at := minWord - 1; at <= min(len(word), maxDivided)-minAdded; at++ {
			if added := word[at:]; addedWords.Has(strings.ToLower(added)) && (p.writtenAs(word[:at]) != nil || p.shortWrittenAs(word[:at]) != nil) {
				words[i] = word[:at]
				return slices.Insert(words, i+1, added)
			}
		}
	}
	return words
}

// hasLureBeside reports whether a name of several words has one that phishing adds to the
// name of a company.
func hasLureBeside(words []string) bool {
	return len(words) > 1 && slices.ContainsFunc(words, func(word string) bool {
		return addedWords.Has(strings.ToLower(stripped(word)))
	})
}

// withoutRepeat returns the words of a name once where it says them twice: programs show
// "PayPal <PayPal>" of a field with two names.
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
	return addedWords.Has(lower) || nameWords.Has(lower) || !ascii.Is(word) && besideKeys()[wordKey(lower)]
}

// namedDomain returns the protected domain that words of a display name spell beside each
// other, or nil: writtenAs finds it. The words around these are numbers, top-level domains of
// countries or often beside a name.
func namedDomain(name string, words []string, writtenAs func(string) *protectedDomain) *protectedDomain {
	beside := func(word string) bool {
		if len(word) == 2 && strings.Contains(name, "."+word) || strings.Trim(word, "0123456789") == "" {
			return true
		}
		return isOftenBeside(word)
	}
	for first := range words {
		for end := len(words); end > first; end-- {
			if d := writtenAs(strings.Join(words[first:end], "")); d != nil {
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

// writtenAs returns the protected domain whose name s is, in any case of letters and without
// hyphens; else nil. Beyond ASCII an upper case letter can look like another than in lower
// case. Accents do not count in names of brands, and in long names.
func (p *protectedSet) writtenAs(s string) *protectedDomain {
	d, ok := p.words[wordKey(strings.ToLower(s))]
	if !ok && !ascii.Is(s) {
		d, ok = p.words[wordKey(s)]
	}
	if !ok {
		return nil
	}
	word := strings.ReplaceAll(d.word, "-", "")
	if strings.EqualFold(s, word) || looksWritten(s, word) || isWrittenInLookalikes(s, word) {
		return d
	}
	if plain := stripped(s); plain != s && (!d.own || utf8.RuneCountInString(word) >= minFar) && looksWritten(plain, word) {
		return d
	}
	return nil
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

// shortWrittenAs is writtenAs for names of three letters.
func (p *protectedSet) shortWrittenAs(s string) *protectedDomain {
	if !hasThreeLetters(s) {
		return nil
	}
	if d := p.short[wordKey(strings.ToLower(s))]; d != nil && strings.EqualFold(s, d.word) && !ordinary[d.word] {
		return d
	}
	return nil
}

// hasThreeLetters reports whether a word has three letters in ASCII.
func hasThreeLetters(word string) bool { return len(word) == minWord-1 }

// stripped returns s without the accents of its letters.
func stripped(s string) string {
	if ascii.Is(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isAccent(r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
}

// isAccent reports whether r is a mark above, below, across or around a letter of any script.
func isAccent(r rune) bool {
	return '\u0300' <= r && r <= '\u036f' || '\u20d0' <= r && r <= '\u20f0' || r == '\u0488' || r == '\u0489'
}

// plainLetters returns a display name with ordinary letters for those in circles, squares
// and other shapes, of mathematics and emoji, without signs of trade marks and without lines
// through and below letters.
func plainLetters(name string) string {
	if ascii.Is(name) {
		return name
	}
	name = strings.Map(func(r rune) rune {
		if r == '™' || r == '℠' {
			return ' '
		}
		return r
	}, name)
	return strings.Map(func(r rune) rune {
		if isAccent(r) {
			return -1 // no letter has it
		}
		return ucd.LetterOfSign(r)
	}, norm.NFKC.String(name))
}

// isBetweenWords reports whether r is not a character of a word.
func isBetweenWords(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !ucd.IsMark(r)
}

// isSenderOf reports whether the owner of d may send from an address, whose registrable
// domain is domain. It may be below d, or below any domain of the operator if d is one. It may
// be in a domain of the same owner, or in one with the name, which other rules judge.
func isSenderOf(address engine.Link, domain string, d *protectedDomain, set *protectedSet) bool {
	for host, ok := strings.TrimSuffix(address.ASCIIHost(), "."), true; ok; _, host, ok = strings.Cut(host, ".") {
		if e := set.exact[host]; e != nil && (e == d || e.own && d.own) {
			return true
		}
	}
	label, _, _ := strings.Cut(domain, ".")
	return strings.Contains(label, d.word) || sameOwner(d.ascii, domain, engine.Link{})
}

// judgeNameProfile judges a display name by the Email Security Profile. Controls that come in
// pairs keep what they turn within the name.
func judgeNameProfile(out *collector, name string) {
	if ascii.Is(name) {
		return
	}
	out.note(turnedText(name))
	if r := strayControl(name); r >= 0 && !strings.ContainsAny(name, "\u202d\u202e") {
		out.note(controlInName.finding(name, r))
	}
	if r := pileOfMarks(name); r >= 0 {
		out.note(marksInName.finding(name, r))
	}
	if !out.has(CodeEmailProfile) && !norm.NFC.IsNormalString(name) {
		out.note(variantInName.finding(name))
	}
}

// strayControl returns the first Bidi control of s that begins or ends an embedding or
// isolate without its counterpart (UAX #9 §2), or -1.
func strayControl(s string) rune {
	var open []rune
	for _, r := range s {
		var end rune
		switch r {
		case 0x202a, 0x202b, 0x202d, 0x202e: // LRE, RLE, LRO, RLO
			end = 0x202c // PDF
		case 0x2066, 0x2067, 0x2068: // LRI, RLI, FSI
			end = 0x2069 // PDI
		case 0x202c, 0x2069:
			if len(open) == 0 || open[len(open)-1] != r {
				return r
			}
			open = open[:len(open)-1]
			continue
		default:
			continue
		}
		open = append(open, end)
	}
	if len(open) > 0 {
		return open[len(open)-1]
	}
	return -1
}

// maxMarks is how many nonspacing marks may follow each other (UTS #39 §3.3).
const maxMarks = 4

// pileOfMarks returns the first nonspacing mark of s that is one too many on its letter,
// or follows itself, or -1.
func pileOfMarks(s string) rune {
	var marks []rune
	for _, r := range norm.NFD.String(s) {
		if !unicode.Is(unicode.Mn, r) || ucd.IsDefaultIgnorable(r) {
			marks = marks[:0]
			continue
		}
		if len(marks) == maxMarks || slices.Contains(marks, r) {
			return r
		}
		marks = append(marks, r)
	}
	return -1
}

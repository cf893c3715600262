package policy

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/ucd"
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
	worst, shown := worstMismatch(shownText{text: name, named: elsewhere(named, domain, address)}, address, set)
	if domain == "" && !speaksFor(shown, set) {
		return Finding{}
	}
	return nameVariants[worst].finding(shown.Components().Host, hostname.Registrable(shown.ASCIIHost()), cmp.Or(domain, noDomain))
}

// maxNameWords is how many words of a display name can be the name of a company.
const maxNameWords = 8

// brandName reports a display name that is the name of a protected domain, perhaps with
// words such as "support", for an address of another owner or for none.
func brandName(name string, address engine.Link, set *protectedSet) Finding {
	words, d := set.namedBy(name)
	hidden := set.disguisedIn(words)
	if d = cmp.Or(hidden, d); d == nil {
		return Finding{}
	}
	domain := hostname.Registrable(address.ASCIIHost())
	if isExchange(address) || domain != "" && (isSenderOf(address, domain, d, set) || isSenderAmong(words, address, domain, set) || isNamedSo(domain, words)) {
		return Finding{}
	}
	at := cmp.Or(domain, noDomain)
	disguised := hidden != nil || isDisguisedName(name, d.word)
	if disguised && (d.own || !ordinary[d.word]) {
		return brandInName.finding(name, d.ascii, at)
	}
	lured, length := hasLureBeside(words), utf8.RuneCountInString(d.word)
	switch {
	case length < minWord && !lured:
		return Finding{}
	case !lured && isProgram(address, d):
		return shortBrandInName.finding(name, d.ascii, at)
	case d.own || !ordinary[d.word] && (length >= minBrandTyped || lured):
		return brandInName.finding(name, d.ascii, at)
	}
	return shortBrandInName.finding(name, d.ascii, at)
}

// noDomain is what a detail says of a sender without an address.
const noDomain = "no domain"

// namedBy returns the words of a display name and the protected domain that they spell, as
// written or in another reading; the domain is nil if they spell none.
func (p *protectedSet) namedBy(name string) (words []string, d *protectedDomain) {
	words, d = p.wordsAndDomain(name)
	for _, other := range [...]func(string) string{partedName, nameWithLetters, nameInFont, p.nameWithSigns, p.nameWithI} {
		if d != nil {
			break
		}
		if reading := other(name); reading != name {
			words, d = p.wordsAndDomain(reading)
		}
	}
	if d == nil {
		d = p.beforeLure(words)
	}
	return words, d
}

// beforeLure returns the protected domain whose name words of a display name begin with, if a lure is
// among the other words: "Example Cloud Password Desk". Names that others have in theirs do not
// count.
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
	if d == nil {
		d = namedDomain(name, words, p.mistypedAs)
	}
	return words, d
}

// isExchange reports whether an address is the one from which each Microsoft Exchange reports, with
// the name "Microsoft Outlook".
func isExchange(address engine.Link) bool {
	local, _, _ := strings.Cut(address.Text, "@")
	return ascii.EqualFold(local, "MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e")
}

// isProgram reports whether an address may be that of a program with the name of d, which
// sends mail where people run it: "WordPress <wordpress@example.org>".
func isProgram(address engine.Link, d *protectedDomain) bool {
	local, _, _ := strings.Cut(address.Text, "@")
	return !d.own && impersonated.Marked(d.domain, markProgram) && ascii.EqualFold(local, d.word)
}

// isSecondName reports whether a domain has a name that says a sender beside another name, too:
// programs and words do not, as in "Example Oracle".
func isSecondName(d *protectedDomain) bool {
	return d != nil && !ordinary[d.word] && !impersonated.Marked(d.domain, markProgram)
}

// writtenAs returns the protected domain whose name s is, in any case of letters and without
// hyphens; else nil. Beyond ASCII an upper case letter can look like another than in lower
// case. Accents do not count in names of brands, and in long names.
func (p *protectedSet) writtenAs(s string) *protectedDomain {
	if d := p.exact[otherNames.Value(strings.ToLower(s))]; d != nil {
		return d
	}
	d, ok := p.words[wordKey(strings.ToLower(s))]
	if !ok && !ascii.Is(s) {
		d, ok = p.words[wordKey(s)]
	}
	if !ok {
		return nil
	}
	word := strings.ReplaceAll(d.word, "-", "")
	if strings.EqualFold(s, word) || looksWritten(s, word) || looksWritten(strings.ToLower(s), word) || isWrittenInLookalikes(s, word) {
		return d
	}
	if !ascii.Is(s) && !d.own && utf8.RuneCountInString(word) >= minFar {
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

// mistypedAs returns the protected domain with a long name of which s has one typing error, or nil.
func (p *protectedSet) mistypedAs(s string) *protectedDomain {
	s = strings.ToLower(s)
	if len(s) < minBrandSure-1 || len(s) > maxDivided || !ascii.Is(s) || isHonestName(s) {
		return nil
	}
	for _, names := range [...]namesakes{p.typed.byStart.of(firstBytes(s)), p.typed.byEnd.of(lastBytes(s))} {
		for _, d := range names {
			if len(d.word) >= minBrandSure && !ordinary[d.word] && isOneEdit(s, d.word) && !popularSites().has(s+"."+d.suffix) {
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
// be in a domain of the same owner, or in one with the name, as "zalan.do", which other rules judge.
func isSenderOf(address engine.Link, domain string, d *protectedDomain, set *protectedSet) bool {
	for host, ok := strings.TrimSuffix(address.ASCIIHost(), "."), true; ok; _, host, ok = strings.Cut(host, ".") {
		if e := set.exact[host]; e != nil && (e == d || e.own && d.own) {
			return true
		}
	}
	label, suffix, _ := strings.Cut(domain, ".")
	return containsName(label+suffix, d.word) || sameOwner(d.ascii, domain, engine.Link{})
}

// containsName reports whether a label has a name in it, hyphens aside.
func containsName(label, name string) bool {
	return strings.Contains(strings.ReplaceAll(label, "-", ""), strings.ReplaceAll(name, "-", ""))
}

// isNamedSo reports whether a domain has a long name in it that words of a display name spell beside
// each other: other rules judge the domain.
func isNamedSo(domain string, words []string) bool {
	label, _, _ := strings.Cut(domain, ".")
	for first := range words {
		for end := first + 1; end <= len(words); end++ {
			if s := strings.ToLower(strings.Join(words[first:end], "")); len(s) >= minBrandSure-1 && containsName(label, s) {
				return true
			}
		}
	}
	return false
}

// isSenderAmong is isSenderOf for a domain whose name is one of the words: services send for others,
// as in "PayPal via DocuSign".
func isSenderAmong(words []string, address engine.Link, domain string, set *protectedSet) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		d := set.writtenAs(word)
		return d != nil && isSenderOf(address, domain, d, set)
	})
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

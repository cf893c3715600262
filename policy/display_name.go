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
			f = cmp.Or(brandName(name, address, j.protected), brandName(withoutAddresses(name, named), address, j.protected), f)
		}
		out.note(f)
		return out.findings
	}
	out.note(brandName(name, address, j.protected))
	judgeNameProfile(&out, name)
	return out.findings
}

// withoutAddresses returns a display name without the addresses in it.
func withoutAddresses(name string, named []engine.Link) string {
	for _, link := range named {
		if link.Kind == engine.KindEmail {
			name = strings.Replace(name, link.Text, "", 1)
		}
	}
	return name
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
	worst, shown := worstMismatch(shownText{text: name, named: elsewhere(named, domain, address), name: true}, address, set)
	if domain == "" && !speaksFor(shown, set) {
		return Finding{}
	}
	return nameVariants[worst].finding(shown.Components().Host, hostname.Registrable(shown.ASCIIHost()), cmp.Or(domain, noDomain))
}

// brandName reports a display name that is the name of a protected domain, perhaps with
// words such as "support", for an address of another owner or for none.
func brandName(name string, address engine.Link, set *protectedSet) Finding {
	words, d := set.namedBy(name)
	hidden := set.disguisedIn(words)
	if d = cmp.Or(hidden, d, set.otherNameIn(words)); d == nil {
		return Finding{}
	}
	domain := hostname.Registrable(address.ASCIIHost())
	other := lengthOfOtherName(words, d)
	disguised := hidden != nil || isSpelledOut(name) || other == 0 && isDisguisedName(name, d.word)
	if isExchange(address) || domain != "" && !isSubscriber(address, words) && (isSenderOf(address, domain, d, set) || isSenderAmong(words, address, domain, set) || !isOfPublic(address) && isNamedSo(domain, words, disguised)) {
		return Finding{}
	}
	at := cmp.Or(domain, noDomain)
	if disguised && (d.own || !ordinary[d.word]) {
		return brandInName.finding(name, d.ascii, at)
	}
	lured, length := hasLureBeside(words), max(utf8.RuneCountInString(d.word), other)
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
	words, d = p.namedInReadings(name)
	if short := withoutForms(name); d == nil && short != name {
		if others, named := p.namedInReadings(short); named != nil {
			name, words, d = short, others, named
		}
	}
	if d == nil {
		for _, reading := range digitsApart(name) {
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
	for _, other := range [...]func(string) string{nameWithoutGaps, nameWithoutSymbols, partedName, nameWithLetters, nameInFont, p.nameWithSigns, p.nameWithI} {
		if d != nil {
			break
		}
		if reading := other(name); reading != name {
			words, d = p.wordsAndDomain(reading)
		}
	}
	return words, d
}

// besideProvider returns the protected domain whose name is among the words of a display name that
// also say a provider of mailboxes, or nil: "Gmail PayPal Support".
func (p *protectedSet) besideProvider(words []string) *protectedDomain {
	for _, word := range words {
		if d := p.writtenAs(word); isSecondName(d) && !mailboxNames[d.word] {
			return d
		}
	}
	return nil
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

// isSenderOf reports whether the owner of d may send from an address, whose registrable
// domain is domain. It may be below d, or below any domain of the operator if d is one. It may
// be in a domain of the same owner, or in one with the name, as "zalan.do", which other rules judge.
// At a domain where the public has addresses, only the name of that domain counts.
func isSenderOf(address engine.Link, domain string, d *protectedDomain, set *protectedSet) bool {
	for host, ok := strings.TrimSuffix(address.ASCIIHost(), "."), true; ok; _, host, ok = strings.Cut(host, ".") {
		if e := set.exact[host]; e != nil && (e == d || e.own && d.own) {
			return true
		}
	}
	if isOfPublic(address) {
		return isPostmaster(address) && sendsFor(domain, d.ascii)
	}
	label, suffix, _ := strings.Cut(domain, ".")
	return containsName(label+suffix, d.word) || sendsFor(domain, d.ascii)
}

// isSubscriber reports whether an address at a provider of mailboxes is of one of the public although
// words of its display name say a service: "Example Support". The owner has the addresses that say so, too.
func isSubscriber(address engine.Link, words []string) bool {
	if !isOfPublic(address) || len(words) < 2 {
		return false
	}
	saysService := func(word string) bool {
		lower := strings.ToLower(stripped(word))
		return addedWords.Has(lower) && !addedWords.Marked(lower, markOwn) || isUnspacedWords(word)
	}
	isOther := func(word string) bool { return !addedWords.Has(word) && !nameWords.Has(word) }
	local, _, _ := strings.Cut(strings.ToLower(address.Text), "@")
	return slices.ContainsFunc(words, saysService) && slices.ContainsFunc(strings.FieldsFunc(local, isBetweenWords), isOther)
}

// isPostmaster reports whether an address is one that the owner of its domain has (RFC 2142 §5).
func isPostmaster(address engine.Link) bool {
	local, _, _ := strings.Cut(address.Text, "@")
	return ascii.EqualFold(local, "postmaster") || ascii.EqualFold(local, "mailer-daemon")
}

// containsName reports whether a label has a name in it, hyphens aside.
func containsName(label, name string) bool {
	return strings.Contains(strings.ReplaceAll(label, "-", ""), strings.ReplaceAll(name, "-", ""))
}

// isNamedSo reports whether a domain has a long name in it that words of a display name spell beside
// each other. One of the words must say a name. A disguised name counts only at a popular site.
func isNamedSo(domain string, words []string, disguised bool) bool {
	if disguised && !popularSites().has(hostname.Unicode(domain)) {
		return false
	}
	label, _, _ := strings.Cut(domain, ".")
	for first := range words {
		for end := first + 1; end <= len(words); end++ {
			if s := strings.ToLower(strings.Join(words[first:end], "")); len(s) >= minBrandTyped && containsName(label, s) && slices.ContainsFunc(words[first:end], saysName) {
				return true
			}
		}
	}
	return false
}

// saysName reports whether a word of a display name may say who the sender is: it is neither
// often beside a name, nor a lure, a number or a provider of mailboxes.
func saysName(word string) bool {
	lower := strings.ToLower(word)
	return !isOftenBeside(word) && !lures.Has(lower) && !mailboxNames[lower] && strings.Trim(word, "0123456789") != ""
}

// isSenderAmong is isSenderOf for a domain whose name is one of the words: services send for others,
// as in "PayPal via DocuSign". The public, which has addresses at other domains, does not.
func isSenderAmong(words []string, address engine.Link, domain string, set *protectedSet) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		d := set.writtenAs(word)
		return d != nil && !mailboxNames[d.word] && isSenderOf(address, domain, d, set)
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

package policy

import (
	"bytes"
	"strings"
)

// noteParts compares the parts of a label between hyphens with the names of protected domains. key
// is the key of the label, and after is the rest of the host. A part that is the name itself is
// reported if the host pretends to be the domain: "secure-paypal.com.example.net" or
// "paypal-com-login.net". In a registrable domain it is also reported beside a word that phishing
// adds: "paypal-login.net".
func (like *likeness) noteParts(label, after string, key []byte, set *protectedSet) {
	if strings.Count(label, "-") != bytes.Count(key, hyphen) {
		return // a character looks like a hyphen
	}
	for rest, more := label, true; more; {
		for _, d := range set.hyphenated {
			if next, ok := strings.CutPrefix(rest, d.word); ok && (next == "" || next[0] == '-') {
				p := labelPart{part: d.word, next: strings.TrimPrefix(next, "-"), label: label, after: after}
				like.note(p.finding(d, set))
			}
		}
		var part string
		part, rest, more = strings.Cut(rest, "-")
		p := labelPart{part: part, next: rest, label: label, after: after}
		var partKey []byte
		partKey, key, _ = bytes.Cut(key, hyphen)
		for _, d := range set.words[string(partKey)] {
			like.note(p.finding(d, set))
		}
		for _, d := range set.short[string(partKey)] {
			if part == d.word {
				like.note(p.finding(d, set))
			}
		}
		if d := set.beforeAddedWord(part, label); d != nil {
			if suffix, _ := publicSuffix(after); suffix {
				like.note(besideLure.finding(label, d.shown()))
			}
		}
	}
}

var hyphen = []byte("-")

// A labelPart is a part of a label between hyphens.
type labelPart struct {
	part  string
	next  string // the rest of the label
	label string
	after string // the rest of the host after the label
}

// finding reports a part that has the key of the name of d and may deceive.
func (p labelPart) finding(d *protectedDomain, set *protectedSet) Finding {
	switch v := p.likeness(d, set); v {
	case nothing:
		return Finding{}
	case partBeforeDomain:
		return v.finding(p.label, d.shown(), domainOf(p.after))
	default:
		return v.finding(p.label, d.shown())
	}
}

// likeness returns how a part that has the key of the name of d can deceive.
func (p labelPart) likeness(d *protectedDomain, set *protectedSet) variant {
	if r := d.resemblance(p.part, d.word, ""); p.part != d.word && r != different {
		return r.variant(partLikeDomain, partNearDomain)
	}
	switch {
	case honestWords.Has(p.part):
	case p.next == "" && d.continues(p.after, set.tlds):
		return partBeforeDomain
	case p.next == d.suffix, strings.HasPrefix(p.next, d.suffix+"-"), !ordinary[d.word] && beginsWithCountry(p.next, set):
		return partWithoutDot
	case !ordinary[d.word] && hasLure(p.label):
		if suffix, _ := publicSuffix(p.after); suffix {
			return besideLure
		}
	case !ordinary[d.word] && len(d.word) < minBrandTyped && hasAddedWord(p.label, d.word):
		if suffix, _ := publicSuffix(p.after); suffix {
			return shortAddedWord
		}
	}
	return nothing
}

// beginsWithCountry reports whether the parts of a label after a name begin with the two labels of
// a country's suffix: "co-uk" or "com-br-login".
func beginsWithCountry(parts string, set *protectedSet) bool {
	first, rest, ok := strings.Cut(parts, "-")
	country, _, _ := strings.Cut(rest, "-")
	return ok && (first == "co" || first == "com") && len(country) == 2 && countrySuffix(first+"."+country, set.tlds) == first+"."+country
}

// beforeAddedWord returns the domain whose name begins a part of a label that also has a lure, or
// nil. The rest of the part must be an added word: "appleid-verify".
func (p *protectedSet) beforeAddedWord(part, label string) *protectedDomain {
	const shortest, longest = 5, 40 // shorter names begin many words
	if len(part) <= shortest || len(part) > longest || !hasLure(label) {
		return nil
	}
	for i := shortest; i < len(part); i++ {
		if !addedWords.Has(part[i:]) {
			continue
		}
		for _, d := range p.named(part[:i]) {
			if !ordinary[d.word] {
				return d
			}
		}
	}
	return nil
}

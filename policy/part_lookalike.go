package policy

import (
	"bytes"
	"strings"
)

// partLookalike compares the parts of a label between hyphens with the names of
// protected domains. key is the key of the label, after the rest of the host
// after it. A part that is the name itself is a finding if it pretends to be
// the domain: "secure-paypal.com.example.net" or "paypal-com-login.net". In a
// registrable domain it is one beside a word of phishing, too: "paypal-login.net".
func partLookalike(label, after string, key []byte, set *protectedSet) Finding {
	if strings.Count(label, "-") != bytes.Count(key, hyphen) {
		return Finding{} // a character looks like a hyphen
	}
	for rest := label; ; {
		if d, next := set.leadingHyphenated(rest); d != nil {
			p := labelPart{part: d.word, next: next, label: label, after: after}
			if f := p.finding(d, set); f.Severity != SeverityNone {
				return f
			}
		}
		part, next, more := strings.Cut(rest, "-")
		partKey, nextKey, _ := bytes.Cut(key, hyphen)
		d, ok := set.words[string(partKey)]
		if !ok {
			d, ok = set.short[string(partKey)]
			ok = ok && part == d.word
		}
		if ok {
			p := labelPart{part: part, next: next, label: label, after: after}
			if f := p.finding(d, set); f.Severity != SeverityNone {
				return f
			}
		} else if d := set.beforeAddedWord(part, label); d != nil {
			if suffix, _ := publicSuffix(after); suffix {
				return besideLure.finding(label, d.ascii)
			}
		}
		if !more {
			return Finding{}
		}
		rest, key = next, nextKey
	}
}

var hyphen = []byte("-")

// leadingHyphenated returns the domain whose name, which has hyphens, begins a label or is
// it, with the rest behind the next hyphen, or nil.
func (p *protectedSet) leadingHyphenated(label string) (d *protectedDomain, next string) {
	for _, d := range p.hyphenated {
		if rest, ok := strings.CutPrefix(label, d.word); ok && (rest == "" || rest[0] == '-') {
			return d, strings.TrimPrefix(rest, "-")
		}
	}
	return nil, ""
}

// A labelPart is a part of a label between hyphens.
type labelPart struct {
	part  string
	next  string // the rest of the label
	label string
	after string // the rest of the host after the label
}

// finding reports a part that has the key of the name of d and can deceive.
func (p labelPart) finding(d *protectedDomain, set *protectedSet) Finding {
	switch v := p.likeness(d, set); v {
	case nothing:
		return Finding{}
	case partBeforeDomain:
		return v.finding(p.label, d.ascii, domainOf(p.after))
	default:
		return v.finding(p.label, d.ascii)
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

// beginsWithCountry reports whether the parts of a label behind a name begin with a suffix of two
// labels of a country: "co-uk" or "com-br-login".
func beginsWithCountry(parts string, set *protectedSet) bool {
	first, rest, ok := strings.Cut(parts, "-")
	country, _, _ := strings.Cut(rest, "-")
	return ok && (first == "co" || first == "com") && len(country) == 2 && countrySuffix(first+"."+country, set.tlds) == first+"."+country
}

// beforeAddedWord returns the domain whose name a part of a label with a lure begins with, if the
// rest of the part is an added word, or nil: "appleid-verify".
func (p *protectedSet) beforeAddedWord(part, label string) *protectedDomain {
	const shortest, longest = 5, 40 // shorter names begin many words
	if len(part) <= shortest || len(part) > longest || !hasLure(label) {
		return nil
	}
	for i := shortest; i < len(part); i++ {
		if !addedWords.Has(part[i:]) {
			continue
		}
		if d := p.words[wordKey(part[:i])]; d != nil && d.word == part[:i] && !ordinary[d.word] {
			return d
		}
	}
	return nil
}

package policy

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/hostname"
)

// nearbyName reports a registrable domain whose name is that of a protected domain
// with a typing error or an added word, or an operator's name below another
// top-level domain.
func nearbyName(h linkHost, set *protectedSet) Finding {
	rest := h.name()
	for {
		label, suffix, ok := strings.Cut(rest, ".")
		if !ok {
			return Finding{}
		}
		if len(label) >= minOwnTyped-1 {
			if f := set.typed.byStart[firstBytes(label)].nearest(label, suffix, h, set); f.Severity != SeverityNone {
				return f
			}
			if f := set.typed.byEnd[lastBytes(label)].nearest(label, suffix, h, set); f.Severity != SeverityNone {
				return f
			}
		}
		rest = suffix
	}
}

// nearest reports a label that is near one of the names and, with the suffix, is the
// registrable domain of the host.
func (names namesakes) nearest(label, suffix string, h linkHost, set *protectedSet) Finding {
	for _, d := range names {
		v := d.nearness(label, suffix)
		if v == nothing || !d.own && isHonestName(label) {
			continue
		}
		domain := hostname.Registrable(h.ascii)
		if hostname.Unicode(domain) == label+"."+suffix && !set.isOwnersOf(domain) {
			return v.finding(label, d.ascii)
		}
	}
	return Finding{}
}

// isHonestName reports whether a name is a word or a name of honest owners, or that of
// an impersonated domain.
func isHonestName(label string) bool {
	return honestWords.Has(label) || honestNames.Has(label) || impersonatedNames[label]
}

// isOwnersOf reports whether the domain, A-labels, is protected itself, or in the
// list of domains of the owners.
func (p *protectedSet) isOwnersOf(domain string) bool {
	_, ok := p.exact[domain]
	return ok || owners.Has(domain)
}

// nearness returns how the name of a registrable domain, with the suffix, is near the
// name of d.
func (d *protectedDomain) nearness(label, suffix string) variant {
	switch {
	case label == d.word:
		if d.own && suffix != d.suffix {
			return otherSuffix
		}
	case isRehyphenated(label, d.word):
		if d.own {
			return movedHyphen
		}
	case isOneEdit(label, d.word):
		return d.sure(typingError, shortTypingError)
	case !d.own && ordinary[d.word]:
	case hasAddedWord(label, d.word), d.own && hasNumber(label, d.word):
		return d.sure(addedWord, shortAddedWord)
	}
	return nothing
}

// sure returns the variant for a name that is long enough, or the operator's, or else
// the variant for a name that is near honest ones.
func (d *protectedDomain) sure(long, short variant) variant {
	if d.own || utf8.RuneCountInString(d.word) >= minBrandSure && !ordinary[d.word] {
		return long
	}
	return short
}

// isRehyphenated reports whether the two differ in hyphens only.
func isRehyphenated(a, b string) bool {
	for {
		a, b = strings.TrimLeft(a, "-"), strings.TrimLeft(b, "-")
		if a == "" || b == "" {
			return a == b
		}
		if a[0] != b[0] {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

// isOneEdit reports whether a becomes b by one insertion, omission or replacement of
// a character, or by one swap of neighbours.
func isOneEdit(a, b string) bool {
	if len(a)-len(b) > utf8.UTFMax || len(b)-len(a) > utf8.UTFMax {
		return false
	}
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0] {
		return true
	}
	return isShort(a) && isShort(b)
}

// isShort reports whether s, a piece of a name, is at most one character. A piece can
// begin within a character, because two characters can share their first bytes.
func isShort(s string) bool {
	return len(s) <= 1 || len(s) <= utf8.UTFMax && utf8.RuneCountInString(strings.ToValidUTF8(s, "")) <= 1 && !isASCIIPair(s)
}

// isASCIIPair reports whether s has two or more bytes, and an ASCII character.
func isASCIIPair(s string) bool {
	return len(s) > 1 && strings.ContainsFunc(s, func(r rune) bool { return r < utf8.RuneSelf })
}

// hasAddedWord reports whether the label is the name with words of phishing before or
// behind it, or both, with hyphens or without.
func hasAddedWord(label, name string) bool {
	if len(label) <= len(name) {
		return false
	}
	if rest, ok := strings.CutPrefix(label, name); ok && areAddedWords(rest) {
		return true
	}
	rest, ok := strings.CutSuffix(label, name)
	return ok && areAddedWords(rest)
}

// hasNumber reports whether the label is the name with a number behind it.
func hasNumber(label, name string) bool {
	rest, ok := strings.CutPrefix(label, name)
	return ok && rest != "" && strings.Trim(strings.TrimPrefix(rest, "-"), "0123456789") == ""
}

// areAddedWords reports whether s is words of phishing with hyphens between them, and
// perhaps at the ends.
func areAddedWords(s string) bool {
	found := false
	for word := range strings.SplitSeq(strings.Trim(s, "-"), "-") {
		if !addedWords.Has(word) {
			return false
		}
		found = true
	}
	return found
}

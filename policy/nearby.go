package policy

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/hostname"
)

// nearbyName reports a registrable domain whose name is near that of a protected domain. It has
// a typing error, an added word or a dot within it. An operator's name below another top-level
// domain is near, too.
func nearbyName(h linkHost, set *protectedSet) Finding {
	like := likeness{host: h}
	rest, before := h.name(), ""
	for {
		label, suffix, ok := strings.Cut(rest, ".")
		if !ok {
			return like.worst
		}
		like.noteNear(label, suffix, set)
		if before != "" && len(label) > 0 && len(before)+len(label) >= minOwnTyped {
			like.note(set.typed.split(before, label, suffix, h))
		}
		rest, before = suffix, label
	}
}

// noteNear notes a label that is near a name and, with the suffix, is the registrable
// domain of the host.
func (like *likeness) noteNear(label, suffix string, set *protectedSet) {
	if len(label) < minOwnTyped-1 {
		return
	}
	x, h := &set.typed, like.host
	like.note(x.byStart.of(firstBytes(label)).nearest(label, suffix, h, set))
	like.note(x.byEnd.of(lastBytes(label)).nearest(label, suffix, h, set))
	like.note(x.amongWords(label, suffix, h, set))
	like.note(set.disguised(label, suffix, h))
	like.note(x.typedBesideLure(label, suffix, h, set))
}

// split reports a protected domain with a dot within its name: "pay.pal.com". The second
// half and the suffix are the registrable domain of the host.
func (x *nameIndex) split(first, second, suffix string, h linkHost) Finding {
	end := [2]byte{first[len(first)-1], second[0]}
	if len(second) > 1 {
		end = lastBytes(second)
	}
	for _, d := range x.byEnd.of(end) {
		if d.suffix != suffix || len(d.word) != len(first)+len(second) || !strings.HasPrefix(d.word, first) || !strings.HasSuffix(d.word, second) {
			continue
		}
		domain := second + "." + suffix
		if h.registrable() == domain && !popularSites().has(domain) {
			return d.sure(dotInName, shortDotInName).finding(first+"."+domain, d.ascii)
		}
	}
	return Finding{}
}

// nearest reports a label that is near one of the names. With the suffix, the label is the
// registrable domain of the host or reads as one before it.
func (names namesakes) nearest(label, suffix string, h linkHost, set *protectedSet) Finding {
	like := likeness{host: h}
	for _, d := range names {
		v := d.nearness(label, suffix)
		if v == nothing || !d.own && isHonestName(label) {
			continue
		}
		domain := hostname.Registrable(h.ascii)
		if (hostname.Unicode(domain) == label+"."+suffix || d.readsAs(label, suffix)) && !set.isOwnersOf(domain) {
			like.note(v.finding(label, d.ascii))
		}
	}
	return like.worst
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
	case isOneEdit(label, d.word), isPluralOf(label, d.word):
		return d.sure(typingError, shortTypingError)
	case !d.own && ordinary[d.word]:
	case hasAddedWord(label, d.word), d.own && hasNumber(label, d.word):
		return d.withAdded(label)
	}
	return nothing
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
// a character, or by one swap of neighbours. The nn for an m counts as one character.
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
	return isShort(a) && isShort(b) || a == "nn" && b == "m"
}

// typedBesideLure reports a label that has a name with a typing error beside a lure:
// "microsofft-login", "paypalllogin". With the suffix, the label is the registrable domain of
// the host. No honest owner of a similar name is likely to write it so, and a short name counts
// the same. It does not if its first letter is another and no hyphen parts it from the lure:
// "tcloudaccount".
func (x *nameIndex) typedBesideLure(label, suffix string, h linkHost, set *protectedSet) Finding {
	for part, overlaps := range partsBesideLure(label) {
		if len(part) < minBrandTyped-1 || len(part) == len(label) || honestWords.Has(part) || honestNames.Has(part) {
			continue
		}
		for _, names := range [...]namesakes{x.byStart.of(firstBytes(part)), x.byEnd.of(lastBytes(part))} {
			for _, d := range names {
				isLike := part == d.word || !overlaps && isOneEdit(part, d.word) && !popularSites().has(part+"."+suffix)
				if !ordinary[d.word] && isLike && isRegistered(label, suffix, h, set) {
					return d.besideLure(part, label).finding(label, d.ascii)
				}
			}
		}
	}
	return Finding{}
}

// besideLure returns the variant for a part of a label, which is near the name of d, beside a lure.
func (d *protectedDomain) besideLure(part, label string) variant {
	if len(d.word) < minFar && part[0] != d.word[0] && !strings.Contains(label, "-") {
		return d.sure(typingError, shortTypingError)
	}
	return typingError
}

// isPluralOf reports whether the label is the name with an es at its end, or in it behind a
// letter that takes this plural.
func isPluralOf(label, name string) bool {
	if len(label) != len(name)+len("es") {
		return false
	}
	for i := 1; i <= len(name) && label[i-1] == name[i-1]; i++ {
		if (i == len(name) || strings.IndexByte("sxz", name[i-1]) >= 0) && label[i:i+2] == "es" && label[i+2:] == name[i:] {
			return true
		}
	}
	return false
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

package policy

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// nearbyName reports a registrable domain whose name is near that of a protected domain. Such a
// name has a typing error, an added word or a dot inside it, or is the operator's below another
// top-level domain. It may be written in letters that only look like those of the name.
func nearbyName(h linkHost, set *protectedSet) Finding {
	like := likeness{host: h}
	n := nearLabel{host: h, set: set}
	rest, before, folded := h.name(), "", h.folded
	for {
		label, suffix, ok := strings.Cut(rest, ".")
		if !ok {
			return like.worst
		}
		n.label, n.suffix = label, suffix
		n.folded, folded, _ = strings.Cut(folded, ".")
		if len(label) >= minOwnTyped-1 {
			like.note(n.nearest())
		}
		if before != "" && len(label) > 0 && len(before)+len(label) >= minOwnTyped {
			like.note(n.split(before))
		}
		rest, before = suffix, label
	}
}

// A nearLabel is a label of a host that may be near a name.
type nearLabel struct {
	label  string
	suffix string // the rest of the host after the label
	folded string // the folded label
	host   linkHost
	set    *protectedSet

	disguise disguise

	domain string // the registrable domain of the host in A-labels; "" until it is needed
	name   string // the domain in U-labels
}

// registrable returns the registrable domain of the host in U-labels.
func (n *nearLabel) registrable() string {
	if n.domain == "" {
		n.domain, n.name = n.host.domain, n.host.domainUnicode
	}
	return n.name
}

// isDomain reports whether the label with the suffix is the registrable domain of the host.
func (n *nearLabel) isDomain() bool {
	name := n.registrable()
	return len(name) == len(n.label)+1+len(n.suffix) && strings.HasPrefix(name, n.label) && strings.HasSuffix(name, n.suffix)
}

// isRegistered reports whether the label is that of the registrable domain of the host, and the
// domain does not belong to an owner of protected domains.
func (n *nearLabel) isRegistered() bool { return n.isDomain() && !n.set.isOwnersOf(n.domain) }

// nearest reports the worst finding about protected names that the label is near to, as it is
// written or by its shape.
func (n *nearLabel) nearest() Finding {
	like := likeness{host: n.host}
	noteIn(&like, &n.set.typed, n, n.label)
	noteIn(&like, &n.set.aliases, n, n.label)
	n.disguise = disguiseOf(n.label)
	var buf [320]byte
	if !ascii.Is(n.label) || strings.ContainsAny(n.label, "013458") {
		if letters := appendLetters(buf[:0], n.folded); len(letters) >= minOwnTyped-1 {
			noteIn(&like, &n.set.typed, n, letters)
		}
	}
	if n.disguise != noDisguise && !n.set.isAlias[n.label] {
		if shape := appendShapeOfFolded(buf[:0], n.folded); len(shape) >= minOwnTyped-1 {
			noteIn(&like, &n.set.shaped, n, shape)
		}
	}
	if like.worst.Severity < SeverityMedium {
		like.note(n.set.withoutDotOfSuffix(n))
	}
	return like.worst
}

// noteIn notes what a label is near to among the names of an index. reading is the label in the form of
// the index.
func noteIn[S string | []byte](like *likeness, x *nameIndex, n *nearLabel, form S) {
	if x.isEmpty() {
		return
	}
	first, last := firstBytes(form), lastBytes(form)
	if !x.byStart.some.mayHave(first) && !x.byEnd.some.mayHave(last) && !x.words().mayHave(first, last) && strings.IndexByte(n.label, '-') < 0 {
		return // as for most labels
	}
	reading := string(form)
	like.note(x.nearest(x.byStart.of(firstBytes(reading)), n, reading))
	like.note(x.nearest(x.byEnd.of(lastBytes(reading)), n, reading))
	like.note(x.amongWords(n, reading))
	like.note(x.typedBesideLure(n, reading))
}

// split reports a protected domain with a dot inside its name: "pay.pal.com". The label first is
// the first half of the name. The second half and the suffix are the registrable domain of the
// host.
func (n *nearLabel) split(first string) Finding {
	if first == "www" {
		return Finding{}
	}
	f := Finding{}
	if len(n.label) < 2 || n.set.typed.byEnd.some.mayHave(lastBytes(n.label)) {
		f = n.set.typed.split(n, first+n.label, first)
	}
	if f.Severity != SeverityNone || disguiseOf(first) == noDisguise && disguiseOf(n.label) == noDisguise {
		return f
	}
	var buf [320]byte
	if shape := appendShapeOfFolded(buf[:0], n.folded); len(shape) < 2 || n.set.shaped.byEnd.some.mayHave(lastBytes(shape)) {
		return n.set.shaped.split(n, shapeOf(first+n.label), first)
	}
	return f
}

// split does the work of nearLabel.split for the names of an index.
func (x *nameIndex) split(n *nearLabel, reading, first string) Finding {
	if len(reading) < minOwnTyped {
		return Finding{}
	}
	for _, d := range x.byEnd.of(lastBytes(reading)) {
		if d.suffix != n.suffix || x.text(d) != reading {
			continue
		}
		if domain := n.label + "." + n.suffix; n.isDomain() && !popularSites().has(domain) {
			return d.sure(dotInName, shortDotInName).finding(first+"."+domain, d.shown())
		}
	}
	return Finding{}
}

// nearest reports a label that is near one of the names. The label with its suffix must be the
// registrable domain of the host, or read as a domain in front of it.
func (x *nameIndex) nearest(names namesakes, n *nearLabel, reading string) Finding {
	like := likeness{host: n.host}
	for _, d := range names {
		v := x.nearness(d, n, reading)
		if v == nothing || !d.own && isHonestName(n.label) {
			continue
		}
		if (n.isDomain() || d.readsAs(n.label, n.suffix)) && !n.set.isOwnersOf(n.domain) {
			like.note(v.finding(n.label, d.shown()))
		}
	}
	return like.worst
}

// nearness returns the variant for a label that is near the name of d, or nothing. reading is the
// label in the form of the index.
func (x *nameIndex) nearness(d *protectedDomain, n *nearLabel, reading string) variant {
	name := x.text(d)
	isOtherForm := x.isShaped && !d.isIn(n.label) // otherwise the label as written is what counts
	switch {
	case reading == name:
		switch {
		case d.isAlias:
			return otherLetters
		case x.isShaped:
			return nothing // lookalike reports it
		case d.own && n.suffix != d.suffix && isForAnybody(n.suffix):
			return ownAtService
		case d.own && n.suffix != d.suffix:
			return otherSuffix
		}
	case isRehyphenated(reading, name):
		if d.own && !d.isAlias {
			return movedHyphen
		}
	case isOneEdit(reading, name), isPluralOf(reading, name), n.disguise == disguised && x.isShaped && d.own && nameLength(d.word) >= minFar && isOneEdit(withoutHyphens(reading), withoutHyphens(name)):
		return d.typing(n)
	case !d.own && ordinary[d.word] && !isOtherForm:
	case x.words().hasAddedWord(reading, name, d.own), d.own && hasNumber(reading, name):
		if d.isAlias && !x.words().hasLureAround(reading, name) {
			return otherLetters
		}
		return x.withAdded(d, n.label, reading)
	}
	return nothing
}

// typing returns the variant for a label that is the name of d with a typing error. Below other
// suffixes, a short name of the operator is near names of others.
func (d *protectedDomain) typing(n *nearLabel) variant {
	const short = 6
	if d.isAlias && n.suffix != d.suffix {
		return otherLetters
	}
	if d.own && nameLength(d.word) <= short && n.suffix != d.suffix && n.suffix != "com" && !d.readsOn(n.suffix) {
		return shortTypingError
	}
	if !d.own && d.word[1] == '-' && n.label[1:] == d.word[1:] {
		return nothing // "i-mobile" is not t-mobile
	}
	return d.sure(typingError, shortTypingError)
}

// withoutHyphens returns s without its hyphens.
func withoutHyphens(s string) string { return strings.ReplaceAll(s, "-", "") }

// withoutDotOfSuffix reports a protected domain without the dot before the first part of its suffix, or with a
// hyphen in its place: "exampleco.uk".
func (p *protectedSet) withoutDotOfSuffix(n *nearLabel) Finding {
	for _, d := range p.bySuffixEnd[n.suffix] {
		first, _, _ := strings.Cut(d.suffix, ".")
		before, ok := strings.CutSuffix(n.label, first)
		if !ok || len(before) < minWord {
			continue
		}
		if before = strings.TrimSuffix(before, "-"); (before == d.word || wordKey(before) == wordKey(d.word)) && n.isRegistered() {
			return withoutDot.finding(n.label, d.shown())
		}
	}
	return Finding{}
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

// isOneEdit reports whether a becomes b by one insertion, omission or replacement of a character,
// or by one swap of neighbours. nn in place of m counts as one replacement.
func isOneEdit(a, b string) bool {
	if len(a)-len(b) > utf8.UTFMax || len(b)-len(a) > utf8.UTFMax {
		return false
	}
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	for start > 0 && (start < len(a) && !utf8.RuneStart(a[start]) || start < len(b) && !utf8.RuneStart(b[start])) {
		start-- // two characters can share their first bytes
	}
	a, b = a[start:], b[start:]
	for len(a) > 0 && len(b) > 0 {
		last, size := utf8.DecodeLastRuneInString(a)
		if other, _ := utf8.DecodeLastRuneInString(b); other != last || last == utf8.RuneError {
			break
		}
		a, b = a[:len(a)-size], b[:len(b)-size]
	}
	if a == "nn" && b == "m" {
		return true
	}
	first, size := utf8.DecodeRuneInString(a)
	if other, otherSize := utf8.DecodeRuneInString(b); size < len(a) && len(a) == len(b) {
		second, secondSize := utf8.DecodeRuneInString(a[size:])
		last, _ := utf8.DecodeRuneInString(b[otherSize:])
		return other == second && last == first && size+secondSize == len(a)
	}
	_, otherSize := utf8.DecodeRuneInString(b)
	return size == len(a) && otherSize == len(b)
}

// typedBesideLure reports a label that has a name with a typing error beside a lure:
// "microsofft-login", "paypalllogin". The label with its suffix must be the registrable domain of
// the host. Honest owners of similar names hardly have such labels, so short names count, too. But
// a name with another first letter needs a hyphen between it and the lure: "tcloudaccount" does not
// count.
func (x *nameIndex) typedBesideLure(n *nearLabel, reading string) Finding {
	for part, overlaps := range x.words().partsBesideLure(reading) {
		if len(part) < minBrandTyped-1 || len(part) == len(reading) || x.words().honest[part] {
			continue
		}
		for _, names := range [...]namesakes{x.byStart.of(firstBytes(part)), x.byEnd.of(lastBytes(part))} {
			for _, d := range names {
				name := x.text(d)
				if x.isShaped && n.disguise == swapped && !d.own {
					continue // the part as written may be the name of a popular site
				}
				isLike := part == name || !overlaps && isOneEdit(part, name) && !popularSites().has(part+"."+n.suffix)
				if !ordinary[d.word] && isLike && n.isRegistered() {
					return d.besideLure(part, name, reading).finding(n.label, d.shown())
				}
			}
		}
	}
	return Finding{}
}

// besideLure returns the variant for a part of a label, which is near the name of d, beside a lure.
func (d *protectedDomain) besideLure(part, name, label string) variant {
	if len(name) < minFar && part[0] != name[0] && !strings.Contains(label, "-") {
		return d.sure(typingError, shortTypingError)
	}
	return typingError
}

// isPluralOf reports whether the label is the name with "es" added at its end, or inside it after a
// letter whose plural has "es".
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

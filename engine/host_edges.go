package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// A hostFinder finds the hosts in one text.
//
// A host is part of a run: a maximal sequence of characters that a host may have, labels and separators
// alike. A run is a host as a whole or not at all, so that no part of an invalid name becomes a link.
// Only default mode cuts a run.
type hostFinder struct {
	hostJudge
	text string

	// The latest run, or the end of one: see runEnd.
	runFrom, runTo int
	runHigh        bool // it has non-ASCII characters
	runAlnum       bool // it has ASCII letters or digits
	runLabel       bool // it has ASCII letters, digits or hyphens

	// known is the offset of the last label of the latest run, if bareEnding saw that no host ends
	// there: the label is not a top-level domain and has no hyphen. Otherwise it is 0.
	known int

	// The latest text after a host in which no other host was found: see keepText.
	textFrom, textTo int
}

// An ending is where a run and the host in it end.
type ending struct {
	run  int // end of the run
	name int // end of the domain name, without final separators
	host int // end of the host, with the final dot if that belongs to the host
}

// domainFrom finds the domain name that begins at the offset a, after a scheme or an "@". It sets the
// end of the run in any case.
func (f *hostFinder) domainFrom(a int) (e ending, ok bool) {
	if e, last, valid, ok := f.plainRun(a); ok && last > a && f.tlds.Contains(f.text[last:e.name]) {
		e, ok := f.withFinalDot(e)
		return e, ok && (valid || f.isDomain(f.text[a:e.name]))
	}
	i := f.labelEnd(a)
	n := separatorAt(f.text, i)
	if n == 0 || i == a {
		return ending{run: i}, false
	}
	i += n
	e, ok = f.wholeEnding(i, f.runEnding(i))
	return e, ok && f.isDomain(f.text[a:e.name])
}

// bareEnding finds the end of a bare host. The labels to look at begin at the offset i, after a
// separator. It sets the end of the run in any case.
//
// A bare host has text around it. In default mode it ends where text goes on without a space, even if
// the whole run is a valid host. A run in front of an "@" is a local-part, not a host.
func (f *hostFinder) bareEnding(i int) (e ending, ok bool) {
	f.known = 0
	if e, last, _, ok := f.plainRun(i); ok {
		switch {
		case byteAt(f.text, e.run) == '@':
			return e, false
		case f.tlds.Contains(f.text[last:e.name]):
			return f.withFinalDot(e)
		case strings.IndexByte(f.text[last:e.name], '-') < 0:
			f.known = last
			return e, false
		}
	}
	e = f.runEnding(i)
	if byteAt(f.text, e.run) == '@' {
		return e, false
	}
	if f.runHigh && f.runAlnum && !f.strict {
		if e, ok := f.cutTail(i, e, cutAtText); ok {
			return e, true
		}
	}
	return f.wholeEnding(i, e)
}

// wholeEnding accepts the whole run that ends with e if its last label is a top-level domain. Otherwise
// default mode tries a shorter one. The labels to look at begin at the offset i.
func (f *hostFinder) wholeEnding(i int, e ending) (ending, bool) {
	if i < e.name && f.tlds.Contains(f.text[lastLabel(f.text, i, e.name):e.name]) {
		return f.withFinalDot(e)
	}
	if f.runLabel && !f.strict {
		return f.cutTail(i, e, cutAnywhere)
	}
	return e, false
}

// withFinalDot decides whether the final dot of the run belongs to the host. Usually it ends a
// sentence. If a path, query or fragment follows, it belongs to the host, which must then have only one
// final dot.
func (f *hostFinder) withFinalDot(e ending) (ending, bool) {
	if e.name == e.run || !partFollows(f.text, e.run, f.strict) && !f.isPortBeforePart(e.run) {
		return e, true
	}
	e.host = e.run
	return e, e.name+separatorAt(f.text, e.name) == e.run
}

// isPortBeforePart reports whether a port and then a path, query or fragment
// follow at the offset i.
func (f *hostFinder) isPortBeforePart(i int) bool {
	if byteAt(f.text, i) != ':' {
		return false
	}
	end, ok := portFrom(f.text, i)
	return ok && end > i && partFollows(f.text, end, f.strict)
}

// maxPort is the highest port number.
const maxPort = 65535

// portFrom returns the end of the port that begins at the offset i with ":", or i if there is none. A
// colon in front of a digit must begin a port of 0 to 65535. No word such as "x" or "-x" may follow
// directly; otherwise ok is false.
func portFrom(text string, i int) (end int, ok bool) {
	if byteAt(text, i) != ':' || classAt(text, i+1)&digitByte == 0 {
		return i, true
	}
	n := 0
	for i++; classAt(text, i)&digitByte != 0; i++ {
		n = min(n*10+int(text[i]-'0'), maxPort+1)
	}
	word := i
	if byteAt(text, i) == '-' {
		word++
	}
	return i, n <= maxPort && classAt(text, word)&alnumByte == 0
}

// plainRun is the fast path for nearly all hosts. It reads a run of plain ASCII, with at most one final
// dot, in one pass. The run goes on at the offset i, where a label begins. last is the offset of the
// last label of the name. valid says that text[i:e.name] has valid labels only; if it is false, the
// labels may still be valid.
func (f *hostFinder) plainRun(i int) (e ending, last int, valid, ok bool) {
	text, first := f.text, i
	before, doubt, end := dotKind, uint8(0), endKind
	label := i // the latest label, which is empty after a final dot
	for last = i; i < len(text); i++ {
		k := byteKind[text[i]]
		if k >= endKind {
			end = k
			break
		}
		if k == dotKind {
			last, label = label, i+1
		}
		doubt |= before & k
		before = k
	}
	name := i
	if before == dotKind {
		name--
	} else {
		last = label
		doubt |= before // a hyphen at the end of the name
	}
	if end == highKind || name <= first || text[name-1] == '.' {
		return ending{}, i, false, false
	}
	return ending{run: i, name: name, host: name}, last, doubt == 0 && name-first <= maxLabel, true
}

// runEnding returns the ending of the run that goes on at the offset i, after a separator.
func (f *hostFinder) runEnding(i int) ending {
	run := f.runEnd(i)
	name := trimSeparators(f.text, i, run)
	if f.runHigh && !partFollows(f.text, run, f.strict) {
		name = trimIgnored(f.text, i, name)
	}
	return ending{run: run, name: name, host: name}
}

// runEnd returns the end of the run that goes on at the offset i. It remembers the latest run, because
// the scan asks again for the rest of a run from which it cut a host.
func (f *hostFinder) runEnd(i int) int {
	if f.runFrom <= i && i < f.runTo {
		return f.runTo
	}
	text, high, from := f.text, false, i
	var classes uint16
	for i < len(text) {
		c := byteClass[text[i]]
		if c&runByte != 0 {
			classes |= c
			i++
			continue
		}
		if c&highByte == 0 {
			break
		}
		r, size := decode(text, i)
		if r == utf8.RuneError || !f.isInHost(r) {
			break
		}
		if high = true; r == '‑' {
			classes |= labelByte // the hyphen that does not break lines
		}
		i += size
	}
	f.runFrom, f.runTo, f.runHigh = from, i, high
	f.runAlnum, f.runLabel = classes&alnumByte != 0, classes&labelByte != 0
	return i
}

// runStart returns the start of the run in front of the offset i. It does not go below floor.
func (f *hostFinder) runStart(i, floor int) int {
	for i > floor {
		c := byteClass[f.text[i-1]]
		if c&runByte != 0 {
			i--
			continue
		}
		if c&highByte == 0 {
			return i
		}
		r, size := utf8.DecodeLastRuneInString(f.text[floor:i])
		if r == utf8.RuneError || !f.isInHost(r) {
			return i
		}
		i -= size
	}
	return i
}

// labelEnd returns the end of the label that begins at the offset i.
func (f *hostFinder) labelEnd(i int) int {
	text := f.text
	for i < len(text) {
		c := byteClass[text[i]]
		if c&labelByte != 0 {
			i++
			continue
		}
		if c&highByte == 0 || separatorAt(text, i) != 0 {
			break
		}
		r, size := decode(text, i)
		if r == utf8.RuneError || !f.isInHost(r) {
			break
		}
		i += size
	}
	return i
}

// A cut says where default mode may cut a run.
type cut uint8

const (
	cutAtText   cut = iota // where text without spaces begins
	cutAnywhere            // also at symbols and hyphens
)

// cutTail looks for the end of a host within a run: the first ASCII top-level domain that cannot go on,
// because the next character is no separator and cannot belong to the host (adjustments "punctuation"
// and "neighbouring text"). The labels to look at begin at the offset i.
func (f *hostFinder) cutTail(i int, e ending, c cut) (ending, bool) {
	for i < e.name {
		k := i
		for k < e.name && byteClass[f.text[k]]&labelByte != 0 {
			k++
		}
		if k > i && f.endsHost(k, e, c) && f.tlds.Contains(f.text[i:k]) && !f.joinsHost(i, k, e.name) {
			e.name, e.host = k, k
			return e, true
		}
		if c == cutAnywhere {
			if w := wordEnd(f.text, i, e.name); w > i && f.isSuffix(w, e.run) && f.tlds.Contains(f.text[i:w]) {
				e.name, e.host = w, w
				return e, true
			}
		}
		if k == e.name && c == cutAnywhere {
			return f.cutHyphens(i, e)
		}
		i = nextLabel(f.text, k, e.name)
	}
	return e, false
}

// endsHost reports whether the character at the offset k of the run ends an ASCII host: a letter of a
// script written without spaces, an ideographic full stop in front of such a letter, or a symbol.
func (f *hostFinder) endsHost(k int, e ending, c cut) bool {
	if k >= e.run || f.text[k] < utf8.RuneSelf {
		return false
	}
	n := separatorAt(f.text, k)
	r, _ := utf8.DecodeRuneInString(f.text[k+n : e.run])
	if n == 0 && c == cutAnywhere && (isEdgeSymbol(r) || isMiddleDot(r)) {
		return true
	}
	return isSpaceless(r)
}

// joinsHost reports whether the label text[i:k] goes on with non-ASCII characters up to a full stop, as
// in "com例え.jp", and the whole name up to the offset name is valid. Other programs take such text for
// one host; with a separating character between, readers see two.
func (f *hostFinder) joinsHost(i, k, name int) bool {
	for k < name && f.text[k] >= utf8.RuneSelf {
		if separatorAt(f.text, k) != 0 {
			return false
		}
		k++
	}
	if k == name || f.text[k] != '.' || name-i > maxName {
		return false
	}
	return f.tlds.Contains(f.text[lastLabel(f.text, i, name):name]) && f.isDomain(f.text[i:name])
}

// isSuffix reports whether the suffix of a word is at the offset i, directly after a top-level domain,
// and nothing after it belongs to a host (adjustment "suffixes"). A suffix is a hyphen and a letter, or
// a letter of some scripts. In Persian a zero width non-joiner may be in front of that letter. The run
// ends at the offset run.
func (f *hostFinder) isSuffix(i, run int) bool {
	if i == run {
		return false
	}
	r, size := decode(f.text[:run], i)
	if next, _ := decode(f.text[:run], min(i+size, run-1)); r == zeroWidthNonJoiner && isSuffixLetter(next) {
		r = next
	}
	switch {
	case r == '-' || r == '‑':
		next, _ := decode(f.text[:run], min(i+size, run-1))
		if i+size == run || !unicode.IsLetter(next) {
			return false
		}
	case f.text[i-1] >= utf8.RuneSelf, !isSuffixLetter(r):
		return false
	}
	if classAt(f.text, run)&initiatorByte != 0 || continuesHost(f.text, run) || byteAt(f.text, run) == '\\' {
		return false
	}
	for ; i < len(f.text) && f.text[i] > ' '; i++ {
		switch c := f.text[i]; {
		case c == '@', (c == '.' || c == ':') && classAt(f.text, i+1)&wordByte != 0:
			return false
		}
	}
	return true
}

// cutHyphens cuts the last label text[i:e.name] before its final hyphens, or before two hyphens in a
// row, which people type for a dash.
func (f *hostFinder) cutHyphens(i int, e ending) (ending, bool) {
	label := f.text[i:e.name]
	name, _, _ := strings.Cut(label, "--")
	name = strings.TrimRight(name, "-")
	if len(name) == len(label) || !f.tlds.Contains(name) {
		return e, false
	}
	e.name = i + len(name)
	e.host = e.name
	return e, true
}

// cutHead returns the offset at which the bare host in text[a:name] begins (adjustments "punctuation"
// and "neighbouring text").
func (f *hostFinder) cutHead(a, name int) int {
	a = f.skipEdge(f.afterSigns(a, name), name)
	i := name
	dotted := false
	for i > a && byteClass[f.text[i-1]]&runByte != 0 {
		i--
		dotted = dotted || f.text[i] == '.'
	}
	if i == a || !dotted {
		return a
	}
	if k := f.afterPrefix(i, a, name); k > i {
		return k
	}
	if byteClass[f.text[i]]&alnumByte == 0 {
		return a
	}
	// From i on the name is ASCII, and a non-ASCII character is in front of it.
	j := i
	if n := separatorBefore(f.text, j, a); n != 0 {
		j -= n
	}
	if r, _ := utf8.DecodeLastRuneInString(f.text[a:j]); isSpaceless(r) || r == '・' || isPrefixLetter(r) && hasLetter(f.text[i:name]) {
		return i
	}
	return a
}

// afterPrefix skips hyphens at the offset i between a right-to-left word and an ASCII label, as in
// ב-example.com. Elsewhere it returns i.
func (f *hostFinder) afterPrefix(i, a, name int) int {
	k := i
	for k < name && f.text[k] == '-' {
		k++
	}
	if k == i || !hasLetter(f.text[k:name]) {
		return i
	}
	if r, _ := utf8.DecodeLastRuneInString(f.text[a:i]); isSpaceless(r) || !isPrefixLetter(r) {
		return i
	}
	return k
}

// hasLetter reports whether the first label of s has an ASCII letter. With such a letter, a label that
// also has right-to-left letters is not valid (RFC 5893 §2).
func hasLetter(s string) bool {
	for i := range len(s) {
		switch c := byteClass[s[i]]; {
		case c&labelByte == 0:
			return false
		case c&alnumByte != 0 && c&digitByte == 0:
			return true
		}
	}
	return false
}

// afterSigns returns the offset after the last sign in text[a:name] that belongs to the text, not to
// the host. Such signs are a superscript or the like in front of a label, a middle dot outside of
// Catalan, and a symbol in front of "www.", as in Web→www.example.com. So is a currency sign between
// text without spaces and a digit, as in 价格¥99www.example.com. The last of textSigns counts, too, if a
// host with a dot follows it, but not after a single letter, as in x→y.com.
func (f *hostFinder) afterSigns(a, name int) int {
	after, sign := a, a
	for i := a; i < name; {
		if f.text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := decode(f.text[:name], i)
		switch {
		case r == '·' && !isCatalan(f.text[a:i], f.text[i+size:name]),
			(ucd.HostClassOf(r) == ucd.HostSymbol || isWideCurrency(r)) && beginsWWW(f.text[i+size:name]),
			ucd.HostClassOf(r) == ucd.HostMapped && isNumberSign(r) && !isLetterSign(r) && i+size < name && separatorAt(f.text, i+size) == 0:
			after = i + size
		case unicode.Is(unicode.Sc, r) && classAt(f.text, i+size)&digitByte != 0 && i > a:
			if before, _ := utf8.DecodeLastRuneInString(f.text[a:i]); isSpaceless(before) {
				after = i + size
			}
		case unicode.Is(textSigns, r):
			if sign = a; i-a != 1 {
				sign = i + size
			}
		}
		i += size
	}
	if sign > after {
		host := f.text[f.skipEdge(sign, name):name]
		if strings.Contains(host, ".") && f.isDomain(host) {
			return sign
		}
	}
	return after
}

// beginsWWW reports whether a name begins with "www." and has another dot after it.
func beginsWWW(name string) bool {
	return ascii.HasPrefixFold(name, "www.") && strings.IndexByte(name[len("www."):], '.') >= 0
}

// isCatalan reports whether a middle dot between two texts is part of a word, as in col·legi (RFC 5892
// appendix A.3).
func isCatalan(before, after string) bool {
	return before != "" && before[len(before)-1]|0x20 == 'l' && after != "" && after[0]|0x20 == 'l'
}

// skipEdge returns the first offset at or after a at which a label may begin. It skips hyphens, symbols
// and keycap digits, unless the first label has nothing else.
func (f *hostFinder) skipEdge(a, name int) int {
	for i := a; i < name; {
		r, size := utf8.DecodeRuneInString(f.text[i:name])
		n := keycapLen(f.text[i:name])
		switch {
		case n > 0:
			size = n
		case r == '-':
		case isEdgeSymbol(r) && !isLetterSign(r), isMiddleDot(r), ucd.HostClassOf(r) == ucd.HostIgnored:
		case ucd.HostClassOf(r) == ucd.HostSeparator:
			return a
		default:
			return i
		}
		i += size
	}
	return a
}

// isSentence reports whether the bare host text[a:name] is not a host but the end of a sentence and
// the whole next sentence (adjustment "sentence"). Only ideographic full stops separate its labels,
// the last label is of a script written without spaces, and more text touches it.
func (f *hostFinder) isSentence(a, name int) bool {
	last := lastLabel(f.text, a, name)
	r, _ := utf8.DecodeRuneInString(f.text[last:name])
	if !isSpaceless(r) || strings.Contains(f.text[a:name], ".") {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(f.text[:a])
	after, _ := utf8.DecodeRuneInString(f.text[name:])
	return a > 0 && !isApart(before) || name < len(f.text) && !isApart(after)
}

// beginsSentence reports whether the top-level domain of the bare host text[a:name] is in fact the
// first word of the next sentence, after a missing space (adjustment "sentence").
func (f *hostFinder) beginsSentence(a, name int) bool {
	if f.strict || name-a < 4 {
		return false
	}
	if b, c := f.text[name-2], f.text[name-1]; b < utf8.RuneSelf && c < utf8.RuneSelf && (c < 'a' || c > 'z' || b < 'A' || b > 'Z') {
		return false // nearly always
	}
	return isTitle(f.text[lastLabel(f.text, a, name):name]) && (name-a < len("www.") || !hasLetters(f.text, a, "www") || f.text[a+3] != '.')
}

// isApart reports whether r separates a host from the text around it.
func isApart(r rune) bool { return r < utf8.RuneSelf || ucd.IsWhiteSpace(r) }

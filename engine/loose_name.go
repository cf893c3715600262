package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// labelsIn finds the names that other programs would link in the labels text[a:b]: up to the
// last label that is a top-level domain or begins with one. If browsers refuse the whole, it is
// one name or several.
func (sc *scan) labelsIn(a, b int) looseLabels {
	end := sc.topLevelEnd(a, b)
	if end == 0 {
		end = sc.pseudoEnd(a, b)
	}
	if end == 0 {
		return looseLabels{from: a, host: b, end: b, to: b, last: b, lastEnd: b}
	}
	p := looseLabels{from: a, host: sc.openable(a, end), end: end, to: b}
	p.last, p.lastEnd = p.host, p.end
	if p.host > a {
		p.host = a - 1
	}
	return p
}

// pseudoEnd returns the end of the last label of text[a:b], but for the first, for which other
// programs link the labels up to there although it is not a top-level domain; or 0. It is a pseudo
// top-level domain behind "@", "//" or a scheme, or wherever it is localhost or an A-label.
func (sc *scan) pseudoEnd(a, b int) int {
	end := 0
	named := a > 0 && (sc.text[a-1] == '@' || strings.HasSuffix(sc.text[:a], "//") || sc.text[a-1] == ':' && a > 1 && classAt(sc.text, a-2)&alnumByte != 0)
	for i := nextLabel(sc.text, a, b); i < b; {
		next := nextLabel(sc.text, i, b)
		k := i
		for k < next && byteClass[sc.text[k]]&labelByte != 0 {
			k++
		}
		if label := sc.text[i:k]; isPseudoTLD(label) && (named || strings.EqualFold(label, "localhost") || ascii.HasPrefixFold(label, acePrefix)) {
			end = k
		}
		i = next
	}
	return end
}

// isPseudoTLD reports whether other programs take a label for a top-level domain that is not one:
// a name of xurls, or an A-label.
func isPseudoTLD(label string) bool {
	if len(label) < len("bit") || len(label) > maxLabel || strings.IndexByte("begiltxz", label[0]|0x20) < 0 {
		return false
	}
	switch strings.ToLower(label) {
	case "bit", "example", "exit", "gnu", "i2p", "invalid", "local", "localhost", "test", "zkey":
		return true
	}
	return len(label) > len(acePrefix) && ascii.HasPrefixFold(label, acePrefix)
}

// nextName goes on to the next name in the latest labels. Before the last one these are the valid ones
// between characters that end a link, and in the ASCII between others, from where openStart begins
// them.
func (sc *scan) nextName() {
	p := &sc.labels
	for from := p.from; from < p.last; {
		if from >= p.plain {
			p.plain = pieceEnd(sc.text, from, p.last)
			if p.plain == from {
				_, size := decode(sc.text, from)
				from += size
				continue
			}
			if sc.takeName(from, p.plain) {
				return
			}
		}
		for from < p.plain && byteClass[sc.text[from]]&runByte == 0 {
			from++
		}
		a := from
		for from < p.plain && byteClass[sc.text[from]]&runByte != 0 {
			from++
		}
		if sc.takeName(a, from) {
			if k, ok := sc.openStart(p.from, p.host, p.end); ok {
				p.host = k
			}
			return
		}
	}
	p.host, p.end = p.last, p.lastEnd
	if p.host < p.from {
		p.host, p.end = p.to, p.to
	}
}

// pieceEnd returns the offset of the first character in text[i:to] at which other programs end a
// name: an invisible character or a sign.
func pieceEnd(text string, i, to int) int {
	for i < to {
		r, size := decode(text[:to], i)
		if r >= utf8.RuneSelf && (ucd.IsDefaultIgnorable(r) || ucd.HostClassOf(r) == ucd.HostMapped && isNumberSign(r)) {
			return i
		}
		i += size
	}
	return to
}

// takeName sets the name of the latest labels to the one in text[a:b], if it is valid, and reports
// whether it is.
func (sc *scan) takeName(a, b int) bool {
	for a < b && byteClass[sc.text[a]]&(alnumByte|highByte) == 0 {
		a++
	}
	for a < b && sc.text[b-1] == '-' {
		b--
	}
	end := sc.topLevelEnd(a, b)
	if end == 0 || !sc.isDomain(sc.text[a:end]) {
		return false
	}
	sc.labels.host, sc.labels.end = a, end
	return true
}

// topLevelEnd returns the end of the last top-level domain in the labels text[a:b], but for the first
// label; or 0.
func (sc *scan) topLevelEnd(a, b int) int {
	end := 0
	for i := nextLabel(sc.text, a, b); i < b; {
		next := nextLabel(sc.text, i, b)
		if k := sc.topLevelIn(i, next-separatorBefore(sc.text, next, i)); k > i {
			end = k
		}
		i = next
	}
	return end
}

// topLevelIn returns the end of the top-level domain that is the label text[i:end], or
// that it begins with, as its ASCII, as a word, or as its letters; or i.
func (sc *scan) topLevelIn(i, end int) int {
	if sc.tlds.Contains(sc.text[i:end]) {
		return end
	}
	k := i
	for k < end && byteClass[sc.text[k]]&labelByte != 0 {
		k++
	}
	if k < end && sc.tlds.Contains(sc.text[i:k]) {
		return k
	}
	if k := wordEnd(sc.text, i, end); k < end && sc.tlds.Contains(sc.text[i:k]) {
		return k
	}
	if k := lettersEnd(sc.text, i, end); k < end && classAt(sc.text, k)&highByte != 0 && sc.tlds.Contains(sc.text[i:k]) {
		return k
	}
	return i
}

// lettersEnd returns the end of the letters at the offset i, before the offset end.
func lettersEnd(text string, i, end int) int {
	return skipRun(text[:end], i, unicode.IsLetter)
}

// openable returns the start of the host in the name text[a:end] that a browser would
// open: of the name, or where UTS #46 refuses it, of its end behind a sign, a mark or the
// like, or of the labels in ASCII at its end.
func (sc *scan) openable(a, end int) int {
	if sc.isDomain(sc.text[a:end]) {
		return a
	}
	if k := behindSign(sc.text, a, end); k > a && strings.Contains(sc.text[k:end], ".") && sc.isDomain(sc.text[k:end]) {
		return k
	}
	first, found := sc.openStart(a, end, end)
	i := end
	for i > a && byteClass[sc.text[i-1]]&runByte != 0 {
		i--
	}
	for i < end && byteClass[sc.text[i]]&alnumByte == 0 {
		i++
	}
	if found && first <= i {
		return first
	}
	if name := sc.text[i:end]; strings.Contains(name, ".") && sc.isDomain(name) {
		return i
	}
	if found {
		return first
	}
	return a
}

// maxStarts is the number of places in a name at which openStart looks for a host.
const maxStarts = 16

// openStart returns the first place in the name text[a:end] where a host begins that a browser
// would open: up to the offset to, behind a label separator or a character of isNameBreak. It
// tries the last maxStarts of these places.
func (sc *scan) openStart(a, to, end int) (start int, ok bool) {
	var starts [maxStarts]int
	n := 0
	for i := to; i > a && n < maxStarts && end-i <= maxName; {
		r, size := utf8.DecodeLastRuneInString(sc.text[a:i])
		if i < end && (isNameBreak(r) || ucd.HostClassOf(r) == ucd.HostSeparator) {
			starts[n] = i
			n++
		}
		i -= size
	}
	for n--; n >= 0; n-- {
		if name := sc.text[starts[n]:end]; strings.Contains(name, ".") && sc.isDomain(name) {
			return starts[n], true
		}
	}
	return 0, false
}

// isNameBreak reports whether other programs may begin a name behind the character r beyond ASCII:
// an invisible one, punctuation or a mark.
func isNameBreak(r rune) bool {
	return r >= utf8.RuneSelf && (ucd.IsDefaultIgnorable(r) || unicode.In(r, unicode.P, unicode.M))
}

// behindSign returns the offset behind the last sign in text[a:end], or a.
func behindSign(text string, a, end int) int {
	i := strings.LastIndexFunc(text[a:end], func(r rune) bool {
		return r >= utf8.RuneSelf && ucd.HostClassOf(r) == ucd.HostMapped && isNumberSign(r)
	})
	if i < 0 {
		return a
	}
	_, size := decode(text[:end], a+i)
	return a + i + size
}

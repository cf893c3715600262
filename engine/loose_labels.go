package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// looseLabels returns the bounds of the labels around the label separator at the offset p. They have
// symbols only if the labels without symbols have no top-level domain.
func (sc *scan) looseLabels(p int) (a, b int) {
	a, b = sc.dottedLabels(p, max(sc.lastEnd, sc.unread), false)
	if sc.isASCII || p < sc.symbols || sc.topLevelEnd(a, b) > 0 || sc.pseudoEnd(a, b) > 0 {
		return a, b
	}
	k, end := sc.dottedLabels(p, sc.lastEnd, true)
	if k > p {
		return a, b
	}
	if top := sc.topLevelEnd(k, end); top > 0 {
		last := lastLabel(sc.text, k, top)
		from, to := sc.dottedLabels(last-separatorBefore(sc.text, last, k), sc.lastEnd, false)
		if sc.topLevelEnd(from, to) == 0 {
			return k, end
		}
	}
	sc.symbols = end
	return a, b
}

// addressIn finds an IPv4 address in text[from:to] that is not beside a letter or digit of ASCII.
// Behind ASCII and a dot it is the end of another name. It may have octal numbers where other
// programs expect a host.
func addressIn(text string, from, to int) (start, end int, ok bool) {
	for i := from; i < to; i++ {
		if byteClass[text[i]]&digitByte == 0 {
			continue
		}
		start := i
		for i < to && byteClass[text[i]]&(digitByte|dotByte) != 0 {
			i++
		}
		end := start + len(strings.TrimRight(text[start:i], "."))
		if (isIPv4(text[start:end]) || expectsHost(text[:start]) && isOctal(text[start:end])) && (end < i || classAt(text, i)&alnumByte == 0) &&
			(start == from || byteClass[text[start-1]]&(alnumByte|dotByte) == 0 || start-1 > from && text[start-1] == '.' && text[start-2] >= utf8.RuneSelf) {
			return start, end, true
		}
	}
	return 0, 0, false
}

// nextSeparator returns the offset of the next full stop in text[from:to], or of the next label
// separator of any kind if wide is true; or -1.
func nextSeparator(text string, from, to int, wide bool) int {
	for i := from; wide && i < to; i++ {
		if separatorAt(text[:to], i) > 0 {
			return i
		}
	}
	if from >= to || wide {
		return -1
	}
	if i := strings.IndexByte(text[from:to], '.'); i >= 0 {
		return from + i
	}
	return -1
}

// dottedLabels returns the bounds of the labels around the label separator at the offset p, with
// single ones between them, at floor or behind it. They may have symbols if symbols is true. A
// label with a hyphen at its end ends them. Labels that were read before are not read again: the
// numbers of libx.so.1.2.3.4 are not an address.
func (sc *scan) dottedLabels(p, floor int, symbols bool) (a, b int) {
	end := sc.end
	size := separatorAt(sc.text, p)
	for a = p; ; {
		label := sc.looseLabelStart(a, floor, symbols)
		if label == a || sc.text[a-1] == '-' {
			a += size // the dot is not between labels
			break
		}
		a = label
		if sc.text[a] == '-' {
			for sc.text[a] == '-' {
				a++
			}
			break
		}
		if size = separatorBefore(sc.text, a, floor); size == 0 {
			break
		}
		a -= size
	}
	for b = p; b < end; {
		size := separatorAt(sc.text[:end], b)
		label := sc.looseLabelEnd(b+size, end, symbols)
		if size == 0 || label == b+size || sc.text[b+size] == '-' {
			break
		}
		for b = label; sc.text[b-1] == '-'; {
			b--
		}
		if b < label {
			break
		}
	}
	return min(a, b), b
}

// looseLabelStart returns the start of the label that ends at the offset i, at floor or
// after it.
func (f *hostFinder) looseLabelStart(i, floor int, symbols bool) int {
	for i > floor {
		r, size := utf8.DecodeLastRuneInString(f.text[floor:i])
		if !f.isInLooseLabel(r, size) && (!symbols || !f.isInSymbolLabel(r, size)) {
			break
		}
		i -= size
	}
	return i
}

// looseLabelEnd returns the end of the label that begins at the offset i, at end or before it.
func (f *hostFinder) looseLabelEnd(i, end int, symbols bool) int {
	for i < end {
		r, size := decode(f.text[:end], i)
		if !f.isInLooseLabel(r, size) && (!symbols || !f.isInSymbolLabel(r, size)) {
			break
		}
		i += size
	}
	return i
}

// isInLooseLabel reports whether a label may have the character r of size bytes: as in a
// host, without symbols and middle dots.
func (f *hostFinder) isInLooseLabel(r rune, size int) bool {
	if r < utf8.RuneSelf {
		return byteClass[r]&labelByte != 0
	}
	class := ucd.HostClassOf(r)
	return (r != utf8.RuneError || size > 1) && f.isInHost(r) &&
		class != ucd.HostSeparator && class != ucd.HostSymbol && !isMiddleDot(r)
}

// isInSymbolLabel is isInLooseLabel for names that have a top-level domain only with symbols in
// their labels, as in //I❤.com.
func (f *hostFinder) isInSymbolLabel(r rune, size int) bool {
	return ucd.HostClassOf(r) == ucd.HostSymbol && !isMiddleDot(r) || f.isInLooseLabel(r, size)
}

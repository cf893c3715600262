package engine

import "strings"

// A scan is the state of scanning one text. Links are found around five
// kinds of triggers: the full stop inside a bare host, its non-ASCII
// variants, the "@" of an e-mail address and the ":" of a scheme. Whatever
// lies between is skipped without being looked at.
type scan struct {
	s    *Scanner
	text string

	// done is the end of the latest link, or of what was found to be none and
	// is not to be looked at again. No link begins before it.
	done int

	// The next trigger of each kind, at or after done; len(text) where no
	// more of it comes.
	dot     int // U+002E
	colon   int // ":"
	at      int // "@"
	stop    int // U+3002, the ideographic full stop: E3 80 82
	fullDot int // U+FF0E and U+FF61, full- and half-width: EF BC 8E, EF BD A1

	// The latest run, or the end of it: see runEnd.
	runFrom, runTo int
	runHigh        bool // it holds characters beyond ASCII
}

func newScan(s *Scanner, text string) scan {
	sc := scan{s: s, text: text}
	sc.dot = sc.findByte('.', 0)
	sc.colon = sc.findByte(':', 0)
	sc.at = sc.findByte('@', 0)
	sc.stop = sc.findStop(0)
	sc.fullDot = sc.findFullDot(0)
	return sc
}

// next sets l to the next link and reports whether there was one.
func (sc *scan) next(l *Link) bool {
	for {
		limit := min(sc.colon, sc.at, sc.stop, sc.fullDot)
		for sc.dot < limit {
			p := sc.dot
			if sc.octetAt(p+1)&wordOctet == 0 || p == sc.done || octets[sc.text[p-1]]&wordOctet == 0 {
				// A label is missing, or has a hyphen at its end.
				if sc.isWWW(p) && sc.suspectWWW(p, l) {
					return true
				}
				if sc.dot == p {
					sc.dot = sc.findByte('.', p+1)
				}
				continue
			}
			if sc.bareHost(p, 1, l) {
				return true
			}
		}
		switch limit {
		case len(sc.text):
			return false
		case sc.colon:
			if sc.scheme(limit, l) {
				return true
			}
			sc.colon = sc.findByte(':', max(limit+1, sc.done))
		case sc.at:
			if sc.address(limit, l) {
				return true
			}
			sc.at = sc.findByte('@', max(limit+1, sc.done))
		default:
			if sc.bareHost(limit, 3, l) {
				return true
			}
		}
	}
}

// finish ends the search up to the offset end: whatever begins before it has
// been dealt with.
func (sc *scan) finish(end int) {
	sc.done = end
	sc.skipDots(end)
	if sc.colon < end {
		sc.colon = sc.findByte(':', end)
	}
	if sc.at < end {
		sc.at = sc.findByte('@', end)
	}
}

// skipDots moves the triggers of bare hosts to the offset end or beyond.
func (sc *scan) skipDots(end int) {
	if sc.dot < end {
		sc.dot = sc.findByte('.', end)
	}
	if sc.stop < end {
		sc.stop = sc.findStop(end)
	}
	if sc.fullDot < end {
		sc.fullDot = sc.findFullDot(end)
	}
}

// findByte returns the offset of the first c at or after i, or len(text).
func (sc *scan) findByte(c byte, i int) int {
	if j := strings.IndexByte(sc.text[i:], c); j >= 0 {
		return i + j
	}
	return len(sc.text)
}

// findStop returns the offset of the first U+3002 at or after i, or
// len(text). Kana and CJK punctuation share its first octet and come in rows,
// so they are passed over three octets at a time.
func (sc *scan) findStop(i int) int {
	text := sc.text
	for {
		j := strings.IndexByte(text[i:], 0xe3)
		if j < 0 {
			return len(text)
		}
		i += j
		for i+2 < len(text) && text[i] == 0xe3 && isContinuation(text[i+1]) && isContinuation(text[i+2]) {
			if text[i+1] == 0x80 && text[i+2] == 0x82 {
				return i
			}
			i += 3
		}
		if i+2 >= len(text) {
			return len(text)
		}
		if text[i] == 0xe3 {
			i++ // not UTF-8
		}
	}
}

// isContinuation reports whether c continues a code point in UTF-8.
func isContinuation(c byte) bool { return c&0xc0 == 0x80 }

// findFullDot returns the offset of the first U+FF0E or U+FF61 at or after i,
// or len(text).
func (sc *scan) findFullDot(i int) int {
	text := sc.text
	for {
		j := strings.IndexByte(text[i:], 0xef)
		if j < 0 || i+j+2 >= len(text) {
			return len(text)
		}
		i += j
		if text[i+1] == 0xbc && text[i+2] == 0x8e || text[i+1] == 0xbd && text[i+2] == 0xa1 {
			return i
		}
		i++
	}
}

package engine

import (
	"strings"
	"unicode/utf8"
)

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
	colon   int // ":" before "//"
	at      int // "@"
	stop    int // U+3002, the ideographic full stop: E3 80 82
	fullDot int // U+FF0E and U+FF61, full- and half-width: EF BC 8E, EF BD A1

	// The latest run, or the end of it: see runEnd.
	runFrom, runTo int
	runHigh        bool // it holds characters beyond ASCII
	runAlnum       bool // it holds letters or digits of ASCII

	// The latest text behind a host that holds no part of one: see keepText.
	textFrom, textTo int
}

func newScan(s *Scanner, text string) scan {
	sc := scan{s: s, text: text}
	sc.dot = sc.findByte('.', 0)
	sc.colon = sc.findColon(0)
	sc.at = sc.findByte('@', 0)
	high := firstHigh(text)
	sc.stop = sc.findStop(high)
	sc.fullDot = sc.findFullDot(high)
	return sc
}

// next sets l to the next link and reports whether there was one.
func (sc *scan) next(l *Link) bool {
	for {
		limit := min(sc.colon, sc.at, sc.stop, sc.fullDot)
		if sc.dot < limit {
			if p := sc.nextDot(limit); p < limit && sc.fullStop(p, l) {
				return true
			}
			continue
		}
		switch limit {
		case len(sc.text):
			return false
		case sc.colon:
			if sc.scheme(limit, l) {
				return true
			}
			sc.colon = sc.findColon(max(limit+1, sc.done))
		case sc.at:
			if sc.atSign(l) {
				return true
			}
		default:
			if sc.bareHost(limit, 3, l) {
				return true
			}
		}
	}
}

// nextDot passes over the full stops before limit that end a sentence or
// stand in a number: the octets next to a full stop between labels are
// letters, or belong to a character beyond ASCII. It returns the first that
// is left, or of "www.", else limit or more. The loop is where most of the
// time goes on text without links.
func (sc *scan) nextDot(limit int) int {
	text, p := sc.text, sc.dot
	for p < limit {
		// The octet after the last full stop of a text is missing, the one
		// before the first may be.
		if p+1 < len(text) && p > sc.done {
			if octets[text[p-1]]&octets[text[p+1]]&wordOctet != 0 {
				break
			}
			if text[p-1]|0x20 == 'w' && sc.isWWW(p) {
				break
			}
		}
		i := strings.IndexByte(text[p+1:], '.')
		if i < 0 {
			p = len(text)
			break
		}
		p += 1 + i
	}
	sc.dot = p
	return p
}

// fullStop deals with the full stop at the offset p, of those that nextDot
// leaves. It reports whether l was set; in any case the triggers move on.
func (sc *scan) fullStop(p int, l *Link) bool {
	if sc.octetAt(p+1)&wordOctet != 0 {
		return sc.bareHost(p, 1, l)
	}
	// "www." and then no label.
	if sc.suspectWWW(p, l) {
		return true
	}
	if sc.dot == p {
		sc.dot = sc.findByte('.', p+1)
	}
	return false
}

// atSign deals with the next "@". It reports whether l was set; in any case
// the trigger moves on.
func (sc *scan) atSign(l *Link) bool {
	p := sc.at
	if sc.address(p, l) {
		return true
	}
	sc.at = sc.findByte('@', max(p+1, sc.done))
	return false
}

// finish ends the search up to the offset end: whatever begins before it has
// been dealt with.
func (sc *scan) finish(end int) {
	sc.done = end
	sc.skipDots(end)
	if sc.colon < end {
		sc.colon = sc.findColon(end)
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

// findColon returns the offset of the first ":" at or after i that "//"
// follows, or len(text).
func (sc *scan) findColon(i int) int {
	text := sc.text
	for {
		j := strings.IndexByte(text[i:], ':')
		if j < 0 || i+j+2 >= len(text) {
			return len(text)
		}
		i += j
		if text[i+1] == '/' && text[i+2] == '/' {
			return i
		}
		i++
	}
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

// firstHigh returns the offset of an octet not far before the first that is
// not ASCII, or len(text). It reads 64 octets at a time, so that on text in
// ASCII it takes less than one search for a non-ASCII dot instead of two.
func firstHigh(text string) int {
	i := 0
	for ; len(text)-i >= 64; i += 64 {
		b := text[i : i+64]
		v := load(b, 0) | load(b, 8) | load(b, 16) | load(b, 24) | load(b, 32) | load(b, 40) | load(b, 48) | load(b, 56)
		if v&0x8080808080808080 != 0 {
			return i
		}
	}
	for ; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return i
		}
	}
	return i
}

// load returns the eight octets at the offset i; the compiler makes it one
// instruction.
func load(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
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

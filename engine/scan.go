package engine

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// A scan is the state of scanning one text. It looks for links around triggers: the full stop in a bare
// host, its two kinds of non-ASCII variants, the "@" of an e-mail address, and the ":" of a scheme. It
// skips the text between them.
type scan struct {
	hostFinder
	suspects   bool // Options.Suspects
	maxLinkLen int  // Options.MaxLinkLen
	isASCII    bool // the text is ASCII

	// done is the end of the latest link, or of text without a link. No link begins before it.
	done int

	dot int // where the search for U+002E continues, at or after done

	// The next trigger of each other kind at or after done, or len(text).
	colon   int // ":" in front of "//", or of other slashes and a digit, or of isPlainColon
	back    int // ":" in front of a backslash, at or after colon; used only for ASCII text
	at      int // "@"
	stop    int // U+3002, the ideographic full stop: E3 80 82
	fullDot int // U+FF0E and U+FF61, full- and half-width: EF BC 8E, EF BD A1

	openStack brackets

	suspectSearch
}

// start begins to scan the text.
func (sc *scan) start(o *Options, rules *hostRules, text string) {
	sc.hostRules, sc.text = rules, text
	sc.suspects, sc.maxLinkLen = o.Suspects, o.MaxLinkLen
	sc.dot = 0
	high := ascii.Prefix(text) // ASCII text has no other dots
	sc.back, sc.isASCII = -1, high == len(text)
	sc.colon = sc.findColon(0)
	sc.at = sc.findByte('@', 0)
	sc.stop = sc.findStop(high)
	sc.fullDot = sc.findFullDot(high)
}

// nextLink sets l to the next link, or to a suspect that detection itself finds, and
// reports whether there was one.
func (sc *scan) nextLink(l *Link) bool {
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
			if sc.url(limit, l) {
				return true
			}
			sc.colon = sc.findColon(max(limit+1, sc.done))
		case sc.at:
			if sc.atSign(l) {
				return true
			}
		default:
			if sc.bareURL(limit, 3, l) {
				return true
			}
		}
	}
}

// nextDot skips the full stops before limit that end a sentence or are in a number. A full stop between
// labels has letters or non-ASCII bytes on both sides. It returns the first other full stop, or that of
// "www.", or limit. On text without links, most of the time is spent here.
func (sc *scan) nextDot(limit int) int {
	text := sc.text
	for p := sc.dot; ; p++ {
		if p = innerDot(text, p, limit, sc.isASCII); p == limit {
			break
		}
		if p <= sc.done {
			continue
		}
		// For most full stops after words this test is enough.
		c := byteClass[text[p-1]] & (byteClass[text[p+1]]&wordByte | wwwByte)
		if c&wwwByte != 0 && sc.isWWW(p) {
			limit = p
			break
		}
		if c&wordByte != 0 {
			if !endsAbbreviation(text[p+1:]) {
				limit = p
				break
			}
			p += len("g.") // a space follows the second full stop
		}
	}
	sc.dot = limit
	return limit
}

// endsAbbreviation reports whether a text begins with a letter, a full stop and a space, as after the
// first full stop of "e.g. ": no host ends in a label of one ASCII letter.
func endsAbbreviation(text string) bool {
	return len(text) > 2 && text[1] == '.' && text[2] == ' ' && ascii.IsLetter(text[0])
}

// fullStop handles a full stop that nextDot returned, at the offset p. It reports
// whether l was set; the triggers move on in any case.
func (sc *scan) fullStop(p int, l *Link) bool {
	if classAt(sc.text, p+1)&wordByte != 0 {
		return sc.bareURL(p, 1, l)
	}
	// "www." without a label after it
	if sc.suspectWWW(p, l) {
		return true
	}
	sc.dot = max(sc.dot, p+1)
	return false
}

// emit sets l.Text, moves on to the end of the link, and returns true.
func (sc *scan) emit(l *Link) bool {
	l.Text = sc.text[l.Start:l.End]
	if sc.maxLinkLen > 0 && len(l.Text) > sc.maxLinkLen {
		l.Kind, l.Reason = KindSuspect, ReasonTooLong
	}
	sc.finish(l.End)
	return true
}

// finish moves the triggers to the offset end: no link begins before it.
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
	sc.dot = max(sc.dot, end)
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

// findColon returns the offset of the first ":" at or after i that may belong to a scheme, or
// len(text). "//" follows it, or other slashes and a digit, or isPlainColon is true. It searches for
// colons, because non-ASCII text has few ASCII colons.
func (sc *scan) findColon(i int) int {
	if sc.isASCII {
		return sc.findSlash(i)
	}
	for ; i < len(sc.text); i++ {
		j := strings.IndexByte(sc.text[i:], ':')
		if j < 0 {
			break
		}
		i += j
		if c := byteAt(sc.text, i+1); c == '\\' || c == '/' && isSlashed(sc.text, i+1) || sc.suspects && (isPlainColon(sc.text, i) || openBefore(sc.text, i) >= 0) {
			return i
		}
	}
	return len(sc.text)
}

// findSlash is findColon for ASCII text. It searches for slashes, because sentences have fewer slashes
// than colons.
func (sc *scan) findSlash(i int) int {
	if sc.back < i {
		sc.back = sc.findBackslash(i)
	}
	for i++; i < sc.back; i++ {
		j := strings.IndexByte(sc.text[i:sc.back], '/')
		if j < 0 {
			break
		}
		i += j
		switch sc.text[i-1] {
		case ':':
			if isSlashed(sc.text, i) || sc.suspects && isPlainColon(sc.text, i-1) {
				return i - 1
			}
		case '/':
			if c := colonInBrackets(sc.text, i); c > 0 && sc.suspects {
				return c
			}
		}
	}
	return sc.back
}

// isSlashed reports whether another slash or a digit follows the slash at the offset i.
func isSlashed(text string, i int) bool {
	c := byteAt(text, i+1)
	return c == '/' || c == '\\' || byteClass[c]&digitByte != 0
}

// findBackslash returns the offset of the first ":" at or after i that a backslash follows,
// or len(text).
func (sc *scan) findBackslash(i int) int {
	text := sc.text
	for i++; i < len(text); i++ {
		j := strings.IndexByte(text[i:], '\\')
		if j < 0 {
			break
		}
		i += j
		if text[i-1] == ':' {
			return i - 1
		}
	}
	return len(text)
}

// findStop returns the offset of the first U+3002 at or after i, or len(text). Kana share its first
// byte, so it searches for the second one, too.
func (sc *scan) findStop(i int) int {
	text := sc.text
	for {
		j := strings.IndexByte(text[i:], 0xe3)
		if j < 0 {
			return len(text)
		}
		i += j + 1
		if j = strings.IndexByte(text[i:], 0x80); j < 0 {
			return len(text)
		}
		i += j
		if text[i-1] == 0xe3 && byteAt(text, i+1) == 0x82 {
			return i - 1
		}
	}
}

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

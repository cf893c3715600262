package engine

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

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

// nextDot skips the full stops before limit that end a sentence or are in a number:
// beside a full stop between labels are letters or bytes beyond ASCII. It returns the
// first that is left, or that of "www.", else limit or more. On text without links,
// most of the time goes into this loop.
func (sc *scan) nextDot(limit int) int {
	text, p := sc.text, sc.dot
	for p < limit {
		// There may be no byte behind the full stop, or none before it.
		if p+1 < len(text) && p > sc.done {
			// One test is enough for a full stop behind most words.
			c := byteClass[text[p-1]] & (byteClass[text[p+1]]&wordByte | wwwByte)
			if c != 0 {
				if c&wwwByte != 0 && sc.isWWW(p) {
					break
				}
				if c&wordByte != 0 {
					if !endsAbbreviation(text[p+1:]) {
						break
					}
					p += len("g.") // the second one is before a space
				}
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

// endsAbbreviation reports whether a text begins with a letter, a full stop and a space, such
// as what follows the first full stop of "e.g. ": no host ends in one letter of ASCII.
func endsAbbreviation(text string) bool {
	return len(text) > 2 && text[1] == '.' && text[2] == ' ' && ascii.IsLetter(text[0])
}

// fullStop handles a full stop that nextDot returned, at the offset p. It reports
// whether l was set; the triggers move on in any case.
func (sc *scan) fullStop(p int, l *Link) bool {
	if classAt(sc.text, p+1)&wordByte != 0 {
		return sc.bareURL(p, 1, l)
	}
	// "www." without a label behind it
	if sc.suspectWWW(p, l) {
		return true
	}
	if sc.dot == p {
		sc.dot = sc.findByte('.', p+1)
	}
	return false
}

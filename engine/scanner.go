package engine

import (
	"fmt"
	"iter"
	"strings"

	"github.com/linkmilter/linkmilter/engine/tld"
)

// A Scanner finds links in texts. Several goroutines may use it at once. It does not
// change, except for a bounded cache of the hosts it has judged.
type Scanner struct {
	opts  Options
	hosts hostRules
}

// New returns a Scanner, or an error if the options contradict themselves.
func New(o Options) (*Scanner, error) {
	if err := o.validate(); err != nil {
		return nil, fmt.Errorf("engine options: %w", err)
	}
	tlds := o.TLDs
	if tlds == nil {
		tlds = tld.Builtin()
	}
	return &Scanner{opts: o, hosts: newHostRules(tlds, o.Mode == ModeStrict)}, nil
}

// Append appends the links in text to dst and returns the result. The links
// are in the order of the text, do not overlap, and begin and end between
// code points. Text may be invalid UTF-8: a byte that is not part of a code point
// ends a link.
//
// Append allocates only when dst must grow, when it judges a host beyond plain ASCII
// for the first time, and for suspects. Its time is linear in the length of text.
func (s *Scanner) Append(dst []Link, text string) []Link {
	dst, _ = s.Scan(dst, text)
	return dst
}

// Scan is Append that also returns the number of bytes of text it scanned: len(text),
// or less if it stopped at Options.MaxLinks. Then text[scanned:] may have more links.
func (s *Scanner) Scan(dst []Link, text string) (links []Link, scanned int) {
	var sc scan
	sc.start(&s.opts, &s.hosts, text)
	left := s.opts.MaxLinks
	for {
		n := len(dst)
		if n < cap(dst) {
			dst = dst[:n+1]
			if !sc.next(&dst[n]) {
				return dst[:n], len(text)
			}
		} else {
			var l Link // a text without links does not allocate dst
			if !sc.next(&l) {
				return dst, len(text)
			}
			dst = append(dst, l)
		}
		if left--; left == 0 {
			return dst, sc.done
		}
	}
}

// All returns the links in text one by one, as Append finds them. It stops at
// Options.MaxLinks.
func (s *Scanner) All(text string) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		var sc scan
		sc.start(&s.opts, &s.hosts, text)
		left := s.opts.MaxLinks
		var l Link
		for sc.next(&l) && yield(l) {
			if left--; left == 0 {
				return
			}
		}
	}
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
			if byteClass[text[p-1]]&byteClass[text[p+1]]&wordByte != 0 {
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

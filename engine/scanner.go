package engine

import (
	"fmt"
	"iter"

	"github.com/linkmilter/linkmilter/engine/tld"
)

// A Scanner finds links in texts. It does not change once made, except for a
// bounded memory of the hosts it has judged, and may be used by several
// goroutines at once.
type Scanner struct {
	opts  Options
	tlds  *tld.Set
	hosts hostCache
	// inHost tells by ucd.HostClass what may stand in a host, one bit each.
	inHost uint
}

// New returns a Scanner, or an error where the options make no sense.
func New(o Options) (*Scanner, error) {
	if err := o.validate(); err != nil {
		return nil, fmt.Errorf("engine options: %w", err)
	}
	s := &Scanner{opts: o, tlds: o.TLDs, hosts: newHostCache(), inHost: hostClasses(o.Mode)}
	if s.tlds == nil {
		s.tlds = tld.Builtin()
	}
	return s, nil
}

// Append appends the links in text to dst and returns the result. The links
// are in the order of the text, do not overlap, and begin and end between
// code points. Text need not be valid UTF-8: an octet that belongs to no code
// point ends a link.
//
// Append allocates nothing but what dst needs to grow, and, when a host that
// is not plain ASCII is seen for the first time, what it takes to judge it.
// The time it takes grows no faster than the length of text.
func (s *Scanner) Append(dst []Link, text string) []Link {
	dst, _ = s.Scan(dst, text)
	return dst
}

// Scan is Append that also returns how many octets of text were scanned: all
// of them, unless Options.MaxLinks was reached; then links may lie in
// text[scanned:].
func (s *Scanner) Scan(dst []Link, text string) (links []Link, scanned int) {
	sc := newScan(s, text)
	left := s.opts.MaxLinks
	for {
		n := len(dst)
		if n < cap(dst) {
			dst = dst[:n+1]
			if !sc.next(&dst[n]) {
				return dst[:n], len(text)
			}
		} else {
			var l Link // so that a text without links takes no memory
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

// All returns the links in text, as Append finds them, one by one.
// Options.MaxLinks applies.
func (s *Scanner) All(text string) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		sc := newScan(s, text)
		left := s.opts.MaxLinks
		var l Link
		for sc.next(&l) && yield(l) {
			if left--; left == 0 {
				return
			}
		}
	}
}

package engine

import (
	"fmt"
	"iter"
	"sync"

	"github.com/linkmilter/linkmilter/engine/tld"
)

// A Scanner finds links in texts. The zero value has the zero Options. Several goroutines
// may use it at once. It remembers hosts that are not plain ASCII, in at most 2 MiB.
type Scanner struct {
	opts    Options
	hosts   hostRules
	schemes schemeNames // Options.Schemes
}

// builtinRules are those of a Scanner that New did not make.
var builtinRules = sync.OnceValue(func() *hostRules {
	rules := newHostRules(tld.Builtin(), false)
	return &rules
})

// rules returns the rules of the scanner.
func (s *Scanner) rules() *hostRules {
	if s.hosts.tlds == nil {
		return builtinRules()
	}
	return &s.hosts
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
	names, err := newSchemeNames(o.Schemes)
	if err != nil {
		return nil, fmt.Errorf("engine options: %w", err)
	}
	return &Scanner{opts: o, hosts: newHostRules(tlds, o.Strict), schemes: names}, nil
}

// Append appends the links in text to dst and returns the result. The links
// are in the order of the text, do not overlap, and begin and end between
// code points. Text may be invalid UTF-8: a byte that is not part of a code point
// ends a link.
//
// Append allocates only to extend dst, for suspects, and when it first sees a host that
// is not plain ASCII. Its time is linear in the length of text.
func (s *Scanner) Append(dst []Link, text string) []Link {
	var sc mergedScan
	s.start(&sc, text)
	left := s.opts.MaxLinks
	for {
		n := len(dst)
		if n < cap(dst) {
			dst = dst[:n+1]
			if !sc.next(&dst[n]) {
				return dst[:n]
			}
		} else {
			var l Link // a text without links does not allocate dst
			if !sc.next(&l) {
				return dst
			}
			dst = append(dst, l)
		}
		if left--; left == 0 {
			return dst
		}
	}
}

// All returns the links in text one by one, as Append finds them. It stops at
// Options.MaxLinks.
func (s *Scanner) All(text string) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		var sc mergedScan
		s.start(&sc, text)
		left := s.opts.MaxLinks
		var l Link
		for sc.next(&l) && yield(l) {
			if left--; left == 0 {
				return
			}
		}
	}
}

// start begins to scan the text.
func (s *Scanner) start(sc *mergedScan, text string) {
	sc.start(&s.opts, s.rules(), text)
	sc.names = s.schemes
}

package engine

import (
	"fmt"
	"iter"
	"strings"
	"sync"
	"unsafe"

	"github.com/linkmilter/linkmilter/engine/tld"
)

// A Scanner finds links in texts. The zero value has the zero Options. Several goroutines
// may use it at once. It remembers hosts that are not plain ASCII, in at most 2 MiB.
type Scanner struct {
	opts    Options
	hosts   hostRules
	schemes schemeNames // Options.Schemes
}

// builtinRules are the rules of a zero Scanner.
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

// New returns a Scanner, or an error for an option out of range or a scheme that cannot be linked.
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

// Append appends the links in text to dst and returns the result. The links are in the order of the
// text, do not overlap, and begin and end between code points. Text may be invalid UTF-8: a byte that
// is not part of a code point ends a link.
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

// All returns the links in text one by one, as Append finds them. It stops after Options.MaxLinks
// links.
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

// LinkEnd returns where a link in text ends if another program has found its host (UTS #58 §10). The
// link begins at the offset start, and its host and port end at the offset hostEnd. If a path, query or
// fragment follows there, LinkEnd returns its end by the mode of the scanner, otherwise hostEnd. It
// does not check the scheme and the host. In "See https://example.com/a." the link begins at 4 and its
// host ends at 23; LinkEnd returns 25, the offset of the final full stop.
//
// LinkEnd also reads the text around the link. In default mode a mark in front of the link may end it,
// as in *https://example.com/a*.
func (s *Scanner) LinkEnd(text string, start, hostEnd int) int {
	var openStack brackets
	end := linkEnd(text, hostEnd, s.opts.Strict, &openStack)
	if s.opts.Strict {
		return end
	}
	return adjustedEnd(text, start, hostEnd, end)
}

// start begins to scan the text.
func (s *Scanner) start(sc *mergedScan, text string) {
	sc.start(&s.opts, s.rules(), text)
	sc.names = s.schemes
}

// AppendBytes is Append for bytes. It copies the links but not the rest of the text, so
// the links stay valid when the caller changes text later.
func (s *Scanner) AppendBytes(dst []Link, text []byte) []Link {
	first := len(dst)
	dst = s.Append(dst, view(text))
	for i := first; i < len(dst); i++ {
		dst[i].Text = strings.Clone(dst[i].Text)
	}
	return dst
}

// FindAll returns the links in text, each a slice of text, including suspects if the scanner finds
// them. It returns at most n links, or all of them if n is negative, and nil if there is none, as the
// method of [regexp.Regexp] does.
func (s *Scanner) FindAll(text []byte, n int) [][]byte {
	var found [][]byte
	s.findAll(view(text), n, func(l *Link) {
		found = append(found, text[l.Start:l.End:l.End])
	})
	return found
}

// FindAllIndex returns the bounds of the links that FindAll returns: a link is
// text[b[0]:b[1]].
func (s *Scanner) FindAllIndex(text []byte, n int) [][]int {
	return s.FindAllStringIndex(view(text), n)
}

// FindAllString returns the links in text as typed. It returns at most n links, or all of them if n is
// negative, and nil if there is none, as the method of [regexp.Regexp] does.
func (s *Scanner) FindAllString(text string, n int) []string {
	var found []string
	s.findAll(text, n, func(l *Link) {
		found = append(found, l.Text)
	})
	return found
}

// FindAllStringIndex returns the bounds of the links that FindAllString returns: a link is
// text[b[0]:b[1]].
func (s *Scanner) FindAllStringIndex(text string, n int) [][]int {
	var found [][]int
	s.findAll(text, n, func(l *Link) {
		found = append(found, []int{l.Start, l.End})
	})
	return found
}

// findAll calls yield for the first n links in text, for all of them if n is negative.
func (s *Scanner) findAll(text string, n int, yield func(*Link)) {
	if n == 0 {
		return
	}
	for l := range s.All(text) {
		yield(&l)
		if n--; n == 0 {
			return
		}
	}
}

// Replace returns text with each link replaced by the result of repl. With
// Options.Suspects it calls repl for suspects, too.
func (s *Scanner) Replace(text string, repl func(Link) string) string {
	var out strings.Builder
	end := 0 // end of the text that is written
	for l := range s.All(text) {
		if with := repl(l); with != l.Text {
			out.WriteString(text[end:l.Start])
			out.WriteString(with)
			end = l.End
		}
	}
	if end == 0 {
		return text
	}
	out.WriteString(text[end:])
	return out.String()
}

// view returns b as a string without a copy. The string must not outlive the call that got b, since the
// caller may change b later.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

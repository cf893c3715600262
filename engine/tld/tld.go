// Package tld holds sets of top-level domains: the built-in set, from the data of
// golang.org/x/net/publicsuffix, and sets parsed from IANA's list.
//
// The package reads no files and makes no network request: a program that wants newer
// names reads them and calls [Parse].
package tld

//go:generate go run ./gen

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// maxLabel is the length of a label in bytes, as A-label (RFC 1035 §2.3.4).
const maxLabel = 63

// A Set is a set of top-level domains. It is immutable and safe for concurrent use.
type Set struct {
	ascii   map[string]struct{} // A-labels, lower case
	unicode map[string]struct{} // U-labels of the internationalised names
	short   shortLabels         // the A-labels of up to shortLen bytes, for a faster look-up
	letters letterFilter        // the letters of the U-labels
}

var builtin = sync.OnceValue(func() *Set { return newSet(strings.Fields(builtinNames)) })

// Builtin returns the top-level domains in the ICANN section of the public suffix
// list in golang.org/x/net/publicsuffix, whose String method returns the version of
// the list. Each call returns the same set.
func Builtin() *Set { return builtin() }

// Parse reads IANA's tlds-alpha-by-domain.txt, which has one A-label a line, in any case. It ignores
// empty lines and text after "#". It returns an error for a line that is not a label, and for a list
// without names.
func Parse(r io.Reader) (*Set, error) {
	var names []string
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		text := sc.Text()
		if n == 1 {
			text = strings.TrimPrefix(text, "\uFEFF") // the byte order mark of an editor
		}
		line, _, _ := strings.Cut(text, "#")
		name := strings.ToLower(strings.TrimSpace(line))
		if name == "" {
			continue
		}
		if err := checkName(name); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		names = append(names, name)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("reading top-level domains: %w", err)
	}
	if len(names) == 0 {
		return nil, errors.New("list without top-level domains")
	}
	return newSet(names), nil
}

// checkName returns an error unless name is a label of letters, digits and
// hyphens in lower case and, if it is an A-label, decodes.
func checkName(name string) error {
	if len(name) > maxLabel {
		return fmt.Errorf("top-level domain %q: longer than %d bytes", name, maxLabel)
	}
	for i := range len(name) {
		if c := name[i]; !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' && i > 0 && i < len(name)-1) {
			return fmt.Errorf("top-level domain %q: not a label of ASCII letters, digits and inner hyphens", name)
		}
	}
	if _, err := idna.Punycode.ToUnicode(name); err != nil {
		return fmt.Errorf("top-level domain %q: %w", name, err)
	}
	return nil
}

// newSet returns the set of names, A-labels in lower case.
func newSet(names []string) *Set {
	s := &Set{ascii: make(map[string]struct{}, len(names)), unicode: map[string]struct{}{}}
	for _, n := range names {
		s.ascii[n] = struct{}{}
		if u, err := idna.Punycode.ToUnicode(n); err == nil && u != n {
			s.unicode[u] = struct{}{}
			s.letters.add(u)
		}
	}
	s.short.build(s.ascii)
	return s
}

// Len returns the number of top-level domains.
func (s *Set) Len() int { return len(s.ascii) }

// Contains reports whether label, an A-label or a U-label in any case, is in the set. It allocates only
// for labels that may be another spelling of an internationalised name: such names have all its
// letters, or UTS #46 or Normalization Form C replaces them.
func (s *Set) Contains(label string) bool {
	if key, ok := shortKey(label); ok {
		return s.short.contains(key)
	}
	var buf [maxLabel]byte
	if lower, ok := lowerASCII(buf[:0], label); ok {
		_, ok := s.ascii[string(lower)]
		return ok
	}
	if len(label) > maxUnicode || !s.letters.mayMake(label) {
		return false
	}
	if _, ok := s.unicode[label]; ok || settled(label) {
		return ok
	}
	return s.containsMapped(label)
}

// lowerASCII appends label in lower case to buf, which has room for maxLabel bytes. It
// returns false if label is longer, or not ASCII.
func lowerASCII(buf []byte, label string) ([]byte, bool) {
	if len(label) > maxLabel {
		return nil, false
	}
	for i := range len(label) {
		c := label[i]
		if c >= utf8.RuneSelf {
			return nil, false
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf = append(buf, c)
	}
	return buf, true
}

// settled reports whether UTS #46 maps label to itself.
func settled(label string) bool {
	for _, r := range label {
		if ucd.HostClassOf(r) != ucd.HostValid {
			return false
		}
	}
	return norm.NFC.QuickSpanString(label) == len(label)
}

// mapper maps a label as UTS #46 does, non-transitionally.
var mapper = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.CheckHyphens(false))

// containsMapped maps the label by UTS #46 and looks up the result.
func (s *Set) containsMapped(label string) bool {
	u, err := mapper.ToUnicode(label)
	if err != nil {
		return false
	}
	if _, ok := s.unicode[u]; ok {
		return true
	}
	_, ok := s.ascii[u] // for example for full-width letters
	return ok
}

// maxUnicode is the length in bytes of the longest label to map: 63 code
// points of four bytes, each written as base and combining mark.
const maxUnicode = maxLabel * 2 * utf8.UTFMax

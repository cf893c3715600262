package filter

import (
	"fmt"
	"strings"

	"golang.org/x/net/idna"
)

// domainSet is a set of domains written as patterns: `example.com` is that
// domain alone, `.example.com` every domain below it. Domains are kept as
// A-labels in lower case.
type domainSet struct {
	exact map[string]bool
	below map[string]bool
}

// add adds a pattern, which may be of U-labels or A-labels.
func (s *domainSet) add(pattern string) error {
	name, below := strings.CutPrefix(pattern, ".")
	ascii, err := idna.Lookup.ToASCII(name)
	if err != nil || ascii == "" || strings.HasSuffix(ascii, ".") || strings.Contains(ascii, "..") {
		return fmt.Errorf("pattern %q: not a domain", pattern)
	}
	if s.exact == nil {
		s.exact, s.below = make(map[string]bool), make(map[string]bool)
	}
	if below {
		s.below[ascii] = true
	} else {
		s.exact[ascii] = true
	}
	return nil
}

// has reports whether a pattern stands for the domain, in the form of
// canonicalDomain.
func (s *domainSet) has(domain string) bool {
	if s.exact[domain] {
		return true
	}
	if len(s.below) == 0 {
		return false
	}
	for {
		var found bool
		if _, domain, found = strings.Cut(domain, "."); !found {
			return false
		}
		if s.below[domain] {
			return true
		}
	}
}

// canonicalDomain returns a domain as A-labels in lower case, without a final
// dot. What is no domain comes back in lower case, so that it can be compared
// and is like nothing else.
func canonicalDomain(domain string) string {
	domain = strings.TrimSuffix(domain, ".")
	if ascii, err := idna.Lookup.ToASCII(domain); err == nil {
		return ascii
	}
	return strings.ToLower(domain)
}

// An address is an envelope address taken apart for comparison. The null sender
// has neither part; an address without an at sign has no domain.
type address struct{ local, domain string }

// newAddress takes an envelope address apart. Local parts are compared without
// regard to case, as nearly every mail server treats them, although RFC 5321
// §2.4 leaves it to the server.
func newAddress(s string) address {
	s = strings.TrimSuffix(strings.TrimPrefix(s, "<"), ">")
	i := strings.LastIndexByte(s, '@')
	if i < 0 {
		return address{local: strings.ToLower(s)}
	}
	return address{strings.ToLower(s[:i]), canonicalDomain(s[i+1:])}
}

// nullSender is the pattern of the empty envelope sender (RFC 5321 §4.5.5).
const nullSender = "<>"

// addressSet is a set of addresses written as patterns: `anna@example.com` is
// that address, `@example.com` every one at that domain, `.example.com` every
// one at a domain below it, `<>` the null sender.
type addressSet struct {
	addresses map[address]bool
	domains   domainSet
}

// newAddressSet returns the set of some patterns.
func newAddressSet(patterns []string) (*addressSet, error) {
	s := &addressSet{addresses: make(map[address]bool)}
	for _, p := range patterns {
		local, domain, at := cutLast(p, "@")
		switch {
		case p == nullSender:
			s.addresses[address{}] = true
		case !at && strings.HasPrefix(p, "."), at && local == "" && !strings.HasPrefix(domain, "."):
			if err := s.domains.add(strings.TrimPrefix(p, "@")); err != nil {
				return nil, err
			}
		case at && local != "":
			var one domainSet
			if err := one.add(domain); err != nil || len(one.below) > 0 {
				return nil, fmt.Errorf("pattern %q: no domain behind the @", p)
			}
			s.addresses[newAddress(p)] = true
		default:
			return nil, fmt.Errorf("pattern %q: not ADDRESS@DOMAIN, @DOMAIN, .DOMAIN or <>", p)
		}
	}
	return s, nil
}

// has reports whether a pattern stands for the address.
func (s *addressSet) has(a address) bool {
	return s.addresses[a] || a.domain != "" && s.domains.has(a.domain)
}

// cutLast is strings.Cut at the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// A glob is a pattern for a whole text, in which `*` stands for any text, even
// none. Letters are compared without regard to case.
type glob struct{ pieces []string }

// newGlob returns the glob of a pattern.
func newGlob(pattern string) glob {
	return glob{strings.Split(strings.ToLower(pattern), "*")}
}

// matches reports whether the glob stands for text. Each piece is searched once,
// from left to right, so the cost is that of a search for each.
func (g glob) matches(text string) bool {
	text = strings.ToLower(text)
	first, rest := g.pieces[0], g.pieces[1:]
	if len(rest) == 0 {
		return text == first
	}
	text, found := strings.CutPrefix(text, first)
	if !found {
		return false
	}
	last := rest[len(rest)-1]
	for _, piece := range rest[:len(rest)-1] {
		if _, text, found = strings.Cut(text, piece); !found {
			return false
		}
	}
	return strings.HasSuffix(text, last)
}

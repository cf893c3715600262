// Package pattern reads the patterns that operators write for domains, addresses
// and texts.
package pattern

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/internal/hostname"
)

// Domains is a set of domains written as patterns: `example.com` is that domain
// alone, `.example.com` every domain below it. The zero value is empty.
type Domains struct {
	// The patterns, A-labels in lower case, with the time at which each ends to count. The zero
	// time means never.
	exact, below map[string]time.Time
}

// AddLine adds a pattern that may have a date behind it: `example.com 2027-01-31`
// counts through that day, UTC.
func (s *Domains) AddLine(line string) error {
	pattern, date, dated := strings.Cut(line, " ")
	if !dated {
		return s.Add(line)
	}
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return fmt.Errorf("pattern %q: date not valid (want example.com 2027-01-31)", line)
	}
	return s.add(pattern, day.AddDate(0, 0, 1))
}

// Add adds a pattern, in U-labels or A-labels.
func (s *Domains) Add(pattern string) error { return s.add(pattern, time.Time{}) }

// readDomain returns the name of a pattern in A-labels, and whether it means the domains below. ok
// is false if it cannot be the name of a host.
func readDomain(pattern string) (ascii string, below, ok bool) {
	name, below := strings.CutPrefix(pattern, ".")
	ascii, err := idna.Lookup.ToASCII(name)
	ok = err == nil && hostname.IsHost(ascii) && (!hostname.IsIP(ascii) || !below && isIPv4(ascii))
	return ascii, below, ok
}

// add adds a pattern that counts until the time end.
func (s *Domains) add(pattern string, end time.Time) error {
	ascii, below, ok := readDomain(pattern)
	if !ok {
		meant := meantDomain(pattern)
		if _, _, ok := readDomain(meant); ok {
			return fmt.Errorf("pattern %q: not a domain (want %q)", pattern, meant)
		}
		return fmt.Errorf("pattern %q: not a domain", pattern)
	}
	if s.exact == nil {
		s.exact, s.below = make(map[string]time.Time), make(map[string]time.Time)
	}
	if below {
		s.below[ascii] = end
	} else {
		s.exact[ascii] = end
	}
	return nil
}

// Empty reports whether the set has no pattern.
func (s *Domains) Empty() bool { return s.exact == nil }

// Has reports whether a pattern matches the domain, in the form of
// [hostname.Canonical].
func (s *Domains) Has(domain string) bool {
	if counts(s.exact, domain) {
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
		if counts(s.below, domain) {
			return true
		}
	}
}

// counts reports whether the patterns have the domain, and whether its time is not over.
func counts(patterns map[string]time.Time, domain string) bool {
	end, ok := patterns[domain]
	return ok && (end.IsZero() || time.Now().Before(end))
}

// covers reports whether the set has all domains below name.
func (s *Domains) covers(name string) bool {
	for found := true; found; _, name, found = strings.Cut(name, ".") {
		if counts(s.below, name) {
			return true
		}
	}
	return false
}

// An Address is a parsed envelope address, for comparison. The null sender has
// neither part; an address without an at sign has no domain.
type Address struct{ local, domain string }

// ParseAddress parses an envelope address. It ignores the case of local parts, as
// nearly every mail server does, although RFC 5321 §2.4 leaves it to the server.
func ParseAddress(s string) Address {
	s = strings.TrimSuffix(strings.TrimPrefix(s, "<"), ">")
	i := strings.LastIndexByte(s, '@')
	if i < 0 {
		return Address{local: strings.ToLower(s)}
	}
	return Address{strings.ToLower(s[:i]), hostname.Canonical(s[i+1:])}
}

// nullSender is the pattern of the empty envelope sender (RFC 5321 §4.5.5).
const nullSender = "<>"

// Addresses is a set of addresses written as patterns: `anna@example.com` is that
// address, `@example.com` or `*@example.com` every address at that domain, `.example.com`
// or `*@*.example.com` every address at a domain below it, `<>` the null sender.
type Addresses struct {
	addresses map[Address]bool
	domains   Domains
}

// NewAddresses returns the set of patterns.
func NewAddresses(patterns []string) (*Addresses, error) {
	s := &Addresses{addresses: make(map[Address]bool)}
	for _, p := range patterns {
		if err := s.add(p); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// add adds a pattern.
func (s *Addresses) add(pattern string) error {
	p := shorter(pattern)
	if !isAddresses(p) {
		meant := meantAddress(pattern)
		if !isAddresses(meant) {
			return fmt.Errorf("pattern %q: not valid (want ADDRESS@DOMAIN, @DOMAIN, .DOMAIN or <>)", pattern)
		}
		return fmt.Errorf("pattern %q: not valid (want %q)", pattern, meant)
	}
	if p == nullSender {
		s.addresses[Address{}] = true
		return nil
	}
	i := strings.LastIndexByte(p, '@')
	if i > 0 {
		s.addresses[ParseAddress(p)] = true
		return nil
	}
	return s.domains.Add(p[i+1:])
}

// isAddresses reports whether a pattern of addresses, in its shorter form, may match one.
func isAddresses(pattern string) bool {
	if pattern == nullSender {
		return true
	}
	i := strings.LastIndexByte(pattern, '@')
	_, below, ok := readDomain(pattern[i+1:])
	return ok && below == (i < 0) && isLocalPart(pattern[:max(i, 0)])
}

// shorter returns a pattern without the star that stands for any local part.
func shorter(pattern string) string {
	if below, ok := strings.CutPrefix(pattern, "*@*."); ok {
		return "." + below
	}
	if domain, ok := strings.CutPrefix(pattern, "*@"); ok {
		return "@" + domain
	}
	return pattern
}

// isLocalPart reports whether an address may have a local part (RFC 5321 §4.1.2, RFC 6531 §3.3),
// except that stars are refused, because they look like a pattern. It is lenient about full stops,
// as mail servers are.
func isLocalPart(s string) bool {
	if len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"' {
		return true
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return strings.ContainsRune("*\"(),:;<>@[\\]", r) || unicode.IsSpace(r) || !unicode.IsPrint(r)
	})
}

// Has reports whether a pattern matches the address.
func (s *Addresses) Has(a Address) bool {
	return s.addresses[a] || a.domain != "" && s.domains.Has(a.domain)
}

// Covers reports whether the set has all addresses that a valid pattern matches.
func (s *Addresses) Covers(pattern string) bool {
	pattern = shorter(pattern)
	if below, ok := strings.CutPrefix(pattern, "."); ok {
		return s.domains.covers(hostname.Canonical(below))
	}
	if domain, ok := strings.CutPrefix(pattern, "@"); ok {
		return s.domains.Has(hostname.Canonical(domain))
	}
	return s.Has(ParseAddress(pattern))
}

// A Glob is a pattern for a whole text, in which `*` matches any text. Case does
// not matter.
type Glob struct{ pieces []string }

// NewGlob returns the glob of a pattern.
func NewGlob(pattern string) Glob {
	return Glob{strings.Split(strings.ToLower(pattern), "*")}
}

// Matches reports whether the glob matches text. It searches each piece once, from
// left to right.
func (g Glob) Matches(text string) bool {
	first, rest := g.pieces[0], g.pieces[1:]
	if first != "" && text != "" && text[0] < utf8.RuneSelf && text[0]|0x20 != first[0]|0x20 {
		return false // true for most addresses, and needs no copy in lower case
	}
	text = strings.ToLower(text)
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

package pattern

import (
	"fmt"
	"strings"
)

// pairMiddle is between the name and the domain of a pair.
const pairMiddle = `" from `

// IsPair reports whether a line is meant to be a pair: it begins with a quotation mark.
func IsPair(line string) bool { return strings.HasPrefix(line, `"`) }

// Pair returns the line that allows a sender.
func Pair(name, domain string) string {
	return `"` + strings.ReplaceAll(name, `"`, "'") + pairMiddle + domain
}

// Pairs is a set of senders: names, each with the domain whose addresses may have it. The zero value is
// empty.
type Pairs struct{ domains map[string]*Domains }

// AddLine adds a line such as `"Jira (Northgate)" from atlassian.net`, with a date behind it or without.
// The addresses are at that domain and below it.
func (s *Pairs) AddLine(line string) error {
	at := strings.LastIndex(line, pairMiddle)
	if at < 1 {
		return fmt.Errorf(`pair %q: no name or no domain (want "Jira (Northgate)" from atlassian.net)`, line)
	}
	name, domain := pairKey(line[1:at]), strings.TrimSpace(line[at+len(pairMiddle):])
	if name == "" || domain == "" {
		return fmt.Errorf(`pair %q: no name or no domain (want "Jira (Northgate)" from atlassian.net)`, line)
	}
	set := s.domains[name]
	if set == nil {
		set = new(Domains)
	}
	for _, entry := range []string{domain, "." + strings.TrimPrefix(domain, ".")} {
		if err := set.AddLine(entry); err != nil {
			return fmt.Errorf("pair %q: %w", line, err)
		}
	}
	if s.domains == nil {
		s.domains = make(map[string]*Domains)
	}
	s.domains[name] = set
	return nil
}

// Has reports whether a pattern allows a sender with this name, at an address of this host, in A-labels.
func (s *Pairs) Has(name, host string) bool {
	if len(s.domains) == 0 || host == "" {
		return false
	}
	set := s.domains[pairKey(name)]
	return set != nil && set.Has(host)
}

// pairKey returns a name in lower case, with single blanks.
func pairKey(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(name, `"`, "'")), " "))
}

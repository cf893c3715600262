package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/linkmilter/linkmilter/internal/hostname"
)

// brands returns the list of brands. It is read for the first message that needs it, because that
// takes time.
var brands = sync.OnceValue(func() *brandSet {
	text, err := listFiles.ReadFile("lists/brands.txt")
	if err != nil {
		panic(err)
	}
	set, err := parseBrands(string(text))
	if err != nil {
		panic(err)
	}
	return set
})

// A brandSet has owners of brands by their names and domains. Sorted slices take less memory than maps.
type brandSet struct {
	owners  []brandOwner  // in the order of the list
	names   []ownerName   // sorted by key
	domains []ownerDomain // sorted by domain
}

// A brandOwner is a company or a public office: a line of the list.
type brandOwner struct {
	name    string // the first name in its line
	domain  string // the first domain in its line
	section string // section of the list: a country, or "International: money"
	sources string // separated by blanks
}

// An ownerName is a name of an owner. Several owners can have names with one key: "Metro Bank" and
// "Metrobank".
type ownerName struct {
	key   string // brandKey of the name
	text  string // as the list writes it
	owner uint16 // an index of brandSet.owners
	word  bool   // it needs a second sign: it is a word of a language, short, or a name of others, too
}

// An ownerDomain is a registrable domain, A-labels, of an owner.
type ownerDomain struct {
	domain    string // ".gov.uk" with a dot first stands for all domains below a public suffix
	owner     uint16 // an index of brandSet.owners
	mailboxes bool   // the public has addresses there
	pages     bool   // the public has pages, files or hosts there
}

// parseBrands reads the list of brands, whose form the head of lists/brands.txt describes.
func parseBrands(text string) (*brandSet, error) {
	s := &brandSet{}
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "", line[0] == '#', strings.HasPrefix(line, "source "):
		case line[0] == '[':
			section = strings.Trim(line, "[]")
		default:
			if err := s.addLine(line, section); err != nil {
				return nil, fmt.Errorf("brand %q: %w", line, err)
			}
		}
	}
	slices.SortFunc(s.names, func(a, b ownerName) int {
		return cmp.Or(strings.Compare(a.key, b.key), cmp.Compare(a.owner, b.owner))
	})
	slices.SortFunc(s.domains, func(a, b ownerDomain) int { return strings.Compare(a.domain, b.domain) })
	s.owners, s.names, s.domains = slices.Clip(s.owners), slices.Clip(s.names), slices.Clip(s.domains)
	return s, nil
}

// addLine adds the owner of a line.
func (s *brandSet) addLine(line, section string) error {
	fields := strings.Split(line, "|")
	if len(fields) != 4 || section == "" {
		return fmt.Errorf("%d fields in section %q (want name | other names | domains | sources in a section)", len(fields), section)
	}
	owner := uint16(len(s.owners))
	name := strings.TrimSuffix(strings.TrimSpace(fields[0]), "?")
	s.owners = append(s.owners, brandOwner{name: name, section: section, sources: strings.TrimSpace(fields[3])})
	for name := range strings.SplitSeq(fields[0]+";"+fields[1], ";") {
		name, word := strings.CutSuffix(strings.TrimSpace(name), "?")
		if key := brandKey(name); key != "" {
			s.names = append(s.names, ownerName{key, name, owner, word})
		}
	}
	for field := range strings.FieldsSeq(fields[2]) {
		before, list, several := strings.Cut(field, "{")
		if !several {
			s.addDomain(field, owner)
			continue
		}
		list, after, closed := strings.Cut(list, "}")
		if !closed {
			return fmt.Errorf("domains %q: no end of the list (want example.{com,org})", field)
		}
		for suffix := range strings.SplitSeq(list, ",") {
			s.addDomain(before+suffix+after, owner)
		}
	}
	return nil
}

// addDomain adds a domain of an owner, with its marks.
func (s *brandSet) addDomain(domain string, owner uint16) {
	d := ownerDomain{domain: strings.TrimRight(domain, "@*"), owner: owner}
	d.mailboxes = strings.Contains(domain[len(d.domain):], "@")
	d.pages = strings.Contains(domain[len(d.domain):], "*")
	if o := &s.owners[owner]; o.domain == "" {
		o.domain = strings.TrimPrefix(d.domain, ".")
	}
	s.domains = append(s.domains, d)
}

// brandKey returns the same key for all names that read alike: it ignores case, accents, spaces,
// punctuation and the shapes of letters. It keeps an ampersand: "H&M" is not a name of the company
// HM.
func brandKey(name string) string {
	return wordKey(strings.Map(func(r rune) rune {
		if r != '&' && (unicode.IsSpace(r) || unicode.IsPunct(r)) {
			return -1
		}
		return r
	}, strings.ToLower(name)))
}

// named returns the names in the list that a text reads as. Several owners can have the same name.
func (s *brandSet) named(text string) []ownerName {
	key := brandKey(text)
	start, _ := slices.BinarySearchFunc(s.names, key, func(n ownerName, key string) int { return strings.Compare(n.key, key) })
	end := start
	for end < len(s.names) && s.names[end].key == key {
		end++
	}
	return s.names[start:end]
}

// hasNameOf reports whether the owner of a domain, U-labels, has a name that is written as the name of a host.
func (s *brandSet) hasNameOf(domain, name string) bool {
	d, ok := s.exact(hostname.Canonical(domain))
	if !ok {
		return false
	}
	letters := func(s string) string { return strings.Map(letterOrDigit, strings.ToLower(s)) }
	return slices.ContainsFunc(s.names, func(n ownerName) bool { return n.owner == d.owner && letters(n.text) == letters(name) })
}

// domain returns the domain in the list that a registrable domain, A-labels, is, or the public suffix of
// public offices that it is below: "hmrc.gov.uk".
func (s *brandSet) domain(domain string) (ownerDomain, bool) {
	find := func(domain string) (int, bool) {
		return slices.BinarySearchFunc(s.domains, domain, func(d ownerDomain, domain string) int { return strings.Compare(d.domain, domain) })
	}
	i, ok := find(domain)
	if dot := strings.IndexByte(domain, '.'); !ok && dot > 0 {
		i, ok = find(domain[dot:])
	}
	if !ok {
		return ownerDomain{}, false
	}
	return s.domains[i], true
}

// exact is domain without those below public suffixes of offices.
func (s *brandSet) exact(domain string) (ownerDomain, bool) {
	d, ok := s.domain(domain)
	return d, ok && d.domain == domain
}

// sameOwner reports whether two registrable domains, A-labels, are of the same owner.
func (s *brandSet) sameOwner(a, b string) bool {
	x, ok := s.domain(a)
	y, also := s.domain(b)
	return ok && also && x.owner == y.owner
}

// opensOwn reports whether a link to the domain opened surely leads to the owner of the other
// domain. Both are registrable domains, A-labels. It does not if the public has pages at the
// domain, or if the domain is that of another office below a public suffix.
func (s *brandSet) opensOwn(domain, opened string) bool {
	d, ok := s.domain(opened)
	return ok && d.domain == opened && !d.pages && s.sameOwner(domain, opened)
}

// isOfPublic reports whether the public has addresses in a registrable domain, A-labels.
func (s *brandSet) isOfPublic(domain string) bool {
	d, ok := s.domain(domain)
	return ok && d.mailboxes
}

package policy

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// minWord is the length in bytes of the shortest name that a label alone can
// look like. A shorter name, such as "ups", needs its top-level domain, too.
const minWord = 4

// A protectedSet has the domains that other hosts must not look like. Its keys
// are those of appendKey.
type protectedSet struct {
	words   map[string]*protectedDomain // by the name without its public suffix: "paypal"
	short   map[string]*protectedDomain // the same for names shorter than minWord: "dhl"
	joined  map[string]*protectedDomain // by the domain without dots: "paypalcom"
	domains map[string]*protectedDomain // by the whole domain: "paypal.com"
	exact   map[string]*protectedDomain // by the domain itself, A-labels; not a key
	tlds    *tld.Set                    // the top-level domains that exist

	rightToLeft bool // a domain has right-to-left letters
	beyondASCII bool // a name in words is not ASCII
}

// A protectedDomain is one domain that other hosts must not look like.
type protectedDomain struct {
	domain string // U-labels: "paypal.com"
	ascii  string // A-labels, for a detail
	word   string // "paypal"; "" if the domain is not registrable
	suffix string // "com"
}

// newProtectedSet returns the set of the built-in domains and of own, which are
// U-labels or A-labels. It returns an error if one is not a valid domain.
func newProtectedSet(own []string, tlds *tld.Set) (*protectedSet, error) {
	p := &protectedSet{
		words: map[string]*protectedDomain{}, short: map[string]*protectedDomain{}, joined: map[string]*protectedDomain{},
		domains: map[string]*protectedDomain{}, exact: map[string]*protectedDomain{}, tlds: tlds,
	}
	for _, d := range own {
		if err := p.add(d); err != nil {
			return nil, fmt.Errorf("protected domain %q: %w", d, err)
		}
	}
	for d := range impersonated.All() {
		if err := p.add(d); err != nil {
			return nil, fmt.Errorf("built-in domain %q: %w", d, err)
		}
	}
	return p, nil
}

// add adds a domain. If two domains have the same key, the first keeps it.
func (p *protectedSet) add(domain string) error {
	aLabels, err := idna.Lookup.ToASCII(domain)
	if err != nil {
		return err
	}
	name, err := idna.ToUnicode(aLabels)
	if err != nil {
		return err
	}
	word, suffix, ok := strings.Cut(name, ".")
	if !ok || word == "" || suffix == "" {
		return errors.New("not a name with a top-level domain")
	}
	if hostname.IsIP(aLabels) || hostname.Registrable(aLabels) != strings.TrimSuffix(aLabels, ".") {
		word = "" // a name such as "login" says nothing by itself
	}
	d := &protectedDomain{domain: name, ascii: aLabels, word: word, suffix: suffix}
	if _, ok := p.exact[aLabels]; ok {
		return nil
	}
	p.exact[aLabels] = d
	put := func(m map[string]*protectedDomain, key string) {
		if _, ok := m[key]; !ok {
			m[key] = d
		}
	}
	if len(word) >= minWord {
		p.beyondASCII = p.beyondASCII || !ascii.Is(word)
		put(p.words, wordKey(word))
		put(p.joined, wordKey(word+strings.ReplaceAll(suffix, ".", "")))
	} else if word != "" {
		put(p.short, wordKey(word))
	}
	key := ""
	p.rightToLeft = p.rightToLeft || uts39.HasRightToLeft(name)
	for label := range labelsOf(name) {
		key += "." + string(appendLabelKey(nil, label, p.rightToLeft))
	}
	put(p.domains, key[1:])
	return nil
}

// covers reports whether the host is a protected domain, or below one whose
// owner assigns all names there.
func (p *protectedSet) covers(h linkHost) bool {
	host := strings.TrimSuffix(h.ascii, ".")
	for whole := host; ; {
		if _, ok := p.exact[host]; ok {
			return host == whole || !impersonated.Marked(host, markTenants)
		}
		_, rest, ok := strings.Cut(host, ".")
		if !ok {
			return false
		}
		host = rest
	}
}

// minFar is the length in code points of the shortest name that rules compare
// below any top-level domain with a label that differs by an accent, a hyphen,
// vv or an i. Shorter names are near honest words: "äpple" is an apple.
const minFar = 7

// A resemblance says how much a string with the key of a name looks like it.
type resemblance uint8

const (
	different resemblance = iota
	near                  // an accent, a hyphen, vv or an i makes the difference
	alike                 // the two have the same skeleton
)

// variant returns the variant for the resemblance.
func (r resemblance) variant(ifAlike, ifNear variant) variant {
	switch r {
	case alike:
		return ifAlike
	case near:
		return ifNear
	}
	return nothing
}

// resemblance returns how much s, which has the key of the name, looks like it.
// The name is the domain or its word. s is a label, or a domain that ends in the
// suffix.
func (d *protectedDomain) resemblance(s, name, suffix string) resemblance {
	label, _, _ := strings.Cut(s, ".")
	switch {
	case looksWritten(s, name):
		return alike
	case honestWords.Has(label):
		return different
	case s == strings.ReplaceAll(name, "-", ""):
		return different // most owners have both
	case suffix == d.suffix, utf8.RuneCountInString(name) >= minFar:
		return near
	}
	return different
}

// continues reports whether a host that begins with the name of the domain has
// its suffix next and then another domain, after a dot or a hyphen:
// "paypal.com-login.example.net". The suffix of a country counts, too, as the
// owner can have a domain there. after is the rest of the host after the name,
// tlds are the top-level domains that exist.
func (d *protectedDomain) continues(after string, tlds *tld.Set) bool {
	if isSuffix(after) {
		return false
	}
	if goesOn(after, d.suffix) {
		return true
	}
	suffix := countrySuffix(after, tlds)
	if suffix == "" || !goesOn(after, suffix) {
		return false
	}
	if strings.Contains(suffix, ".") {
		return true
	}
	// "my" and "it" begin many labels: "slack.my-company.example". "eu" and "us"
	// name a part of the world in hosts of companies: "slack.eu.example.com".
	label, _, _ := strings.Cut(after, ".")
	return suffix != "eu" && suffix != "us" && !impersonated.Marked(d.domain, markProgram) && (label == suffix || hasLure(label))
}

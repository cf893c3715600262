package policy

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/policy/uts39"
)

// minWord is the number of octets that the name of a protected domain must
// have for a label alone to look like it. Shorter ones, such as "ups", are
// only compared together with their top-level domain.
const minWord = 4

// A protectedSet is the domains that others must not look like. It is
// looked up by what the eye tells apart: see appendKey.
type protectedSet struct {
	words   map[string]*protected // the name without its public suffix: "paypal"
	short   map[string]*protected // the same of names shorter than minWord: "dhl"
	joined  map[string]*protected // the domain without dots: "paypalcom"
	domains map[string]*protected // the whole domain: "paypal.com"
	exact   map[string]*protected // the domain itself, A-labels; no key

	rightToLeft bool // some domain has right-to-left letters
	beyondASCII bool // some of words is not ASCII
}

// A protected is one domain that others must not look like.
type protected struct {
	domain string // U-labels: "paypal.com"
	word   string // "paypal"
	suffix string // "com"
}

// newProtectedSet returns the built-in domains and these.
func newProtectedSet(own []string) (*protectedSet, error) {
	p := &protectedSet{
		words: map[string]*protected{}, short: map[string]*protected{}, joined: map[string]*protected{},
		domains: map[string]*protected{}, exact: map[string]*protected{},
	}
	for _, d := range own {
		if err := p.add(d); err != nil {
			return nil, fmt.Errorf("protected domain %q: %w", d, err)
		}
	}
	for _, d := range impersonated {
		if err := p.add(d); err != nil {
			return nil, fmt.Errorf("built-in domain %q: %w", d, err)
		}
	}
	return p, nil
}

// add adds a domain. The first to have a key keeps it.
func (p *protectedSet) add(domain string) error {
	ascii, err := idna.Lookup.ToASCII(domain)
	if err != nil {
		return err
	}
	name, err := idna.ToUnicode(ascii)
	if err != nil {
		return err
	}
	word, suffix, ok := strings.Cut(name, ".")
	if !ok || word == "" || suffix == "" {
		return errors.New("not a name with a top-level domain")
	}
	if registrable, err := publicsuffix.EffectiveTLDPlusOne(ascii); err == nil && registrable != ascii {
		word = "" // a name such as "login" says nothing by itself
	}
	d := &protected{domain: name, word: word, suffix: suffix}
	if _, ok := p.exact[ascii]; ok {
		return nil
	}
	p.exact[ascii] = d
	put := func(m map[string]*protected, key string) {
		if _, ok := m[key]; !ok {
			m[key] = d
		}
	}
	if len(word) >= minWord {
		p.beyondASCII = p.beyondASCII || !isASCII(word)
		put(p.words, wordKey(word))
		put(p.joined, wordKey(word+strings.ReplaceAll(suffix, ".", "")))
	} else if word != "" {
		put(p.short, wordKey(word))
	}
	key := ""
	p.rightToLeft = p.rightToLeft || uts39.HasRightToLeft(name)
	for label := range labels(name) {
		key += "." + string(p.appendLabelKey(nil, label))
	}
	put(p.domains, key[1:])
	return nil
}

// covers reports whether the host, A-labels, is a protected domain or below
// one whose owner gives out the names.
func (p *protectedSet) covers(ascii string) bool {
	for whole := ascii; ; {
		if _, ok := p.exact[ascii]; ok {
			return ascii == whole || !tenants[ascii]
		}
		_, rest, ok := strings.Cut(ascii, ".")
		if !ok {
			return false
		}
		ascii = rest
	}
}

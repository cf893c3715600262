package policy

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// minWord is the length in bytes of the shortest name that a label alone can look like. For a
// shorter name, such as "ups", the top-level domain must look alike, too.
const minWord = 4

// A protectedSet has the domains that other hosts must not look like. appendKey makes its keys.
// Several domains can have one key: "example.com" and "example.io".
type protectedSet struct {
	words   map[string]namesakes        // by the name without its public suffix: "paypal"
	short   map[string]namesakes        // likewise, for names shorter than minWord: "dhl"
	joined  map[string]namesakes        // by the domain without dots: "paypalcom"
	domains map[string]namesakes        // by the whole domain: "paypal.com"
	exact   map[string]*protectedDomain // by the domain itself, A-labels; not a key

	someKeys    hashBits // of words, short and joined, and of the first labels of domains: most labels have none
	someDomains hashBits // of the hashes of exact, from the last byte
	// ownersOf returns the owners in the list of brands of the protected domains.
	ownersOf func() map[uint16]bool

	tlds    *tld.Set // the top-level domains that exist
	typed   nameIndex
	shaped  nameIndex // finds names by their shapes
	aliases nameIndex // finds non-ASCII names by their spellings in ASCII
	isAlias map[string]bool

	bySuffixEnd map[string]namesakes // domains whose suffix has several labels, by the suffix without its first label
	coined      coinedIndex

	own        namesakes                  // the operator's domains
	hyphenated []*protectedDomain         // domains whose name has hyphens
	byLength   map[int][]*protectedDomain // domains whose name is in ASCII and has minBrandTyped letters or more, by the number of letters

	withoutBrands bool // hosts may look like the domains of the built-in lists
	rightToLeft   bool // a domain has right-to-left letters
	beyondASCII   bool // a name in the map words is not ASCII
}

// bitsOfDomains is how many words of bits a set of domains has for its keys.
const bitsOfDomains = 1 << 8

// newProtectedSet returns the set of the domains that the options add, and of the built-in ones
// unless the options leave them out. It returns an error if one is not a valid domain.
func newProtectedSet(o *Options, tlds *tld.Set) (*protectedSet, error) {
	p := emptySet(o, tlds)
	for _, d := range o.Protected {
		if err := p.add(d, true); err != nil {
			return nil, fmt.Errorf("protected domain %q: %w", d, err)
		}
	}
	p.addCoined()
	for _, d := range o.Brands {
		if err := p.add(d, false); err != nil {
			return nil, fmt.Errorf("brand %q: %w", d, err)
		}
	}
	if p.withoutBrands {
		return p, nil
	}
	for d := range impersonated.All() {
		if err := p.add(d, false); err != nil {
			return nil, fmt.Errorf("built-in domain %q: %w", d, err)
		}
	}
	return p, nil
}

// emptySet returns a set without domains.
func emptySet(o *Options, tlds *tld.Set) *protectedSet {
	p := &protectedSet{
		words: map[string]namesakes{}, short: map[string]namesakes{}, joined: map[string]namesakes{},
		domains: map[string]namesakes{}, exact: map[string]*protectedDomain{}, tlds: tlds, byLength: map[int][]*protectedDomain{},
		bySuffixEnd: map[string]namesakes{}, shaped: nameIndex{isShaped: true}, isAlias: map[string]bool{}, withoutBrands: o.WithoutBrands,
		someKeys: make(hashBits, bitsOfDomains), someDomains: make(hashBits, bitsOfDomains),
	}
	p.ownersOf = sync.OnceValue(func() map[uint16]bool {
		owners := make(map[uint16]bool)
		for domain := range p.exact {
			if d, ok := brands().exact(domain); ok {
				owners[d.owner] = true
			}
		}
		return owners
	})
	return p
}

// add adds a domain. own says that it is the operator's. An operator's domain may also be a brand.
func (p *protectedSet) add(domain string, own bool) error {
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
		word = "" // names such as "login" say nothing by themselves
	}
	d := &protectedDomain{domain: name, ascii: aLabels, word: word, shape: shapeOf(word), suffix: suffix, own: own, brand: !own}
	if d := p.exact[aLabels]; d != nil {
		d.brand = d.brand || !own
		return nil
	}
	p.exact[aLabels] = d
	p.someDomains.add(hashFromEnd(hashStart, aLabels))
	p.typed.add(d)
	if own {
		p.own = append(p.own, d)
	}
	if len(d.shape) > 1 {
		p.shaped.add(d)
	}
	for _, alias := range aliasesOf(word) {
		a := *d
		a.word, a.isAlias = alias, true
		p.isAlias[alias] = true
		p.aliases.add(&a)
	}
	if _, end, several := strings.Cut(suffix, "."); several && len(word) >= minWord {
		p.bySuffixEnd[end] = append(p.bySuffixEnd[end], d)
	}
	if strings.Contains(word, "-") {
		p.hyphenated = append(p.hyphenated, d)
	}
	if len(word) >= minBrandTyped && ascii.Is(word) {
		p.byLength[len(word)] = append(p.byLength[len(word)], d)
	}
	put := func(m map[string]namesakes, key string) {
		m[key] = append(m[key], d)
		first, _, _ := strings.Cut(key, ".")
		p.someKeys.add(hashOf(appendWordKey(nil, []byte(first))))
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

// addCoined adds those names of the operator's domains that are coined. It reads the long list of
// common words, which nothing else needs.
func (p *protectedSet) addCoined() {
	if len(p.exact) == 0 {
		return
	}
	words := commonWords()
	for _, domain := range slices.Sorted(maps.Keys(p.exact)) {
		p.coined.add(p.exact[domain], words)
	}
}

// named returns the domains with a name.
func (p *protectedSet) named(name string) namesakes {
	var named namesakes
	for _, d := range p.words[wordKey(name)] {
		if d.word == name {
			named = append(named, d)
		}
	}
	return named
}

// covers reports whether the host is a protected domain, or is below one in which only the owner
// assigns names.
func (p *protectedSet) covers(h linkHost) bool {
	host := strings.TrimSuffix(h.ascii, ".")
	hash := uint32(hashStart)
	for end := len(host); end > 0; {
		start := strings.LastIndexByte(host[:end], '.') + 1
		hash = hashFromEnd(hash, host[start:end])
		if p.someDomains.mayHave(hash) {
			if _, ok := p.exact[host[start:]]; ok && (start == 0 || !impersonated.Marked(host[start:], markTenants)) {
				return true
			}
		}
		if end = start - 1; end > 0 {
			hash = hashFromEnd(hash, ".")
		}
	}
	return false
}

// hashFromEnd returns a hash of s and what is behind it, which has the hash behind.
func hashFromEnd(behind uint32, s string) uint32 {
	for i := len(s) - 1; i >= 0; i-- {
		behind = (behind ^ uint32(s[i])) * hashPrime
	}
	return behind
}

// isOfProtectedOwner reports whether a link names another domain of the owner of a protected
// domain: "paypal.de". It is false for pages that the owner lets the public make.
func (p *protectedSet) isOfProtectedOwner(l engine.Link, c engine.Components) bool {
	d, ok := brands().exact(hostname.Registrable(l.ASCIIHost()))
	if !ok || (d.pages || d.mailboxes) && (l.Kind == engine.KindEmail || isPage(c.Path)) {
		return false
	}
	return p.ownersOf()[d.owner]
}

// isOwnersOf reports whether the domain, A-labels, is a protected domain, or is in a list of
// further domains of owners.
func (p *protectedSet) isOwnersOf(domain string) bool {
	if _, ok := p.exact[domain]; ok || owners.Has(domain) {
		return true
	}
	_, ok := brands().domain(domain)
	return ok
}

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

// minWord is the length in bytes of the shortest name that a label alone can
// look like. A shorter name, such as "ups", needs its top-level domain, too.
const minWord = 4

// A protectedSet has the domains that other hosts must not look like. Its keys
// are those of appendKey. Several domains can have one key: "example.com" and "example.io".
type protectedSet struct {
	words   map[string]namesakes        // by the name without its public suffix: "paypal"
	short   map[string]namesakes        // the same for names shorter than minWord: "dhl"
	joined  map[string]namesakes        // by the domain without dots: "paypalcom"
	domains map[string]namesakes        // by the whole domain: "paypal.com"
	exact   map[string]*protectedDomain // by the domain itself, A-labels; not a key

	someKeys    hashBits // of words, short and joined, and of the first labels of domains: most labels have none
	someDomains hashBits // of the hashes of exact, from the last byte
	// ownersOf returns the owners in the list of brands of the protected domains.
	ownersOf func() map[uint16]bool

	tlds    *tld.Set // the top-level domains that exist
	typed   nameIndex
	shaped  nameIndex // by the shapes of the names
	aliases nameIndex // names beyond ASCII in ASCII
	isAlias map[string]bool

	bySuffixEnd map[string]namesakes // those with a suffix of several parts, by all of it but the first
	coined      coinedIndex

	own        namesakes                  // those of the operator
	hyphenated []*protectedDomain         // those whose name has hyphens
	byLength   map[int][]*protectedDomain // those with a name in ASCII of minBrandTyped letters or more, by their number

	withoutBrands bool // hosts may look like the domains of the built-in lists
	rightToLeft   bool // a domain has right-to-left letters
	beyondASCII   bool // a name in words is not ASCII
}

// bitsOfDomains is how many words of bits a set of domains has for its keys.
const bitsOfDomains = 1 << 8

// newProtectedSet returns the set of the domains that the options have or leave. It
// returns an error if one is not a valid domain.
func newProtectedSet(o *Options, tlds *tld.Set) (*protectedSet, error) {
	p := &protectedSet{
		words: map[string]namesakes{}, short: map[string]namesakes{}, joined: map[string]namesakes{},
		domains: map[string]namesakes{}, exact: map[string]*protectedDomain{}, tlds: tlds, byLength: map[int][]*protectedDomain{},
		bySuffixEnd: map[string]namesakes{}, shaped: nameIndex{isShaped: true}, isAlias: map[string]bool{},
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
	if p.withoutBrands = o.WithoutBrands; p.withoutBrands {
		return p, nil
	}
	for d := range impersonated.All() {
		if err := p.add(d, false); err != nil {
			return nil, fmt.Errorf("built-in domain %q: %w", d, err)
		}
	}
	return p, nil
}

// add adds a domain, the operator's own or not. An own one that is a brand, too, is both.
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
		word = "" // a name such as "login" says nothing by itself
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

// addCoined adds the coined ones among the names of the domains. The common words are many and
// are read for this alone.
func (p *protectedSet) addCoined() {
	if len(p.exact) == 0 {
		return
	}
	words := readList("common_words")
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

// covers reports whether the host is a protected domain, or below one whose
// owner assigns all names there.
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

// isOfProtectedOwner reports whether a link names another domain of the owner of a protected domain: "paypal.de".
// A page that the owner gives to the public does not.
func (p *protectedSet) isOfProtectedOwner(l engine.Link, c engine.Components) bool {
	d, ok := brands().exact(hostname.Registrable(l.ASCIIHost()))
	if !ok || (d.pages || d.mailboxes) && (l.Kind == engine.KindEmail || isPage(c.Path)) {
		return false
	}
	return p.ownersOf()[d.owner]
}

// isOwnersOf reports whether the domain, A-labels, is protected itself, or in a
// list of domains of owners.
func (p *protectedSet) isOwnersOf(domain string) bool {
	if _, ok := p.exact[domain]; ok || owners.Has(domain) {
		return true
	}
	_, ok := brands().domain(domain)
	return ok
}

package policy

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// popularSites has the most popular sites and the sites of banks. The lists are read and the keys
// made for the first host that needs them, because that takes time.
var popularSites = sync.OnceValue(newSites)

// A siteSet has domains of sites. Sorted slices without pointers take less memory than maps.
type siteSet struct {
	text   string   // the domains, U-labels, sorted and concatenated
	starts []uint32 // where each domain begins in text, and the end of the last one
	keys   []siteKey
	beyond map[rune]bool // the non-ASCII characters of the keys
}

// A siteKey is the hash of the key of the domain with the index.
type siteKey struct {
	hash  uint32
	index uint16
}

// newSites reads the lists.
func newSites() *siteSet {
	var domains []string
	for _, name := range [...]string{"popular", "banks"} {
		for domain := range readList(name).All() {
			domains = append(domains, domain)
		}
	}
	return siteSetOf(domains)
}

// brandSites has the domains of the list of brands that are not among the popular sites.
var brandSites = sync.OnceValue(func() *siteSet {
	var domains []string
	for _, d := range brands().domains {
		if d.domain[0] == '.' {
			continue
		}
		if domain := hostname.Unicode(d.domain); !popularSites().has(domain) {
			domains = append(domains, domain)
		}
	}
	return siteSetOf(domains)
})

// siteSetOf returns the set of the domains.
func siteSetOf(domains []string) *siteSet {
	slices.Sort(domains)
	s := &siteSet{text: strings.Join(domains, ""), starts: make([]uint32, 1, len(domains)+1), keys: make([]siteKey, 0, len(domains)), beyond: make(map[rune]bool)}
	for i, domain := range domains {
		s.starts = append(s.starts, s.starts[i]+uint32(len(domain)))
		key := siteNameKey(domain)
		s.keys = append(s.keys, siteKey{hashOf(key), uint16(i)})
		for _, r := range string(key) {
			if r >= utf8.RuneSelf {
				s.beyond[r] = true
			}
		}
	}
	slices.SortFunc(s.keys, siteKey.compare)
	return s
}

// compare orders keys by their hash.
func (k siteKey) compare(other siteKey) int {
	return cmp.Or(cmp.Compare(k.hash, other.hash), cmp.Compare(k.index, other.index))
}

// hashOf returns the FNV-1a hash of a key.
func hashOf(key []byte) uint32 {
	hash := uint32(hashStart)
	for _, c := range key {
		hash = (hash ^ uint32(c)) * hashPrime
	}
	return hash
}

const (
	hashStart = 2166136261
	hashPrime = 16777619
)

// siteNameKey returns the key of a domain, U-labels, as it reads in Latin.
func siteNameKey(domain string) []byte {
	if ascii.Is(domain) {
		return appendKey(nil, domain)
	}
	var key []byte
	for label := range labelsOf(inLatin(domain)) {
		key = append(appendLabelKey(key, label, false), '.')
	}
	return key[:len(key)-1]
}

// inLatin returns s with Latin letters in place of letters of other scripts that read as them.
func inLatin(s string) string {
	var b strings.Builder
	for _, r := range s {
		if like, ok := latinLikes[r]; ok {
			b.WriteString(like.text)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// has reports whether the domain, U-labels, is one of the sites.
func (s *siteSet) has(domain string) bool {
	_, ok := sort.Find(len(s.keys), func(i int) int { return strings.Compare(domain, s.domain(i)) })
	return ok
}

// hasLonger reports whether the name of a site contains the name and is longer.
func (s *siteSet) hasLonger(name string) bool {
	for at := 0; ; at++ {
		i := strings.Index(s.text[at:], name)
		if i < 0 {
			return false
		}
		at += i
		site := s.domain(sort.Search(len(s.starts), func(k int) bool { return int(s.starts[k]) > at }) - 1)
		if label, _, _ := strings.Cut(site, "."); label != name && strings.Contains(label, name) {
			return true
		}
	}
}

// domain returns the domain with the index.
func (s *siteSet) domain(i int) string { return s.text[s.starts[i]:s.starts[i+1]] }

// hasLettersOf reports whether each character of a domain, U-labels, reads as a character that the
// keys of the sites have. For most domains it does not, which saves the time to make their keys.
func (s *siteSet) hasLettersOf(domain string) bool {
	var buf [32]byte
	for _, r := range domain {
		if r < utf8.RuneSelf || latinLikes[r].text != "" {
			continue
		}
		for _, k := range string(appendKey(buf[:0], string(r))) {
			if k >= utf8.RuneSelf && !s.beyond[k] {
				return false
			}
		}
	}
	return true
}

// like returns a site that has the key of the domain, U-labels, but is another, or "". Of
// several, it is one that is written like the domain.
func (s *siteSet) like(domain string) string { return s.likeKey(domain, siteNameKey(domain)) }

// likeKey is like for a domain with a key.
func (s *siteSet) likeKey(domain string, key []byte) string {
	hash := hashOf(key)
	like := ""
	i, _ := slices.BinarySearchFunc(s.keys, siteKey{hash: hash}, siteKey.compare)
	for ; i < len(s.keys) && s.keys[i].hash == hash; i++ {
		site := s.domain(int(s.keys[i].index))
		if site == domain || !slices.Equal(siteNameKey(site), key) {
			continue
		}
		if looksWritten(inLatin(domain), site) {
			return site
		}
		like = cmp.Or(like, site)
	}
	return like
}

// isKnownSite reports whether the host is a popular site, with or without "www.", or is below the
// domain of a content delivery network.
func isKnownSite(h linkHost) bool {
	name := h.name()
	sites := popularSites()
	return sites.has(name) || sites.has(strings.TrimPrefix(name, "www.")) || isOfDelivery(h.ascii)
}

// IsWellKnown reports whether a host, in A-labels, belongs to a popular site, or to a service that
// passes on to others. A finding about a link to such a host says nothing about the host.
func IsWellKnown(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	h := linkHost{typed: host, ascii: host, unicode: hostname.Unicode(host)}
	return isKnownSite(h) || popularSites().has(h.registrable()) || isBelow(host, wrappers) || isBelow(host, shorteners)
}

// isNameOfKnownSite reports whether a label is of the registrable domain of a host, a popular site or one of an owner
// of brands.
func isNameOfKnownSite(label string, h linkHost) bool {
	domain := h.registrable()
	if !strings.Contains(domain, label) {
		return false
	}
	_, isOfBrand := brands().exact(h.domain)
	return isOfBrand || popularSites().has(domain)
}

// isOfCustomers reports whether a host, A-labels, belongs to a popular site or service that gives
// its customers hosts with their names, and gives them to nobody else.
func isOfCustomers(host string) bool {
	if service := listed(host, services); service != "" {
		return !services.Marked(service, markAnybody)
	}
	return popularSites().has(hostname.Unicode(hostname.Registrable(host)))
}

// isOfCustomers calls isOfCustomers with the host in A-labels.
func (h linkHost) isOfCustomers() bool {
	if service := listed(h.ascii, services); service != "" {
		return !services.Marked(service, markAnybody)
	}
	return popularSites().has(h.registrable())
}

// isOfAnybody reports whether a host, A-labels, belongs to a service where anybody can have a name.
func isOfAnybody(host string) bool { return services.Marked(listed(host, services), markAnybody) }

// isOfDelivery reports whether a host, A-labels, belongs to a content delivery network, or is a
// further domain of an owner.
func isOfDelivery(host string) bool { return services.Marked(listed(host, services), markDelivery) }

// likePopularSite returns the registrable domain of the host, U-labels, and the popular site that
// it looks like because of its non-ASCII letters, or "".
func likePopularSite(h linkHost) (domain, site string) {
	if h.ascii == "" {
		return "", ""
	}
	if ascii.Is(h.unicode) {
		return likePopularASCII(h)
	}
	domain = h.registrable()
	sites := popularSites()
	if ascii.Is(domain) || !sites.hasLettersOf(domain) || sites.has(domain) {
		return domain, ""
	}
	return domain, sites.like(domain)
}

// likeBrand reports a host that looks like a domain of the list of brands by its letters. One mark may be that of
// the owner's own name, "magyarország.hu", and so may several if he has a name with them.
func likeBrand(h linkHost) Finding {
	domain := h.registrable()
	name, _, _ := strings.Cut(domain, ".")
	if domain == "" || utf8.RuneCountInString(name) < minHidden || ascii.Is(domain) && !hasSkeletonLetters(domain) {
		return Finding{}
	}
	sites := brandSites()
	if !ascii.Is(domain) && !sites.hasLettersOf(domain) || popularSites().has(domain) || sites.has(domain) {
		return Finding{}
	}
	site := sites.like(domain)
	like, _, _ := strings.Cut(site, ".")
	switch {
	case site == "":
		return Finding{}
	case hasSkeleton(name, like), !ascii.Is(domain) && looksWritten(inLatin(domain), site):
	case ascii.Is(domain), marksOf(domain) < marksOf(site)+2, honestWords.Has(name), brands().hasNameOf(site, name):
		return Finding{}
	}
	return nearDomain.finding(domain, hostname.Canonical(site))
}

// lettersAtHome has letters with strokes and hooks that languages of Europe have, and the top-level domains of the
// countries where these are spoken: łódź.pl is the city's own site. Letters that read as two have no honest twin.
var lettersAtHome = map[rune]string{
	'đ': "hr rs ba me mk si vn no fi se", 'ł': "pl", 'ø': "dk no fo gl", 'ð': "is fo", 'þ': "is", 'ı': "tr az", 'ħ': "mt", 'ŋ': "no fi se", 'ŧ': "no fi se",
	'æ': "", 'œ': "", 'ß': "",
}

// likeSiteInForms reports a host that is a popular site, or one of a brand, in letters with strokes and hooks. Where a
// language has them they may be those of the owner's own name.
func likeSiteInForms(h linkHost) Finding {
	domain := h.registrable()
	name, _, _ := strings.Cut(domain, ".")
	if ascii.Is(domain) || utf8.RuneCountInString(name) < minHidden {
		return Finding{}
	}
	top := hostname.LastLabel(domain)
	isForm := func(r rune) bool {
		home, ok := lettersAtHome[r]
		return letterForms[r] != "" && (!ok || home != "" && !slices.Contains(strings.Fields(home), top))
	}
	if !strings.ContainsFunc(name, isForm) {
		return Finding{}
	}
	site := fold(strings.ReplaceAll(domain, "ʋ", "v")) // confusables.txt has a u for it
	if !ascii.Is(site) || honestWords.Has(name) || brands().hasNameOf(site, name) || !popularSites().has(site) && !brandSites().has(site) {
		return Finding{}
	}
	return nearDomain.finding(domain, site)
}

// likePopularASCII is likePopularSite for an ASCII host, in which pairs of letters, and digits,
// look like letters.
func likePopularASCII(h linkHost) (domain, site string) {
	if !hasSkeletonLetters(h.ascii) {
		return "", ""
	}
	domain = h.registrable()
	name, _, _ := strings.Cut(domain, ".")
	sites := popularSites()
	if len(name) < minHidden || sites.has(domain) {
		return domain, ""
	}
	site = sites.like(domain)
	if like, _, _ := strings.Cut(site, "."); site == "" || !hasSkeleton(name, like) {
		return domain, ""
	}
	return domain, site
}

// hasSkeletonLetters reports whether a host in ASCII has pairs of letters, or digits, that look like letters.
func hasSkeletonLetters(host string) bool {
	before := byte(0)
	for i := range len(host) {
		c := host[i]
		switch {
		case c == '0', c == '1', c == 'n' && before == 'r', c == 'v' && before == 'v', c == 'l' && before == 'c':
			return true
		}
		before = c
	}
	return false
}

// hasSkeleton reports whether a name becomes another one if the pairs of letters and the digits in
// it are replaced by the letters that they look like.
func hasSkeleton(name, other string) bool {
	for _, one := range [...]string{"l", "i"} {
		digits, pairs := strings.NewReplacer("0", "o", "1", one), strings.NewReplacer("rn", "m", "vv", "w", "cl", "d")
		if pairs.Replace(digits.Replace(name)) == pairs.Replace(digits.Replace(other)) {
			return true
		}
	}
	return false
}

// minHidden is the length in code points of the shortest name that is displayed in A-labels because
// it looks like a popular site. Shorter names may be honest: łódź.pl belongs to the city, as
// lodz.pl does.
const minHidden = 5

// hidesDomain reports whether a domain is displayed in A-labels because it looks like a popular
// site.
func hidesDomain(domain, site string) bool {
	name, _, _ := strings.Cut(domain, ".")
	return site != "" && utf8.RuneCountInString(name) >= minHidden && !honestWords.Has(name)
}

// typedPopularLookalike reports a host that looks like a popular site as typed, in capital
// letters of another script, but not after mapping (UTS #46 §4).
func typedPopularLookalike(h linkHost) Finding {
	typed := hostname.FullStops(h.typed)
	if ascii.Is(typed) || typed == h.unicode || strings.Count(typed, ".") != strings.Count(h.unicode, ".") {
		return Finding{}
	}
	domain, site := likePopularSite(linkHost{typed: typed, ascii: h.ascii, unicode: strings.TrimSuffix(typed, ".")})
	const shortest = 4 // shorter ones are often abbreviations
	if name, _, _ := strings.Cut(domain, "."); utf8.RuneCountInString(name) < shortest || !looksWritten(domain, site) {
		return Finding{}
	}
	return popularLookalike(domain, site)
}

// popularLookalike reports a domain that looks like a popular site. A short name that
// differs in marks alone may be honest.
func popularLookalike(domain, site string) Finding {
	name, _, _ := strings.Cut(domain, ".")
	length := utf8.RuneCountInString(name)
	switch {
	case site == "":
		return Finding{}
	case length < minHidden && !looksWritten(domain, site):
		return Finding{} // names of a few letters are often words
	case ascii.Is(domain):
	case !looksWritten(inLatin(domain), site) && (length < minFar && marksOf(domain) < marksOf(site)+2 || honestWords.Has(name)):
		return Finding{}
	}
	return likePopular.finding(domain, hostname.Canonical(site))
}

package policy

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// A Name is a name of a brand, or of the operator, that a text has.
type Name struct {
	// Text is the name as the list of brands or the operator writes it: "Banco do Brasil".
	Text string
	// Domain is the first domain of its owner, A-labels.
	Domain string
	// Own reports that the operator is the owner.
	Own bool
	// Word reports that the name is also a word of a language, short, or a name of others. Alone it
	// does not show that the text means this owner.
	Word bool
	// Exact reports that the text has the name as it is written, apart from accents: "Apple", not
	// "apple".
	Exact bool
	// Disguised reports that the text has the name only in letters that look like those of the name,
	// or with signs or spaces between them: "Αpple", "P a y P a l".
	Disguised bool
	// Whole reports that the text, the name of a sender, has nothing but this name, signs, and
	// words that are often beside the name of a company.
	Whole bool
	// Served reports that the name of a sender also has a word of a service: "Support", "Konto",
	// "Refund".
	Served bool
	// First reports that the text begins with the name.
	First bool
	// Parted reports that the text has the name only within a longer word: "CircleCI".
	Parted bool
	// Others are the other words in the name of a sender that may name somebody else.
	Others []string

	owner int // an index of brandSet.owners; -1 for the operator, or below for Options.Brands
}

// claimNames has the names of the operator and of Options.Brands, sorted by key.
type claimNames struct {
	names   []ownerName
	domains []string // of the owners, A-labels, by number
}

// firstOwn is added to the owner numbers of claimNames, because smaller numbers are those of the
// list of brands.
const firstOwn = 1 << 14

// newClaimNames returns the names of the operator, and those of Options.Brands.
func newClaimNames(o *Options, p *protectedSet) claimNames {
	var c claimNames
	add := func(name, domain string, word bool) {
		if key := brandKey(name); utf8.RuneCountInString(key) >= minOwnName {
			c.names = append(c.names, ownerName{key: key, text: name, owner: uint16(firstOwn + len(c.domains)), word: word})
			c.domains = append(c.domains, domain)
		}
	}
	own := ""
	for _, domain := range o.Protected {
		if d := p.exactOf(domain); d != nil && d.own {
			own = cmp.Or(own, d.ascii)
			add(d.word, d.ascii, len(d.word) < minWord)
		}
	}
	for _, name := range o.Names {
		add(name, own, false)
	}
	for _, domain := range o.Brands {
		if d := p.exactOf(domain); d != nil && !d.own {
			add(d.word, d.ascii, len(d.word) < minBrandTyped)
		}
	}
	slices.SortFunc(c.names, func(a, b ownerName) int { return strings.Compare(a.key, b.key) })
	return c
}

// minOwnName is the length in code points of the shortest name of the operator.
const minOwnName = 2

// exactOf returns the protected domain that a domain of the options is, or nil.
func (p *protectedSet) exactOf(domain string) *protectedDomain {
	aLabels, err := idna.Lookup.ToASCII(domain)
	if err != nil {
		return nil
	}
	return p.exact[aLabels]
}

// Bounds of the search for names in a text.
const (
	maxNamedWords = 48
	maxNamedText  = 1 << 10 // bytes of the text that are read
	maxNameKey    = 48      // bytes of the longest name
	maxNames      = 6       // names that are returned, at most
)

// Names returns the names of brands and of the operator in the words of a text, the first 48. A
// name within a longer one does not count. With sender, the text is the name of a sender, which is
// also read with letters that only look like those of a name, with gaps between letters, and with
// words that run together.
func (j *Judge) Names(text string, sender bool) []Name {
	j = j.ready()
	text = text[:min(len(text), maxNamedText)]
	names := j.namesIn(text, text, sender)
	if len(names) > 0 || text == "" {
		return names
	}
	if !sender {
		if ascii.Is(text) {
			return nil
		}
		if reading := visiblePlain(text); reading != text {
			return j.namesIn(text, reading, false)
		}
		return nil
	}
	for _, read := range [...]func(string) string{visiblePlain, nameWithoutGaps, nameWithLetters, withLatinCapitals, nameInFont, j.protected.nameWithI} {
		if reading := read(text); reading != text {
			if names = j.namesIn(text, reading, true); len(names) > 0 {
				return names
			}
		}
	}
	if reading := partedName(text); reading != text {
		names = slices.DeleteFunc(j.namesIn(text, reading, true), func(n Name) bool { return len(n.Text) < minBrandTyped })
		for i := range names {
			names[i].Parted = true
		}
	}
	return names
}

// withLatinCapitals returns a text with ASCII letters in place of capitals that look like them
// although their small letters do not, such as the Greek "Ν".
func withLatinCapitals(s string) string {
	if ascii.Is(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if p := prototype(r); r >= utf8.RuneSelf && unicode.IsUpper(r) && len(p) == 1 {
			return rune(p[0])
		}
		return r
	}, s)
}

// visiblePlain returns a text in ordinary letters, without invisible characters and symbols.
func visiblePlain(s string) string { return plainLetters(VisibleText(nameWithoutSymbols(s))) }

// namesIn returns the names in a reading of a text. It looks for names inside longer words only in
// the name of a sender.
func (j *Judge) namesIn(text, reading string, sender bool) []Name {
	var wordRoom [maxNamedWords]string
	var keyRoom [maxNamedText]byte
	var endRoom [maxNamedWords]int
	words, keys, ends := wordRoom[:0], keyRoom[:0], endRoom[:0]
	likely := false
	for word := range strings.FieldsFuncSeq(reading, endsNameWord) {
		start := len(keys)
		if len(word) <= maxNameKey {
			keys = appendBrandKey(keys, word)
		}
		words, ends = append(words, word), append(ends, len(keys))
		likely = likely || j.mayBegin(keys[start:]) || sender && len(word) >= minRunTogether
		if len(words) == maxNamedWords {
			break
		}
	}
	if !likely {
		return nil
	}
	var found []Name
	taken := make([]bool, len(words))
	for i := 0; i < len(words); {
		n, end := j.nameAt(words, keys, ends, i)
		if end == i {
			if sender {
				n, end = j.nameRunTogether(words, i)
			}
			if end == i {
				i++
				continue
			}
		}
		n.Disguised = n.Disguised || reading != text && !strings.Contains(asciiLetters(text), asciiLetters(n.Text)) && ascii.Is(n.Text)
		n.First = i == 0
		if found = append(found, n); len(found) == maxNames {
			break
		}
		for ; i < end; i++ {
			taken[i] = true
		}
	}
	if len(found) == 0 || !sender {
		return found
	}
	var others []string
	served := false
	for i, word := range words {
		lower := strings.ToLower(word)
		switch {
		case taken[i]:
		case addedWords.Has(lower) && !addedWords.Marked(lower, markOwn) || lures.Has(lower), isUnspacedWords(word):
			served = true
		case isOftenBeside(word), strings.ContainsAny(word, "0123456789"), len(word) <= 2 && ascii.Is(word), companyForms.Has(lower):
		default:
			others = append(others, word)
		}
	}
	for i := range found {
		found[i].Whole, found[i].Served, found[i].Others = len(others) == 0, served, others
	}
	return found
}

// endsNameWord reports whether r ends a word in the search for names. Ampersands and plus signs do
// not, because brandKey keeps them.
func endsNameWord(r rune) bool {
	if r < utf8.RuneSelf {
		return !ascii.IsAlphanumeric(byte(r)) && r != '&' && r != '+'
	}
	return r != '&' && r != '+' && isBetweenWords(r) && !ucd.IsDefaultIgnorable(r)
}

// nameAt returns the longest name that begins with the word at the index i, and the index after it,
// or i if there is none. keys has the keys of all words, and ends where each of them ends.
func (j *Judge) nameAt(words []string, keys []byte, ends []int, i int) (n Name, end int) {
	end = i
	start := 0
	if i > 0 {
		start = ends[i-1]
	}
	if !j.mayBegin(keys[start:ends[i]]) {
		return n, end
	}
	for next := i; next < len(ends); next++ {
		before := start
		if next > i {
			before = ends[next-1]
		}
		key := keys[start:ends[next]]
		if ends[next] == before || len(key) > maxNameKey {
			break
		}
		more := false
		for _, set := range j.nameLists() {
			at := firstFrom(set.names, key)
			if at == len(set.names) || !strings.HasPrefix(set.names[at].key, string(key)) {
				continue
			}
			more = true
			if len(set.names[at].key) != len(key) {
				continue
			}
			if found, ok := j.pick(set, at, string(key), words[i:next+1]); ok {
				if n, end = found, next+1; n.Own {
					break
				}
			}
		}
		if !more {
			break
		}
	}
	return n, end
}

// firstFrom returns the index of the first name whose key is not before a key.
func firstFrom(names []ownerName, key []byte) int {
	low, high := 0, len(names)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if names[middle].key < string(key) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// A nameStart is a set of the first bytes of keys of names. It rules out most words of a text
// quickly.
type nameStart [1 << 12]uint64

// lengthOfStart is how many bytes of a key nameStart uses.
const lengthOfStart = 8

// add adds the beginnings of a key.
func (s *nameStart) add(key string) {
	for n := 1; n <= min(len(key), lengthOfStart); n++ {
		h := hashOfStart(key[:n])
		s[h>>6] |= 1 << (h & 63)
	}
}

// may reports whether some name may begin with the key of a word.
func (s *nameStart) may(key []byte) bool {
	h := hashOfStart(key[:min(len(key), lengthOfStart)])
	return s[h>>6]&(1<<(h&63)) != 0
}

// hashOfStart returns a hash of few bytes (FNV-1a), of 18 bits.
func hashOfStart[T string | []byte](key T) uint32 {
	h := uint32(2166136261)
	for i := range len(key) {
		h = (h ^ uint32(key[i])) * 16777619
	}
	return (h ^ h>>14) & (1<<18 - 1)
}

// brandStarts has the beginnings of the names of brands.
var brandStarts = sync.OnceValue(func() *nameStart {
	s := new(nameStart)
	for _, n := range brands().names {
		s.add(n.key)
	}
	return s
})

// mayBegin reports whether a name may begin with the key of a word.
func (j *Judge) mayBegin(key []byte) bool {
	if len(key) == 0 {
		return false
	}
	if !j.withoutBrands && brandStarts().may(key) {
		return true
	}
	return slices.ContainsFunc(j.claimed.names, func(n ownerName) bool {
		return n.key[0] == key[0] && (strings.HasPrefix(n.key, string(key)) || strings.HasPrefix(string(key), n.key))
	})
}

// appendBrandKey appends brandKey of a word.
func appendBrandKey(dst []byte, word string) []byte {
	if !ascii.Is(word) {
		start := len(dst)
		for _, r := range word {
			if r >= firstMark && r <= lastMark || r > lastOfEurope {
				return append(dst[:start], brandKey(word)...)
			}
			dst = append(dst, europeanKeys()[r]...)
		}
		return dst
	}
	for i := range len(word) {
		for _, c := range []byte(asciiKeys[word[i]|0x20*(word[i]>>6&1)]) {
			if c != '-' {
				dst = append(dst, c)
			}
		}
	}
	return dst
}

// A nameList is a sorted list of names with the domains of their owners.
type nameList struct {
	names []ownerName
	own   bool
}

// nameLists returns the lists of names: that of the options first.
func (j *Judge) nameLists() []nameList {
	if j.withoutBrands {
		return []nameList{{j.claimed.names, true}}
	}
	if len(j.claimed.names) == 0 {
		return brandLists()
	}
	return []nameList{{j.claimed.names, true}, {brands().names, false}}
}

var brandLists = sync.OnceValue(func() []nameList { return []nameList{{brands().names, false}} })

// pick returns the name of a list that words spell. The names with the same key begin at the index
// start.
func (j *Judge) pick(set nameList, start int, key string, words []string) (Name, bool) {
	spelled := strings.Join(words, " ")
	var best Name
	found := false
	for ; start < len(set.names) && set.names[start].key == key; start++ {
		listed := set.names[start]
		same := sameLetters(spelled, listed.text)
		n := Name{Text: listed.text, Word: listed.word, Exact: spelled == listed.text || sameLetters(spelled, listed.text) && isAsWritten(words, listed.text), Disguised: !same}
		accented := same && !ascii.Is(spelled) && ascii.Is(listed.text) && stripped(spelled) != spelled
		switch {
		case !same && (len(key) < minDisguised || !looksLikeName(spelled, listed.text)), accented && len(key) < minAccented:
			continue // "Über", "Kröger"
		case accented:
			n.Disguised = true
		}
		n.Word = n.Word || len(listed.text) <= 2 && !set.own
		if set.own {
			n.owner, n.Domain = int(listed.owner), j.claimed.domains[listed.owner-firstOwn]
			d := j.protected.exact[n.Domain]
			n.Own = d == nil || d.own
		} else {
			n.owner, n.Domain = int(listed.owner), brands().owners[listed.owner].domain
		}
		if !found || !n.Disguised && best.Disguised {
			best, found = n, true
		}
	}
	return best, found
}

// minAccented is the length in bytes of the shortest key of an ASCII name that counts even if it is
// written with accents.
const minAccented = 8

// minDisguised is the length in bytes of the shortest key of a name that counts even if it is
// written in letters that only look like its own.
const minDisguised = 5

// looksLikeName reports whether words that have the key of a name write the name in letters that
// only look like its own. Other ASCII letters with the same key are not a disguise, except I and l.
func looksLikeName(spelled, name string) bool {
	flat := func(s string) string {
		return strings.Map(func(r rune) rune {
			if endsNameWord(r) {
				return -1
			}
			return unicode.ToLower(r)
		}, s)
	}
	a, b := flat(spelled), flat(name)
	if ascii.Is(a) && ascii.Is(b) {
		capitals := flat(strings.ReplaceAll(spelled, "I", "l")) // "PayPaI"
		return isWrittenInLookalikes(a, b) || capitals != a && isWrittenInLookalikes(capitals, b) || isWrittenInLookalikes(strings.ReplaceAll(a, "rn", "m"), b)
	}
	return looksWritten(a, b) || looksWritten(stripped(a), stripped(b)) || wordKey(a) == wordKey(b) && !ascii.Is(a)
}

// sameLetters reports whether two texts have the same letters and digits, apart from case and accents.
func sameLetters(a, b string) bool {
	a, b = stripped(a), stripped(b)
	for {
		r, n := nextLetter(a)
		s, m := nextLetter(b)
		if unicode.ToLower(r) != unicode.ToLower(s) && unicode.ToLower(unicode.ToUpper(r)) != unicode.ToLower(unicode.ToUpper(s)) {
			return false
		}
		if r < 0 {
			return true
		}
		a, b = a[n:], b[m:]
	}
}

// nextLetter returns the first letter, digit or mark of a text and the offset after it; or -1 if
// there is none.
func nextLetter(s string) (rune, int) {
	for i, r := range s {
		if !isBetweenWords(r) && !ucd.IsDefaultIgnorable(r) {
			return r, i + utf8.RuneLen(r)
		}
	}
	return -1, len(s)
}

// isAsWritten reports whether words have the same capital letters as a name, or only capitals.
func isAsWritten(words []string, name string) bool {
	spelled := strings.Join(words, "")
	written := strings.Map(func(r rune) rune {
		if endsNameWord(r) {
			return -1
		}
		return r
	}, name)
	return spelled == written || spelled == strings.ToUpper(written)
}

// The code points of European letters, whose keys do not depend on their neighbours, and of the
// marks among them.
const (
	firstMark    = 0x300
	lastMark     = 0x36f
	lastOfEurope = 0x52f
)

// europeanKeys has the key of each European letter.
var europeanKeys = sync.OnceValue(func() *[lastOfEurope + 1]string {
	keys := new([lastOfEurope + 1]string)
	for r := range rune(len(keys)) {
		keys[r] = brandKey(string(r))
	}
	return keys
})

// nameRunTogether returns a long name with which the word at the index i begins or ends, if the
// rest is a word that is often beside names: "EdekaGutschein", "teampaypal".
func (j *Judge) nameRunTogether(words []string, i int) (n Name, end int) {
	word := words[i]
	if len(word) < minRunTogether || len(word) > maxDivided || !ascii.Is(word) {
		return Name{}, i
	}
	for at := minBrandTyped - 1; at <= len(word)-minAdded+1; at++ {
		first, rest := word[:at], word[at:]
		if isOftenBeside(rest) && len(rest) >= minAdded-1 {
			if n, ok := j.nameOf(first); ok && !n.Word {
				n.Served = true
				return n, i + 1
			}
		}
	}
	for at := minAdded; at <= len(word)-minBrandTyped+1; at++ {
		first, rest := word[:at], word[at:]
		if addedWords.Has(strings.ToLower(first)) {
			if n, ok := j.nameOf(rest); ok && !n.Word {
				return n, i + 1
			}
		}
	}
	return Name{}, i
}

// minRunTogether is the length of the shortest word that is divided into a name and another word.
const minRunTogether = 9

// nameOf returns the name that the word is, if it is one.
func (j *Judge) nameOf(word string) (Name, bool) {
	var room [maxDivided * 4]byte
	key := appendBrandKey(room[:0], word)
	n, end := j.nameAt([]string{word}, key, []int{len(key)}, 0)
	return n, end > 0 && !n.Disguised
}

// A Host is what [Judge.Owns] asks of a host, worked out once.
type Host struct {
	Domain string // the registrable domain; "" for no host

	own           bool   // it is at or below a domain of the operator
	owner         int    // number of the owner in the list of brands; -1 without one
	sends, family string // the domains whose owner may send from it: see sendsFor
}

// Host returns a host, A-labels, for Owns.
func (j *Judge) Host(host string) Host {
	j = j.ready()
	host = strings.TrimSuffix(host, ".")
	if host == "" {
		return Host{owner: -1}
	}
	h := Host{Domain: hostname.Registrable(host), owner: -1}
	for rest, ok := host, true; ok && !h.own; _, rest, ok = strings.Cut(rest, ".") {
		d := j.protected.exact[rest]
		h.own = d != nil && d.own
	}
	if d, ok := brands().domain(h.Domain); ok {
		h.owner = int(d.owner)
	}
	h.sends, h.family = senderOf(h.Domain), familyOf(h.Domain)
	return h
}

// IsOwn reports whether a host is of the operator.
func (h Host) IsOwn() bool { return h.own }

// IsOfBrand reports whether a host is of an owner in the list of brands.
func (h Host) IsOfBrand() bool { return h.owner >= 0 }

// Owns reports whether a host belongs to the owner of a name. It says nothing about who writes from there:
// gmail.com is Google's, but anybody has addresses in it.
func (j *Judge) Owns(n Name, h Host) bool {
	switch {
	case h.Domain == "":
		return false
	case n.Own && h.own, h.Domain == n.Domain, h.family == n.Domain:
		return true
	case n.Own || n.owner >= firstOwn:
		return h.Domain == hostname.Registrable(n.Domain) || sendsFor(h.Domain, n.Domain)
	}
	return h.owner == n.owner || h.sends == senderOf(n.Domain)
}

// HasTopLevel reports whether a host, A-labels, ends in a top-level domain.
func (j *Judge) HasTopLevel(host string) bool {
	return j.ready().tlds.Contains(hostname.LastLabel(strings.TrimSuffix(host, ".")))
}

// IsSameOwner reports whether two names are of one owner.
func (n Name) IsSameOwner(other Name) bool { return n.owner == other.owner || n.Domain == other.Domain }

// NameIn reports whether a host, A-labels, that does not belong to the owner of a name has that name in
// one of its labels: "my-paypal-mailer77.com". Names that are words count only as a whole part
// between hyphens and dots.
func (j *Judge) NameIn(host string, n Name) bool {
	word := strings.ToLower(asciiName(n.Text))
	if len(word) < minWord-1 {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		flat := strings.ReplaceAll(label, "-", "")
		if !n.Word && len(word) >= minBrandTyped && strings.Contains(flat, word) || flat == word || slices.Contains(strings.Split(label, "-"), word) {
			return !j.Owns(n, j.Host(host))
		}
	}
	return false
}

// asciiName returns the letters and digits of a name in ASCII.
func asciiName(name string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && ascii.IsAlphanumeric(byte(r)) {
			return r
		}
		return -1
	}, stripped(name))
}

// IsFreeHost reports whether a host, A-labels, is at a service where anyone can have a name or a
// page without saying who they are: below a suffix of a company, on a site in the list of free
// hosts, or on a rented server.
func IsFreeHost(host string) bool {
	host = strings.TrimSuffix(host, ".")
	if hostname.IsIP(host) {
		return false
	}
	if suffix, registry := publicsuffix.PublicSuffix(host); !registry && strings.Contains(suffix, ".") {
		return !freeHosts.Marked(suffix, markRegistry)
	}
	return isOfAnybody(host) || isBelow(host, freeHosts)
}

// markRegistry is the mark of a suffix of a company that sells domains as a registry does.
const markRegistry = "registry"

// IsShortener reports whether a host, A-labels, belongs to a service that shortens URLs.
func IsShortener(host string) bool {
	return shorteners.Has(strings.TrimPrefix(strings.TrimSuffix(host, "."), "www."))
}

// WritesForOthers reports whether a host, A-labels, belongs to a service that sends mail with the
// names of its customers as the sender: for applicants, tickets, meetings, surveys, signatures.
func WritesForOthers(host string) bool {
	return isBelow(strings.TrimSuffix(host, "."), writers) || isBelow(strings.TrimSuffix(host, "."), services)
}

// IsServiceWord reports whether a word is a word of services that phishing adds to a name.
func IsServiceWord(word string) bool {
	word = strings.ToLower(word)
	return lures.Has(word) || addedWords.Has(word) && !addedWords.Marked(word, markOwn)
}

// IsBesideName reports whether a word is often beside the name of a company, and so names nobody.
func IsBesideName(word string) bool { return isOftenBeside(word) || lures.Has(strings.ToLower(word)) }

// AllowsSender reports whether Options.Allow has a sender: this name at this host, A-labels, or the
// host itself.
func (j *Judge) AllowsSender(name, host string) bool {
	j = j.ready()
	return host != "" && (j.allowed.senders.Has(name, host) || j.allowed.hosts.Has(host))
}

// PlainWord returns the letters and digits of a text in lower case, without accents.
func PlainWord(s string) string {
	return strings.Map(func(r rune) rune {
		if isBetweenWords(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, stripped(plainLetters(s)))
}

// IsWebHost reports whether a host, A-labels, is at a service where anyone has pages or programs,
// but nobody has addresses.
func IsWebHost(host string) bool {
	s := listed(strings.TrimSuffix(host, "."), freeHosts)
	return s != "" && freeHosts.Marked(s, markWeb)
}

// markWeb is the mark of hosting for pages alone.
const markWeb = "web"

// MixedWord returns the first word of a text that mixes Latin letters with letters of another alphabet
// that look like Latin ones, or that has invisible characters between Latin letters; "" without one.
func MixedWord(text string) string {
	if ascii.Is(text) || strings.ContainsRune(text, utf8.RuneError) { // a text decoded with a wrong charset
		return ""
	}
	isBetween := func(r rune) bool { return isBetweenWords(r) && !isHiddenInWord(r) }
	for word := range strings.FieldsFuncSeq(text[:min(len(text), maxNamedText)], isBetween) {
		if !ascii.Is(word) && utf8.RuneCountInString(word) >= minMixed && isMixed(word) {
			return word
		}
	}
	return ""
}

// minMixed is the length in code points of the shortest word that mixes alphabets: "µm" is an honest one.
const minMixed = 3

// isHiddenInWord reports whether r is invisible inside a word.
func isHiddenInWord(r rune) bool { return ucd.IsDefaultIgnorable(r) && r != '\u00ad' }

// isMixed reports whether a word mixes alphabets, or hides characters between Latin letters.
func isMixed(word string) bool {
	latin, other, hidden := false, false, false
	before := rune(-1)
	for i, r := range word {
		switch {
		case isHiddenInWord(r):
			next, _ := utf8.DecodeRuneInString(word[i+utf8.RuneLen(r):])
			hidden = hidden || isLatin(before) && isLatin(next) && !isJoiner(r)
			continue
		case isLatin(r):
			latin = true
		case unicode.IsLetter(r):
			like, ok := latinLikes[r]
			script := ucd.ScriptOf(r)
			p := prototype(r)
			other = other || (ok && !like.inNames || len(p) == 1 && ascii.IsAlphanumeric(p[0])) && (script == ucd.ScriptGrek || script == ucd.ScriptCyrl || script == ucd.ScriptArmn || script == ucd.ScriptCher)
		}
		before = r
	}
	return hidden || latin && other
}

// isLatin reports whether r is a Latin letter.
func isLatin(r rune) bool { return r > 0 && unicode.IsLetter(r) && ucd.ScriptOf(r) == ucd.ScriptLatn }

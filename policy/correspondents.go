package policy

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/recent"
)

// Correspondents are the domains and addresses that the operator's users write to. Vendor fraud comes
// from look-alikes of these. They are judged by the rules of the operator's own domains, but they are
// many and change, so that an index chooses which of them a host is compared with.
type Correspondents interface {
	// Domain returns what is known of a registrable domain, A-labels; zero: nobody wrote to it.
	Domain(domain string) Correspondent
	// Near appends the domains of correspondents that have one of the keys, see [NearKeys].
	Near(dst []string, keys []uint64) []string
	// HasAddress reports whether users wrote to an address. ok is false where that is not known.
	HasAddress(address string) (has, ok bool)
	// Generation returns a number that changes with each new domain.
	Generation() uint64
}

// A Correspondent says how often users wrote to a domain.
type Correspondent struct {
	Days    int  // on which they wrote
	Several bool // more than one user did
}

// The bounds of what counts.
const (
	correspondentDays = 3  // a domain to which one user wrote on fewer days does not count
	settledDays       = 10 // a domain to which users wrote on as many days is no typing error of theirs
	timesOften        = 10 // how much more often users wrote to the right domain than to a mistyped one
)

// Counts reports whether users wrote to the domain more than by chance.
func (c Correspondent) Counts() bool { return c.Several || c.Days >= correspondentDays }

// settled reports whether users write to the domain whatever it looks like. A victim who answers a
// look-alike for some days does not settle it.
func (c Correspondent) settled() bool {
	return c.Several && c.Days >= correspondentDays || c.Days >= settledDays
}

// excuses reports whether a domain like another is known well enough beside it: neither a typing error
// of a user nor a look-alike that one user answered.
func (c Correspondent) excuses(other Correspondent) bool {
	return c.settled() || c.Days > 0 && other.Days < timesOften*c.Days
}

// contacts are the correspondents with what was computed for them.
type contacts struct {
	Correspondents
	sets   *recent.Table[*protectedSet] // by the domain of a correspondent
	unlike *recent.Table[uint64]        // hosts that are like no correspondent of a generation
}

// maxContactSets is the number of correspondents whose sets are remembered.
const maxContactSets = 1 << 10

func newContacts(c Correspondents) *contacts {
	if c == nil {
		return nil
	}
	return &contacts{c, recent.NewTable[*protectedSet](maxContactSets), recent.NewTable[uint64](maxUnlike)}
}

// Correspondents returns those of the options, nil without.
func (j *Judge) Correspondents() Correspondents {
	if j = j.ready(); j.contacts == nil {
		return nil
	}
	return j.contacts.Correspondents
}

// WithoutCorrespondents returns a Judge for mail of the operator's own users.
func (j *Judge) WithoutCorrespondents() *Judge {
	if j = j.ready(); j.contacts == nil {
		return j
	}
	without := *j
	without.contacts = nil
	return &without
}

// IsFirstContact reports whether no user wrote to an address, nor, unless the public has addresses there,
// to its domain. host is its host, A-labels. The operator's own domains are none.
func (j *Judge) IsFirstContact(address, host string) bool {
	if j = j.ready(); j.contacts == nil {
		return false
	}
	has, ok := j.contacts.HasAddress(address)
	if domain := hostname.Registrable(host); has || !ok || j.protected.exact[domain] != nil && j.protected.exact[domain].own || !isOfMailboxes(domain) && j.contacts.Domain(domain).Days > 0 {
		return false
	}
	return true
}

// A Reply says where answers to a correspondent go.
type Reply uint8

// The kinds of answers.
const (
	ReplyToSender    Reply = iota // or to another of whom nothing is said
	ReplyToLookalike              // to a domain like that of the correspondent
	ReplyToMailbox                // to a provider of mailboxes
)

// ReplyElsewhere returns where answers go that are for an address with a host, A-labels, and not for the
// registrable domain of a correspondent who is the sender. An address to which users wrote is honest.
func (j *Judge) ReplyElsewhere(domain, address, host string) Reply {
	j = j.ready()
	other := hostname.Registrable(host)
	if j.contacts == nil || other == domain || isOfMailboxes(domain) || !j.contacts.Domain(domain).Counts() || sameOwnerOf(domain, other) {
		return ReplyToSender
	}
	if has, ok := j.contacts.HasAddress(address); has || !ok || j.contacts.Domain(other).settled() && !isOfMailboxes(other) {
		return ReplyToSender
	}
	switch {
	case isOfMailboxes(other):
		return ReplyToMailbox
	case j.protected.exact[other] == nil && j.contacts.likenessTo(domain, linkHost{typed: host, ascii: host, unicode: hostname.Unicode(host)}.withDomain(), j).Severity > SeverityNone:
		return ReplyToLookalike
	}
	return ReplyToSender
}

// isOfMailboxes reports whether the public has addresses in a registrable domain, A-labels.
func isOfMailboxes(domain string) bool {
	return impersonated.Marked(domain, markMailboxes) || brands().isOfPublic(domain)
}

// likeCorrespondent reports a host that looks like the domain of a correspondent.
func (j *Judge) likeCorrespondent(h linkHost) Finding {
	c := j.contacts
	if c == nil || j.protected.covers(h) {
		return Finding{}
	}
	generation := c.Generation()
	isPlain := h.typed == h.ascii && h.unicode == h.ascii
	if isPlain {
		if at := c.unlike.Get(h.ascii); at != nil && *at == generation {
			return Finding{}
		}
	}
	f := c.likeness(h.withDomain(), j)
	if isPlain && f.Severity == SeverityNone {
		c.unlike.Put(strings.Clone(h.ascii), generation)
	}
	return f
}

// likeness is likeCorrespondent for a host that is not the operator's.
func (c *contacts) likeness(h linkHost, j *Judge) Finding {
	known := c.Domain(h.domain)
	if known.settled() || isKnownSite(h) || h.isOfCustomers() && !isOfAnybody(h.ascii) {
		return Finding{}
	}
	var worst Finding
	often := 0
	for _, domain := range c.candidates(h) {
		other := c.Domain(domain)
		if domain == h.domain || !other.Counts() || known.excuses(other) || sameOwnerOf(domain, h.domain) {
			continue
		}
		// Of several, the one that users write to most is the one that the host imitates.
		f := c.likenessTo(domain, h, j)
		if f.Severity > worst.Severity || f.Severity == worst.Severity && other.Days > often {
			worst, often = f, other.Days
		}
	}
	return worst
}

// sameOwnerOf reports whether two registrable domains, A-labels, are known to have one owner.
func sameOwnerOf(domain, other string) bool {
	d, ok := brands().exact(domain)
	o, known := brands().exact(other)
	return ok && known && d.owner == o.owner || sendsFor(domain, other) || sendsFor(other, domain)
}

// likenessTo reports a host that looks like the domain of one correspondent.
func (c *contacts) likenessTo(domain string, h linkHost, j *Judge) Finding {
	set := c.set(domain, j)
	if set == nil {
		return Finding{}
	}
	d := set.own[0]
	like := likeness{host: h, worst: lookalike(h, set)}
	isTyped := like.worst.Severity < SeverityMedium // else in letters that look like those of the name
	if isTyped {
		like.note(nearbyName(h, set))
	}
	if like.worst.Severity < SeverityMedium {
		like.note(nameBefore(h, set))
	}
	switch f := like.worst; {
	case f.Severity == SeverityNone:
		return Finding{}
	case f.Severity >= SeverityMedium && !d.mayBeSecond(h) && !(isTyped && d.mayBeOther(h)):
		return likePartner.finding(f.Label, d.shown())
	default:
		return nearPartner.finding(f.Label, d.shown())
	}
}

// set returns the set with the domain of one correspondent; nil if it is no valid domain.
func (c *contacts) set(domain string, j *Judge) *protectedSet {
	if set := c.sets.Get(domain); set != nil {
		return *set
	}
	set := emptySet(&Options{WithoutBrands: true}, j.tlds)
	if set.add(domain, true) != nil {
		set = nil
	}
	c.sets.Put(strings.Clone(domain), set)
	return set
}

// mayBeSecond reports whether a host can be a second domain of the correspondent himself, as honest
// companies have them: with another ending, with the form of the company or its country behind the name,
// without a hyphen, or with one between two words. An ending that nearly is that of the correspondent is
// none of these.
func (d *protectedDomain) mayBeSecond(h linkHost) bool {
	name, suffix, _ := strings.Cut(h.domainUnicode, ".")
	if !ascii.Is(name) && name != d.word || h.name() != h.domainUnicode && h.name() != "www."+h.domainUnicode && strings.Contains(h.name(), d.word+".") && name != d.word {
		return false
	}
	switch {
	case name == d.word:
		return suffix != d.suffix && !isForAnybody(suffix) && !isNearSuffix(suffix, d.suffix)
	case suffix != d.suffix && isNearSuffix(suffix, d.suffix):
		return false
	case name == withoutHyphens(d.word), isRehyphenated(name, d.word) && (suffix != d.suffix || isBetweenListedWords(name)):
		return true
	}
	for _, rest := range [...]string{strings.TrimPrefix(name, d.word), strings.TrimSuffix(name, d.word)} {
		if len(rest) < len(name) && isOfCompanyAlone(rest) && !strings.HasSuffix("-"+d.suffix, rest) {
			return true
		}
	}
	return false
}

// mayBeOther reports whether a host whose name is that of the correspondent with a typing error or an added
// word can be that of another company: below another ending, or with another word or name of a family in
// place of one ("schmid-bau.de" beside schmidt-bau.de).
func (d *protectedDomain) mayBeOther(h linkHost) bool {
	name, suffix, _ := strings.Cut(h.domainUnicode, ".")
	if isWithOtherWord(name, d.word) || isWithOtherWord(withoutHyphens(name), withoutHyphens(d.word)) {
		return true
	}
	if suffix == d.suffix || isNearSuffix(suffix, d.suffix) {
		return false
	}
	if nameLength(d.word) < minBrandSure && !asWritten.hasLureAround(name, d.word) {
		return true // "myjabber.net" beside jabber.org
	}
	isTypingError := isOneEdit(name, d.word) || isPluralOf(name, d.word) || isOneEdit(shapeOf(name), d.shape)
	return isTypingError && suffix != "com"
}

// isWithOtherWord reports whether a name has a listed word in place of another listed one of word. The rest
// is nothing, a listed word, or behind a hyphen.
func isWithOtherWord(name, word string) bool {
	const shortest = 4
	isOther := func(a, b, rest string) bool {
		return a != b && len(a) >= shortest && isListedWord(a) && isListedWord(b) && (rest == "" || isListedWord(rest) || rest[0] == '-' || strings.HasSuffix(rest, "-"))
	}
	for i := range len(name) + 1 {
		head, tail := name[:i], name[i:]
		if wordTail, ok := strings.CutPrefix(word, head); ok && isOther(tail, wordTail, head) {
			return true
		}
		if wordHead, ok := strings.CutSuffix(word, tail); ok && isOther(head, wordHead, tail) {
			return true
		}
	}
	return false
}

// isNearSuffix reports whether two public suffixes differ by one typing error, as com and co do. Those of
// two countries are no typing error.
func isNearSuffix(a, b string) bool {
	const country = 2
	return a != b && (len(a) != country || len(b) != country) && isOneEdit(a, b)
}

// isOfCompanyAlone reports whether the words beside a name, with their hyphens, are forms of companies and
// countries, and no word that phishing adds. Short ones count beside a hyphen alone.
func isOfCompanyAlone(text string) bool {
	words := strings.Trim(text, "-")
	for word := range strings.SplitSeq(words, "-") {
		const shortest = 2
		if len(word) < shortest || !companyWords.Has(word) && (asWritten.added[word] || !asWritten.isOfCompany(word, text)) {
			return false
		}
	}
	return true
}

// isBetweenListedWords reports whether an ordinary word is beside each hyphen of a name: "brandt-bau".
func isBetweenListedWords(name string) bool {
	before, rest, _ := strings.Cut(name, "-")
	for part := range strings.SplitSeq(rest, "-") {
		if !isListedWord(before) && !isListedWord(part) {
			return false
		}
		before = part
	}
	return true
}

// isListedWord reports whether a text is a word that honest domains have in their names.
func isListedWord(text string) bool {
	const shortest = 3
	return len(text) >= shortest && (commonWords().Has(text) || addedWords.Has(text) || companyWords.Has(text))
}

// minCorrespondent is the length in characters of the shortest name of a correspondent that is compared.
// Shorter names are near many others.
const minCorrespondent = 6

// The kinds of keys.
const (
	keyWhole   = 'w' // a name as it is
	keyShorter = 's' // a name without one of its characters, or as it is: one typing error leaves one in common
)

// keyBase makes the keys, which are of this process alone. It is odd.
var keyBase = rand.Uint64() | 1

// keyPowers are those of keyBase.
var keyPowers = func() (powers [maxRolling + 1]uint64) {
	powers[0] = 1
	for i := range maxRolling {
		powers[i+1] = powers[i] * keyBase
	}
	return powers
}()

// A rolling has the hashes of all beginnings of a name, and so those of its parts.
type rolling struct {
	name    []byte
	hashes  [maxRolling + 1]uint64 // of name[:i]
	nameBuf [maxRolling]byte
}

// maxRolling is the length in bytes of the longest name: four for each character of a label.
const maxRolling = 4 * 63

// set takes a name, cut after maxRolling bytes.
func (r *rolling) set(name []byte) {
	r.name = append(r.nameBuf[:0], name[:min(len(name), maxRolling)]...)
	for i, c := range r.name {
		r.hashes[i+1] = r.hashes[i]*keyBase + uint64(c) + 1
	}
}

// part returns the hash of name[start:end].
func (r *rolling) part(start, end int) uint64 {
	return r.hashes[end] - r.hashes[start]*keyPowers[end-start]
}

// without returns the hash of the name without name[start:end].
func (r *rolling) without(start, end int) uint64 {
	n := len(r.name)
	return r.hashes[start]*keyPowers[n-end] + r.part(end, n)
}

// nearKey returns the key for a hash of so many bytes: its bits are spread evenly (splitmix64).
func nearKey(kind byte, hash uint64, length int) uint64 {
	x := hash + uint64(kind)*0x9e3779b97f4a7c15 + uint64(length)*0xd1342543de82ef95
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// NearKeys returns the keys of a registrable domain, A-labels: a host that may look like it has one of
// them. A domain with a short name has none.
func NearKeys(domain string) []uint64 {
	name := hostname.Unicode(domain)
	word, suffix, ok := strings.Cut(name, ".")
	if !ok || nameLength(word) < minCorrespondent || hostname.Registrable(domain) != domain || hostname.IsIP(domain) {
		return nil
	}
	if isSuffix, _ := publicSuffix(name); isSuffix {
		return nil
	}
	var s nearSearch
	shape := string(s.shapeOf(word))
	first, _, _ := strings.Cut(suffix, ".")
	s.whole([]byte(shape))
	s.whole([]byte(shape + shapeOf(strings.ReplaceAll(suffix, ".", ""))))
	if first != suffix {
		s.whole([]byte(shape + shapeOf(first)))
	}
	for _, alias := range aliasesOf(word) {
		s.whole(s.shapeOf(alias))
	}
	s.typed(word)
	slices.Sort(s.keys)
	return slices.Compact(s.keys)
}

// maxCandidates bounds the correspondents that a host is compared with.
const maxCandidates = 8

// candidates returns the correspondents that a host may look like. The number of lookups is linear in the
// length of the host.
func (c *contacts) candidates(h linkHost) []string {
	s := nearSearches.Get().(*nearSearch)
	defer nearSearches.Put(s)
	s.keys = s.keys[:0]
	rest, before := h.name(), ""
	for {
		label, after, ok := strings.Cut(rest, ".")
		if !ok {
			break
		}
		if len(label) >= minCorrespondent-1 {
			s.label(label)
		}
		if before != "" && before != "www" && len(before)+len(label) >= minCorrespondent {
			s.whole(s.shapeOf(before + label)) // "pay.pal.com"
		}
		rest, before = after, label
	}
	var found []string
	s.found = c.Near(s.found[:0], s.keys)
	for _, domain := range s.found {
		if len(found) < maxCandidates && !slices.Contains(found, domain) {
			found = append(found, domain)
		}
	}
	return found
}

// A nearSearch collects the keys of a host: it may look like a correspondent that has one of them.
type nearSearch struct {
	keys      []uint64
	found     []string
	rolling   rolling
	foldRoom  [maxRolling]byte
	keysRoom  [2 * maxRolling]byte
	shapeRoom [2 * maxRolling]byte
}

// nearSearches are for reuse: each has memory for the longest label.
var nearSearches = sync.Pool{New: func() any { return new(nearSearch) }}

func (s *nearSearch) add(kind byte, hash uint64, length int) {
	s.keys = append(s.keys, nearKey(kind, hash, length))
}

// folded returns a label without hyphens, cases and marks.
func (s *nearSearch) folded(label string) []byte {
	folded := s.foldRoom[:0]
	for _, c := range []byte(fold(label)) {
		switch {
		case c == '-':
		case 'A' <= c && c <= 'Z':
			folded = append(folded, c|0x20)
		default:
			folded = append(folded, c)
		}
	}
	return folded
}

// shapeOf returns the shape of a label without hyphens: one of letters and digits that read alike, an m for
// rn. The next call overwrites it.
func (s *nearSearch) shapeOf(label string) []byte {
	key := appendKey(s.keysRoom[:0], string(s.folded(label)))
	return appendShape(s.shapeRoom[:0], key)
}

// whole adds a name as it is.
func (s *nearSearch) whole(name []byte) {
	s.rolling.set(name)
	s.add(keyWhole, s.rolling.part(0, len(s.rolling.name)), len(s.rolling.name))
}

// shorter adds a name as it is, and without each of its characters. It leaves the hashes of the name.
func (s *nearSearch) shorter(name []byte) {
	r := &s.rolling
	r.set(name)
	n := len(r.name)
	s.add(keyShorter, r.part(0, n), n)
	for start := 0; start < n; {
		_, size := utf8.DecodeRune(r.name[start:])
		if size > 1 || start == 0 || r.name[start] != r.name[start-1] { // else the same as before
			s.add(keyShorter, r.without(start, start+size), n-size)
		}
		start += size
	}
}

// typed adds a label with typing errors: with one of the letters and digits that read alike, and in its
// shape, whose hashes it leaves.
func (s *nearSearch) typed(label string) {
	letters := s.folded(label)
	for i, c := range letters {
		if at := strings.IndexByte("013458i", c); at >= 0 {
			letters[i] = "oleasbl"[at]
		}
	}
	shape := appendShape(s.shapeRoom[:0], appendKey(s.keysRoom[:0], string(letters)))
	if !bytes.Equal(letters, shape) {
		s.shorter(letters)
	}
	s.shorter(shape)
}

// label adds a label: with typing errors, and as the beginning, the end or a part of it.
func (s *nearSearch) label(label string) {
	s.typed(label)
	r := &s.rolling
	n := len(r.name)
	for i := minCorrespondent - 1; i <= n; i++ {
		s.add(keyWhole, r.part(0, i), i)
		if i < n {
			s.add(keyWhole, r.part(n-i, n), i)
		}
	}
	for i := 1; i+1 < n; i++ {
		switch {
		case r.name[i] == 'n' && r.name[i+1] == 'n':
			s.add(keyWhole, (r.hashes[i]*keyBase+'m'+1)*keyPowers[n-i-2]+r.part(i+2, n), n-1)
		case r.name[i] == 'e' && r.name[i+1] == 's' && bytes.IndexByte([]byte("sxz"), r.name[i-1]) >= 0:
			s.add(keyWhole, r.without(i, i+2), n-2)
		}
	}
	s.parts(label)
	s.besideWords(label)
}

// maxLabelParts bounds the parts of a label between hyphens that are compared.
const maxLabelParts = 6

// parts adds the runs of parts between hyphens within a label: "my-partner-bau-login".
func (s *nearSearch) parts(label string) {
	if strings.Count(label, "-") < 2 {
		return
	}
	parts := strings.SplitN(label, "-", maxLabelParts)
	for i := 1; i < len(parts)-1; i++ {
		for end := i + 1; end < len(parts); end++ {
			s.whole(s.shapeOf(strings.Join(parts[i:end], "")))
		}
	}
}

// besideWords adds a name with a typing error beside a lure, and one between two words.
func (s *nearSearch) besideWords(label string) {
	for part := range asWritten.partsBesideLure(label) {
		if len(part) >= minCorrespondent-1 && len(part) < len(label) {
			s.typed(part)
		}
	}
	if !asWritten.starts.mayHave(firstBytes(label)) {
		return
	}
	for _, word := range asWritten.byStart[firstBytes(label)] {
		rest, ok := strings.CutPrefix(label, word)
		if rest = strings.TrimLeft(rest, "-"); !ok || len(rest) <= minCorrespondent {
			continue
		}
		s.rolling.set(s.shapeOf(rest))
		for i := minCorrespondent - 1; i < len(s.rolling.name); i++ {
			s.add(keyWhole, s.rolling.part(0, i), i)
		}
	}
}

package policy

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// Phishing registers the names of the brands of the world with a word or a typing error: "bradesco-pagamento.com".
// The owners are many, and most of them have such domains of their own, so fewer signs count than for the names that
// phishing imitates most.

// The lengths in characters of the shortest names of brands that count: beside a word behind a hyphen, beside a
// word without one, for a name that is also a word, with a typing error, and with one below any suffix.
const (
	minBrandBeside      = 4
	minBrandGlued       = 5
	minOrdinaryBeside   = 5
	minOrdinaryGlued    = 8
	minPopularGlued     = 6
	minPopularBeside    = 6
	minPopularSure      = 8
	minBrandOwnersWord  = 6
	minBrandTypingError = 8
	minBrandTypedFar    = 10
)

// A brandName is a name of an owner of brands, or the name of a popular site.
type brandName struct {
	hash     uint32 // of the shape
	start    uint32 // of the name in the text of the set
	length   uint8  // in bytes
	letters  uint8  // the length in characters
	ordinary bool   // a word of a language, or a name of others, too
	common   bool   // a word that many companies have in their name
	popular  bool   // of a popular site
	typed    bool   // the domain of an owner has this name of his: typing errors count
	domain   uint16 // an index of the domains of the list of brands, or of the popular sites
}

// A brandNameSet has names by the hashes of their shapes.
type brandNameSet struct {
	text  string // the names without hyphens
	names []brandName
	some  hashBits

	errors    []typedName // by hash
	someTyped hashBits
}

// A typedName is the hash of a shape without one of its letters, or with all.
type typedName struct {
	hash uint32
	name uint16 // an index of the names
}

// hashBits have a bit for each hash, which others share. Their length is a power of two.
type hashBits []uint64

func (b hashBits) add(hash uint32)          { b[hash>>6&uint32(len(b)-1)] |= 1 << (hash & 63) }
func (b hashBits) mayHave(hash uint32) bool { return b[hash>>6&uint32(len(b)-1)]>>(hash&63)&1 != 0 }

// maxBrandNames is about how many names the lists have.
const maxBrandNames = 1 << 14

// The words of bits of the sets of names and of their typing errors, of which a label has a dozen.
const (
	bitsOfNames  = 1 << 12
	bitsOfErrors = 1 << 14
)

// brandNames has the names of the list of brands and of the popular sites.
var brandNames = sync.OnceValue(makeBrandNames)

// makeBrandNames reads the names.
func makeBrandNames() *brandNameSet {
	b := brandNameBuilder{set: &brandNameSet{some: make(hashBits, bitsOfNames), someTyped: make(hashBits, bitsOfErrors)}, seen: make(map[uint32]int, maxBrandNames), common: readList("common_words").Has}
	b.set.names = make([]brandName, 0, maxBrandNames)
	list := brands()
	firsts := make(map[uint16]uint16)
	for _, isFirst := range [...]bool{true, false} { // the first domain of an owner is the one that people know
		for i, d := range list.domains {
			name, _, _ := strings.Cut(hostname.Unicode(d.domain), ".")
			if name == "" || isFirst != (list.owners[d.owner].domain == d.domain) {
				continue
			}
			if isFirst {
				firsts[d.owner] = uint16(i)
			}
			b.add(name, brandName{domain: uint16(i), ordinary: !isFirst && nameLength(name) < minBrandTypingError})
		}
	}
	for _, n := range list.names {
		b.add(strings.Map(letterOrDigit, strings.ToLower(n.text)), brandName{domain: firsts[n.owner], ordinary: n.word, typed: true})
	}
	sites := popularSites()
	for i := range len(sites.starts) - 1 {
		name, _, _ := strings.Cut(sites.domain(i), ".")
		b.add(name, brandName{domain: uint16(i), popular: true})
	}
	return b.finish()
}

// letterOrDigit maps what is no letter, mark or digit to nothing.
func letterOrDigit(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) {
		return r
	}
	return -1
}

// A brandNameBuilder collects the names of a set.
type brandNameBuilder struct {
	set    *brandNameSet
	text   strings.Builder
	seen   map[uint32]int // the index of a name by its hash
	common func(word string) bool
}

// add adds a name. Of two owners the first has it. The name of a domain that is also in the list of names counts with
// typing errors. A short one that is not may be a word.
func (b *brandNameBuilder) add(name string, n brandName) {
	name = withoutHyphens(name)
	var buf [320]byte
	shape := appendShapeOf(buf[:0], name)
	length := nameLength(name)
	isCommon := b.common(name)
	if length < minBrandBeside || len(shape) > maxShape || inShape().added[string(shape)] || ordinary[name] || isCommon && n.popular {
		return
	}
	owner := func(n brandName) uint16 { return brands().domains[n.domain].owner }
	isTyped := n.typed
	n.typed = false
	var h shapeHash
	h.read(shape)
	hash := h.all()
	if i, ok := b.seen[hash]; ok { // two shapes hardly share a hash
		before := &b.set.names[i]
		switch {
		case before.popular || n.popular:
		case isTyped && !before.typed && owner(*before) == owner(n): // a name of the list says more than a domain
			before.typed, before.ordinary = ascii.Is(name), n.ordinary || isCommon
		case isTyped:
			before.ordinary = before.ordinary || n.ordinary
		}
		return
	}
	n.ordinary, n.common = n.ordinary || isCommon, isCommon
	n.start, n.length, n.letters = uint32(b.text.Len()), uint8(len(name)), uint8(length)
	n.hash = hash
	b.text.WriteString(name)
	b.seen[hash] = len(b.set.names)
	b.set.names = append(b.set.names, n)
}

// finish returns the set.
func (b *brandNameBuilder) finish() *brandNameSet {
	s := b.set
	s.text = b.text.String()
	slices.SortFunc(s.names, func(a, b brandName) int { return cmp.Compare(a.hash, b.hash) })
	s.names = slices.Clip(s.names)
	for i := range s.names {
		n := &s.names[i]
		s.some.add(n.hash)
		if !n.typed || n.ordinary || n.letters < minBrandTypingError {
			continue
		}
		var buf [320]byte
		var h shapeHash
		h.read(appendShapeOf(buf[:0], s.name(n)))
		for hash := range h.withErrors() {
			s.errors = append(s.errors, typedName{hash, uint16(i)})
			s.someTyped.add(hash)
		}
	}
	slices.SortFunc(s.errors, func(a, b typedName) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.name, b.name)) })
	s.errors = slices.Clip(slices.Compact(s.errors))
	return s
}

// name returns a name without hyphens.
func (s *brandNameSet) name(n *brandName) string { return s.text[n.start:][:n.length] }

// find returns the name with a shape, which may have hyphens in it, or nil.
func (s *brandNameSet) find(shape []byte) *brandName {
	var h uint64
	base := uint64(1)
	for i := range len(shape) {
		if shape[i] != '-' {
			h += base * (uint64(shape[i]) + 1)
			base *= hashBase
		}
	}
	hash := mixed(h)
	if !s.some.mayHave(hash) {
		return nil
	}
	i, ok := slices.BinarySearchFunc(s.names, hash, func(n brandName, hash uint32) int { return cmp.Compare(n.hash, hash) })
	if !ok || shapeOf(s.name(&s.names[i])) != withoutHyphens(string(shape)) {
		return nil
	}
	return &s.names[i]
}

// shown returns the domain of a name, for a detail.
func (n *brandName) shown() string {
	if n.popular {
		return hostname.Canonical(popularSites().domain(int(n.domain)))
	}
	return strings.TrimPrefix(brands().domains[n.domain].domain, ".")
}

// hashBase is odd, so that it has an inverse.
const hashBase = 0x9E3779B97F4A7C15

var inverseOfBase = func() uint64 {
	inverse := uint64(hashBase) // Newton: each step doubles the bits
	for range 5 {
		inverse *= 2 - hashBase*inverse
	}
	return inverse
}()

// mixed returns the bits of a sum that depend on all of it.
func mixed(sum uint64) uint32 {
	hi, lo := bits.Mul64(sum, 0xD6E8FEB86659FD93)
	return uint32((hi ^ lo) >> 16)
}

// A shapeHash has the sums for the hashes of a shape with and without one of its letters.
type shapeHash struct {
	sums   [maxShape + 1]uint64 // up to each letter
	length int
}

// read takes a shape, which is not longer than maxShape.
func (h *shapeHash) read(shape []byte) {
	h.length = len(shape)
	base := uint64(1)
	for i, c := range shape {
		h.sums[i+1] = h.sums[i] + base*(uint64(c)+1)
		base *= hashBase
	}
}

// all returns the hash of the shape.
func (h *shapeHash) all() uint32 { return mixed(h.sums[h.length]) }

// mayBeIn reports whether one of the hashes of withErrors may be in a set.
func (h *shapeHash) mayBeIn(some hashBits) bool {
	all := h.sums[h.length]
	if some.mayHave(mixed(all)) {
		return true
	}
	for i := range h.length {
		if some.mayHave(mixed(h.sums[i] + (all-h.sums[i+1])*inverseOfBase)) {
			return true
		}
	}
	return false
}

// withErrors iterates over the hashes of the shape and of the shape without each of its letters. Two shapes that differ
// by one typing error share one of these.
func (h *shapeHash) withErrors() func(yield func(uint32) bool) {
	return func(yield func(uint32) bool) {
		all := h.sums[h.length]
		if !yield(mixed(all)) {
			return
		}
		for i := range h.length {
			if !yield(mixed(h.sums[i] + (all-h.sums[i+1])*inverseOfBase)) {
				return
			}
		}
	}
}

// likeBrandName reports a registrable domain that is the name of a brand with words of phishing or with a typing
// error, and not of an owner.
func likeBrandName(h linkHost, set *protectedSet) Finding {
	label, suffix, ok := strings.Cut(h.registrable(), ".")
	if !ok || len(label) < minBrandGlued {
		return Finding{}
	}
	var buf [320]byte
	folded := label
	if !ascii.Is(label) {
		folded, _, _ = strings.Cut(h.foldedRegistrable(), ".")
	}
	shape := appendShapeOfFolded(buf[:0], folded)
	if len(shape) > maxShape {
		return Finding{}
	}
	names := brandNames()
	v, name := names.besideWords(shape)
	if plain := withoutNumbers(folded); v == nothing && len(plain) < len(folded) {
		v, name = names.besideWords(appendShapeOfFolded(nil, plain))
	}
	if v == nothing {
		if strings.IndexByte(label, '-') >= 0 {
			shape = appendShapeOfFolded(nil, withoutHyphens(folded))
		}
		v, name = names.withTypingError(label, suffix, shape)
	}
	if v == nothing || isHonestName(label) || hasHonestPart(label) || set.isOwnersOf(h.domain) || popularSites().has(h.domainUnicode) || isOfDelivery(h.domain) || brandNames().isOwnersSuffix(suffix) {
		return Finding{}
	}
	return v.finding(label, name.shown())
}

// hasHonestPart reports whether a part of a label between hyphens is a word of a language that is like a name.
func hasHonestPart(label string) bool {
	for part := range strings.SplitSeq(label, "-") {
		if honestWords.Has(part) {
			return true
		}
	}
	return false
}

// isOwnersSuffix reports whether a suffix is the name of a brand, which has it alone: "card.example".
func (s *brandNameSet) isOwnersSuffix(suffix string) bool {
	n := s.find([]byte(shapeOf(suffix)))
	return n != nil && !n.popular && s.name(n) == suffix
}

// brandNameBefore reports a label left of a registrable domain that has the name of a brand and, behind or before a
// hyphen, a word of phishing: "bradesco-login.example.net". Services name hosts after their customers, but not so, and
// where anybody can have a name no hyphen is needed.
func brandNameBefore(h linkHost, set *protectedSet) Finding {
	name := h.name()
	before := len(name) - len(h.domainUnicode) - 1
	if before < minBrandGlued || h.isOfCustomers() || isOfDelivery(h.ascii) {
		return Finding{}
	}
	var buf [320]byte
	rest, folded := name[:before], h.folded
	for more := true; more; {
		var label, foldedLabel string
		label, rest, more = strings.Cut(rest, ".")
		foldedLabel, folded, _ = strings.Cut(folded, ".")
		hasHyphen := strings.IndexByte(label, '-') >= 0
		if len(label) <= minBrandGlued || len(label) > maxShape || !hasHyphen && (more || !isOfAnybody(h.ascii)) {
			continue
		}
		shape := appendShapeOfFolded(buf[:0], foldedLabel)
		if len(shape) > maxShape {
			continue
		}
		v, n := brandNames().besideWords(shape)
		if v == nothing || n.popular || n.ordinary || !inShape().hasLureAround(string(shape), shapeOf(brandNames().name(n))) {
			continue
		}
		if !isHonestName(label) && !hasHonestPart(label) && (!set.isOwnersOf(h.domain) || isOfAnybody(h.ascii)) {
			return v.finding(label, n.shown())
		}
	}
	return Finding{}
}

// withoutNumbers returns a label without a number before or behind it: "example-login24".
func withoutNumbers(label string) string {
	const digits = "0123456789"
	trimmed := strings.Trim(strings.Trim(label, digits), "-")
	if len(trimmed) < minBrandBeside {
		return label
	}
	return trimmed
}

// besideWords returns the variant for the shape of a label that is a name among words of phishing, and the name.
func (s *brandNameSet) besideWords(shape []byte) (variant, *brandName) {
	words := wordsAround()
	var before, behind [maxWordPlaces]wordPlace
	starts, ends := words.forward.places(before[:0], shape, false), words.backward.places(behind[:0], shape, true)
	if len(starts) == 1 && len(ends) == 1 {
		return nothing, nil
	}
	for _, start := range starts {
		for _, end := range ends {
			if end.at-start.at < minBrandBeside || start.at == 0 && end.at == len(shape) {
				continue
			}
			name := s.find(shape[start.at:end.at])
			if name != nil && name.countsBeside(max(start.worst, end.worst), start.glued || end.glued) {
				return addedWord, name
			}
		}
	}
	return nothing, nil
}

// countsBeside reports whether the name counts beside a word, with a hyphen between them or glued to it.
func (n *brandName) countsBeside(word wordRank, glued bool) bool {
	letters := int(n.letters)
	switch {
	case word == companyWord:
		return false
	case n.ordinary && n.popular:
		return false
	case n.common:
		return word == phishingWord && letters >= minOrdinaryBeside && !glued
	case n.ordinary:
		return word == phishingWord && letters >= minOrdinaryGlued || word >= otherWord && letters >= minOrdinaryBeside && !glued
	case n.popular && word == phishingWord:
		return letters >= minPopularGlued || letters >= minOrdinaryBeside && !glued
	case n.popular:
		return word == otherWord && (letters >= minPopularSure || letters >= minPopularBeside && !glued)
	case word == ownersWord:
		return letters >= minBrandOwnersWord && !glued
	}
	return letters >= minBrandGlued || letters >= minBrandBeside && !glued
}

// withTypingError returns the variant for a label that is a name with a typing error or with letters that look like its
// own, and the name. shape is that of the label without hyphens.
func (s *brandNameSet) withTypingError(label, suffix string, shape []byte) (variant, *brandName) {
	if len(shape) < minBrandTypingError-1 {
		return nothing, nil
	}
	var h shapeHash
	h.read(shape)
	if !h.mayBeIn(s.someTyped) {
		return nothing, nil // as for most labels
	}
	if n := s.find(shape); n != nil && !n.popular && s.name(n) == withoutHyphens(label) {
		return nothing, nil // of another brand
	}
	hasHyphens := strings.Contains(label, "-")
	for hash := range h.withErrors() {
		if !s.someTyped.mayHave(hash) {
			continue
		}
		i, _ := slices.BinarySearchFunc(s.errors, hash, func(n typedName, hash uint32) int { return cmp.Compare(n.hash, hash) })
		for ; i < len(s.errors) && s.errors[i].hash == hash; i++ {
			n := &s.names[s.errors[i].name]
			if domain, _, _ := strings.Cut(n.shown(), "."); hasHyphens && !strings.Contains(domain, "-") {
				continue // two words, most often
			}
			if v := s.typing(n, withoutHyphens(label), suffix, string(shape)); v != nothing {
				return v, n
			}
		}
	}
	return nothing, nil
}

// typing returns the variant for a label without hyphens, which has a shape, if it is the name with a typing error.
func (s *brandNameSet) typing(n *brandName, label, suffix, shape string) variant {
	name := s.name(n)
	if n.letters < minBrandTypedFar {
		own, _, _ := strings.Cut(n.shown(), ".")
		if _, ok := brands().exact(own + "." + suffix); !ok && suffix != "com" || label[0] != name[0] {
			return nothing // many honest names rhyme
		}
	}
	isDisguised := disguiseOf(label) == disguised
	switch {
	case isDisguised && label != name && shape == shapeOf(name):
		return nearDomain
	case isOneEdit(label, name) && label != name, isDisguised && isOneEdit(shape, shapeOf(name)):
		return typingError
	}
	return nothing
}

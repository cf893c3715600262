package policy

import (
	"bytes"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/wordlist"
)

// Phishing hosts have the whole name of a company somewhere in theirs: "import-myetherwallet.com".
// A coined name, which is not made of words that others have in theirs, is nobody else's.

// minCoined is the length of the shortest own name that counts anywhere in a host.
const minCoined = 8

// A coinedIndex has the own names that are coined, by pieces of their shapes. A name with a few
// typing errors has one of its pieces left.
type coinedIndex struct {
	byPiece map[piece][]*coinedName
	some    pairs // the first two bytes of the pieces
}

// A piece is three bytes of a shape.
type piece [3]byte

// A coinedName is an own name that is coined.
type coinedName struct {
	domain *protectedDomain
	shape  string
}

// add adds a domain if its name is coined. words are the common words.
func (x *coinedIndex) add(d *protectedDomain, words *wordlist.List) {
	if len(d.word) < minCoined || !ascii.Is(d.word) || !isCoined(strings.ReplaceAll(d.word, "-", ""), words) {
		return
	}
	name := &coinedName{d, string(appendShape(nil, []byte(wordKey(d.word))))}
	if len(name.shape) < minCoined {
		return
	}
	if x.byPiece == nil {
		x.byPiece = make(map[piece][]*coinedName)
	}
	last := len(name.shape) - len(piece{})
	for i := 0; i <= last; i += len(piece{}) {
		x.addPiece(name, i)
	}
	x.addPiece(name, last)
}

// addPiece adds a name by the piece of its shape at the index i.
func (x *coinedIndex) addPiece(name *coinedName, i int) {
	p := piece([]byte(name.shape[i:]))
	x.byPiece[p] = append(x.byPiece[p], name)
	x.some.add(firstBytes(p[:]))
}

// isCoined reports whether a name has more than common words and added words in it, and does not
// end like names of families and places. A letter or two beside words does not make a name.
func isCoined(name string, words *wordlist.List) bool {
	for _, ending := range familyEndings {
		if strings.HasSuffix(name, ending) {
			return false
		}
	}
	const shortest, long, least = 3, 4, 4
	return lettersBeside(name, shortest, words) > 0 && lettersBeside(name, long, words) >= least
}

// lettersBeside returns how many letters of a name are in no word, for words of the shortest length or
// longer that leave the fewest.
func lettersBeside(name string, shortest int, words *wordlist.List) int {
	fewest := make([]int, len(name)+1) // of the name up to there
	for i := range fewest {
		fewest[i] = i
	}
	for start := range name {
		fewest[start+1] = min(fewest[start+1], fewest[start]+1)
		for end := start + shortest; end <= len(name); end++ {
			word := name[start:end]
			if !words.Has(word) && !addedWords.Has(word) && strings.Trim(word, "0123456789") != "" {
				continue
			}
			fewest[end] = min(fewest[end], fewest[start])
			for _, letters := range betweenWords {
				if strings.HasPrefix(name[end:], letters) {
					next := end + len(letters)
					fewest[next] = min(fewest[next], fewest[start])
				}
			}
		}
	}
	return fewest[len(name)]
}

// betweenWords has the letters that languages have between the parts of a word, and for plurals.
var betweenWords = [...]string{"s", "n", "en", "es", "e", "er", "y", "i"}

// familyEndings has endings of names of families and places, which are those of many companies.
var familyEndings = strings.Fields("mann sen son sson berg burg heim dorf stadt feld hausen hofen stein ville field ford ham wood worth sky ski wicz enko oglu poulos akis etti elli meier meyer maier mayer bauer huber kamp beck borg lund quist strom gaard moto yama kawa mura hashi shima")

// appendShape appends a key in which two letters that look like one are this letter.
func appendShape(dst, key []byte) []byte {
	start := len(dst)
	for _, c := range key {
		last := len(dst) - 1
		switch {
		case last < start:
		case c == 'n' && dst[last] == 'r':
			dst[last] = 'm'
			continue
		case c == 'v' && dst[last] == 'v':
			dst[last] = 'w'
			continue
		case c == 'l' && dst[last] == 'c':
			dst[last] = 'd'
			continue
		}
		dst = append(dst, c)
	}
	return dst
}

// ownNameIn reports a host that has an own coined name in it, with a few typing errors if the name is
// long. The public suffix does not count.
func (p *protectedSet) ownNameIn(h linkHost) Finding {
	registered, suffix, ok := strings.Cut(h.registrable(), ".")
	if p.coined.byPiece == nil || !ok {
		return Finding{}
	}
	var text [320]byte
	var edges, starts [16]int
	shape := hostShape{name: strings.TrimSuffix(h.name(), "."+suffix), text: text[:0], edges: edges[:0], starts: starts[:0]}
	shape.read()
	for i := 0; i+len(piece{}) <= len(shape.text); i++ {
		if !p.coined.some.mayHave(firstBytes(shape.text[i:])) {
			continue
		}
		for _, name := range p.coined.byPiece[piece(shape.text[i:])] {
			v, label := name.likeness(&shape)
			if v == nothing || !mayImitate(name.domain, h, p) {
				continue
			}
			if v == ownName && !strings.HasSuffix("."+label, "."+registered) && !hasSecondSign(label, registered) && !isBelow(h.ascii, publicHosts) {
				v = ownNameBelow
			}
			return v.finding(label, name.domain.ascii)
		}
	}
	return Finding{}
}

// hasSecondSign reports whether a label with an own name, or the label of the registrable domain that it
// is below, has a word of phishing. Without one, the domain can be that of a partner or a service, which
// names hosts after its customers.
func hasSecondSign(label, registered string) bool {
	for _, s := range [...]string{label, registered} {
		for part := range partsBesideLure(s) {
			if part != s {
				return true
			}
		}
		for part := range strings.SplitSeq(s, "-") {
			if lures.Has(part) || addedWords.Has(part) && !addedWords.Marked(part, markOwn) {
				return true
			}
		}
	}
	return false
}

// mayImitate reports whether a host that has the name of d in it can be another person's. Popular
// sites, content delivery networks and services have honest hosts for the operator. A name
// that is also in a longer one of a popular site is not only the operator's.
func mayImitate(d *protectedDomain, h linkHost, set *protectedSet) bool {
	sites := popularSites()
	switch {
	case sites.hasLonger(d.word), isBelow(h.ascii, services), isBelow(h.ascii, contentDelivery):
		return false
	case isBelow(h.ascii, publicHosts):
		return true
	}
	return !sites.has(h.registrable()) && !set.isOwnersOf(hostname.Registrable(h.ascii))
}

// A hostShape is the shape of a host without dots and hyphens.
type hostShape struct {
	name   string // the host
	text   []byte
	edges  []int // where parts between dots and hyphens begin
	starts []int // where labels begin
}

// read makes the shape of the host.
func (s *hostShape) read() {
	var buf [320]byte
	for label := range labelsOf(s.name) {
		s.starts = append(s.starts, len(s.text))
		key := appendLabelKey(buf[:0], label, false)
		for more := true; more; {
			var part []byte
			part, key, more = bytes.Cut(key, hyphen)
			s.edges = append(s.edges, len(s.text))
			s.text = appendShape(s.text, part)
		}
	}
}

// isEdge reports whether a part begins or ends at the index.
func (s *hostShape) isEdge(i int) bool { return i == len(s.text) || slices.Contains(s.edges, i) }

// between returns the labels in which a part of the shape is, with dots between them.
func (s *hostShape) between(start, end int) string {
	var labels []string
	i := 0
	for label := range labelsOf(s.name) {
		isLast := i+1 == len(s.starts)
		if s.starts[i] < end && (isLast || s.starts[i+1] > start) {
			labels = append(labels, label)
		}
		i++
	}
	return strings.Join(labels, ".")
}

// likeness returns how a host has the name in it, and the label that has it. One typing error counts
// for eight letters, and another for each four letters more. The name is a part of its own then,
// or has one error less. A name in two parts is another already, as in "meta-musk".
func (n *coinedName) likeness(s *hostShape) (v variant, label string) {
	start, end, errors := s.nearest(n.shape)
	if errors == 0 {
		return ownName, s.between(start, end)
	}
	most := len(n.shape)/4 - 1
	if !s.isEdge(start) || !s.isEdge(end) {
		most--
	}
	for _, edge := range s.edges {
		if start < edge && edge < end {
			most--
		}
	}
	if errors > most || errors > 1 && isOtherWord(s.text[start:end], n.shape) {
		return nothing, ""
	}
	return nearOwnName, s.between(start, end)
}

// isOtherWord reports whether the differences between s and a name make it another word: its first
// letter is another, or two letters beside each other are two others, as in "cryptopatties" for
// cryptokitties.
func isOtherWord(s []byte, name string) bool {
	if s[0] != name[0] {
		return true
	}
	if len(s) != len(name) {
		return false
	}
	first, last := 0, len(name)-1
	for s[first] == name[first] {
		first++
	}
	for s[last] == name[last] {
		last--
	}
	return last-first == 1
}

// maxShape is the length of the longest shape that is compared.
const maxShape = 63

// nearest returns the part of the shape of a host that becomes the name by the fewest typing errors:
// letters that are missing, too many, replaced or swapped with their neighbour. It ends at an edge
// if it can.
func (s *hostShape) nearest(name string) (start, end, errors int) {
	type cell struct{ errors, start int }
	text := s.text
	name = name[:min(len(name), maxShape)]
	var columns [3][maxShape + 1]cell
	for i := range len(name) + 1 {
		columns[0][i] = cell{i, 0}
	}
	best, bestEnd := columns[0][len(name)], 0
	for j := 1; j <= len(text); j++ {
		now, before, twoBefore := &columns[j%3], &columns[(j+2)%3], &columns[(j+1)%3]
		now[0] = cell{0, j}
		for i := 1; i <= len(name); i++ {
			c := before[i-1]
			if text[j-1] != name[i-1] {
				c.errors++
			}
			for _, other := range [...]cell{before[i], now[i-1]} {
				if other.errors++; other.errors < c.errors {
					c = other
				}
			}
			if i > 1 && j > 1 && text[j-1] == name[i-2] && text[j-2] == name[i-1] {
				if swapped := twoBefore[i-2]; swapped.errors+1 < c.errors {
					c = cell{swapped.errors + 1, swapped.start}
				}
			}
			now[i] = c
		}
		if c := now[len(name)]; c.errors < best.errors || c.errors == best.errors && s.isEdge(j) && !s.isEdge(bestEnd) {
			best, bestEnd = c, j
		}
	}
	return best.start, bestEnd, best.errors
}

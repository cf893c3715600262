package policy

import (
	"bytes"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// Phishing hosts have the whole name of a company somewhere in theirs: "import-myetherwallet.com".
// A coined name, which is not made of ordinary words, belongs to nobody else, so a host with it is
// suspicious.

// ownNameIn reports a host that has a coined name of the operator in it, perhaps with a few typing
// errors if the name is long. The public suffix does not count.
func (p *protectedSet) ownNameIn(h linkHost) Finding {
	registered, suffix, ok := strings.Cut(h.registrable(), ".")
	if p.coined.byPiece == nil || !ok {
		return Finding{}
	}
	var text [320]byte
	var edges, starts [16]int
	host := withoutSuffix(h.name(), suffix)
	shape := shapeOfHost(host, text[:0], edges[:0], starts[:0])
	for i := 0; i+len(piece{}) <= len(shape.text); i++ {
		if !p.coined.some.mayHave(firstBytes(shape.text[i:])) {
			continue
		}
		for _, name := range p.coined.byPiece[piece(shape.text[i:])] {
			v, start, end := name.likeness(&shape)
			if v == nothing || !mayImitate(name.domain, h, p) {
				continue
			}
			label := labelsBetween(host, shape.starts, start, end)
			if v == ownName && !strings.HasSuffix("."+label, "."+registered) && !hasSecondSign(label, registered) && !isOfAnybody(h.ascii) {
				v = ownNameBelow
			}
			if v == ownName && isOfAnybody(h.ascii) {
				v = ownAtService
			}
			return v.finding(label, name.domain.shown())
		}
	}
	return Finding{}
}

// withoutSuffix returns a host without a suffix and the dot before it.
func withoutSuffix(name, suffix string) string {
	if end := len(name) - len(suffix) - 1; end > 0 && name[end+1:] == suffix {
		return name[:end]
	}
	return name
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

// mayImitate reports whether a host that has the name of d in it can be another person's. It is
// false for popular sites, content delivery networks and services, which have honest hosts for the
// operator. It is also false if the name is part of the longer name of a popular site.
func mayImitate(d *protectedDomain, h linkHost, set *protectedSet) bool {
	switch {
	case popularSites().hasLonger(d.word), h.isOfCustomers():
		return false
	}
	return isOfAnybody(h.ascii) || !set.isOwnersOf(hostname.Registrable(h.ascii))
}

// A hostShape is the shape of a host without dots and hyphens.
type hostShape struct {
	text   []byte
	edges  []int // where the parts between dots and hyphens begin
	starts []int // where labels begin
}

// shapeOfHost returns the shape of a host, in the room for its parts.
func shapeOfHost(name string, text []byte, edges, starts []int) hostShape {
	var buf [320]byte
	for rest, more := name, true; more; {
		var label string
		label, rest, more = strings.Cut(rest, ".")
		starts = append(starts, len(text))
		if ascii.Is(label) {
			for another := true; another; {
				var part string
				part, label, another = strings.Cut(label, "-")
				edges = append(edges, len(text))
				text = appendShapeOfASCII(text, part)
			}
			continue
		}
		key := appendLabelKey(buf[:0], label, false)
		for another := true; another; {
			var part []byte
			part, key, another = bytes.Cut(key, hyphen)
			edges = append(edges, len(text))
			text = appendShape(text, part)
		}
	}
	return hostShape{text: text, edges: edges, starts: starts}
}

// isEdge reports whether a part between dots and hyphens begins or ends at the index.
func (s *hostShape) isEdge(i int) bool { return i == len(s.text) || slices.Contains(s.edges, i) }

// labelsBetween returns the labels of a host in which a part of its shape is, with dots between them. starts are where
// the labels begin in the shape.
func labelsBetween(host string, starts []int, start, end int) string {
	var labels []string
	i := 0
	for label := range labelsOf(host) {
		isLast := i+1 == len(starts)
		if starts[i] < end && (isLast || starts[i+1] > start) {
			labels = append(labels, label)
		}
		i++
	}
	return strings.Join(labels, ".")
}

// likeness returns how a host has the name in it, and where in its shape. One typing error counts
// for eight letters, and another for each four letters more. The name is a part of its own then,
// or has one error less. A name in two parts is another already, as in "meta-musk".
func (n *coinedName) likeness(s *hostShape) (v variant, start, end int) {
	start, end, errors := s.nearest(n.shape)
	if errors == 0 {
		return ownName, start, end
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
		return nothing, 0, 0
	}
	return nearOwnName, start, end
}

// isOtherWord reports whether s differs from a name so much that it is another word: its first
// letter differs, or two adjacent letters do, as in "cryptopatties" and cryptokitties.
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

// nearest returns the part of the shape of a host that differs from the name by the fewest typing
// errors: letters that are missing, added, replaced or swapped with their neighbour. Of equally
// good parts it prefers one that ends at an edge.
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

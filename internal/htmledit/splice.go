package htmledit

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// A Splice is an edit of the bytes [Start,End) of HTML.
type Splice struct {
	Start, End int
	// Attribute is the name of the attribute that the splice removes, in lower case;
	// empty for a splice that writes a text.
	Attribute string
	// Text is what readers see afterwards. If Start == End, the splice inserts it.
	Text string
	// Href is the URL that Text opens; empty for a text that is not made a link.
	Href string
	// Sure says that all readers must agree on the place, see [Prove].
	Sure bool
	// Around is the href of the link that a Sure text is in; empty for a text outside of
	// links.
	Around string

	value string // of the attribute
}

// written returns the bytes that the splice writes.
func (s *Splice) written() string {
	switch {
	case s.Attribute != "":
		return ""
	case s.Href != "":
		return `<a href="` + html.EscapeString(s.Href) + `">` + html.EscapeString(s.Text) + "</a>"
	}
	return html.EscapeString(s.Text)
}

// Apply returns the source after splices, which are sorted and do not overlap.
func Apply(source string, splices []Splice) string {
	return spliced(source, splices, func(i int) string { return splices[i].written() })
}

// spliced returns the source with the result of written in place of each splice.
func spliced(source string, splices []Splice, written func(i int) string) string {
	var b strings.Builder
	b.Grow(len(source) + 64*len(splices))
	pos := 0
	for i := range splices {
		b.WriteString(source[pos:splices[i].Start])
		b.WriteString(written(i))
		pos = splices[i].End
	}
	b.WriteString(source[pos:])
	return b.String()
}

// A Replacement replaces the bytes [Start,End), which are not empty.
type Replacement struct {
	Start, End int
	New        string
}

// Replacements returns what the splices do as replacements: what they insert goes before
// the next character, or behind the last.
func Replacements(source string, splices []Splice) []Replacement {
	all := make([]Replacement, 0, len(splices))
	for i := range splices {
		s := &splices[i]
		if last := len(all) - 1; last >= 0 && all[last].End == s.Start {
			all[last].End = s.End
			all[last].New += s.written()
			continue
		}
		all = append(all, Replacement{s.Start, s.End, s.written()})
	}
	for i := range all {
		if r := &all[i]; r.Start == r.End {
			r.takeNeighbour(source)
		}
	}
	return all
}

// takeNeighbour makes an insertion the replacement of a character beside it.
func (r *Replacement) takeNeighbour(source string) {
	if _, size := utf8.DecodeRuneInString(source[r.Start:]); size > 0 {
		r.End += size
		r.New += source[r.Start:r.End]
		return
	}
	_, size := utf8.DecodeLastRuneInString(source)
	r.Start -= size
	r.New = source[r.Start:r.End] + r.New
}

// Original returns a function for the range of the source that a range after the splices
// comes from. It reports false where the range begins or ends within bytes that a splice wrote.
func Original(splices []Splice) func(start, end int) (from, to int, ok bool) {
	begins, ends := make([]int, len(splices)), make([]int, len(splices)) // of what they wrote
	shift := 0
	for i := range splices {
		s := &splices[i]
		begins[i] = s.Start + shift
		ends[i] = begins[i] + len(s.written())
		shift = ends[i] - s.End
	}
	at := func(offset int) (int, bool) {
		i, _ := slices.BinarySearch(begins, offset) // splices that begin before the offset
		if i == 0 {
			return offset, true
		}
		return offset - ends[i-1] + splices[i-1].End, offset >= ends[i-1]
	}
	return func(start, end int) (from, to int, ok bool) {
		if from, ok = at(start); !ok {
			return 0, 0, false
		}
		to, ok = at(end)
		return from, to, ok
	}
}

// Merge returns the splices of both lists in order, and false if some overlap.
func Merge(a, b []Splice) ([]Splice, bool) {
	all := slices.Concat(a, b)
	slices.SortStableFunc(all, func(a, b Splice) int { return a.Start - b.Start })
	for i := 1; i < len(all); i++ {
		if all[i].Start < all[i-1].End {
			return nil, false
		}
	}
	return all, true
}

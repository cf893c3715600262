package htmledit

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/bidi"
)

// A Splice is an edit of source[Start:End] in HTML.
type Splice struct {
	Start, End int
	// Attribute is the name of the attribute that the splice removes, in lower case. It is empty if the
	// splice writes a text.
	Attribute string
	// Text is what readers see after the edit. If Start == End, the splice inserts it.
	Text string
	// Href is the URL that Text opens; empty if the splice makes no link.
	Href string
	// URL says that Text is a URL, whose components are shown from left to right.
	URL bool
	// Sure says that all readers must agree on the place; see [Prove].
	Sure bool
	// Around is the href of the link around a Sure text; empty for a text outside of links.
	Around string

	value   string  // value of the removed attribute
	bytes   string  // what the splice writes
	content []event // what readers see of bytes
	isKnown bool    // bytes and content are set
}

// written returns the bytes that the splice writes.
func (s *Splice) written() string {
	s.prepare()
	return s.bytes
}

// prepare sets bytes and content.
func (s *Splice) prepare() {
	if !s.isKnown {
		s.content = s.shows()
		s.bytes, s.isKnown = s.write(), true
	}
}

// write returns the HTML for what readers should see.
func (s *Splice) write() string {
	if s.Attribute != "" {
		return ""
	}
	if len(s.content) == 1 {
		return html.EscapeString(s.Text)
	}
	var b strings.Builder
	for _, e := range s.content {
		switch e.kind {
		case html.TextNode:
			b.WriteString(html.EscapeString(e.text))
		case html.ElementNode:
			b.WriteString("<" + e.name)
			for _, a := range e.attributes {
				b.WriteString(" " + a.Key + `="` + html.EscapeString(a.Val) + `"`)
			}
			b.WriteString(">")
		case ended:
			b.WriteString("</" + e.name + ">")
		}
	}
	return b.String()
}

// writesMarkup reports whether the splice writes more than a text.
func (s *Splice) writesMarkup() bool { return len(s.events()) > 1 }

// events returns what readers see of a splice that writes a text: the text, or a link. In a URL with
// right-to-left characters, components are isolated.
func (s *Splice) events() []event {
	s.prepare()
	return s.content
}

// shows computes the result of events.
func (s *Splice) shows() []event {
	var events []event
	isolated := s.URL && bidi.RightToLeft(s.Text)
	open := func(name string, attributes ...html.Attribute) {
		events = append(events, event{kind: html.ElementNode, name: name, attributes: attributes})
	}
	end := func(name string) { events = append(events, event{kind: ended, name: name}) }
	text := func(text string) { events = append(events, event{kind: html.TextNode, text: text}) }
	if isolated {
		open("bdi", html.Attribute{Key: "dir", Val: "ltr"})
	}
	if s.Href != "" {
		open("a", html.Attribute{Key: "href", Val: s.Href})
	}
	if isolated {
		for piece, isolate := range bidi.Segments(s.Text) {
			if isolate {
				open("bdi")
			}
			text(piece)
			if isolate {
				end("bdi")
			}
		}
	} else {
		text(s.Text)
	}
	if s.Href != "" {
		end("a")
	}
	if isolated {
		end("bdi")
	}
	return events
}

// Apply returns the source after splices, which are sorted and do not overlap.
func Apply(source string, splices []Splice) string {
	return spliced(source, splices, func(i int) string { return splices[i].written() })
}

// spliced returns the source with the result of written in place of each splice.
func spliced(source string, splices []Splice, written func(i int) string) string {
	size := len(source)
	for i := range splices {
		size += len(written(i)) - (splices[i].End - splices[i].Start)
	}
	var b strings.Builder
	b.Grow(size)
	pos := 0
	for i := range splices {
		b.WriteString(source[pos:splices[i].Start])
		b.WriteString(written(i))
		pos = splices[i].End
	}
	b.WriteString(source[pos:])
	return b.String()
}

// A Replacement replaces source[Start:End], which is not empty.
type Replacement struct {
	Start, End int
	New        string
}

// Replacements returns the splices as replacements. An insertion becomes the replacement of the next
// character, or of the last one at the end.
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

// takeNeighbour turns an insertion into the replacement of an adjacent character.
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

// Original returns a function that translates a range of the result to the source. It reports false if
// the range begins or ends within bytes that a splice wrote.
func Original(splices []Splice) func(start, end int) (from, to int, ok bool) {
	begins, ends := make([]int, len(splices)), make([]int, len(splices)) // begin and end of each splice in the result
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

// Merge returns the sorted splices of two lists, and false if some overlap.
func Merge(a, b []Splice) ([]Splice, bool) {
	if len(a) == 0 {
		return b, disjoint(b)
	}
	all := slices.Concat(a, b)
	slices.SortStableFunc(all, func(a, b Splice) int { return a.Start - b.Start })
	return all, disjoint(all)
}

// disjoint reports whether sorted splices do not overlap.
func disjoint(all []Splice) bool {
	for i := 1; i < len(all); i++ {
		if all[i].Start < all[i-1].End {
			return false
		}
	}
	return true
}

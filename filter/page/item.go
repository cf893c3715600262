package page

import (
	"bytes"
	"slices"
	"sort"
	"strings"
)

// An Item is something that foreign HTML opens, such as a link, or a text outside of links.
type Item struct {
	// Element is the name of the opening element in lower case: "a", "area", "form", …. It is "script"
	// for a URL in a script; without a URL it says that browsers run the script. It is empty for a
	// text.
	Element string
	// URLs are what the element opens: absolute, or as written if the document has no base. There are
	// several if bases differ, or if programs differ in what they open.
	URLs []string
	// Text is the visible text. For a link it is the text to click on, without hidden text, and with
	// U+202E where markup reverses the direction. Otherwise it is the text between two breaks, across
	// inline elements.
	Text string
	// Readings are at most three other texts that programs may show for the element: all its text, the
	// text that no style may hide, and the word that the text is a part of.
	Readings []string
	// Labels are texts that programs show in addition to the text of an element or instead of it. These
	// are title, aria-label and alt of the element and of elements in it, the value of a button, and
	// the texts of inputs.
	Labels []string
	// Styled reports that a reader may see another text: styles move it, cut it off, add to it or
	// change its order, or the text is spread over boxes. It is set only if the text may name a host.
	Styled bool
	// Hidden reports that most programs do not show the item.
	Hidden bool
	// Again reports that the item comes from another reading of the document, such as Outlook's.
	// The first reading may have given another item for the same place, with a different URL or
	// text.
	Again bool
	// Start and End are byte offsets into the source: of the tag of an element or script, or of a text
	// from its first character to after its last. Items of a document in an attribute have the range of
	// the tag. Items without a known place have that of the whole source.
	Start, End int

	pieces []piece          // where the characters of Text come from; nil if unknown
	joined *strings.Builder // the last label, to which further labels are joined; nil before
	cut    bool             // some labels were left out
}

// Source returns the byte range of the source that Text[start:end] comes from. A character written as a
// character reference, such as &amp;, has the range of the reference. If the place of the text is
// unknown, the range is Start and End.
func (i *Item) Source(start, end int) (from, to int) {
	if len(i.pieces) == 0 {
		return i.Start, i.End
	}
	return sourceRange(i.pieces, len(i.Text), start, end)
}

// addReading adds a reading that the item does not have yet.
func (i *Item) addReading(text string) {
	if text = strings.TrimSpace(text); text != "" && text != i.Text && !slices.Contains(i.Readings, text) {
		i.Readings = append(i.Readings, text)
	}
}

// addLabel adds a label. Labels beyond maxLabels are joined to the last one.
func (i *Item) addLabel(label string) {
	switch label = strings.TrimSpace(label); {
	case label == "" || slices.Contains(i.Labels, label):
	case len(i.Labels) < maxLabels:
		i.Labels = append(i.Labels, strings.Clone(label))
	case len(i.Labels[maxLabels-1]) >= maxJoinedLabels:
		i.cut = true
	default:
		if i.joined == nil {
			i.joined = new(strings.Builder)
			i.joined.WriteString(i.Labels[maxLabels-1])
		}
		i.joined.WriteByte(' ')
		i.joined.WriteString(label)
		i.Labels[maxLabels-1] = i.joined.String()
	}
}

const (
	// maxLabels is how many labels of an element are kept apart.
	maxLabels = 16
	// maxJoinedLabels bounds the length in bytes of the last label, to which further labels are joined.
	maxJoinedLabels = 16 << 10
)

// A run is a text that is assembled from pieces of the source.
type run struct {
	whole  string // the text if it is a single piece of the source
	joined []byte // the text if it has several pieces; then whole is empty
	pieces []piece

	unplaced bool // the place of some piece is unknown
}

// append appends s, which comes from size bytes of the source at the offset at.
func (t *run) append(s string, at, size int) {
	length := t.length()
	if n := len(t.pieces); n > 0 {
		last := &t.pieces[n-1]
		exact := last.size == length-last.text && last.source+last.size == at && size == len(s)
		if exact || n == maxPieces {
			last.size = at + size - last.source
		} else {
			t.pieces = append(t.pieces, piece{length, at, size})
		}
	} else {
		t.pieces = append(t.pieces, piece{0, at, size})
		if size == len(s) {
			t.whole = s
			return
		}
	}
	if t.whole != "" {
		t.joined = append(t.joined, t.whole...)
		t.whole = ""
	}
	t.joined = append(t.joined, s...)
}

func (t *run) length() int { return len(t.whole) + len(t.joined) }

// text returns the text.
func (t *run) text() string {
	if t.whole != "" {
		return t.whole
	}
	return string(t.joined)
}

// hasWords reports whether the text has more than white space, or is long.
func (t *run) hasWords() bool {
	const long = 1 << 10 // longer texts are not searched
	return t.length() > long || strings.TrimSpace(t.whole) != "" || len(bytes.TrimSpace(t.joined)) > 0
}

// reset empties the run for the next text.
func (t *run) reset() {
	t.whole, t.joined, t.pieces, t.unplaced = "", t.joined[:0], t.pieces[:0], false
}

// A piece tells where a part of a text comes from. It ends where the next piece begins.
type piece struct {
	text   int // offset into the text
	source int // offset into the source
	size   int // bytes of the source
}

// maxPieces is how many pieces of a text are kept apart; the rest counts as one. It bounds the memory
// for texts such as &amp;&amp;&amp;….
const maxPieces = 1 << 16

// sourceRange returns the range of the source that the bytes start to end of a text come from. length
// is that of the whole text.
func sourceRange(pieces []piece, length, start, end int) (from, to int) {
	find := func(at int) (p piece, exact bool) {
		i := sort.Search(len(pieces), func(i int) bool { return pieces[i].text > at }) - 1
		next := length
		if i+1 < len(pieces) {
			next = pieces[i+1].text
		}
		return pieces[i], next-pieces[i].text == pieces[i].size
	}
	first, exact := find(start)
	from = first.source
	if exact {
		from += start - first.text
	}
	last, exact := find(max(end-1, start))
	to = last.source + last.size
	if exact {
		to = last.source + end - last.text
	}
	return from, to
}

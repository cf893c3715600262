package page

import (
	"bytes"
	"slices"
	"sort"
	"strings"
)

// An Item is a link or another reference in foreign HTML, or a text outside of references.
type Item struct {
	// Element is the name of the element that holds the reference, in lower case: "a", "area",
	// "form", …; "script" for a URL in a script, or without a URL for one that browsers run; empty
	// for a text.
	Element string
	// URLs are the URLs that a reference opens: absolute, or as written where the document has no
	// base. There are several where bases differ, and where programs differ in what they open.
	URLs []string
	// Text is the visible text. For a reference it is the text to click on, without hidden text,
	// and with U+202E where markup turns the direction. Otherwise it is all text between two
	// breaks, across inline elements.
	Text string
	// Readings are at most three other texts that programs may show for a reference: all of it,
	// what no style may hide, and the word that it is a part of.
	Readings []string
	// Labels are texts that programs show beside the text of a reference or instead of it: title,
	// aria-label and alt of the reference and of elements in it, the value of a button, and the
	// texts of inputs in it.
	Labels []string
	// Styled reports that the text names a host or may, and styles move it, cut it off, add to it
	// or change its order, or it is spelled over boxes: a reader may see another text.
	Styled bool
	// Hidden reports that most programs do not show it.
	Hidden bool
	// Again reports that the item is of a further reading of the document. For the same place
	// there may be an item with another URL or text.
	Again bool
	// Start and End are byte offsets into the source: of the tag of a reference or a script, or of
	// the first and behind the last character of a text. Items in a document that is written into
	// an attribute have the range of the tag, those without a known place that of the whole source.
	Start, End int

	pieces []piece          // where the characters of Text come from; nil if unknown
	joined *strings.Builder // the last of the labels that are kept; nil for one
	cut    bool             // there are more labels than are kept
}

// Source returns the range of the source, in bytes, that Text[start:end]
// comes from. Where a character is written as a reference such as &amp; it is
// the range of that. Where the place of the text is unknown it is Start and End.
func (i *Item) Source(start, end int) (from, to int) {
	if len(i.pieces) == 0 {
		return i.Start, i.End
	}
	return sourceRange(i.pieces, len(i.Text), start, end)
}

// addReading adds a reading, unless the item has it.
func (i *Item) addReading(text string) {
	if text = strings.TrimSpace(text); text != "" && text != i.Text && !slices.Contains(i.Readings, text) {
		i.Readings = append(i.Readings, text)
	}
}

// addLabel adds a label. Beyond the number that is kept, labels become one.
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
	// maxLabels is the number of labels of a reference that are told apart.
	maxLabels = 16
	// maxJoinedLabels bounds in bytes what is joined to the last label.
	maxJoinedLabels = 16 << 10
)

// A run is a text that is put together from pieces of the source.
type run struct {
	whole  string // the text while it is one piece of the source
	joined []byte // the text once it is more; then whole is empty
	pieces []piece

	unplaced bool // the place of some piece is unknown
}

// append appends s, which takes size bytes of the source from the offset at on.
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
	const long = 1 << 10 // so that asking is cheap
	return t.length() > long || strings.TrimSpace(t.whole) != "" || len(bytes.TrimSpace(t.joined)) > 0
}

// reset makes room for the next text.
func (t *run) reset() {
	t.whole, t.joined, t.pieces, t.unplaced = "", t.joined[:0], t.pieces[:0], false
}

// A piece says where a piece of a text comes from. It ends where the next one
// begins.
type piece struct {
	text   int // offset into the text
	source int // offset into the source
	size   int // bytes of the source
}

// maxPieces is the number of pieces of a text that are told apart; the rest counts as
// one. It bounds the memory for texts of &amp;&amp;&amp;….
const maxPieces = 1 << 16

// sourceRange returns the range of the source that bytes start to end of a
// text of the given length come from.
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

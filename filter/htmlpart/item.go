package htmlpart

import (
	"slices"
	"strings"
)

// An Item is a reference in foreign HTML, or a text outside of references. It is valid
// until the caller asks for the next one.
type Item struct {
	// Element is the name of the element that holds the reference, in lower
	// case: "a", "area", "form", …; "script" for a URL in a script, or without a URL for one
	// that browsers run; empty for a text.
	Element string
	// URL is the URL that a reference opens: absolute, or as written where the document
	// has no base.
	URL string
	// Text is the visible text. For a reference it is the text to click on, without
	// hidden text, and with U+202E where markup turns the direction. Otherwise it is
	// all text between two breaks, across inline elements.
	Text string
	// Readings are other texts that programs may show for a reference: with text that a
	// style may hide, without it, and with some of it.
	Readings []string
	// Labels are texts that programs show beside the text of a reference or instead of it: title,
	// aria-label and alt of the reference and of elements in it, the value of a button, the texts
	// of inputs in it, the texts of elements that it names by their id, and texts that may be over
	// or under it.
	Labels []string
	// Hidden reports that most programs do not show it.
	Hidden bool
	// Again reports that the item is of a further reading of the document. For the same
	// place there may be an item with another URL or text.
	Again bool
	// Start and End are byte offsets into the source: of the tag of a reference or a
	// script, or of the first and behind the last character of a text. Items in a frame
	// written into an attribute, and texts that only the tree has, have the range of a tag
	// around or before them. Without such a tag they have that of the whole source.
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

// label adds the labels of an element, which is the reference or inside of it.
func (i *Item) label(a *attributes) {
	for _, label := range [...]string{a.title, a.ariaLabel, a.alt} {
		i.addLabel(label)
	}
}

// addReading adds a reading, unless the item has it.
func (i *Item) addReading(text string) {
	if text = strings.TrimSpace(text); text != "" && text != i.Text && !slices.Contains(i.Readings, text) {
		i.Readings = append(i.Readings, text)
	}
}

// addNewLabel adds a label, unless the item has it.
func (i *Item) addNewLabel(text string) {
	if text = strings.TrimSpace(text); !slices.Contains(i.Labels, text) {
		i.addLabel(text)
	}
}

// addLabel adds a label. Beyond the number that is kept, labels become one.
func (i *Item) addLabel(label string) {
	switch label = strings.TrimSpace(label); {
	case label == "":
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

package htmlpart

import "strings"

// An Item is a reference in foreign HTML, or a text outside of references. It is valid
// until the caller asks for the next one.
type Item struct {
	// Element is the name of the element that holds the reference, in lower
	// case: "a", "area", "form", …; empty for a text.
	Element string
	// URL is the URL that a reference opens: absolute, or as written where the document
	// has no base.
	URL string
	// Text is the visible text. For a reference it is the text to click on, up to 2 KiB,
	// without hidden text, and with U+202E where markup turns the direction. Otherwise
	// it is all text between two breaks, across inline elements.
	Text string
	// Labels are texts that programs show beside the text of a reference or instead of
	// it: title, aria-label and alt of the reference and of elements in it, up to 8.
	Labels []string
	// Hidden reports that most programs do not show it.
	Hidden bool
	// Start and End are byte offsets into the source: of the tag of a reference, or of
	// the first and behind the last character of a text.
	Start, End int

	pieces []piece // where the characters of Text come from; nil for a reference
}

// Source returns the range of the source, in bytes, that Text[start:end]
// comes from. Where a character is written as a reference such as &amp; it is
// the range of that. For a reference it is the range of the tag.
func (i *Item) Source(start, end int) (from, to int) {
	if len(i.pieces) == 0 {
		return i.Start, i.End
	}
	return sourceRange(i.pieces, len(i.Text), start, end)
}

// label adds the labels of an element, which is the reference or inside of it.
func (i *Item) label(a *attributes) {
	for _, label := range [...]string{a.title, a.ariaLabel, a.alt} {
		if len(i.Labels) < maxLabels && len(label) <= maxLinkText && strings.TrimSpace(label) != "" {
			i.Labels = append(i.Labels, label)
		}
	}
}

// maxLabels is the number of labels of a reference that are kept.
const maxLabels = 8

// maxLinkText is the number of bytes of the text of a reference that are kept, more
// than people read. The rest counts as text outside of references.
const maxLinkText = 2 << 10

// attributes are the decoded attributes of a tag that linkmilter reads.
type attributes struct {
	href, action, formaction string
	httpEquiv, content       string
	style                    string
	title, ariaLabel, alt    string
	dir                      string
	hidden                   bool
}

package htmlpart

import "strings"

// An Item is something read in foreign HTML: a reference, or a text that
// belongs to none. It is valid until the next one is asked for.
type Item struct {
	// Element is the name of the element that holds the reference, in lower
	// case: "a", "area", "form", …; empty for a text.
	Element string
	// URL is what a reference opens: absolute; or as it is written where the
	// document says nothing about what it is relative to.
	URL string
	// Text is what is shown: of a reference the text to click on, without what
	// is hidden in it, up to 2 KiB, and with U+202E where markup turns what
	// follows; of a text all that stands between two breaks, whatever inline
	// elements divide it.
	Text string
	// Labels are texts that are shown beside the text of a reference or in its
	// place, up to 8: of it and of what is in it title, aria-label and alt.
	Labels []string
	// Hidden reports that most programs do not show it.
	Hidden bool
	// Start and End are where it stands in the source, in bytes: of a reference
	// its tag, of a text from its first to its last character.
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

// label adds the labels of an element, which are shown for the reference it is
// or stands in.
func (i *Item) label(a *attributes) {
	for _, label := range [...]string{a.title, a.ariaLabel, a.alt} {
		if len(i.Labels) < maxLabels && len(label) <= maxLinkText && strings.TrimSpace(label) != "" {
			i.Labels = append(i.Labels, label)
		}
	}
}

// maxLabels is how many labels of a reference are kept.
const maxLabels = 8

// maxLinkText is how many bytes of the text of a reference are kept: more than
// anybody reads. What is longer is text of its own.
const maxLinkText = 2 << 10

// attributes are those of a tag that matter, decoded.
type attributes struct {
	href, action, formaction string
	httpEquiv, content       string
	style                    string
	title, ariaLabel, alt    string
	dir                      string
	hidden                   bool
}

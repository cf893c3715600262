package htmlpart

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"
)

// openLink is a reference whose end tag has not been read.
type openLink struct {
	item  Item
	urls  []string
	name  string // of the element, as written
	scope int    // how many elements are open up to the innermost scope around it
	text  linkText

	generated []string // texts that a style sheet may put before or after
}

// override is RIGHT-TO-LEFT OVERRIDE. In the text of a reference it replaces markup with
// the same effect.
const override = "\u202e"

// newLink returns a reference whose text follows.
func (r *reader) newLink(e element, urls []string, at place, a *attributes, hidden bool) *openLink {
	l := r.spare
	if r.spare = nil; l == nil {
		l = new(openLink)
	}
	l.urls, l.name = urls, e.name
	l.item = Item{Element: strings.ToLower(e.name), Hidden: hidden || e.look.hidden(), Start: at.start, End: at.end}
	l.item.label(a)
	switch e.atom {
	case atom.Input:
		l.text.put(a.value, e.look)
	case atom.Button:
		l.item.addLabel(a.value)
	}
	if e.look.turned {
		l.text.put(override, e.look)
	}
	return l
}

// reuse keeps a reference that was sent, for the room of its text.
func (r *reader) reuse(l *openLink) {
	if cap(l.text.all) > maxReadingBytes {
		return
	}
	*l = openLink{text: linkText{all: l.text.all[:0]}}
	r.spare = l
}

// generate notes the texts that style sheets put before and after an element, which is
// the reference or in it.
func (l *openLink) generate(s *sheet, name string, a *attributes) {
	if !s.generates(name, a) {
		return
	}
	for _, text := range s.texts {
		if text = withAttributes(text, a.shown); text != "" && len(l.generated) < maxGenerated && !slices.Contains(l.generated, text) {
			l.generated = append(l.generated, text)
		}
	}
}

// withGenerated returns the readings of a text with generated texts.
func (l *openLink) withGenerated(text string) (readings []string) {
	for _, generated := range l.generated {
		readings = append(readings, generated, generated+text, text+generated)
	}
	return readings
}

package htmlpart

import (
	"slices"
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

package htmlpart

import (
	"cmp"
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
	open  int    // its element in the stack
	text  linkText

	veiled    bool     // its own text is unreadable
	moved     bool     // it may lie over the text beside it
	covers    bool     // a style stretches it, too
	movedAt   int      // the tag of the element that is moved, around it or its own
	shape     bool     // it is in SVG, whose shapes lie over others
	vml       bool     // only Outlook opens it: it is a shape of VML
	around    *vmlLink // the shape around it; nil for none
	before    string   // the text right before it, up to a blank
	divided   bool     // a hidden text divides it from the text of the reference
	boxBefore string   // the same of the box before, where nothing is right before it
	generated []string // texts that a style sheet may put before or after
	cut       bool     // there are more of them than are read
	alts      []altText
	inputs    []string // what inputs in it show, as readings
}

// vmlLink is a shape of VML that is a reference in Outlook and has other references in it.
type vmlLink struct {
	urls       []string
	start, end int // of its start tag
	name       string
	open       int // its element in the stack
}

// maxBefore is the number of bytes of the text of a reference that the text of the next
// one may continue: more than the longest host.
const maxBefore = 512

// maxAlts is the number of pictures of a reference whose texts are read in place.
const maxAlts = 256

// maxInputs is the number of readings of the inputs of a reference that are kept, but for those of the last.
const maxInputs = 64

// labelWithin adds the labels of an element in the reference.
func (l *openLink) labelWithin(tag atom.Atom, a *attributes) {
	l.item.label(a)
	switch {
	case tag == atom.Img && len(l.alts) == maxAlts:
		l.cut = true
	case tag == atom.Img:
		if alt := squeezed(cmp.Or(a.alt, a.title)); alt != "" && len(alt) <= maxBefore {
			alt = strings.Clone(alt)
			l.alts = append(l.alts, altText{len(l.text.all), alt})
			l.text.insert(alt, ofPicture)
		}
	case tag == atom.Textarea || tag == atom.Input && !strings.EqualFold(a.typ, "hidden"):
		l.item.addLabel(a.value)
		l.item.addLabel(a.placeholder)
		if value := squeezed(cmp.Or(a.value, a.placeholder)); len(value) <= maxBefore {
			l.addInput(value)
			l.text.insert(strings.Clone(value), ofPicture)
		}
	}
}

// addInput adds the text of an input in the reference, which does not grow with it. A click on the input
// opens the reference.
func (l *openLink) addInput(text string) {
	if !mayNameHost([]byte(text)) {
		return
	}
	if len(l.inputs) > maxInputs {
		l.cut = true
		return
	}
	l.inputs = cutTexts(append(l.inputs, strings.Clone(text)), text, narrowest)
}

// withAlts returns the text with those of the pictures in place, as programs show it that load
// no pictures; "" where these are not part of a longer text with a dot.
func (l *openLink) withAlts() string {
	all := string(l.text.all)
	if len(l.alts) == 0 || len(l.alts) == 1 && strings.TrimSpace(all) == "" || len(all) > maxReadingBytes {
		return ""
	}
	if text := withTexts(all, l.alts); strings.Contains(text, ".") {
		return text
	}
	return ""
}

// override is RIGHT-TO-LEFT OVERRIDE. In the text of a reference it replaces markup with
// the same effect.
const override = "\u202e"

// generate notes the texts that styles put before and after an element, which is the reference or
// in it and has some quotes.
func (l *openLink) generate(s *sheet, shown *style, name string, a *attributes, q *quotes) {
	l.addGenerated(shown.text)
	l.cut = l.cut || s != nil && (s.moreSigns || s.alphabets)
	if !s.generates(name, a) {
		return
	}
	l.cut = l.cut || s.moreTexts.mayHide(name, a)
	customs := s.customsAt(name, a)
	for _, g := range s.texts {
		if g.at.mayHide(name, a) {
			text := g.textAt(a, customs, q)
			if !g.at.all { // its place is known
				text = withoutCounters(text)
			}
			l.addGenerated(text)
		}
	}
}

func (l *openLink) addGenerated(text string) {
	l.cut = l.cut || len(text) > maxStyleText
	switch {
	case text == "" || slices.Contains(l.generated, text):
	case len(l.generated) == maxGeneratedAt:
		l.cut = true
	default:
		l.generated = append(l.generated, text)
	}
}

// appendGenerated appends the readings of a text with generated texts.
func (l *openLink) appendGenerated(readings []string, text string) []string {
	add := func(generated string) {
		readings = append(readings, generated, generated+text, text+generated)
	}
	for _, generated := range l.generated {
		add(generated)
	}
	if n := len(l.generated); n > maxOrdered {
		add(strings.Join(l.generated, ""))
		slices.Reverse(l.generated)
		add(strings.Join(l.generated, ""))
	} else if n > 1 {
		eachOrder(l.generated, func(order []string) { add(strings.Join(order, "")) })
	}
	return readings
}

// readCounters leaves out counters in letters. A word with one that may be a host may be any.
func (l *openLink) readCounters() {
	for _, texts := range [...][]string{l.item.Readings, l.item.Labels} {
		for i, text := range texts {
			if plain := withoutCounters(text); plain != text {
				l.cut = l.cut || mayShowCounterInHost(text)
				texts[i] = plain
			}
		}
	}
}

package htmlpart

import (
	"slices"
	"strings"
)

const (
	// maxPainted is the number of the texts of painters that are kept, which all references get, and
	// maxPaintedText their length in bytes.
	maxPainted     = 4
	maxPaintedText = 256
)

// labelPainted gives a reference the texts of painters that may name a host. Styles of it, of elements
// in it and around it may show them.
func (r *reader) labelPainted(i *Item) {
	if !r.paintsKnown {
		r.paintsKnown = true
		for _, tag := range painters {
			r.findPainted(tag)
		}
		for a := range r.tagsOf("feimage") {
			r.addPainted(embeddedText("image", a))
		}
	}
	for _, text := range r.painted {
		i.addNewLabel(text)
	}
}

// findPainted notes the texts of the painters with a tag.
func (r *reader) findPainted(tag string) {
	for at := 0; ; {
		n := r.indexFold(r.source[at:], tag)
		if n < 0 {
			return
		}
		at += n
		text, uses, size := textOfFirst(r.source[at:])
		if at += size; r.spend(size) != nil {
			return
		}
		r.addPainted(text)
		for _, id := range uses {
			r.addPainted(r.textByID(id, 1))
		}
	}
}

// addPainted notes a text, unless it names no host.
func (r *reader) addPainted(text string) {
	switch text = squeezed(text); {
	case !strings.Contains(text, ".") || slices.Contains(r.painted, text):
	case len(r.painted) == maxPainted || len(text) > maxPaintedText:
		r.partial = true
	default:
		r.painted = append(r.painted, strings.Clone(text))
	}
}

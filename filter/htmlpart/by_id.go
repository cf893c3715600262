package htmlpart

import (
	"strings"

	"golang.org/x/net/html"
)

const (
	// maxIDs is the number of elements whose place is known by their id.
	maxIDs = 1 << 14
	// maxNamed is the number of times that their text is read.
	maxNamed = 128
)

// labelByID gives a reference the texts of the elements that an element of it names by their
// id: those that are its label, or that SVG shows in its place. name is without a prefix, in
// lower case.
func (r *reader) labelByID(i *Item, name string, a *attributes) {
	ids := a.labelledBy
	if name == "use" || name == "tref" {
		_, id, _ := strings.Cut(a.href, "#")
		ids += " " + id
	}
	if ids == "" {
		return
	}
	for id := range strings.FieldsSeq(ids) {
		if r.named++; r.named > maxNamed {
			r.partial = true
			return
		}
		if at, ok := r.placeOf(id); ok {
			source := r.source[at:min(len(r.source), at+maxAround)]
			if r.spend(len(source)) == nil {
				i.addLabel(squeezed(textOfFirst(source)))
			}
		}
	}
}

// placeOf returns the offset of the tag of the element with an id.
func (r *reader) placeOf(id string) (at int, ok bool) {
	if r.ids == nil {
		r.ids = make(map[string]int)
		tokens := r.newTokens(r.source, 0)
		for start := 0; len(r.ids) < maxIDs; {
			kind, end := tokens.next()
			if kind == html.ErrorToken {
				break
			}
			if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
				tokens.each(func(name, value string) {
					if _, known := r.ids[value]; name == "id" && !known {
						r.ids[value] = start
					}
				})
			}
			start = end
		}
	}
	at, ok = r.ids[id]
	r.partial = r.partial || !ok && len(r.ids) == maxIDs
	return at, ok
}

// textOfFirst returns the text of the first element of a source, as far as the source has it.
func textOfFirst(source string) string {
	var b strings.Builder
	name, depth := "", 0
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			b.Write(z.Text())
		case html.StartTagToken:
			if tag, _ := z.TagName(); name == "" || string(tag) == name {
				name = string(tag)
				depth++
			}
		case html.EndTagToken:
			if tag, _ := z.TagName(); string(tag) == name {
				if depth--; depth == 0 {
					return b.String()
				}
			}
		}
	}
}

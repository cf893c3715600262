package htmlpart

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/percent"
)

// painters are elements of SVG that are shown where a style names them, by "url(#id)".
var painters = [...]string{"<pattern", "<clippath", "<mask", "<marker"}

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
		i.addLabel(squeezed(r.textByID(id, 1)))
	}
}

// textByID returns the text of the element with an id, and of those that it shows, given how many
// elements show that.
func (r *reader) textByID(id string, depth int) string {
	const deepest = 8
	if r.counted.named++; r.counted.named > maxNamed || depth > deepest {
		r.partial = true
		return ""
	}
	at, ok := r.placeOf(id)
	if !ok {
		return ""
	}
	source := r.source[at:min(len(r.source), at+maxAround)]
	if r.spend(len(source)) != nil {
		return ""
	}
	text, uses, _ := textOfFirst(source)
	for _, inner := range uses {
		if inner != id {
			text += " " + r.textByID(inner, depth+1)
		}
	}
	return text
}

// placeOf returns the offset of the tag of the element with an id. The fragment of a URL may have it
// in percent escapes (HTML §7.4.6.3).
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
	if at, ok = r.ids[id]; !ok {
		at, ok = r.ids[percent.Decode(id)]
	}
	r.partial = r.partial || !ok && len(r.ids) == maxIDs
	return at, ok
}

// textOfFirst returns the text of the first element of a source, as far as the source has it, the
// ids of the elements that it shows in it, and where it ends.
func textOfFirst(source string) (text string, uses []string, size int) {
	var b strings.Builder
	name, depth := "", 0
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		kind := z.Next()
		size += len(z.Raw())
		switch kind {
		case html.ErrorToken:
			return b.String(), uses, size
		case html.TextToken:
			b.Write(z.Text())
		case html.StartTagToken, html.SelfClosingTagToken:
			raw, _ := z.TagName()
			tag := string(raw)
			if local := localName(tag); local == "use" || local == "tref" {
				if id := idOfUse(z); id != "" {
					uses = append(uses, id)
				}
			}
			if name == "" && kind == html.SelfClosingTagToken && isEmptyInSVG(localName(tag)) {
				return "", uses, size
			}
			if kind == html.StartTagToken && (name == "" || tag == name) {
				name = tag
				depth++
			}
		case html.EndTagToken:
			if tag, _ := z.TagName(); string(tag) == name {
				if depth--; depth == 0 {
					return b.String(), uses, size
				}
			}
		}
	}
}

// isEmptyInSVG reports whether an element shows nothing of what follows its tag, if that ends in "/>".
func isEmptyInSVG(name string) bool {
	return name == "use" || name == "tref" || slices.Contains(painters[:], "<"+name)
}

// idOfUse returns the id of the element that the one that was read shows.
func idOfUse(z *html.Tokenizer) string {
	for {
		key, value, more := z.TagAttr()
		if _, id, ok := strings.Cut(string(value), "#"); ok && localName(string(key)) == "href" {
			return id
		}
		if !more {
			return ""
		}
	}
}

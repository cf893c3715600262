package htmlpart

import (
	"math"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/htmltoken"
)

const (
	// maxCovers is the number of references for which text that they may cover is looked for.
	maxCovers = 128
	// maxOwn is the number of bytes of a text of its own with which a reference may cover
	// another text.
	maxOwn = 3
)

// labelCovered gives a reference without a text that a style moves the lines of text beside
// it as labels: it may lie over them.
func (r *reader) labelCovered(l *openLink) {
	if !l.moved && !l.shape || !l.covers && !l.veiled && len(l.text.shown()) > maxOwn {
		return
	}
	if !l.moved {
		r.labelShape(l)
		return
	}
	if r.counted.covers++; r.counted.covers > maxCovers {
		r.partial = true
		return
	}
	start, end := min(l.movedAt, len(r.source)), min(l.item.End, len(r.source))
	before, after := r.source[max(0, start-maxAround):start], r.source[end:min(len(r.source), end+maxAround)]
	if i := strings.IndexByte(before, '<'); i > 0 && start > maxAround {
		before = before[i:] // not from the middle of a tag
	}
	between := r.source[start:min(l.item.Start, start+maxAround, len(r.source))]
	if r.spend(len(before)+len(between)+len(after)) != nil || len(linesOf(between, 0, nil)) > 0 {
		return
	}
	outside := 0
	if len(between) > 0 {
		outside = 2 // the reference and the element around it
	}
	near := maxLines
	if l.covers {
		near = maxAround // more than there are
	}
	for _, mayHide := range [...]func(string, *attributes) bool{nil, r.mayHideElement} {
		lines := linesOf(before, 0, mayHide)
		for _, line := range lines[max(0, len(lines)-near):] {
			l.addLine(line)
		}
		lines = linesOf(after, outside, mayHide)
		for _, line := range lines[:min(len(lines), near)] {
			l.addLine(line)
		}
	}
}

// maxLines is the number of lines before and after a reference that it may lie over where its style
// does not stretch it.
const maxLines = 3

// addLine adds a line of text that may name a host as a label.
func (l *openLink) addLine(line string) {
	if mayNameHost([]byte(line)) {
		l.item.addNewLabel(line)
	}
}

// mayHideElement reports whether the style of an element may hide its text, given its name.
func (r *reader) mayHideElement(name string, a *attributes) bool {
	return a.hidden || rememberedStyle(a.style).mayHide() || r.sheet.mayHide(name, a)
}

// linesOf returns the texts between the breaks of a piece of a source that are not blank and
// behind a number of end tags without a start tag. It leaves out the elements of which mayHide, if it
// is not nil, is true.
func linesOf(source string, outside int, mayHide func(name string, a *attributes) bool) (lines []string) {
	var line strings.Builder
	flush := func() {
		if text := squeezed(line.String()); text != "" {
			lines = append(lines, text)
		}
		line.Reset()
	}
	raw, depth := false, 0
	hiddenAt := math.MaxInt // how many elements are around the one that is left out
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		kind := z.Next()
		switch kind {
		case html.ErrorToken:
			flush()
			return lines
		case html.TextToken:
			if !raw && (outside == 0 || depth <= -outside) && depth <= hiddenAt {
				line.Write(z.Text())
			}
			raw = false
			continue
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
		default:
			continue
		}
		name, hasAttributes := z.TagName()
		tag := atom.Lookup(name)
		if splits(tag) {
			flush()
		}
		switch {
		case kind == html.StartTagToken && !htmltoken.IsVoid(tag):
			raw = tag == atom.Style || tag == atom.Script || tag == atom.Title
			if mayHide != nil && depth <= hiddenAt && mayHide(string(name), attributesOf(z, hasAttributes)) {
				hiddenAt = depth
			}
			depth++
		case kind == html.EndTagToken:
			raw = false
			if depth--; depth <= hiddenAt {
				hiddenAt = math.MaxInt
			}
		}
	}
}

// attributesOf returns the attributes of the tag that a tokenizer is at.
func attributesOf(z *html.Tokenizer, more bool) *attributes {
	var a attributes
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		a.set(string(key), string(value))
	}
	return &a
}

// shown returns the text of the reference without what is hidden.
func (t *linkText) shown() string {
	switch {
	case t.forked:
		return strings.TrimSpace(string(t.seen))
	case t.first.hidden:
		return ""
	}
	return strings.TrimSpace(string(t.all))
}

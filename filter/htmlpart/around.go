package htmlpart

import (
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
	if !l.moved && !l.shape || !l.veiled && len(l.text.shown()) > maxOwn {
		return
	}
	if !l.moved {
		r.labelShape(l)
		return
	}
	if r.covers++; r.covers > maxCovers {
		r.partial = true
		return
	}
	start, end := min(l.movedAt, len(r.source)), min(l.item.End, len(r.source))
	before, after := r.source[max(0, start-maxAround):start], r.source[end:min(len(r.source), end+maxAround)]
	if i := strings.IndexByte(before, '<'); i > 0 && start > maxAround {
		before = before[i:] // not from the middle of a tag
	}
	between := r.source[start:min(l.item.Start, start+maxAround, len(r.source))]
	if r.spend(len(before)+len(between)+len(after)) != nil || len(linesOf(between, 0)) > 0 {
		return
	}
	if lines := linesOf(before, 0); len(lines) > 0 {
		l.item.addLabel(lines[len(lines)-1])
	}
	outside := 0
	if len(between) > 0 {
		outside = 2 // the reference and the element around it
	}
	if lines := linesOf(after, outside); len(lines) > 0 {
		l.item.addLabel(lines[0])
	}
}

// linesOf returns the texts between the breaks of a piece of a source that are not blank and
// behind a number of end tags without a start tag.
func linesOf(source string, outside int) (lines []string) {
	var line strings.Builder
	flush := func() {
		if text := squeezed(line.String()); text != "" {
			lines = append(lines, text)
		}
		line.Reset()
	}
	raw, depth := false, 0
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		kind := z.Next()
		switch kind {
		case html.ErrorToken:
			flush()
			return lines
		case html.TextToken:
			if !raw && (outside == 0 || depth <= -outside) {
				line.Write(z.Text())
			}
			raw = false
			continue
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
		default:
			continue
		}
		name, _ := z.TagName()
		tag := atom.Lookup(name)
		if splits(tag) {
			flush()
		}
		switch {
		case kind == html.StartTagToken && !htmltoken.IsVoid(tag):
			raw = tag == atom.Style || tag == atom.Script
			depth++
		case kind == html.EndTagToken:
			depth--
		}
	}
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

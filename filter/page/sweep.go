package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxSweep is how many URLs are read from tags that the tree lacks.
const maxSweep = 1 << 10

// sweep reads the tags of the source that the tree lacks, because a program with another parser may
// open them. Such tags are those that the parser drops, those inside elements whose content is
// text, such as title, and a last tag without an end.
func (r *reader) sweep(t *tree) {
	left := maxSweep
	for i := range t.tags {
		if tag := &t.tags[i]; !tag.used && mayHaveAttribute(t.source[tag.start:tag.end]) {
			left = r.sweepTags(t.source, tag.span, left)
		}
	}
	const deepest = 1 // spam nests raw texts, which would be read again and again
	for _, text := range t.raw {
		if r.depth > deepest {
			break
		}
		r.readMarkup(t.source[text.start:text.end], text)
	}
	if r.depth == 0 {
		r.readMarkup(t.source[t.unclosed.start:t.unclosed.end], t.unclosed)
	}
	for _, end := range [...]string{`>`, `">`, `'>`} {
		if size := t.rest.end - t.rest.start; 0 < size && size <= r.limit {
			left = r.sweepTags(t.source+end, span{t.rest.start, t.rest.end + len(end)}, left)
		}
	}
	r.partial = r.partial || left == 0
}

// mayHaveAttribute reports whether a source may have a tag with an attribute.
func mayHaveAttribute(source string) bool { return strings.IndexByte(source, '=') >= 0 }

// sweepTags reads the tags in a range of a source. It sends at most about left URLs, and returns how
// many are left.
func (r *reader) sweepTags(source string, of span, left int) int {
	if !mayHaveAttribute(source[of.start:of.end]) {
		return left
	}
	z := html.NewTokenizer(strings.NewReader(source[of.start:of.end]))
	for at := of.start; left > 0 && !r.done(); {
		kind := z.Next()
		place := span{at, at + len(z.Raw())}
		at = place.end
		switch kind {
		case html.ErrorToken:
			return left
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			z.NextIsNotRawText()
			left -= r.sweepTag(&token, span{place.start, min(place.end, len(r.source))})
		}
	}
	return left
}

// sweepTag sends the URLs of a tag that no other item has, and returns how many it sent.
func (r *reader) sweepTag(token *html.Token, at span) (sent int) {
	e := elementOf(&html.Node{Type: html.ElementNode, DataAtom: token.DataAtom, Data: token.Data, Attr: token.Attr})
	opener := e.opener()
	r.partial = r.partial || opener.cut
	for _, reference := range opener.references {
		for _, url := range r.resolve(reference) {
			if !r.wasSent(url) {
				r.send(&Item{Element: e.name, URLs: []string{url}, Hidden: true, Again: true, Styled: e.known == atom.A, Start: at.start, End: at.end})
				sent++
			}
		}
	}
	return sent
}

package htmledit

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// walk reads the tokens of a range of the source with their places, as [html.Tokenizer] reads
// them. Most tokens are plain, so that their ends are where the syntax says: a walk finds them
// at a fraction of the cost. Where it comes to another token, a Tokenizer reads on for a while.
type walk struct {
	source     string
	stop       int // the end of the range
	kind       html.TokenType
	name       string // of the tag
	start, end int    // the place of the token
	raw        bool   // the text has no character references
	unnamed    bool   // names are not wanted

	tokens *html.Tokenizer // nil where the token is plain
	until  int             // where plain tokens may follow those of the Tokenizer
	plain  plainToken

	token  html.Token
	isRead bool // token is the one that was read last
}

// atLeast is the number of bytes that a Tokenizer reads. It has a buffer to fill.
const atLeast = 1 << 10

func newWalk(source string, start, end int) *walk {
	w := &walk{source: source, stop: end}
	w.jump(start)
	return w
}

// newRawWalk is newWalk up to the end of a source, without the names of tags.
func newRawWalk(source string, start int) *walk {
	w := newWalk(source, start, len(source))
	w.unnamed = true
	return w
}

// jump goes on at an offset where a token begins.
func (w *walk) jump(offset int) {
	w.start, w.end, w.kind, w.tokens, w.plain.textIn = offset, offset, html.ErrorToken, nil, -1
}

// read returns the token that next came to.
func (w *walk) read() html.Token {
	if w.isRead {
		return w.token
	}
	if w.isRead = true; w.tokens != nil {
		w.token = w.tokens.Token()
	} else {
		w.token = w.readPlain()
	}
	return w.token
}

// tagName returns the name of the tag that next came to, which was not read; 0 beside one
// that HTML does not know.
func (w *walk) tagName() (name string, tag atom.Atom) {
	if w.tokens == nil {
		return w.plain.name, w.plain.tag
	}
	b, _ := w.tokens.TagName()
	if tag = atom.Lookup(b); tag != 0 {
		return tag.String(), tag
	}
	return string(b), 0
}

// next comes to a token and reports whether there is one.
func (w *walk) next() bool {
	w.raw = !w.unnamed && w.kind == html.StartTagToken && isRawToken(atom.Lookup([]byte(w.name)))
	w.name, w.isRead = "", false
	if w.tokens != nil && w.end >= w.until && !w.holdsText() {
		w.tokens = nil
	}
	if w.tokens == nil && !w.nextPlain() {
		w.tokens = html.NewTokenizer(strings.NewReader(w.source[w.end:w.stop]))
		w.until = w.end + atLeast
	}
	if w.tokens != nil {
		w.kind = w.tokens.Next()
		w.start, w.end = w.end, w.end+len(w.tokens.Raw())
	}
	if w.kind == html.ErrorToken {
		return false
	}
	if !w.unnamed && w.isTag() {
		w.name, _ = w.tagName()
	}
	return true
}

// isTag reports whether the token is a tag.
func (w *walk) isTag() bool {
	return w.kind == html.StartTagToken || w.kind == html.SelfClosingTagToken || w.kind == html.EndTagToken
}

// holdsText reports whether the token is the start tag of an element whose content is a text.
func (w *walk) holdsText() bool {
	return w.isTag() && w.kind != html.EndTagToken && holdsText(atom.Lookup([]byte(strings.ToLower(elementName(w.source, w.start)))))
}

// holdsText reports whether a tokenizer reads what follows a start tag as a text.
func holdsText(tag atom.Atom) bool {
	return isRawToken(tag) || tag == atom.Title || tag == atom.Textarea
}

// text returns the text that was read last, and false where it is not one to read.
func (w *walk) text() (Text, bool) {
	if w.kind != html.TextToken || w.raw {
		return Text{}, false
	}
	return Text{w.start, w.end, html.UnescapeString(w.source[w.start:w.end])}, true
}

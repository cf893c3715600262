package htmledit

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/htmltoken"
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
	plain  htmltoken.Plain

	token  html.Token
	isRead bool // token is the one that was read last
}

// atLeast is the number of bytes that a Tokenizer reads. It has a buffer to fill.
const atLeast = 1 << 10

func newWalk(source string, start, end int) *walk {
	w := &walk{source: source, stop: end, plain: htmltoken.Plain{Source: source[:end]}}
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
	w.start, w.end, w.kind, w.tokens = offset, offset, html.ErrorToken, nil
	w.plain.Jump(offset)
}

// read returns the token that next came to.
func (w *walk) read() html.Token {
	if w.isRead {
		return w.token
	}
	if w.isRead = true; w.tokens != nil {
		w.token = w.tokens.Token()
	} else {
		w.token = w.plain.Token()
	}
	return w.token
}

// tagName returns the name of the tag that next came to, which was not read; 0 beside one
// that HTML does not know.
func (w *walk) tagName() (name string, tag atom.Atom) {
	if w.tokens == nil {
		return w.plain.Name, w.plain.Tag
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
	if w.tokens == nil && !w.plain.Next(w.end) {
		w.tokens = html.NewTokenizer(strings.NewReader(w.source[w.end:w.stop]))
		w.until = w.end + atLeast
	}
	if w.tokens == nil {
		w.kind, w.start, w.end = w.plain.Kind, w.plain.Start, w.plain.End
	} else {
		w.kind = w.tokens.Next()
		w.start, w.end = w.end, w.end+len(w.tokens.Raw())
	}
	if w.kind == html.ErrorToken {
		return false
	}
	if !w.unnamed && isTag(w.kind) {
		w.name, _ = w.tagName()
	}
	return true
}

// holdsText reports whether the token is the start tag of an element whose content is a text.
func (w *walk) holdsText() bool {
	return isTag(w.kind) && w.kind != html.EndTagToken && htmltoken.HoldsText(atom.Lookup([]byte(strings.ToLower(elementName(w.source, w.start)))))
}

// appendAttributes appends those attributes of a start tag whose names, in lower case, are
// wanted. The name of the tag was read, but not the token.
func (w *walk) appendAttributes(all []html.Attribute, wanted func(name string) bool) []html.Attribute {
	if w.tokens == nil {
		for i := range w.plain.Attributes {
			a := &w.plain.Attributes[i]
			if name := a.Name(); wanted(name) {
				all = append(all, html.Attribute{Key: name, Val: a.Value()})
			}
		}
		return all
	}
	for more := true; more; {
		var name, value []byte
		if name, value, more = w.tokens.TagAttr(); wanted(string(name)) {
			all = append(all, html.Attribute{Key: string(name), Val: string(value)})
		}
	}
	return all
}

// isTag reports whether tokens of a kind are tags.
func isTag(kind html.TokenType) bool {
	return kind == html.StartTagToken || kind == html.SelfClosingTagToken || kind == html.EndTagToken
}

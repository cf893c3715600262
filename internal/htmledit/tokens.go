package htmledit

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// tokens reads the tokens of a range of a source, with their offsets.
type tokens struct {
	tokenizer  *html.Tokenizer
	kind       html.TokenType
	name       string // of a tag, in lower case
	start, end int
	raw        bool // the text has no character references
}

// newTokens returns the tokens of a range, which must begin outside of tags.
func newTokens(source string, start, end int) *tokens {
	return &tokens{tokenizer: html.NewTokenizer(strings.NewReader(source[start:end])), end: start}
}

// next goes to the next token and reports whether there is one.
func (t *tokens) next() bool {
	t.raw = t.kind == html.StartTagToken && isRawToken(atom.Lookup([]byte(t.name)))
	t.kind = t.tokenizer.Next()
	t.start, t.end = t.end, t.end+len(t.tokenizer.Raw())
	name, _ := t.tokenizer.TagName()
	t.name = atom.String(name)
	return t.kind != html.ErrorToken
}

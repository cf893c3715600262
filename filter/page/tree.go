package page

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// span is a range of the source, in bytes.
type span struct{ start, end int }

// tree is the tree that browsers build of a source, by x/net/html (HTML §13.2.6). That keeps no
// offsets: each start tag is given its number in an attribute first.
type tree struct {
	doc    *html.Node
	source string
	key    string // the name of that attribute, which is not in the source
	tags   []tag
	texts  []span // what is between tags
	raw    []span // texts of elements whose content is no markup, such as title
	rest   span   // a last tag without an end, which browsers drop
}

// tag is a start tag.
type tag struct {
	span
	text int  // the index of the text behind it
	used bool // the tree has it
}

const (
	// maxTreeSource is the length in bytes of the longest source that gets a tree.
	maxTreeSource = 8 << 20
	// maxNodes bounds the tags and texts of a tree. A newsletter of 100 KB has 3,000.
	maxNodes = 1 << 19
	// maxAttributes is the number of attributes of a tag that a parser gets: it compares each with
	// each. Tags with more are not in the tree, and the sweep reads them.
	maxAttributes = 256
	// renamed begins the names of elements that the parser should not know: formatting elements,
	// which it opens again in each block and so may multiply without bound, and those in which it
	// drops what other programs show.
	renamed = "x-lm-"
)

var errTooManyNodes = errors.New("too many nodes")

// newTree builds the tree of a source, as programs that run scripts read it or others. It leaves out
// tags and texts longer than limit, and what is beyond the longest source; then cut is true. An error says that there is no tree: it would be too large or deep, even without the elements
// that only set blocks apart or format text, or the context ended.
func newTree(ctx context.Context, source string, limit int, scripting bool) (t *tree, cut bool, err error) {
	isLong := len(source) > maxTreeSource
	if isLong {
		source = source[:maxTreeSource]
	}
	t, cut, err = build(ctx, source, limit, scripting, false)
	if err != nil && ctx.Err() == nil {
		t, cut, err = build(ctx, source, limit, scripting, true)
	}
	return t, cut || isLong, err
}

// build builds the tree of a source, of a flat one with breaks in place of blocks.
func build(ctx context.Context, source string, limit int, scripting, flat bool) (t *tree, cut bool, err error) {
	t = &tree{source: source, key: "lm-at"}
	for strings.Contains(source, t.key) {
		t.key += "-"
	}
	numbered, cut := t.number(limit, scripting, flat)
	if len(t.tags)+len(t.texts) > maxNodes && !flat || len(numbered) > 4*maxTreeSource {
		return t, cut, errTooManyNodes
	}
	t.doc, err = html.ParseWithOptions(&metered{ctx, numbered}, html.ParseOptionEnableScripting(scripting))
	if err != nil {
		return t, cut, err
	}
	for n := range t.doc.Descendants() {
		if name, ok := strings.CutPrefix(n.Data, renamed); ok && n.Type == html.ElementNode {
			n.Data, n.DataAtom = name, atomOf(name)
		}
	}
	return t, cut, nil
}

// number returns the source with a number in each start tag.
func (t *tree) number(limit int, scripting, flat bool) (numbered string, cut bool) {
	var b strings.Builder
	b.Grow(len(t.source) + len(t.source)/4)
	z := html.NewTokenizer(strings.NewReader(t.source))
	foreign := 0 // how many elements svg and math are open
	rawTag, inStyle := false, false
	for at := 0; ; {
		kind := z.Next()
		start := at
		at += len(z.Raw())
		source := t.source[start:at]
		if len(source) > limit && kind != html.CommentToken {
			if cut = true; kind != html.ErrorToken {
				continue
			}
		}
		switch kind {
		case html.ErrorToken:
			t.rest = span{start, len(t.source)}
			return b.String(), cut
		case html.TextToken:
			t.texts = append(t.texts, span{start, at})
			if rawTag || inStyle && at == len(t.source) { // without an end, others read it as markup
				t.raw = append(t.raw, span{start, at})
			}
			inStyle = false
			b.WriteString(source)
			rawTag = false
		case html.StartTagToken, html.SelfClosingTagToken:
			name := tagName(source[1:])
			known := atomOf(name)
			if kind == html.StartTagToken && isForeign(known) {
				foreign++
			}
			z.AllowCDATA(foreign > 0)
			rawTag = foreign == 0 && isRaw(known)
			inStyle = known == atom.Style || known == atom.Script
			if foreign > 0 || known == atom.Noscript && !scripting {
				z.NextIsNotRawText() // as for the parser
			}
			t.startTag(&b, z, name, known, span{start, at}, flat && foreign == 0)
		case html.EndTagToken:
			name := tagName(source[2:])
			known := atomOf(name)
			if foreign > 0 && isForeign(known) {
				foreign--
			}
			z.AllowCDATA(foreign > 0)
			switch {
			case flat && foreign == 0 && isLayout(known, name):
			case isRenamed(known):
				b.WriteString("</" + renamed + source[2:])
			default:
				b.WriteString(source)
			}
		default:
			b.WriteString(source)
		}
	}
}

// startTag writes a start tag with its number.
func (t *tree) startTag(b *strings.Builder, z *html.Tokenizer, name string, known atom.Atom, at span, flat bool) {
	t.tags = append(t.tags, tag{span: at, text: len(t.texts)})
	attributes := 0
	for more := true; more && attributes <= maxAttributes; attributes++ {
		_, _, more = z.TagAttr()
	}
	source := t.source[at.start:at.end]
	switch {
	case attributes > maxAttributes:
	case flat && isLayout(known, name):
		if breaks(known) {
			b.WriteString("<br>")
		}
	case known == atom.Html || known == atom.Body: // the parser puts the attributes of several together
		b.WriteString(source)
	default:
		b.WriteByte('<')
		if isRenamed(known) {
			b.WriteString(renamed)
		}
		b.WriteString(name + " " + t.key + `="` + strconv.Itoa(len(t.tags)-1) + `" `)
		b.WriteString(source[1+len(name):])
	}
}

// tagOf returns the tag of an element of the tree, nil if it has none of its own.
func (t *tree) tagOf(n *html.Node) *tag {
	for i := range n.Attr {
		if n.Attr[i].Key == t.key {
			if number, err := strconv.Atoi(n.Attr[i].Val); err == nil && number < len(t.tags) {
				return &t.tags[number]
			}
		}
	}
	if n.DataAtom == atom.Html || n.DataAtom == atom.Body {
		for i := range t.tags {
			if tag := &t.tags[i]; ascii.EqualFold(tagName(t.source[tag.start+1:]), n.Data) {
				return tag
			}
		}
	}
	return nil
}

// place returns the range of the tag of an element, or of the whole source where it has none.
func (t *tree) place(n *html.Node) span {
	if tag := t.tagOf(n); tag != nil {
		return tag.span
	}
	return span{0, len(t.source)}
}

// written returns a text of the tree as the source has it: what looks like a tag got a number.
func (t *tree) written(text string) string {
	for {
		before, after, ok := strings.Cut(text, t.key+`="`)
		if !ok {
			return text
		}
		_, after, _ = strings.Cut(after, `" `)
		text = strings.TrimSuffix(before, " ") + after
	}
}

// metered is a source that ends with a context. A parser sees it in small pieces, so that it soon
// notices.
type metered struct {
	ctx  context.Context
	rest string
}

func (m *metered) Read(p []byte) (int, error) {
	const piece = 4 << 10
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	if m.rest == "" {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), piece)], m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

package page

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/meter"
)

// span is a range of the source, in bytes.
type span struct{ start, end int }

// tree is the tree that browsers build of a source, by x/net/html (HTML §13.2.6). That parser keeps no
// offsets, so each start tag first gets a number in an attribute.
type tree struct {
	doc    *html.Node
	source string
	key    string // the name of that attribute, which the source does not contain
	tags   []tag
	of     map[*html.Node]*tag
	texts  []span // the texts between tags
	notes  []span // comments
	raw    []span // contents of elements such as title, whose content is text
	rest   span   // the last tag if it has no end; browsers drop it

	unclosed span // the text of a style or script element that has no end tag
}

// tag is a start tag.
type tag struct {
	span
	attributes []html.Attribute
	text       int  // index of the text after it
	used       bool // an element of the tree has this tag
}

const (
	// maxTreeSource is the length in bytes up to which a source is parsed to a tree.
	maxTreeSource = 8 << 20
	// maxNodes bounds the tags of a tree. A newsletter of 100 KB has 3,000.
	maxNodes = 1 << 18
	// maxAttributes is how many attributes of a tag are read.
	maxAttributes = 1 << 10
	// renamed is the prefix of element names that the parser must not recognise. It would open
	// formatting elements again in each block, and multiply them without bound. In others it drops what
	// other programs show.
	renamed = "x-lm-"
	// maxForeign is how deep svg and math elements may be nested to be counted.
	maxForeign = 64
)

var errTooManyNodes = errors.New("too many nodes")

// newTree builds the tree of a source. scripting builds it as programs that run scripts do. It leaves
// out tags and texts longer than limit, and the end of a source that is too long; then cut is true. An
// error says that there is no tree: it would be too large or too deep even without layout elements, or
// the context ended.
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

// build builds the tree of a source. With flat set, breaks replace elements that only lay out the page.
func build(ctx context.Context, source string, limit int, scripting, flat bool) (t *tree, cut bool, err error) {
	t = &tree{source: source, key: "lm-at"}
	for strings.Contains(source, t.key) {
		t.key += "-"
	}
	numbered, cut := t.number(ctx, limit, scripting, flat)
	if len(t.tags) > maxNodes && !flat || strings.Count(numbered, "<") > maxNodes {
		return t, cut, errTooManyNodes
	}
	t.doc, err = html.ParseWithOptions(meter.Reader(ctx, numbered), html.ParseOptionEnableScripting(scripting))
	if err != nil {
		return t, cut, err
	}
	t.of = make(map[*html.Node]*tag, len(t.tags))
	t.setAttributes()
	return t, cut, nil
}

// number returns the source with a number in each start tag. It stops when the context ends.
func (t *tree) number(ctx context.Context, limit int, scripting, flat bool) (numbered string, cut bool) {
	var b strings.Builder
	b.Grow(len(t.source))
	const usual = 16 // bytes for each tag
	count := min(strings.Count(t.source, "<"), len(t.source)/usual)
	t.tags, t.texts = make([]tag, 0, count), make([]span, 0, count)
	z := html.NewTokenizer(meter.Reader(ctx, t.source))
	var open []atom.Atom // open svg and math elements
	rawTag, inStyle := false, false
	for at := 0; ; {
		kind := z.Next()
		start := at
		at += len(z.Raw())
		source := t.source[start:at]
		if len(source) > limit {
			if cut = true; kind != html.ErrorToken {
				continue
			}
		}
		switch kind {
		case html.ErrorToken:
			t.rest = span{start, len(t.source)}
			b.WriteString(t.source[start:]) // it may be a text
			return b.String(), cut
		case html.TextToken:
			t.texts = append(t.texts, span{start, at})
			if rawTag {
				t.raw = append(t.raw, span{start, at})
			}
			if inStyle && at == len(t.source) { // without an end tag, other programs read it as markup
				t.unclosed = span{start, at}
			}
			inStyle = false
			b.WriteString(source)
			rawTag = false
		case html.StartTagToken, html.SelfClosingTagToken:
			name := tagName(source[1:])
			known := atomOf(name)
			if kind == html.StartTagToken && isForeign(known) && len(open) < maxForeign {
				open = append(open, known)
			}
			foreign := len(open)
			z.AllowCDATA(foreign > 0)
			rawTag = foreign == 0 && isRaw(known)
			inStyle = known == atom.Style || known == atom.Script
			if foreign > 0 || known == atom.Noscript && !scripting {
				z.NextIsNotRawText() // the parser reads it as markup, too
			}
			t.startTag(&b, z, name, known, span{start, at}, foreign, kind == html.SelfClosingTagToken && isSelfClosing(source), flat)
			if len(t.tags) > maxNodes && !flat {
				return b.String(), cut // such a page gets no tree
			}
		case html.EndTagToken:
			name := tagName(source[2:])
			known := atomOf(name)
			if i := slices.Index(open, known); i >= 0 {
				open = open[:i]
			}
			foreign := len(open)
			z.AllowCDATA(foreign > 0)
			switch parsed := parsedName(name, known, foreign); {
			case foreign == 0 && (flat && isLayout(known, name) || isFrameset(known)):
			case foreign > 0 && parsed != name: // numbered, too: the parser may take it for text
				b.WriteString("</" + parsed + " " + t.key + `="` + strconv.Itoa(len(t.tags)) + `">`)
				t.tags = append(t.tags, tag{span: span{start, at}, used: true})
			default:
				b.WriteString("</" + parsed + source[len("</")+len(name):])
			}
		default:
			if kind == html.CommentToken {
				t.notes = append(t.notes, span{start, at})
			}
			b.WriteString(source)
		}
	}
}

// isSelfClosing reports whether the "/" before ">" closes the tag. It does not if it ends an unquoted
// value; the tokenizer gets this wrong if a tag has an attribute twice.
func isSelfClosing(source string) bool {
	rest := strings.TrimSuffix(source, "/>")
	last := rest[strings.LastIndexAny(rest, blanks)+1:]
	return strings.HasSuffix(last, `"`) || strings.HasSuffix(last, "'") || !strings.Contains(last, "=")
}

// parsedName returns the name that the parser gets for an element. It is renamed if the parser must not
// recognise it. A template in SVG or MathML is renamed, too, because the parser loses everything after
// it.
func parsedName(name string, known atom.Atom, foreign int) string {
	if isFormatting(known) || isFrameset(known) || foreign > 0 && known == atom.Template {
		return renamed + name
	}
	return name
}

// isFrameset reports whether an element is a frameset or frame. Most programs drop these tags; the
// parser drops everything around them.
func isFrameset(a atom.Atom) bool { return a == atom.Frameset || a == atom.Frame }

// leaving is markup that makes the parser leave SVG and MathML, as some formatting elements do (HTML
// §13.2.6.5).
const leaving = "<span></span>"

// startTag writes a start tag with its number in place of its attributes, because the parser needs few
// of them.
func (t *tree) startTag(b *strings.Builder, z *html.Tokenizer, name string, known atom.Atom, at span, foreign int, selfClosing, flat bool) {
	t.tags = append(t.tags, tag{span: at, text: len(t.texts)})
	of := &t.tags[len(t.tags)-1]
	if len(name) < at.end-at.start-len("<>") {
		for more := true; more; {
			var key, value []byte
			if key, value, more = z.TagAttr(); len(key) > 0 && len(of.attributes) < maxAttributes {
				of.attributes = append(of.attributes, html.Attribute{Key: atom.String(key), Val: string(value)})
			}
		}
	}
	if flat && foreign == 0 && isLayout(known, name) {
		if breaks(known) {
			b.WriteString("<br>")
		}
		if len(of.attributes) == 0 {
			t.tags = t.tags[:len(t.tags)-1] // without attributes it opens nothing
		}
		return
	}
	if foreign > 0 && isFormatting(known) && (known != atom.Font || of.hasAny("color", "face", "size")) {
		b.WriteString(leaving)
	}
	name = parsedName(name, known, foreign)
	b.WriteString("<" + name + " " + t.key + `="` + strconv.Itoa(len(t.tags)-1) + `"`)
	for i := range of.attributes { // attributes that decide where the parser puts the element
		if a := &of.attributes[i]; known == atom.Input && a.Key == "type" && ascii.EqualFold(a.Val, "hidden") || a.Key == "encoding" {
			b.WriteString(" " + a.Key + `="` + html.EscapeString(a.Val) + `"`)
		}
	}
	switch {
	case isFrameset(known), selfClosing && foreign == 0 && strings.Contains(name, ":"): // a VML element, which Outlook closes here
		b.WriteString("></" + name + ">")
	case selfClosing:
		b.WriteString("/>")
	default:
		b.WriteByte('>')
	}
}

// hasAny reports whether a tag has one of some attributes.
func (t *tag) hasAny(names ...string) bool {
	return slices.ContainsFunc(t.attributes, func(a html.Attribute) bool { return slices.Contains(names, a.Key) })
}

// setAttributes gives the elements of the tree their original names and attributes.
func (t *tree) setAttributes() {
	for n := range t.doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		for i := range n.Attr {
			if n.Attr[i].Key != t.key {
				continue
			}
			if number, err := strconv.Atoi(n.Attr[i].Val); err == nil && number < len(t.tags) {
				tag := &t.tags[number]
				t.of[n], n.Attr = tag, tag.attributes
				if n.Namespace == "" || strings.HasPrefix(n.Data, renamed) {
					n.Data = strings.ToLower(tagName(t.source[tag.start+1:]))
					n.DataAtom = atomOf(n.Data)
				}
			}
			break
		}
	}
}

// place returns the range of an element's tag, or that of the whole source if it has none.
func (t *tree) place(n *html.Node) span {
	if tag := t.of[n]; tag != nil {
		return tag.span
	}
	return span{0, len(t.source)}
}

// written returns a text of the tree, or the end of one, as the source has it. Numbers are removed from
// what only looks like a tag.
func (t *tree) written(n *html.Node, text string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, t.key+`="`)
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		start, rest := strings.LastIndexByte(text[:at], '<'), text[at+len(t.key)+len(`="`):]
		number, rest, _ := strings.Cut(rest, `"`)
		_, rest, _ = strings.Cut(rest, ">")
		if i, err := strconv.Atoi(number); err == nil && i < len(t.tags) && start >= 0 {
			tag := t.source[t.tags[i].start:t.tags[i].end]
			rest = strings.TrimPrefix(rest, "</"+renamed+strings.ToLower(tagName(tag[1:]))+">") // the end tag that was added to a frame
			if n.Parent.DataAtom == atom.Textarea || n.Parent.DataAtom == atom.Title {
				tag = shownAs(tag)
			}
			b.WriteString(strings.TrimSuffix(text[:start], leaving) + tag)
		} else {
			b.WriteString(text[:at])
		}
		text = rest
	}
}

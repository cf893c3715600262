package htmledit

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// An event is a step of a reading: the start or end of an element, a text, a comment or a document
// type. Adjacent texts are one event, and no text is empty.
type event struct {
	kind       html.NodeType // type of the node, or ended
	name       string        // name of an element or document type
	text       string        // content of a text or comment
	raw        bool          // the text has no character references
	attributes []html.Attribute
}

// ended is the kind of the end of an element.
const ended = html.NodeType(100)

// reading collects events.
type reading struct{ events []event }

// add adds an event.
func (r *reading) add(e event) {
	if e.kind == html.TextNode {
		if e.text == "" {
			return
		}
		if n := len(r.events); n > 0 && r.events[n-1].kind == html.TextNode && r.events[n-1].raw == e.raw {
			r.events[n-1].text += e.text
			return
		}
	}
	r.events = append(r.events, e)
}

// errTree says that the parser could not build a tree.
var errTree = errors.New("no tree")

// treeOf appends the tree of a source to events. scripts says whether the reader runs scripts.
func treeOf(ctx context.Context, events []event, source string, scripts bool) ([]event, error) {
	doc, err := html.ParseWithOptions(meter.Reader(ctx, source), html.ParseOptionEnableScripting(scripts))
	if err != nil {
		return nil, errors.Join(errTree, err)
	}
	r := reading{events}
	for n := doc.FirstChild; n != nil; n = n.NextSibling {
		r.node(n, scripts)
	}
	return r.events, nil
}

// node reads a node and its children.
func (r *reading) node(n *html.Node, scripts bool) {
	switch n.Type {
	case html.TextNode:
		r.add(event{kind: n.Type, text: n.Data, raw: holdsRaw(n.Parent, scripts)})
		return
	case html.CommentNode:
		r.add(event{kind: n.Type, text: n.Data}) // the parser decodes character references in comments, too
		return
	case html.ElementNode, html.DoctypeNode:
	default:
		return
	}
	e := event{kind: n.Type, name: n.Data, attributes: n.Attr}
	if n.Namespace != "" {
		e.name = n.Namespace + ":" + n.Data
	}
	r.add(e)
	if n.Type == html.DoctypeNode {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		r.node(c, scripts)
	}
	r.add(event{kind: ended, name: e.name})
}

// holdsRaw reports whether the text of an element is raw: without character references.
func holdsRaw(n *html.Node, scripts bool) bool {
	return n != nil && n.Namespace == "" && (isRaw(n.DataAtom) || n.DataAtom == atom.Noscript && scripts)
}

func isRaw(tag atom.Atom) bool {
	switch tag {
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Plaintext, atom.Script, atom.Style, atom.Xmp:
		return true
	}
	return false
}

// isRawToken is isRaw for the tokenizer, which always treats noscript as raw.
func isRawToken(tag atom.Atom) bool { return isRaw(tag) || tag == atom.Noscript }

// tokensOf appends the tokens of a source to events. It keeps tags by their bytes in known: most tags
// occur again, in the same source and in the other sources of a proof.
func tokensOf(ctx context.Context, known map[string]event, events []event, source string) ([]event, error) {
	z := html.NewTokenizer(meter.Reader(ctx, source))
	r := reading{events}
	raw := false
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			// Some readers take a tag without an end for a text.
			r.add(event{kind: html.CommentNode, text: string(z.Raw()), raw: true})
			if err := z.Err(); !errors.Is(err, io.EOF) {
				return nil, err
			}
			return r.events, nil
		case html.TextToken:
			r.add(event{kind: html.TextNode, text: string(z.Text()), raw: raw})
			raw = false
		case html.CommentToken:
			r.add(event{kind: html.CommentNode, text: string(z.Text())})
			raw = false
		case html.DoctypeToken:
			r.add(event{kind: html.DoctypeNode, name: string(z.Text())})
			raw = false
		default:
			e, ok := known[string(z.Raw())]
			if !ok {
				tag := string(z.Raw())
				token := z.Token()
				e = event{kind: html.ElementNode, name: token.Data, attributes: token.Attr}
				if kind == html.EndTagToken {
					e.kind = ended
				}
				known[tag] = e
			}
			r.add(e)
			raw = kind == html.StartTagToken && isRawToken(atom.Lookup([]byte(e.name)))
		}
	}
}

// sameAttributes reports whether two elements have the same attributes, in any order: the parser sorts
// the attributes of some elements.
func sameAttributes(a, b []html.Attribute) bool {
	if slices.Equal(a, b) {
		return true
	}
	byName := func(a, b html.Attribute) int { return strings.Compare(nameOf(a), nameOf(b)) }
	return len(a) == len(b) && slices.EqualFunc(slices.SortedFunc(slices.Values(a), byName), slices.SortedFunc(slices.Values(b), byName),
		func(a, b html.Attribute) bool { return a.Val == b.Val && nameOf(a) == nameOf(b) })
}

// nameOf returns the name of an attribute in lower case, with its prefix.
func nameOf(a html.Attribute) string {
	if a.Namespace != "" {
		return a.Namespace + ":" + strings.ToLower(a.Key)
	}
	return strings.ToLower(a.Key)
}

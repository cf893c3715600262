package htmledit

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/htmltoken"
)

// nesting follows the tokens of a source. It has the elements open that a parser has, while
// each element ends in the one that it began in. A parser has nothing else to decide
// by then (HTML §13.2.4): its list of active formatting elements has none that is not open,
// it moves no element, and the open elements say its insertion mode. So what a parser makes of
// a token follows from these elements, and is the same in two sources in which they are.
//
// lost says that there is a doubt. html is not among the elements, nor is a body without a tag.
type nesting struct {
	elements
	lost bool
	body bool // the body began
	over bool // the body ended, but what follows goes on with it
	raw  bool // what follows up to the next end tag is the text of an element
	form bool // a form began, and its end tag has not come
}

// maxNesting is the number of open elements that are followed, so that time is linear.
// Parsers know 512.
const maxNesting = 256

// push opens an element.
func (n *nesting) push(o openElement) {
	n.lost = n.lost || len(n.open) == maxNesting
	n.add(o)
}

// pushImplied opens an element whose start tag is left out.
func (n *nesting) pushImplied(tag atom.Atom) { n.push(openElement{tag: tag, name: tag.String()}) }

// top returns the innermost open element, 0 for html.
func (n *nesting) top() atom.Atom {
	if len(n.open) == 0 {
		return 0
	}
	return n.open[len(n.open)-1].tag
}

// cut closes all elements but the first i.
func (n *nesting) cut(i int) {
	for len(n.open) > i {
		n.removeLast()
	}
}

// close is cut for what closes no formatting elements: a parser would open them again.
func (n *nesting) close(i int) {
	for _, o := range n.open[i:] {
		n.lost = n.lost || htmltoken.IsFormatting(o.tag)
	}
	n.cut(i)
}

// find returns the index of the innermost open element that is wanted, -1 where one that
// stops the search comes first.
func (n *nesting) find(wanted, stops func(atom.Atom) bool) int {
	for i := len(n.open) - 1; i >= 0; i-- {
		switch tag := n.open[i].tag; {
		case wanted(tag):
			return i
		case stops(tag):
			return -1
		}
	}
	return -1
}

// findTag is find for an element.
func (n *nesting) findTag(wanted atom.Atom, stops func(atom.Atom) bool) int {
	return n.find(func(tag atom.Atom) bool { return tag == wanted }, stops)
}

// closeParagraph closes the paragraph in scope.
func (n *nesting) closeParagraph() {
	if i := n.findTag(atom.P, isScope); i >= 0 {
		n.close(i)
	}
}

// inLink reports whether a parser ends a link before the next one begins.
func (n *nesting) inLink() bool { return len(n.hrefs) > 0 && n.findTag(atom.A, isCell) >= 0 }

// holds reports whether what is written into a text here becomes children of the innermost
// element, and leaves the parser as the text does.
func (n *nesting) holds(written []event) bool {
	if n.lost || n.raw || n.over || !n.body || isTable(n.top()) || n.top() == atom.Pre || n.top() == atom.Listing {
		return false
	}
	for i := range written {
		if e := &written[i]; e.name == "a" && n.inLink() || strings.IndexByte(e.text, 0) >= 0 {
			return false
		}
	}
	return true
}

// isScope reports whether an element ends the default scope (HTML §13.2.4.2). Of those,
// nesting follows only these.
func isScope(tag atom.Atom) bool { return tag == atom.Table || isCell(tag) }

func isCell(tag atom.Atom) bool { return tag == atom.Td || tag == atom.Th }

func isList(tag atom.Atom) bool { return tag == atom.Ol || tag == atom.Ul || isScope(tag) }

func isSection(tag atom.Atom) bool {
	return tag == atom.Tbody || tag == atom.Thead || tag == atom.Tfoot
}

// isTable reports whether a text in an element goes before the table.
func isTable(tag atom.Atom) bool {
	return tag == atom.Table || tag == atom.Tr || tag == atom.Colgroup || isSection(tag)
}

// isBlock reports whether the start tag of an element ends a paragraph, and its end tag ends
// what is in it.
func isBlock(tag atom.Atom) bool {
	switch tag {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Center, atom.Details, atom.Dir, atom.Div, atom.Dl, atom.Fieldset,
		atom.Figcaption, atom.Figure, atom.Footer, atom.Header, atom.Hgroup, atom.Listing, atom.Main, atom.Menu, atom.Nav, atom.Ol,
		atom.Pre, atom.Section, atom.Summary, atom.Ul:
		return true
	}
	return false
}

// isSpecial reports whether an end tag of an element that is not known to HTML stops at an
// element.
func isSpecial(tag atom.Atom) bool {
	switch tag {
	case atom.Body, atom.Form, atom.P, atom.Li, atom.Dd, atom.Dt, atom.Td, atom.Th:
		return true
	}
	return isBlock(tag) || htmltoken.IsHeading(tag) || isTable(tag)
}

package htmlpart

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/htmltoken"
)

// hasOneTree reports whether the source has one tree, which shows elements alike wherever they are.
func (r *reader) hasOneTree() bool {
	return r.branches == nil && !r.noscript && !(r.hasNoscript() && r.ignoresNoscript()) && !r.hasFrames() && !r.twoModes && !r.fields && r.linkColor == "" && !r.always &&
		(r.sheet == nil || r.sheet.generating == nil)
}

// isLike reports whether texts are shown in the same way, wherever the elements are that say so.
func (l *look) isLike(other *look) bool {
	a, b := *l, *other
	for _, l := range [...]*look{&a, &b} {
		l.goneAt, l.doubt, l.cuts = min(l.goneAt, 1), min(l.doubt, 1), min(l.cuts, 1)
	}
	return a == b
}

// isShort reports whether a parser reads what is in place of a settled piece where that may be.
func isShort(n *html.Node) bool {
	switch {
	case n.Type == html.CommentNode:
		return true
	case n.Type == html.TextNode:
		return (n.Parent.DataAtom == atom.Style || n.Parent.DataAtom == atom.Script) && n.Parent.Namespace == ""
	case n.Namespace != "" || !maySettle(n.DataAtom):
		return false
	}
	c := n.FirstChild
	if n.DataAtom == atom.Table {
		return c == nil
	}
	if c == nil || c.Type != html.TextNode || c.Data != textOfShort {
		return false
	}
	c = c.NextSibling
	if c == nil || c.DataAtom != atom.Table || c.FirstChild != nil || c.NextSibling != nil {
		return false
	}
	for around := n.Parent; around != nil && !isCell(around.DataAtom); around = around.Parent {
		if htmltoken.IsFormatting(around.DataAtom) {
			return false
		}
	}
	return true
}

// hasAllShort reports whether a tree has what is in place of each settled piece, where that may be. It
// notes which pieces it misses.
func (r *reader) hasAllShort(doc *html.Node) bool {
	for i := range r.settled {
		r.settled[i].missed = true
	}
	left := len(r.settled)
	for n := range doc.Descendants() {
		mark := n.Data
		if n.Type == html.ElementNode {
			if len(n.Attr) == 0 {
				continue
			}
			mark = n.Attr[0].Key
		}
		if s, ok := r.settledOf(mark); ok && s.missed && s.kind == n.Type && isShort(n) && r.spend(1) == nil {
			s.missed = false
			left--
		}
	}
	return left == 0
}

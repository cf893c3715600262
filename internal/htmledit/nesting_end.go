package htmledit

import (
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/htmltoken"
)

// end notes an end tag.
func (n *nesting) end(tag atom.Atom, name string) {
	switch {
	case n.raw:
		n.raw = false
	case !n.body:
		n.lost = n.lost || tag == atom.Body || tag == atom.Html || tag == atom.Br || tag == atom.Template
	case tag == atom.Body, tag == atom.Html:
		n.over = true
	case isTable(n.top()):
		n.over = false
		n.endInTable(tag)
	default:
		n.over = false
		if !n.endsCell(tag) {
			n.endInBody(tag, name)
		}
	}
}

// endInBody notes an end tag where an element may be in the innermost one (HTML §13.2.6.4.7).
func (n *nesting) endInBody(tag atom.Atom, name string) {
	i := -1
	switch {
	case isBlock(tag):
		i = n.findTag(tag, isScope)
	case htmltoken.IsHeading(tag):
		i = n.find(htmltoken.IsHeading, isScope)
	case htmltoken.IsFormatting(tag):
		n.endFormatting(tag)
		return
	default:
		i = n.endOther(tag, name)
	}
	if i >= 0 {
		n.close(i)
	}
}

// endOther returns the index of the element that the end tag of another one ends; -1 for none.
func (n *nesting) endOther(tag atom.Atom, name string) int {
	switch tag {
	case atom.P:
		return n.findTag(tag, isScope)
	case atom.Li:
		return n.findTag(tag, isList)
	case atom.Dd, atom.Dt:
		return n.findTag(tag, isScope)
	case atom.Form:
		n.endForm()
		return -1
	}
	for i := len(n.open) - 1; i >= 0; i-- {
		if o := &n.open[i]; o.tag == tag && (tag != 0 || o.name == name) {
			return i
		} else if isSpecial(o.tag) {
			break
		}
	}
	return -1
}

// endForm notes the end of a form. It ends no elements in the form.
func (n *nesting) endForm() {
	i := n.findTag(atom.Form, isScope)
	if !n.form || i < 0 {
		n.form = false
		return
	}
	n.form = false
	n.lost = n.lost || i < len(n.open)-1
	n.cut(i)
}

// endFormatting notes the end of a formatting element. Where it ends another such element,
// or one that is special, a parser moves elements.
func (n *nesting) endFormatting(tag atom.Atom) {
	i := n.findTag(tag, isCell)
	if i < 0 {
		return
	}
	for _, o := range n.open[i+1:] {
		n.lost = n.lost || htmltoken.IsFormatting(o.tag) || isSpecial(o.tag)
	}
	n.cut(i)
}

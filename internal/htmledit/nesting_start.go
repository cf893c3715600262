package htmledit

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/htmltoken"
)

// start notes a start tag, and whether it says that a quoted message follows.
func (n *nesting) start(o openElement, quoted bool) {
	if o.tag == atom.Html || o.tag == atom.Body {
		n.startRoot(o, quoted)
		return
	}
	n.over = false
	if n.raw || neverFollowed(o.tag) {
		n.lost = true
		return
	}
	if !n.body {
		if n.startInHead(o.tag) {
			return
		}
		n.body = true
	}
	switch {
	case o.tag == atom.Td, o.tag == atom.Th, o.tag == atom.Tr, o.tag == atom.Col, o.tag == atom.Colgroup, isSection(o.tag):
		n.startInTable(o)
	case o.tag == atom.Head:
	case isTable(n.top()):
		n.raw = o.tag == atom.Style || o.tag == atom.Script
		n.lost = n.lost || !n.raw || n.top() == atom.Colgroup
	default:
		n.startInBody(o)
	}
}

// text notes a text.
func (n *nesting) text(source string) {
	if n.raw || isWhiteSpace(source) {
		return
	}
	n.body, n.over = true, false
	n.lost = n.lost || isTable(n.top())
}

// isWhiteSpace reports whether a text has nothing but white space, which may be written as
// references.
func isWhiteSpace(source string) bool {
	rest := strings.Trim(source, blanks)
	return rest == "" || rest[0] == '&' && strings.Trim(html.UnescapeString(rest), blanks) == ""
}

// startRoot notes a start tag of html or body. A parser gives the first element the
// attributes of all others.
func (n *nesting) startRoot(o openElement, quoted bool) {
	n.lost = n.lost || n.raw || o.stays || quoted
	if o.tag == atom.Html {
		return
	}
	if n.over = false; !n.body {
		n.body = true
		n.push(o)
	}
}

// startInHead notes a start tag before the body, and reports whether the body does not begin
// with it.
func (n *nesting) startInHead(tag atom.Atom) bool {
	switch tag {
	case atom.Head, atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta:
		return true
	case atom.Title, atom.Style, atom.Script, atom.Noframes:
		n.raw = true
		return true
	}
	return false
}

// startInBody notes a start tag where an element may be in the innermost one (HTML §13.2.6.4.7).
func (n *nesting) startInBody(o openElement) {
	switch o.tag {
	case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta, atom.Area, atom.Br, atom.Embed, atom.Img, atom.Keygen, atom.Wbr,
		atom.Input, atom.Param, atom.Source, atom.Track:
		return
	case atom.Hr:
		n.closeParagraph()
		return
	case atom.Title, atom.Style, atom.Script, atom.Noframes, atom.Textarea, atom.Iframe, atom.Noembed:
		n.raw = true
		return
	case atom.Xmp:
		n.closeParagraph()
		n.raw = true
		return
	case atom.Table:
		n.lost = n.lost || n.findTag(atom.P, isScope) >= 0 // it depends on the document type
	case atom.Form:
		if n.form {
			return // it is in another
		}
		n.form = true
		n.closeParagraph()
	case atom.Li:
		n.closeItem(atom.Li, atom.Li)
	case atom.Dd, atom.Dt:
		n.closeItem(atom.Dd, atom.Dt)
	case atom.A:
		n.lost = n.lost || n.inLink()
	case atom.P:
		n.closeParagraph()
	}
	if isBlock(o.tag) || htmltoken.IsHeading(o.tag) {
		n.closeParagraph()
	}
	if htmltoken.IsHeading(o.tag) && htmltoken.IsHeading(n.top()) {
		n.cut(len(n.open) - 1)
	}
	n.push(o)
}

// closeItem closes the item that is one or two before another one begins.
func (n *nesting) closeItem(one, two atom.Atom) {
	i := n.find(func(tag atom.Atom) bool { return tag == one || tag == two }, func(tag atom.Atom) bool {
		return isSpecial(tag) && tag != atom.Address && tag != atom.Div && tag != atom.P
	})
	if i >= 0 {
		n.close(i)
	}
	n.closeParagraph()
}

// neverFollowed reports whether what is in an element, or behind it, depends on more than the
// open elements, or parsers do not agree.
func neverFollowed(tag atom.Atom) bool {
	switch tag {
	case atom.Applet, atom.Button, atom.Caption, atom.Dialog, atom.Frame, atom.Frameset, atom.Image, atom.Marquee, atom.Math, atom.Nobr,
		atom.Noscript, atom.Object, atom.Optgroup, atom.Option, atom.Plaintext, atom.Rb, atom.Rp, atom.Rt, atom.Rtc, atom.Search,
		atom.Select, atom.Svg, atom.Template:
		return true
	}
	return false
}

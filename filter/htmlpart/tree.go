package htmlpart

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// maxDepth is the number of open elements that are known, so that reading is linear.
// Deeper elements have no styles. Browsers stop at 512.
const maxDepth = 256

// push opens an element.
func (p *pass) push(e element) {
	if len(p.stack) < maxDepth {
		p.stack = append(p.stack, e)
	}
}

// cut closes all open elements but the first n. A reference ends with its
// table cell; it may outlast other elements (HTML §13.2.4.3).
func (p *pass) cut(n int) {
	p.stack = p.stack[:n]
	if p.link != nil && n < p.link.scope {
		p.closeLink()
	}
}

// scope returns how many elements are open up to the innermost scope, 0
// outside of any.
func (p *pass) scope() int {
	for i := len(p.stack); i > 0; i-- {
		if isScope(p.stack[i-1].atom) {
			return i
		}
	}
	return 0
}

// pop closes the innermost element of e's name with all that is open in it,
// and reports whether a style sets one of them off from the text around it. An
// end tag without a start tag, or across the border of a table's cell, closes
// nothing.
func (p *pass) pop(e element) (setOff bool) {
	for i := len(p.stack) - 1; i >= 0; i-- {
		open := p.stack[i]
		if open.atom == e.atom && (e.atom != 0 || strings.EqualFold(open.name, e.name)) {
			for _, closed := range p.stack[i:] {
				setOff = setOff || closed.look.setOff
			}
			p.cut(i)
			return setOff
		}
		if isScope(open.atom) && !inTable(e.atom) {
			return false
		}
	}
	return false
}

// closeImplied closes the elements that the start tag of e closes, since
// their end tags are optional (HTML §13.1.2.4).
func (p *pass) closeImplied(e element) {
	switch e.atom {
	case atom.Li:
		p.closeTo(atom.Ul, atom.Ol, atom.Li, 0)
	case atom.Dd, atom.Dt:
		p.closeTo(atom.Dl, atom.Dl, atom.Dd, atom.Dt)
	case atom.Option, atom.Optgroup:
		p.closeTo(atom.Select, atom.Select, atom.Option, 0)
	case atom.Td, atom.Th:
		p.closeTo(atom.Table, atom.Tr, atom.Td, atom.Th)
	case atom.Tr:
		p.closeTo(atom.Table, atom.Table, atom.Tr, 0)
	case atom.Tbody, atom.Tfoot, atom.Thead:
		p.closeTo(atom.Table, atom.Table, atom.Tr, 0)
		p.closeTo(atom.Table, atom.Table, atom.Tbody, atom.Thead)
	}
	if closesParagraph(e.atom) {
		p.closeTo(atom.Button, atom.Button, atom.P, 0)
	}
	if p.inForeign() && breaksOut(e.atom) {
		for p.inForeign() {
			p.cut(len(p.stack) - 1)
		}
	}
}

// closeTo closes the innermost open element that is one or two, unless a
// border or another scope is around the innermost elements.
func (p *pass) closeTo(border1, border2, one, two atom.Atom) {
	for i := len(p.stack) - 1; i >= 0; i-- {
		switch open := p.stack[i].atom; {
		case open != 0 && (open == one || open == two):
			p.cut(i)
			return
		case open == border1, open == border2:
			return
		case isScope(open) && !inTable(one):
			return
		}
	}
}

// rawContent returns the element if its content is not markup, else 0, and tells the
// tokenizer where it assumes otherwise: scripts do not run in mail, so noscript has
// markup; SVG does not have such elements.
func (p *pass) rawContent(e element) atom.Atom {
	switch e.atom {
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Plaintext, atom.Script, atom.Style, atom.Textarea, atom.Title, atom.Xmp:
		if !p.inForeign() {
			return e.atom
		}
		p.tokens.NextIsNotRawText()
	case atom.Noscript:
		p.tokens.NextIsNotRawText()
	}
	return 0
}

// isScope reports whether an end tag within the element closes nothing outside
// of it (HTML §13.2.4.2).
func isScope(a atom.Atom) bool {
	switch a {
	case atom.Applet, atom.Caption, atom.Marquee, atom.Object, atom.Table, atom.Td, atom.Template, atom.Th:
		return true
	}
	return false
}

// inTable reports whether the element is a part of a table, which its end tag
// closes whatever is open within.
func inTable(a atom.Atom) bool {
	switch a {
	case atom.Caption, atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
		return true
	}
	return false
}

// isVoid reports whether the element has no content and no end tag.
func isVoid(a atom.Atom) bool {
	switch a {
	case atom.Area, atom.Base, atom.Basefont, atom.Bgsound, atom.Br, atom.Col, atom.Embed, atom.Frame, atom.Hr, atom.Img,
		atom.Input, atom.Link, atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

// closesParagraph reports whether the start tag closes an open p.
func closesParagraph(a atom.Atom) bool {
	switch a {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Center, atom.Dd, atom.Details, atom.Dialog, atom.Dir,
		atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3,
		atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Li, atom.Listing, atom.Main, atom.Menu, atom.Nav,
		atom.Ol, atom.P, atom.Plaintext, atom.Pre, atom.Section, atom.Summary, atom.Table, atom.Ul, atom.Xmp:
		return true
	}
	return false
}

// splits reports whether breaks surround the element, or it shows something in place of
// text.
func splits(a atom.Atom) bool {
	switch a {
	case atom.Audio, atom.Body, atom.Br, atom.Button, atom.Canvas, atom.Caption, atom.Embed, atom.Frameset, atom.Head,
		atom.Html, atom.Iframe, atom.Input, atom.Legend, atom.Marquee, atom.Meter, atom.Noembed, atom.Noframes, atom.Object,
		atom.Optgroup, atom.Option, atom.Progress, atom.Select, atom.Svg, atom.Tbody, atom.Td, atom.Template, atom.Textarea,
		atom.Tfoot, atom.Th, atom.Thead, atom.Title, atom.Tr, atom.Video:
		return true
	}
	return closesParagraph(a)
}

// breaksOut reports whether a start tag ends SVG and MathML, which
// cannot contain the element (HTML §13.2.6.5).
func breaksOut(a atom.Atom) bool {
	switch a {
	case atom.B, atom.Big, atom.Blockquote, atom.Body, atom.Br, atom.Center, atom.Code, atom.Dd, atom.Div, atom.Dl, atom.Dt,
		atom.Em, atom.Embed, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Head, atom.Hr, atom.I, atom.Img,
		atom.Li, atom.Listing, atom.Menu, atom.Meta, atom.Nobr, atom.Ol, atom.P, atom.Pre, atom.Ruby, atom.S, atom.Small,
		atom.Span, atom.Strike, atom.Strong, atom.Sub, atom.Sup, atom.Table, atom.Tt, atom.U, atom.Ul, atom.Var:
		return true
	}
	return false
}

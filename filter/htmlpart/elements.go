package htmlpart

import (
	"golang.org/x/net/html/atom"
)

// element is an open element.
type element struct {
	atom atom.Atom // 0 for a name that HTML does not know
	name string    // in lower case
	look look

	start   int    // offset of its start tag
	alone   bool   // nothing before its content forbids that it is settled
	plain   bool   // its attributes do not say how it shows its text
	foreign bool   // its content is that of SVG or MathML
	inLine  beside // the text before and behind it, though it breaks texts
}

// counts has how many elements are open. Some elements share a count, so that zero alone
// is sure.
type counts [64]int

// of returns the count of an element.
func (c *counts) of(tag atom.Atom) *int { return &c[(tag>>8^tag)%64] }

// ofElement is of for an element that HTML may not know.
func (c *counts) ofElement(e *element) *int {
	if e.atom == 0 && e.name != "" {
		return c.of(atom.Atom(e.name[0]) + 5*atom.Atom(e.name[len(e.name)-1]) + 7*atom.Atom(len(e.name)))
	}
	return c.of(e.atom)
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

// inTable reports whether the element is a part of a table. Its end tag also closes all elements
// within.
func inTable(a atom.Atom) bool {
	switch a {
	case atom.Caption, atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
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

// lookup returns the element that a tag names.
func lookup(name string) atom.Atom {
	if len(name) > 24 {
		return 0
	}
	var lower [24]byte
	for i := range len(name) {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	return atom.Lookup(lower[:len(name)])
}

func isCell(a atom.Atom) bool { return a == atom.Td || a == atom.Th || a == atom.Caption }

// mayHide reports whether programs show some or all of the content of an element only
// at times, or struck out.
func mayHide(tag atom.Atom) bool {
	switch tag {
	case atom.Applet, atom.Audio, atom.Canvas, atom.Datalist, atom.Details, atom.Dialog, atom.Iframe, atom.Meter, atom.Noembed,
		atom.Noframes, atom.Noscript, atom.Object, atom.Progress, atom.Rp, atom.Rt, atom.Rtc, atom.Select, atom.Template, atom.Video,
		atom.Del, atom.Desc, atom.Marquee, atom.S, atom.Strike, atom.Title, atom.Summary, atom.Svg, atom.Math:
		return true
	}
	return false
}

package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// element is an element of the tree.
type element struct {
	node  *html.Node
	name  string    // without a prefix, in lower case
	known atom.Atom // the atom of its name in HTML; 0 for unknown elements and in SVG and MathML
}

func elementOf(n *html.Node) element {
	if n.Namespace != "" {
		return element{node: n, name: localName(n.Data)}
	}
	return element{node: n, name: n.Data[strings.LastIndexByte(n.Data, ':')+1:], known: n.DataAtom}
}

// attr returns the value of an attribute that has no prefix, or "".
func (e *element) attr(name string) string {
	value, _ := e.lookup(name)
	return value
}

func (e *element) has(name string) bool {
	_, ok := e.lookup(name)
	return ok
}

func (e *element) lookup(name string) (value string, ok bool) {
	for i := range e.node.Attr {
		if a := &e.node.Attr[i]; a.Key == name && a.Namespace == "" {
			return a.Val, true
		}
	}
	return "", false
}

func (e *element) isForeign() bool { return e.node.Namespace != "" }

// tagName returns the name of a tag, as written, at the start of s.
func tagName(s string) string {
	if i := strings.IndexAny(s, " \t\r\n\f/>"); i >= 0 {
		return s[:i]
	}
	return s
}

// localName returns the name of an element or attribute without a prefix, in lower case.
func localName(name string) string {
	return strings.ToLower(name[strings.LastIndexByte(name, ':')+1:])
}

// atomOf returns the atom of a name in any case, or 0 for a name that HTML does not know.
func atomOf(name string) atom.Atom {
	var lower [16]byte
	if len(name) > len(lower) {
		return 0
	}
	for i := range len(name) {
		lower[i] = name[i]
		if 'A' <= name[i] && name[i] <= 'Z' {
			lower[i] |= 0x20
		}
	}
	return atom.Lookup(lower[:len(name)])
}

// isForeign reports whether an element begins SVG or MathML.
func isForeign(a atom.Atom) bool { return a == atom.Svg || a == atom.Math }

// isRaw reports whether browsers show tags in an element as text. Other programs may read them as tags.
func isRaw(a atom.Atom) bool {
	switch a {
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Plaintext, atom.Textarea, atom.Title, atom.Xmp:
		return true
	}
	return false
}

// isFormatting reports whether an element only formats text. The parser opens it again in each
// following block (HTML §13.2.4.3). The parser treats the element a in the same way, but it opens
// something, so it is not one of these.
func isFormatting(a atom.Atom) bool {
	switch a {
	case atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small, atom.Strike, atom.Strong, atom.Tt, atom.U:
		return true
	}
	return false
}

// isLayout reports whether an element opens nothing and only separates blocks or formats text.
func isLayout(a atom.Atom, name string) bool {
	if a == 0 {
		return !strings.Contains(name, ":") && !ascii.HasPrefixFold(name, "amp-")
	}
	return isFormatting(a) || breaks(a) && !isRaw(a) && a != atom.Form && a != atom.Button && a != atom.Input && a != atom.Embed &&
		a != atom.Object && a != atom.Body && a != atom.Head && a != atom.Html && a != atom.Svg || a == atom.Span
}

// isVoid reports whether an element has no content.
func isVoid(a atom.Atom) bool {
	switch a {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Frame, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

// breaks reports whether an element ends the line before and after it.
func breaks(a atom.Atom) bool {
	switch a {
	case atom.Audio, atom.Body, atom.Br, atom.Button, atom.Canvas, atom.Caption, atom.Embed, atom.Frameset, atom.Head,
		atom.Html, atom.Iframe, atom.Input, atom.Legend, atom.Marquee, atom.Meter, atom.Noembed, atom.Noframes, atom.Object,
		atom.Optgroup, atom.Option, atom.Progress, atom.Select, atom.Svg, atom.Tbody, atom.Td, atom.Template, atom.Textarea,
		atom.Tfoot, atom.Th, atom.Thead, atom.Title, atom.Tr, atom.Video,
		atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Center, atom.Dd, atom.Details, atom.Dialog, atom.Dir,
		atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3,
		atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Li, atom.Listing, atom.Main, atom.Menu, atom.Nav,
		atom.Ol, atom.P, atom.Plaintext, atom.Pre, atom.Section, atom.Summary, atom.Table, atom.Ul, atom.Xmp:
		return true
	}
	return false
}

// isHidden reports whether an element hides its text unless a style or script shows it.
func (e *element) isHidden() bool {
	switch e.known {
	case atom.Template, atom.Datalist, atom.Rp, atom.Noembed, atom.Noframes, atom.Title, atom.Iframe:
		return true
	case atom.Dialog:
		return !e.has("open")
	}
	return e.has("hidden") || e.has("popover")
}

// isDoubtful reports whether programs differ in showing the text of an element.
func (e *element) isDoubtful() bool {
	switch e.known {
	case atom.Del, atom.S, atom.Strike, atom.Noscript, atom.Details, atom.Object, atom.Rt, atom.Marquee, atom.Meter, atom.Progress, atom.Canvas, atom.Audio, atom.Video:
		return true
	}
	return e.name == "xml" // data for Office
}

const blanks = " \t\r\n\f" // the white space of HTML and CSS

// trim removes the white space of HTML and CSS around s.
func trim(s string) string { return strings.Trim(s, blanks) }

// isAMP reports whether an AMP element may open what its attributes name. AMP pictures open nothing.
func (e *element) isAMP() bool {
	name, ok := strings.CutPrefix(e.name, "amp-")
	return ok && name != "img" && name != "anim"
}

// isSubmit reports whether an element submits its form.
func (e *element) isSubmit() bool {
	typ := strings.ToLower(e.attr("type"))
	switch e.known {
	case atom.Button:
		return typ != "button" && typ != "reset"
	case atom.Input:
		return typ == "submit" || typ == "image"
	}
	return false
}

// attributes calls use for each attribute of an element. name has the prefix of the source, or the
// namespace that the parser made of it.
func (e *element) attributes(use func(name, local, value string)) {
	for i := range e.node.Attr {
		a := &e.node.Attr[i]
		name := strings.ToLower(a.Key)
		if a.Namespace != "" {
			name = a.Namespace + ":" + name
		}
		use(name, name[strings.LastIndexByte(name, ':')+1:], a.Val)
	}
}

// showsValue reports whether an element shows its value as a text.
func (e *element) showsValue() bool {
	return e.known == atom.Textarea || e.known == atom.Input && !slices.Contains([]string{"hidden", "checkbox", "radio"}, strings.ToLower(e.attr("type")))
}

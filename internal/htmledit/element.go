package htmledit

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// openElement is an open element around a place.
type openElement struct {
	tag   atom.Atom // 0 for a name that HTML does not know
	name  string
	href  string
	stays bool // its texts stay unchanged
}

// openElementOf returns the openElement for a start tag.
func openElementOf(name string, tag atom.Atom, attributes []html.Attribute) openElement {
	o := openElement{tag: tag, name: name, stays: keepsText(tag) || strings.Contains(name, ":")}
	for _, a := range attributes {
		switch a.Key {
		case "href":
			o.href = a.Val
		case "class", "id", "name":
			o.stays = o.stays || quotes(a.Key, a.Val)
		}
	}
	return o
}

// elements are the open elements around a place, the innermost last.
type elements struct {
	open  []openElement
	hrefs []string // the href of each open link
	stays int      // number of open elements whose texts stay unchanged
}

// add opens an element.
func (e *elements) add(o openElement) {
	e.open = append(e.open, o)
	if o.stays {
		e.stays++
	}
	if o.name == "a" {
		e.hrefs = append(e.hrefs, o.href)
	}
}

// removeLast closes the innermost element.
func (e *elements) removeLast() openElement {
	last := e.open[len(e.open)-1]
	e.open = e.open[:len(e.open)-1]
	if last.stays {
		e.stays--
	}
	if last.name == "a" {
		e.hrefs = e.hrefs[:len(e.hrefs)-1]
	}
	return last
}

// fits reports whether the text of a splice may be edited here: no element around it keeps its text,
// and the link around it is the one that s names.
func (e *elements) fits(s *Splice) bool {
	if e.stays > 0 {
		return false
	}
	if s.Around == "" {
		return len(e.hrefs) == 0
	}
	return len(e.hrefs) == 1 && e.hrefs[0] == s.Around
}

// keepsText reports whether the text of an element must stay. It is code or quoted, or programs show it
// in their own way or not at all.
func keepsText(tag atom.Atom) bool {
	switch tag {
	case atom.Applet, atom.Blockquote, atom.Button, atom.Code, atom.Iframe, atom.Listing, atom.Math, atom.Noembed,
		atom.Noframes, atom.Noscript, atom.Object, atom.Option, atom.Plaintext, atom.Pre, atom.Script, atom.Select, atom.Style,
		atom.Svg, atom.Template, atom.Textarea, atom.Title, atom.Xmp:
		return true
	}
	return false
}

// isVoid reports whether an element has no content and no end tag (HTML §13.1.2, and §13.2.6.4.7 for
// obsolete elements).
func isVoid(tag atom.Atom) bool {
	switch tag {
	case atom.Area, atom.Base, atom.Basefont, atom.Bgsound, atom.Br, atom.Col, atom.Embed, atom.Frame, atom.Hr, atom.Img,
		atom.Input, atom.Keygen, atom.Link, atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

// quotes reports whether an attribute marks its element as a quoted message.
func quotes(key, value string) bool {
	value = strings.ToLower(value)
	switch key {
	case "class", "id":
		return slices.ContainsFunc([]string{"gmail_quote", "yahoo_quoted", "protonmail_quote", "tutanota_quote", "moz-forward-container"},
			func(word string) bool { return strings.Contains(value, word) })
	case "name":
		return value == "quote" || value == "messagereplysection"
	}
	return false
}

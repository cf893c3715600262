package page

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Large has the texts of a page that readers notice first: headings, first pictures, the first
// line. Each is cut after 160 bytes.
type Large struct {
	Title    string
	Heading  string // the first headings
	Pictures string // the alternative texts of the first pictures
	Line     string // the first line
	Password bool   // the page asks for a password

	pictures int
}

// Bounds of these texts.
const (
	maxLarge    = 160 // bytes of a text
	maxPictures = 4
	maxAlt      = 80 // bytes of the text of a picture
	headingUp   = 4  // elements between a heading and its text, at most
)

// largeTexts returns the record for the texts that readers notice first. It is nil in further
// readings of the page and in documents inside it.
func (w *walker) largeTexts() *Large {
	if w.depth > 0 || w.again {
		return nil
	}
	return w.large
}

// noteLarge records the heading or picture that an element is, and whether the element asks for a
// password.
func (w *walker) noteLarge(e *element, l *computed) {
	large := w.largeTexts()
	if large == nil {
		return
	}
	switch e.known {
	case atom.Img:
		if alt := trim(e.attr("alt")); alt != "" && len(alt) <= maxAlt && large.pictures < maxPictures && !l.hidden() {
			large.pictures++
			addLarge(&large.Pictures, alt)
		}
	case atom.Input:
		large.Password = large.Password || strings.EqualFold(e.attr("type"), "password")
	}
}

// noteLargeText records a text of the tree if it is in a heading or in the first line.
func (w *walker) noteLargeText(n *html.Node, l *computed) {
	large := w.largeTexts()
	if large == nil {
		return
	}
	if n.Parent.DataAtom == atom.Title && n.Parent.Namespace == "" {
		addLarge(&large.Title, n.Data)
		return
	}
	if l.hidden() || len(large.Heading) >= maxLarge && len(large.Line) >= maxLarge {
		return
	}
	addLarge(&large.Line, n.Data)
	for p, up := n.Parent, 0; p != nil && up < headingUp; p, up = p.Parent, up+1 {
		switch p.DataAtom {
		case atom.H1, atom.H2, atom.H3:
			addLarge(&large.Heading, n.Data)
			return
		}
	}
}

// addLarge adds a text to another while there is room.
func addLarge(to *string, text string) {
	room := maxLarge - len(*to)
	if room <= 0 {
		return
	}
	const longest = 4 * maxLarge
	text = squeezed(text[:min(len(text), longest)])
	if len(text) > room {
		for room > 0 && !utf8.RuneStart(text[room]) {
			room--
		}
		text = text[:room]
	}
	if text != "" && *to != "" {
		text = *to + " " + text
	}
	if text != "" {
		*to = text
	}
}

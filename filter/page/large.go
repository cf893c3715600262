package page

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A Role says what a text is to a reader that sees it large or first.
type Role uint8

// The roles. An item with RolePassword has no text: the page asks for a password.
const (
	RoleNone Role = iota
	RoleTitle
	RoleHeading
	RolePicture // the alternative texts of the first pictures
	RoleLine    // the first line
	RolePassword
)

// large has the texts of a page that readers see large or first, by their roles.
type large struct {
	texts    [RolePassword]string
	pictures int
	password bool
}

// Bounds of these texts.
const (
	maxLarge    = 240 // bytes of a text
	maxPictures = 4
	maxAlt      = 80 // bytes of the text of a picture
	headingUp   = 4  // elements between a heading and its text
)

// readsLarge reports whether the reader is the first of a whole page.
func (w *walker) readsLarge() bool { return w.depth == 0 && !w.again }

// noteLarge notes what an element shows large, and whether it asks for a password.
func (w *walker) noteLarge(e *element, l *computed) {
	if !w.readsLarge() {
		return
	}
	switch e.known {
	case atom.Img:
		if alt := trim(e.attr("alt")); alt != "" && len(alt) <= maxAlt && w.large.pictures < maxPictures && !l.hidden() {
			w.large.pictures++
			w.large.add(RolePicture, alt)
		}
	case atom.Input:
		w.large.password = w.large.password || strings.EqualFold(e.attr("type"), "password")
	}
}

// noteLargeText notes a text of the tree that is large or first.
func (w *walker) noteLargeText(n *html.Node, l *computed) {
	if !w.readsLarge() {
		return
	}
	if n.Parent.DataAtom == atom.Title && n.Parent.Namespace == "" {
		w.large.add(RoleTitle, n.Data)
		return
	}
	if l.hidden() || len(w.large.texts[RoleHeading]) >= maxLarge && len(w.large.texts[RoleLine]) >= maxLarge {
		return
	}
	w.large.add(RoleLine, n.Data)
	p := n.Parent
	for range headingUp {
		switch p.DataAtom {
		case atom.H1, atom.H2, atom.H3:
			w.large.add(RoleHeading, n.Data)
			return
		}
		if p = p.Parent; p == nil {
			return
		}
	}
}

// add adds to the text of a role.
func (t *large) add(r Role, text string) {
	room := maxLarge - len(t.texts[r])
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
	if text == "" {
		return
	}
	if t.texts[r] != "" {
		text = t.texts[r] + " " + text
	}
	t.texts[r] = text
}

// sendLarge sends the texts.
func (w *walker) sendLarge() {
	if !w.readsLarge() {
		return
	}
	for r, text := range w.large.texts {
		if text != "" {
			w.send(&Item{Role: Role(r), Text: text})
		}
	}
	if w.large.password {
		w.send(&Item{Role: RolePassword})
	}
}

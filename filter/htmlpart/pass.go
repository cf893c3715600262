package htmlpart

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pass reads a piece of the source: all of it, or a conditional comment.
type pass struct {
	*reader
	tokens      *html.Tokenizer
	start, pos  int       // the token read last
	raw         atom.Atom // the element whose content is not markup, right after its start tag
	stack       []element // open elements
	link        *openLink // the reference whose text is being read
	conditional bool      // in a conditional comment
}

// element is an open element.
type element struct {
	atom atom.Atom // 0 for a name that HTML does not know
	name string    // as written
	look look
}

// openLink is a reference whose end tag has not been read.
type openLink struct {
	item    Item
	name    string // of the element, as written
	scope   int    // how many elements are open up to the innermost scope around it
	visible []byte // its text
	hidden  []byte // its hidden text
}

// put adds a text and reports whether there was room.
func (l *openLink) put(s string, hidden bool) bool {
	text := &l.visible
	if hidden {
		text = &l.hidden
	}
	if len(*text)+len(s) > maxLinkText {
		return false
	}
	*text = append(*text, s...)
	return true
}

// look returns how text is shown here.
func (p *pass) look() look {
	if len(p.stack) == 0 {
		return look{}
	}
	return p.stack[len(p.stack)-1].look
}

// isHidden reports whether text here is hidden.
func (p *pass) isHidden() bool { return p.conditional || p.look().hidden() }

// inForeign reports whether text here belongs to SVG or MathML.
func (p *pass) inForeign() bool {
	for i := len(p.stack) - 1; i >= 0; i-- {
		switch p.stack[i].atom {
		case atom.Svg, atom.Math:
			return true
		case atom.ForeignObject, atom.Desc:
			return false
		}
	}
	return false
}

// closeLink completes the open reference. Where all of its text is hidden, that
// is its text: it may be shown after all.
func (p *pass) closeLink() {
	l := p.link
	if l == nil {
		return
	}
	p.link = nil
	l.item.Text = strings.TrimSpace(string(l.visible))
	if l.item.Text == "" {
		l.item.Text = strings.TrimSpace(string(l.hidden))
	}
	p.flush()
	p.send(l.item)
}

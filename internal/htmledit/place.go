package htmledit

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// places follows a reading and tells whether a text may be edited at the current place.
type places struct {
	elements
	names  map[string]int // number of open elements by name
	quoted bool           // a quoted message follows
}

// start opens an element. quoted says that a quoted message follows its start tag.
func (p *places) start(o openElement, quoted bool) {
	if isVoid(o.tag) {
		return
	}
	p.quoted = p.quoted || quoted
	if o.tag == atom.A && len(p.open) > 0 {
		p.end("a") // links do not nest
	}
	if p.names == nil {
		p.names = make(map[string]int)
	}
	p.names[o.name]++
	p.add(o)
}

// end closes an element and the open elements inside it.
func (p *places) end(name string) {
	if p.names[name] == 0 {
		return
	}
	for {
		last := p.removeLast()
		if p.names[last.name]--; last.name == name {
			return
		}
	}
}

// fits reports whether the text of a splice may be edited here.
func (p *places) fits(s *Splice) bool { return !p.quoted && p.elements.fits(s) }

// beginsQuotes reports whether an attribute says that a quoted message follows after the element.
// Outlook marks the header of that message by a line above it.
func beginsQuotes(tag atom.Atom, attributes []html.Attribute) bool {
	if isVoid(tag) {
		return false
	}
	for _, a := range attributes {
		switch a.Key {
		case "class", "id":
			value := strings.ToLower(a.Val)
			if slices.ContainsFunc([]string{"divrplyfwdmsg", "appendonsend", "outlookmessageheader", "mail-editor-reference-message-container"},
				func(word string) bool { return strings.Contains(value, word) }) {
				return true
			}
		case "style":
			if containsFold(a.Val, "#e1e1e1") || containsFold(a.Val, "#b5c4df") {
				value := strings.ReplaceAll(strings.ToLower(a.Val), " ", "")
				if strings.Contains(value, "border-top:solid#e1e1e1") || strings.Contains(value, "border-top:solid#b5c4df") {
					return true
				}
			}
		}
	}
	return false
}

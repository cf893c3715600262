package htmledit

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// places follows a reading and knows whether a text may be edited.
type places struct {
	elements
	names  map[string]int // number of open elements by name
	quoted bool           // what follows is a message that is quoted
}

// start notes an element, and whether a quoted message follows its start tag.
func (p *places) start(o openElement, quoted bool) {
	if isVoid(o.tag) {
		return
	}
	p.quoted = p.quoted || quoted
	if o.tag == atom.A && len(p.open) > 0 {
		p.end("a") // links are not in each other
	}
	if p.names == nil {
		p.names = make(map[string]int)
	}
	p.names[o.name]++
	p.add(o)
}

// end notes the end of an element and of those in it.
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

// fits reports whether a text may be edited here.
func (p *places) fits(s *Splice) bool { return !p.quoted && p.elements.fits(s) }

// beginsQuotes reports whether an attribute of an element says that a quoted message follows,
// not in the element but behind it. Outlook marks the header of that message by a line above it.
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

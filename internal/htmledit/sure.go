package htmledit

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// unsure returns which splices are Sure and must not be made, by the readings of the source
// with marks; nil if there are none.
func (m *marks) unsure(readings [][]event) []bool {
	var unsure []bool
	for _, marked := range readings {
		p := places{marks: m, agreed: make([]int, len(m.splices))}
		for i := range marked {
			p.event(&marked[i])
		}
		for i := range m.splices {
			if m.splices[i].Sure && p.agreed[i] != 1 {
				if unsure == nil {
					unsure = make([]bool, len(m.splices))
				}
				unsure[i] = true
			}
		}
	}
	return unsure
}

// places follows a reading and counts at how many fitting places it has the mark of each
// splice. A place that does not fit counts many.
type places struct {
	*marks
	open   []openElement
	quoted bool // what follows is a message that is quoted
	agreed []int
}

// openElement is an element around the place.
type openElement struct {
	name  string
	href  string
	stays bool // its texts stay as they are
}

func (p *places) event(e *event) {
	switch e.kind {
	case html.ElementNode:
		p.start(e)
	case ended:
		p.end(e.name)
	case html.TextNode:
		rest := e.text
		for {
			_, i, after, ok := p.cut(rest)
			if !ok {
				return
			}
			rest = after
			const many = 2
			if p.fits(&p.splices[i]) && !e.raw {
				p.agreed[i]++
			} else {
				p.agreed[i] += many
			}
		}
	}
}

// start notes an element.
func (p *places) start(e *event) {
	tag := atom.Lookup([]byte(e.name))
	if isVoid(tag) {
		return
	}
	o := openElement{name: e.name, stays: keepsText(tag) || strings.Contains(e.name, ":")}
	for _, a := range e.attributes {
		switch a.Key {
		case "href":
			o.href = a.Val
		case "class", "id", "name", "style":
			o.stays = o.stays || quotes(a.Key, a.Val)
			p.quoted = p.quoted || beginsQuote(a.Key, a.Val)
		}
	}
	if tag == atom.A && len(p.open) > 0 {
		p.end("a") // links are not in each other
	}
	p.open = append(p.open, o)
}

// end notes the end of an element and of those in it.
func (p *places) end(name string) {
	for i := len(p.open) - 1; i >= 0; i-- {
		if p.open[i].name == name {
			p.open = p.open[:i]
			return
		}
	}
}

// fits reports whether a text may be edited here.
func (p *places) fits(s *Splice) bool {
	if p.quoted {
		return false
	}
	links := 0
	for i := range p.open {
		o := &p.open[i]
		if o.stays {
			return false
		}
		if o.name == "a" {
			if links++; o.href != s.Around {
				return false
			}
		}
	}
	return links <= 1 && (links == 1) == (s.Around != "")
}

// keepsText reports whether the text of an element stays as it is: it is code or quoted,
// or programs show it in their own way or not at all.
func keepsText(tag atom.Atom) bool {
	switch tag {
	case atom.Applet, atom.Blockquote, atom.Button, atom.Code, atom.Iframe, atom.Listing, atom.Math, atom.Noembed,
		atom.Noframes, atom.Noscript, atom.Object, atom.Option, atom.Plaintext, atom.Pre, atom.Script, atom.Select, atom.Style,
		atom.Svg, atom.Template, atom.Textarea, atom.Title, atom.Xmp:
		return true
	}
	return false
}

// quotes reports whether an attribute says that its element quotes a message.
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

// beginsQuote reports whether an attribute says that a quoted message follows, not in the
// element but behind it. Outlook marks the header of that message by a line above it.
func beginsQuote(key, value string) bool {
	value = strings.ToLower(value)
	switch key {
	case "class", "id":
		return slices.ContainsFunc([]string{"divrplyfwdmsg", "appendonsend", "outlookmessageheader", "mail-editor-reference-message-container"},
			func(word string) bool { return strings.Contains(value, word) })
	case "style":
		value = strings.ReplaceAll(value, " ", "")
		return strings.Contains(value, "border-top:solid#e1e1e1") || strings.Contains(value, "border-top:solid#b5c4df")
	}
	return false
}

func isVoid(tag atom.Atom) bool {
	switch tag {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Param,
		atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

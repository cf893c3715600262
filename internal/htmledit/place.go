package htmledit

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// places follows a reading and knows whether a text may be edited.
type places struct {
	open   []openElement
	names  map[string]int   // number of open elements by name
	hrefs  []string         // of open links
	stays  int              // number of open elements whose texts stay as they are
	quoted bool             // what follows is a message that is quoted
	known  []html.Attribute // those of a tag that matter
}

// openElement is an element around the place.
type openElement struct {
	name  string
	href  string
	stays bool // its texts stay as they are
}

// token notes a token.
func (p *places) token(w *walk) {
	switch {
	case w.kind == html.EndTagToken:
		p.end(w.tagName())
	case w.kind != html.StartTagToken && w.kind != html.SelfClosingTagToken:
	case w.isRead:
		p.start(w.token.Data, w.token.Attr)
	default:
		name := w.tagName()
		p.known = p.known[:0]
		for more := true; more; {
			var key, value []byte
			key, value, more = w.tokens.TagAttr()
			switch string(key) {
			case "href", "class", "id", "name", "style":
				p.known = append(p.known, html.Attribute{Key: string(key), Val: string(value)})
			}
		}
		p.start(name, p.known)
	}
}

// start notes an element.
func (p *places) start(name string, attributes []html.Attribute) {
	tag := atom.Lookup([]byte(name))
	if isVoid(tag) {
		return
	}
	p.quoted = p.quoted || beginsQuotes(tag, attributes)
	if tag == atom.A && len(p.open) > 0 {
		p.end("a") // links are not in each other
	}
	if p.names == nil {
		p.names = make(map[string]int)
	}
	p.names[name]++
	p.add(openElementOf(name, tag, attributes))
}

// add opens an element.
func (p *places) add(o openElement) {
	p.open = append(p.open, o)
	if o.stays {
		p.stays++
	}
	if o.name == "a" {
		p.hrefs = append(p.hrefs, o.href)
	}
}

// end notes the end of an element and of those in it.
func (p *places) end(name string) {
	if p.names[name] == 0 {
		return
	}
	for {
		last := p.open[len(p.open)-1]
		p.open = p.open[:len(p.open)-1]
		if last.stays {
			p.stays--
		}
		if last.name == "a" {
			p.hrefs = p.hrefs[:len(p.hrefs)-1]
		}
		if p.names[last.name]--; last.name == name {
			return
		}
	}
}

// openElementOf returns an element as one that is open.
func openElementOf(name string, tag atom.Atom, attributes []html.Attribute) openElement {
	o := openElement{name: name, stays: keepsText(tag) || strings.Contains(name, ":")}
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

// fits reports whether a text may be edited here.
func (p *places) fits(s *Splice) bool {
	if p.quoted || p.stays > 0 {
		return false
	}
	if s.Around == "" {
		return len(p.hrefs) == 0
	}
	return len(p.hrefs) == 1 && p.hrefs[0] == s.Around
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

func isVoid(tag atom.Atom) bool {
	switch tag {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Param,
		atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

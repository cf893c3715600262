package htmlpart

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// attributes reads the attributes of the start tag read last.
func (p *pass) attributes() attributes {
	var a attributes
	for more := true; more; {
		var key, value []byte
		key, value, more = p.tokens.TagAttr()
		more = more && p.spend(len(key)+len(value)) == nil
		switch string(key) {
		case "href":
			a.href = string(value)
		case "xlink:href":
			if a.href == "" {
				a.href = string(value)
			}
		case "action":
			a.action = string(value)
		case "formaction":
			a.formaction = string(value)
		case "http-equiv":
			a.httpEquiv = string(value)
		case "content":
			a.content = string(value)
		case "style":
			a.style = string(value)
		case "title":
			a.title = string(value)
		case "aria-label":
			a.ariaLabel = string(value)
		case "alt":
			a.alt = string(value)
		case "dir":
			a.dir = string(value)
		case "hidden":
			a.hidden = true
		}
	}
	return a
}

// target returns what an element opens, "" for nothing.
func (a *attributes) target(tag atom.Atom) string {
	switch tag {
	case atom.Link:
		return ""
	case atom.Form:
		return a.action
	case atom.Button, atom.Input:
		return a.formaction
	case atom.Meta:
		if strings.EqualFold(a.httpEquiv, "refresh") {
			return refreshTarget(a.content)
		}
		return ""
	}
	return a.href
}

// startTag reads a start tag, which may end in "/>".
func (p *pass) startTag(selfClosing bool) {
	name, hasAttributes := p.tokens.TagName()
	e := element{atom: atom.Lookup(name), name: tagName(p.source[p.start+1 : p.pos])}
	var a attributes
	if hasAttributes {
		a = p.attributes()
	}
	p.closeImplied(e)
	p.raw = p.rawContent(e)
	style := styleOf(a.style)
	if splits(e.atom) || style.splits {
		p.split()
	}
	if p.link != nil && e.atom == atom.A && p.link.item.Element == "a" {
		p.closeLink()
	}
	e.look = p.look().with(style)
	if a.hidden || e.atom == atom.Template {
		e.look.gone = true
	}
	if strings.EqualFold(a.dir, "rtl") && (e.atom == atom.Bdo || style.override) || style.override && style.rightToLeft {
		e.look.turned = true
	}
	if p.link != nil && e.look.turned && !p.look().turned {
		p.link.put(override, false)
	}
	if target := a.target(e.atom); target != "" {
		p.reference(e, target, &a, selfClosing)
	} else if p.link != nil {
		p.link.item.label(&a)
	}
	// "/>" closes foreign elements, and in Outlook those with a prefix.
	if !isVoid(e.atom) && (!selfClosing || !p.inForeign() && !strings.Contains(e.name, ":")) {
		p.push(e)
	}
}

// endTag reads an end tag.
func (p *pass) endTag() {
	name, _ := p.tokens.TagName()
	e := element{atom: atom.Lookup(name), name: tagName(p.source[p.start+2 : p.pos])}
	if p.link != nil && strings.EqualFold(p.link.name, e.name) {
		p.closeLink()
	}
	// Breaks may also come from the style.
	if popped := p.pop(e); splits(e.atom) || popped {
		p.split()
	}
}

// split ends the text before a break. The text of a reference goes on.
func (p *pass) split() {
	if p.link != nil {
		p.link.put(" ", false)
		p.link.put(" ", true)
	}
	p.flush()
}

// tagName returns the name of a tag, as written, at the start of s.
func tagName(s string) string {
	if i := strings.IndexAny(s, " \t\r\n\f/>"); i >= 0 {
		return s[:i]
	}
	return s
}

// override is RIGHT-TO-LEFT OVERRIDE. In the text of a reference it replaces markup with
// the same effect.
const override = "\u202e"

// reference begins a reference; one without a text of its own is complete.
func (p *pass) reference(e element, target string, a *attributes, selfClosing bool) {
	url := resolve(p.base, target)
	if url == "" {
		return
	}
	p.closeLink()
	p.flush()
	item := Item{
		Element: strings.ToLower(e.name), URL: url,
		Hidden: p.conditional || e.look.hidden(), Start: p.start, End: p.pos,
	}
	item.label(a)
	if isVoid(e.atom) || e.atom == atom.Form || selfClosing && e.atom != atom.A {
		p.send(item)
		return
	}
	p.link = &openLink{item: item, name: e.name, scope: p.scope()}
	if e.look.turned {
		p.link.put(override, false)
	}
}

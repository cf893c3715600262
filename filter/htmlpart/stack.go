package htmlpart

import (
	"golang.org/x/net/html/atom"
)

// maxDepth is the number of open elements that are known, so that reading is linear.
// Deeper elements have no styles. Browsers stop at 512.
const maxDepth = 256

// push opens an element.
func (p *pass) push(e element) {
	if len(p.stack) == maxDepth {
		p.irregular = true
		return
	}
	switch e.atom {
	case atom.Svg, atom.Math:
		e.foreign = true
	case atom.Foreignobject, atom.Desc, atom.Title: // lookup lowers names
	default:
		e.foreign = p.inForeign()
	}
	p.stack = append(p.stack, e)
	p.count(e.atom, 1)
}

// count counts elements that are opened, or closed.
func (p *pass) count(tag atom.Atom, n int) {
	*p.open.of(tag) += n
	if isScope(tag) {
		p.scopes += n
	}
}

// cut closes all open elements but the first n. A reference ends with its
// table cell; it may outlast other elements (HTML §13.2.4.3).
func (p *pass) cut(n int) {
	p.checkCut(n)
	for i := n; i < len(p.stack); i++ {
		p.count(p.stack[i].atom, -1)
	}
	p.stack = p.stack[:n]
	if p.link != nil && n < p.link.scope {
		p.closeLink()
	}
}

// scope returns how many elements are open up to the innermost scope, 0
// outside of any.
func (p *pass) scope() int {
	if p.scopes == 0 {
		return 0
	}
	for i := len(p.stack); i > 0; i-- {
		if isScope(p.stack[i-1].atom) {
			return i
		}
	}
	return 0
}

// pop closes the innermost element of e's name with all that is open in it. It returns the
// look of text right before its end tag, and whether a style sets one of the elements off
// from the text around it. An end tag without a start tag, or across the border of a
// table's cell, closes nothing.
func (p *pass) pop(e element) (inside look, setOff bool) {
	if *p.open.of(e.atom) == 0 && (p.scopes == 0 || inTable(e.atom)) {
		p.checkUnopened(e.atom)
		return *p.look(), false
	}
	for i := len(p.stack) - 1; i >= 0; i-- {
		open := &p.stack[i]
		if open.atom == e.atom && (e.atom != 0 || open.name == e.name) {
			for closed := i; closed < len(p.stack); closed++ {
				setOff = setOff || p.stack[closed].look.setOff
			}
			inside = open.look
			p.checkPop(e.atom, i)
			p.cut(i)
			return inside, setOff
		}
		if isScope(open.atom) && !inTable(e.atom) {
			break
		}
	}
	p.checkUnopened(e.atom)
	return *p.look(), false
}

// closeImplied closes the elements that the start tag of e closes, since their end tags are
// optional (HTML §13.1.2.4). It reports whether one of them is shown, so that its end breaks the
// text.
func (p *pass) closeImplied(e element) (broke bool) {
	switch e.atom {
	case atom.Li:
		broke = p.closeTo(atom.Ul, atom.Ol, atom.Li, 0)
	case atom.Dd, atom.Dt:
		broke = p.closeTo(atom.Dl, atom.Dl, atom.Dd, atom.Dt)
	case atom.Option, atom.Optgroup:
		broke = p.closeTo(atom.Select, atom.Select, atom.Option, 0)
	case atom.Td, atom.Th:
		broke = p.closeTo(atom.Table, atom.Tr, atom.Td, atom.Th)
	case atom.Tr:
		broke = p.closeTo(atom.Table, atom.Table, atom.Tr, 0)
	case atom.Tbody, atom.Tfoot, atom.Thead:
		row := p.closeTo(atom.Table, atom.Table, atom.Tr, 0)
		broke = p.closeTo(atom.Table, atom.Table, atom.Tbody, atom.Thead) || row
	}
	if closesParagraph(e.atom) && *p.open.of(atom.P) > 0 {
		look := *p.look()
		broke = p.closeTo(atom.Button, atom.Button, atom.P, 0) || broke
		// Without a document type a table does not end the paragraph.
		p.irregular = p.irregular || e.atom == atom.Table && *p.look() != look
	}
	if breaksOut(e.atom) && p.inForeign() {
		p.irregular = true
		for p.inForeign() {
			p.cut(len(p.stack) - 1)
		}
	}
	return broke
}

// closeTo closes the innermost open element that is one or two, unless a
// border or another scope is around the innermost elements. It reports whether it is shown.
func (p *pass) closeTo(border1, border2, one, two atom.Atom) bool {
	for i := len(p.stack) - 1; i >= 0; i-- {
		switch open := p.stack[i].atom; {
		case open != 0 && (open == one || open == two):
			// In a tree a break ends the element, which may be hidden with it.
			p.irregular = p.irregular || p.link != nil && p.look().doubt != 0
			isShown := !p.stack[i].look.gone
			p.cut(i)
			return isShown
		case open == border1, open == border2:
			return false
		case isScope(open) && !inTable(one):
			return false
		}
	}
	return false
}

// rawContent returns the element if its content is not markup, else 0, and tells the
// tokenizer where it assumes otherwise: scripts do not run in mail, so noscript has
// markup; SVG does not have such elements. Either may be wrong where branches are.
func (p *pass) rawContent(e element) atom.Atom {
	switch e.atom {
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Plaintext, atom.Script, atom.Style, atom.Textarea, atom.Title, atom.Xmp:
		if e.atom != atom.Script && e.atom != atom.Style && e.atom != atom.Textarea && e.atom != atom.Title {
			p.reader.branch() // programs that do not know the element read its content
		}
		p.either(e.atom)
		if !p.inForeign() {
			return e.atom
		}
		p.tokens.notRawText()
	case atom.Noscript:
		p.either(e.atom)
		p.tokens.notRawText()
	}
	return 0
}

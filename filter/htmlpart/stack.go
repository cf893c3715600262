package htmlpart

import (
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/htmltoken"
)

// maxDepth is the number of open elements that are known, so that reading is linear.
// Deeper elements have no styles. Browsers stop at 512.
const maxDepth = 256

// next returns an element at the place of the next open one, until another is opened or closed. Its
// look is not set.
func (p *pass) next(tag atom.Atom, name string) *element {
	n := len(p.stack)
	if n == cap(p.stack) {
		p.stack = append(p.stack, element{})[:n]
	}
	e := &p.stack[:n+1][n]
	e.atom, e.name, e.start, e.alone, e.plain, e.foreign, e.inLine = tag, name, p.start, false, false, false, notBeside // a copy of an element would wait for these
	return e
}

// push opens the next element.
func (p *pass) push(e *element) {
	if len(p.stack) == maxDepth {
		p.odd = true
		return
	}
	switch e.atom {
	case atom.Svg, atom.Math:
		e.foreign = true
	case atom.Foreignobject, atom.Desc, atom.Title: // lookup lowers names
	default:
		e.foreign = p.inForeign()
	}
	p.stack = p.stack[:len(p.stack)+1]
	p.count(e, 1)
}

// count counts elements that are opened, or closed.
func (p *pass) count(e *element, n int) {
	*p.open.ofElement(e) += n
	if isScope(e.atom) {
		p.scopes += n
	}
	if htmltoken.IsFormatting(e.atom) {
		p.formatting += n
	}
}

// cut closes all open elements but the first n. A reference ends with its
// table cell; it may outlast other elements (HTML §13.2.4.3).
func (p *pass) cut(n int) {
	for i := len(p.stack) - 1; i >= n; i-- {
		e := &p.stack[i]
		p.count(e, -1)
		if e.look.generated != nil && p.link == nil && (p.ended == 0 || i < p.ended-1) {
			p.showGenerated(&e.look, &e.look.generated.after)
		}
		if p.link == nil && !e.look.gone {
			p.behind = p.behind.over(splits(e.atom) || e.look.setOff, e.inLine)
		}
	}
	if p.link != nil {
		p.edges(n)
	}
	p.stack = p.stack[:n]
	if p.link != nil && n < p.link.scope {
		p.closeLink()
	}
}

// edges notes in the open reference that all open elements but the first n end.
func (p *pass) edges(n int) {
	for i := len(p.stack) - 1; i >= n; i-- {
		p.link.text.leave(&p.stack[i].look)
	}
	for i := n; i < len(p.stack); i++ {
		if e := &p.stack[i]; (e.inLine != notBeside || splits(e.atom) || e.look.setOff) && !e.look.gone {
			p.link.text.edge(e.inLine, i)
		}
	}
}

// pop closes the innermost element of e's name with all that is open in it. It returns the
// look of text right before its end tag, and whether a style sets one of the elements off
// from the text around it. It sets whether e may be in a line. An end tag without a start tag, or
// across the border of a table's cell, closes nothing; isIgnored is true where it is nothing else either.
func (p *pass) pop(e *element) (inside look, setOff, isIgnored bool) {
	if *p.open.ofElement(e) == 0 {
		isIgnored = p.checkUnopened(e.atom)
		return *p.look(), false, isIgnored
	}
	for i := len(p.stack) - 1; i >= 0; i-- {
		open := &p.stack[i]
		if open.atom == e.atom && (e.atom != 0 || open.name == e.name) {
			for k := i; k < len(p.stack); k++ {
				setOff = setOff || p.stack[k].look.setOff
			}
			inside, e.inLine = open.look, open.inLine
			p.checkPop(e.atom, i)
			p.checkCut(i, true)
			p.cut(i)
			p.settle(&p.stack[:i+1][i])
			return inside, setOff, false
		}
		if isScope(open.atom) && (!inTable(e.atom) || open.atom == atom.Table) {
			break
		}
	}
	isIgnored = p.checkUnopened(e.atom)
	return *p.look(), false, isIgnored
}

// closeImplied closes the elements that the start tag of e closes, since their end tags are
// optional (HTML §13.1.2.4). It reports whether one of them is shown, so that its end breaks the
// text.
func (p *pass) closeImplied(tag atom.Atom) (broke bool) {
	switch tag {
	case atom.Table:
		for p.inTableParts() && p.top() != atom.Caption && p.closeTo(atom.Template, atom.Template, atom.Table, 0) {
			broke = true
		}
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
	if closesParagraph(tag) && tag != atom.Table {
		p.endAroundTable()
	}
	if closesParagraph(tag) && *p.open.of(atom.P) > 0 {
		look, size := *p.look(), len(p.stack)
		broke = p.closeTo(atom.Button, atom.Button, atom.P, 0) || broke
		// Without a document type a table does not end the paragraph.
		if tag == atom.Table && len(p.stack) < size {
			p.aroundTable = len(p.stack) + 1
			p.twoModes = p.twoModes || p.link != nil
			p.odd = p.odd || *p.look() != look
		}
	}
	if breaksOut(tag) && p.inForeign() {
		p.odd = true
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
			p.odd = p.odd || p.link != nil && p.look().doubt != 0
			isShown := !p.stack[i].look.gone
			p.checkCut(i, false)
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
func (p *pass) rawContent(tag atom.Atom) atom.Atom {
	switch tag {
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Plaintext, atom.Script, atom.Style, atom.Textarea, atom.Title, atom.Xmp:
		if tag != atom.Script && tag != atom.Style && tag != atom.Textarea && tag != atom.Title {
			p.reader.branch() // programs that do not know the element read its content
		}
		p.either(tag)
		if !p.inForeign() {
			return tag
		}
		p.tokens.notRawText()
	case atom.Noscript:
		p.either(tag)
		p.tokens.notRawText()
	}
	return 0
}

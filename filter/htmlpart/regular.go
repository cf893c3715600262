package htmlpart

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/htmltoken"
)

// A source is regular where a parser has the same elements open at each token as a
// pass has. Its tree has nothing else, and is not read. Most mail is regular. Where
// there is a doubt the source is not regular.

// checkStart checks a start tag, after what it closes was closed.
func (p *pass) checkStart(tag atom.Atom, selfClosing bool) {
	if p.odd || p.conditional {
		return
	}
	if p.isForeign() {
		p.checkForeign(tag, selfClosing)
		return
	}
	top := p.top()
	if unsettles(tag, top) {
		p.unsettle()
	}
	if p.inStyledHead() {
		p.odd = true
		return
	}
	switch tag {
	case atom.Html, atom.Head, atom.Body:
		p.odd = p.rooted(tag) || p.inText() || p.behind != away
	case atom.Td, atom.Th:
		p.odd = top != atom.Tr
	case atom.Tr:
		p.odd = top != atom.Table && top != atom.Tbody && top != atom.Thead && top != atom.Tfoot
	case atom.Tbody, atom.Thead, atom.Tfoot, atom.Caption, atom.Colgroup:
		p.odd = top != atom.Table
	case atom.Col:
		p.odd = top != atom.Table && top != atom.Colgroup
	case atom.Frame, atom.Frameset, atom.Rp, atom.Rt, atom.Rtc, atom.Rb,
		atom.Template, atom.Noscript, atom.Plaintext, atom.Image, atom.Keygen, atom.Menuitem, atom.Isindex:
		p.odd = true
	case atom.A, atom.Nobr, atom.Select:
		p.odd = p.inTableParts() || p.isOpen(tag)
	case atom.Form:
		p.odd = p.inTableParts() || p.isOpen(atom.Select)
	case atom.Button: // outside of forms the tree gives it the last one, as inputs
		p.odd = p.inTableParts() || p.isOpen(atom.Button) || p.hasForms && !p.isOpen(atom.Form)
	case atom.Svg, atom.Math:
		p.odd = p.inTableParts() || selfClosing
	case atom.Optgroup:
		p.odd = top != atom.Select
	case atom.Option:
		p.odd = top != atom.Select && top != atom.Optgroup
	case atom.Input, atom.Hr: // they end a selection
		isAfterForm := tag == atom.Input && p.hasForms && !p.isOpen(atom.Form)
		p.odd = p.inTableParts() || p.isOpen(atom.Select) || isAfterForm
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		p.odd = p.inTableParts() || htmltoken.IsHeading(top)
	case atom.Style, atom.Script:
	default:
		p.odd = tag == atom.Title && p.link != nil || p.inTableParts()
	}
}

// checkRow checks a row right in a table. A parser puts it into a body, which parts references where the row does
// not, and which a style sheet may show in a reference in another way than the table.
func (p *pass) checkRow(e *element) {
	const name = "tbody"
	if p.odd || p.conditional || p.top() != atom.Table {
		return
	}
	table := &p.stack[len(p.stack)-1]
	p.odd = table.inLine != notBeside && (e.inLine != notBeside || e.look.gone && !table.look.gone) ||
		p.link != nil && (p.sheet.mayHide(name, &noAttributes) || p.sheet.inLineAt(name, &noAttributes) != notBeside)
}

// inStyledHead reports whether the innermost element is a head with a style. A parser has ended it before the
// content of the body.
func (p *pass) inStyledHead() bool { return p.top() == atom.Head && *p.look() != plainLook }

// inTableParts reports whether the innermost element is a part of a table that has no content
// but other parts.
func (p *pass) inTableParts() bool {
	top := p.top()
	return inTable(top) && !isCell(top) || top == atom.Colgroup
}

// isForeign reports whether SVG or MathML is open.
func (p *pass) isForeign() bool {
	return *p.open.of(atom.Svg) > 0 && p.isOpen(atom.Svg) || *p.open.of(atom.Math) > 0 && p.isOpen(atom.Math)
}

// checkForeign checks a start tag in SVG or MathML. There a parser knows few elements, and
// HTML is possible in some of them.
func (p *pass) checkForeign(tag atom.Atom, selfClosing bool) {
	switch p.top() {
	case 0, atom.A, atom.Svg, atom.Math:
	default:
		p.odd = true
	}
	switch tag {
	case 0, atom.Mi, atom.Mn, atom.Mo, atom.Ms, atom.Mtext:
	case atom.A:
		p.odd = p.odd || selfClosing || p.isOpen(atom.A)
	default:
		p.odd = true
	}
}

// checkText checks a text.
func (p *pass) checkText(source string) {
	if p.odd || p.conditional {
		return
	}
	p.odd = (p.inTableParts() || p.inStyledHead()) && trim(source) != "" || strings.IndexByte(source, 0) >= 0
}

// checkPop checks an end tag that closes all open elements but the first n and the one
// that it names. A parser lets only some end tags close other elements.
func (p *pass) checkPop(tag atom.Atom, n int) {
	if p.odd || p.conditional || (tag == atom.Body || tag == atom.Html) && p.endsSource() {
		return
	}
	if n < len(p.stack)-1 && p.isForeign() {
		p.odd = true
		return
	}
	switch tag {
	case atom.Head:
		p.odd = p.inText() // which has ended the head
	case atom.Body, atom.Html: // a parser goes on in the body
		p.odd = p.inText() || slices.ContainsFunc(p.stack[n:], func(e element) bool { return e.look != plainLook || e.atom != atom.Html && e.atom != atom.Body })
	case atom.Form: // it ends without its last elements
		p.odd = p.reopened > 0 || slices.ContainsFunc(p.stack[n:], func(e element) bool { return htmltoken.IsFormatting(e.atom) })
	}
	isAround := n+1 < p.aroundTable // a paragraph that may still be open
	if closesParagraph(tag) || inTable(tag) || tag == atom.Body || tag == atom.Html {
		if isAround {
			p.aroundTable = 0
		}
		return
	}
	p.odd = p.odd || isAround
	for i := n + 1; i < len(p.stack); i++ {
		if !p.canReopen(i) && !isOption(tag, p.stack[i].atom) {
			p.odd = true
			return
		}
	}
}

// isOption reports whether an element ends with the end tag of a selection or of a group of
// options around it.
func isOption(around, tag atom.Atom) bool {
	return tag == atom.Option && (around == atom.Select || around == atom.Optgroup) || tag == atom.Optgroup && around == atom.Select
}

// checkCut checks the elements that are closed together, all open ones but the first n. Only the first of them
// may be one whose end tag was read, as byEndTag says.
func (p *pass) checkCut(n int, byEndTag bool) {
	if p.odd || p.conditional || p.endsSource() {
		return
	}
	first := p.stack[n].atom
	inCell := false
	for i := n + 1; i < len(p.stack); i++ {
		tag := p.stack[i].atom
		inCell = inCell || isCell(p.stack[i-1].atom)
		switch {
		case byEndTag && isWithin(tag, first), first == atom.Option: // a parser may have an option in it
			p.odd = true
			return
		case inCell && endsWithCell(tag), byEndTag && first != atom.Form && endsWithOthers(tag):
		case tag == atom.P, tag == atom.Li, tag == atom.Dd, tag == atom.Dt, tag == atom.Body, tag == atom.Colgroup, inTable(tag) && tag != atom.Table:
		case !p.canReopen(i) && !isOption(first, tag):
			p.odd = true
			return
		}
	}
	p.reopened = min(p.reopened, n+1)
}

// isWithin reports whether an end tag that names an element around another one is one of the other: that of a list
// item does not end a list, and that of a heading ends the innermost one (HTML §13.2.6.4.7).
func isWithin(tag, around atom.Atom) bool {
	return around == atom.Li && (tag == atom.Ul || tag == atom.Ol) || htmltoken.IsHeading(around) && htmltoken.IsHeading(tag)
}

// endsWithOthers reports whether an element ends with an end tag of one around it, and nothing of it goes on.
func endsWithOthers(tag atom.Atom) bool {
	return tag == 0 || tag == atom.Span || closesParagraph(tag) && tag != atom.Form
}

// endsWithCell reports whether an element ends with the cell of a table that it is in, and with nothing
// else: a parser opens formatting elements again only in the cell.
func endsWithCell(tag atom.Atom) bool {
	return endsWithOthers(tag) || htmltoken.IsFormatting(tag) && tag != atom.A && tag != atom.Nobr
}

// endsSource reports whether nothing is behind the end tag read last but those of the document.
func (p *pass) endsSource() bool {
	const most = 64 // bytes
	rest := p.source[p.pos:]
	if len(rest) > most {
		return false
	}
	for _, tag := range [...]string{"</body>", "</html>"} {
		rest = trim(rest)
		if ascii.HasPrefixFold(rest, tag) {
			rest = rest[len(tag):]
		}
	}
	return trim(rest) == ""
}

// canReopen reports whether the open element i is a formatting element that changes
// nothing but the font, also where it is opened again, and is around no open reference. A parser opens it again before
// the next text, where it makes no difference (HTML §13.2.4.3).
func (p *pass) canReopen(i int) bool {
	e := &p.stack[i]
	if !htmltoken.IsFormatting(e.atom) || e.atom == atom.A || e.atom == atom.Nobr || p.link != nil || !e.plain {
		return false
	}
	around := look{}
	if i > 0 {
		around = p.stack[i-1].look
	}
	if e.look != around {
		return false
	}
	if p.reopened == 0 {
		p.reopened = i + 1
	}
	p.unsettle()
	return true
}

// takesOut reports whether an end tag that ends an element that a parser opened again also ends an
// element in it that the pass has open, and which a parser does not open again (HTML §13.2.6.4.7,
// adoption agency). Blocks stay open.
func (p *pass) takesOut() bool {
	if p.reopened == 0 {
		return false
	}
	within := p.stack[min(max(p.reopened-1, p.scope()), len(p.stack)):]
	return slices.ContainsFunc(within, func(e element) bool {
		return !htmltoken.IsFormatting(e.atom) && (!closesParagraph(e.atom) || e.atom == atom.Dialog)
	})
}

// checkUnopened checks an end tag whose element is not open, or not within the innermost
// scope. A parser ignores it, but for that of a paragraph or a line break, which adds an
// empty one. checkUnopened reports whether the pass ignores it, too: other programs may see a break there, which
// matters only within a word.
func (p *pass) checkUnopened(tag atom.Atom) (isIgnored bool) {
	if p.odd || p.conditional {
		return false
	}
	p.unsettle()
	switch {
	case p.isForeign():
		p.odd = true
	case tag == atom.P || tag == atom.Br:
		if tag == atom.P {
			p.endAroundTable()
		}
		p.odd = p.odd || p.inTableParts() || p.link != nil && (p.sheet != nil || p.mayMove()) || p.sheet.generates("p", &noAttributes) ||
			p.behind != away && (p.look().inRow || p.sheet.inLineAt("p", &noAttributes) != notBeside) // it parts no references
		if p.link != nil {
			p.link.text.noteEdge() // where the empty element is
		}
	case htmltoken.IsHeading(tag): // it ends any heading
		p.odd = p.inText() || slices.ContainsFunc(p.stack, func(e element) bool { return htmltoken.IsHeading(e.atom) })
		return !p.odd
	case tag == atom.Form: // it ends the form around the scope for the buttons that follow
		p.odd = p.isOpen(tag) || p.inText()
		return !p.odd
	case htmltoken.IsFormatting(tag): // it may split the reference around, where a parser opened it again
		p.odd = p.reopened > 0 && p.link != nil || p.takesOut()
	case splits(tag):
		p.odd = p.inText() && p.isInWord() || tag == atom.Tbody && p.isInRow()
		return !p.odd
	}
	return false
}

// isInRow reports whether a row of the innermost table is open. A parser has it in a body that the
// table may not have.
func (p *pass) isInRow() bool {
	for i := len(p.stack) - 1; i >= 0 && p.stack[i].atom != atom.Table; i-- {
		if p.stack[i].atom == atom.Tr {
			return true
		}
	}
	return false
}

// isInWord reports whether a text may go on in the same word behind the token read last.
func (p *pass) isInWord() bool {
	rest := p.source[p.pos:p.until]
	if rest == "" || isSpace(rest[0]) {
		return false
	}
	if tag, isEnd := strings.CutPrefix(rest[1:], "/"); rest[0] == '<' {
		name := tagName(tag)
		mayHide := !isEnd && (!strings.HasPrefix(tag[len(name):], ">") || p.sheet.mayHide(strings.ToLower(name), &noAttributes))
		if splits(lookup(name)) && !mayHide {
			return false
		}
	}
	return p.start > 0 && !isSpace(p.source[p.start-1])
}

// mayMove reports whether a style may move the parts of the text of the open reference, of which an
// empty element is one.
func (p *pass) mayMove() bool {
	around := p.look()
	return len(p.link.text.offsets) > 0 || around.reordered || around.isolated
}

// endAroundTable ends the paragraph around a table: without a document type the table has not
// ended it. A parser then closes the elements in the paragraph, and opens links and formatting
// elements again behind it.
func (p *pass) endAroundTable() {
	if p.odd || p.aroundTable == 0 {
		return
	}
	within := p.stack[min(p.aroundTable-1, len(p.stack)):]
	if slices.ContainsFunc(within, func(e element) bool { return isScope(e.atom) }) {
		return // the paragraph stays open
	}
	p.aroundTable = 0
	p.odd = p.link != nil || len(within) > 0 || p.inText()
}

// inText reports whether a text is not yet complete.
func (p *pass) inText() bool {
	return p.link != nil || p.visible.hasWords() || p.hidden.hasWords()
}

// top returns the innermost open element.
func (p *pass) top() atom.Atom {
	if len(p.stack) == 0 {
		return 0
	}
	return p.stack[len(p.stack)-1].atom
}

// isOpen reports whether an element is open.
func (p *pass) isOpen(tag atom.Atom) bool {
	for i := len(p.stack) - 1; i >= 0; i-- {
		if p.stack[i].atom == tag {
			return true
		}
	}
	return false
}

// rooted notes html, head and body, and reports whether there was one before, or
// another element is open around it.
func (p *pass) rooted(tag atom.Atom) bool {
	for _, open := range p.stack {
		if open.atom != atom.Html {
			return true
		}
	}
	bit := map[atom.Atom]uint8{atom.Html: 1, atom.Head: 2, atom.Body: 4}[tag]
	before := p.roots
	p.roots |= bit
	return before&bit != 0
}

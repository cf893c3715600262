package htmlpart

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/htmltoken"
)

// attributes reads the attributes of the start tag read last.
func (p *pass) attributes(a *attributes) {
	p.tokens.each(func(name, value string) { p.attribute(a, name, value, p.link != nil) })
}

// startTag reads a start tag, which may end in "/>".
func (p *pass) startTag(selfClosing bool) {
	name, tag := p.tokens.name(p.source[p.start+1 : p.pos])
	if selfClosing {
		_, _, solidus := tagEnd(p.source[:p.pos], p.start+1)
		selfClosing = !solidus
	}
	a, hasAttributes := &noAttributes, p.pos-p.start > len("<>")+len(name)
	if hasAttributes {
		p.given = attributes{amp: isAMP(name), names: p.given.names[:0]}
		a = &p.given
		p.attributes(a)
	}
	if mayBranch(tag) && !(p.conditional && tag == atom.Noscript) { // Outlook knows no noscript
		p.reader.branch()
		p.conditions = p.conditions || p.conditional
	}
	if p.isIgnoredForm(tag) {
		p.ignoreForm(&element{atom: tag, name: name}, a)
		return
	}
	p.inForm = p.inForm || tag == atom.Form
	if (tag == atom.Svg || tag == atom.Math) && p.start >= p.picture.end {
		p.picture = picture{start: p.start, end: p.start}
	}
	broke := p.closeImplied(tag)
	p.checkStart(tag, selfClosing)
	p.raw = p.rawContent(tag)
	style := a.styleOf(p.inForeign() || tag == atom.Svg || tag == atom.Math)
	local := localNameOf(tag, name)
	around := p.look()
	e := p.next(tag, name)
	e.look = *around
	if p.enter(&e.look, tag, local, a, style, p.nextSerial()) {
		p.move(tag, a)
	}
	if p.link != nil {
		p.link.text.enter(&e.look, around) // what breaks the text may be hidden, too
	}
	if broke && e.look.gone {
		near := p.behind // which splitting would change
		p.split(&plainLook)
		p.behind = near
	}
	breaks := splits(tag) || style.splits
	if p.link != nil || breaks || around.inRow {
		e.inLine = p.inLine(tag, local, a, style, around)
	}
	switch tag {
	case atom.Tr:
		p.checkRow(e)
	case atom.Table:
		// Without a document type the table does not end the paragraph, and may not part the text in that.
		p.odd = p.odd || broke && !p.conditional && (e.look.gone || e.inLine != notBeside)
	}
	p.edge(e, breaks)
	near := p.behind
	if breaks {
		p.splitBox(&e.look, e.inLine)
	}
	if !e.look.gone {
		p.behind = near.over(breaks, e.inLine)
	}
	if p.link != nil {
		p.inLink(e, around, local, a)
	}
	if tag == atom.Input && p.buttons && !a.submits(tag) && !strings.EqualFold(a.typ, "hidden") {
		p.showBeside(" " + a.value + a.placeholder + " ")
	}
	if local == "textpath" {
		p.put(a.text, p.start, p.pos-p.start, p.isHidden())
	}
	p.references(e, local, a, style, selfClosing)
	if p.link == nil && e.look.generated != nil {
		p.showGenerated(&e.look, &e.look.generated.before)
	}
	if n := len(p.stack); a.shadow && tag == atom.Template && n > 0 {
		p.stack[n-1].look.doubt = p.nextSerial() // what follows in the element around
		p.partial = true                         // the slots in it may show that in any order
	}
	// "/>" closes foreign elements, and in Outlook those with a prefix.
	if !htmltoken.IsVoid(tag) && (!selfClosing || !p.inForeign() && !strings.Contains(e.name, ":")) {
		e.alone, e.plain = p.mayBeSettled(e), a.isPlain()
		p.push(e)
	} else if p.link != nil {
		p.link.text.leave(&e.look)
	}
}

// edge notes in the open reference that an element begins, if it breaks the text or may be in its line.
func (p *pass) edge(e *element, breaks bool) {
	if p.link != nil && (breaks || e.inLine != notBeside) && !e.look.gone {
		p.link.text.edge(e.inLine, len(p.stack))
	}
}

// inLink notes what an element in a reference does to the text and the labels of that.
func (p *pass) inLink(e *element, around *look, local string, a *attributes) {
	if p.movedAt == p.start || e.atom == atom.Slot {
		p.link.moved = true
		p.link.covers = p.link.covers || p.covering == p.serial
	}
	if e.atom == atom.A && p.link.item.Element == "a" {
		p.closeLink()
		return
	}
	if e.look.turned && !around.turned {
		p.link.text.put(override, around)
	}
	if a != &noAttributes {
		p.link.cut = p.link.cut || a.backward
		p.link.item.addLabel(embeddedText(local, a))
		p.labelByID(&p.link.item, local, a)
	}
}

// references reads what an element opens or holds.
func (p *pass) references(e *element, local string, a *attributes, style *style, selfClosing bool) {
	at, hasAttributes := place{p.start, p.pos}, a != &noAttributes
	var urls []string
	silent := false
	if hasAttributes || local == "form" || local == "script" { // others open nothing
		p.script(a.readScripts(), at)
		p.partial = p.partial || a.cut
		urls, silent = p.opened(local, a, at)
	}
	if style.field != "" {
		urls = p.resolve(urls, style.field)
	}
	if len(urls) > 0 && isAnimation(e.atom, local) && (p.link != nil || p.top() == atom.A) {
		p.animateAround(urls, at)
	} else if len(urls) > 0 && silent && htmltoken.IsVoid(e.atom) && p.link != nil {
		p.emit(&p.hidden, true)
		p.sendEmpty(p.newLink(e, urls, at, a, true)) // the text of the reference around goes on
	} else if len(urls) > 0 {
		p.reference(e.atom, p.newLink(e, urls, at, a, silent || p.conditional), selfClosing)
	} else if button := p.buttonOf(e, a, at); button != nil {
		p.reference(e.atom, button, selfClosing)
	} else if p.link != nil {
		p.link.labelWithin(e.atom, a)
	}
	if p.link != nil {
		p.link.generate(p.sheet, style, local, a, e.look.quotes)
	}
	if hasAttributes {
		p.readFrame(local, a, at)
	}
}

// move notes an element that a style takes from its place.
func (p *pass) move(tag atom.Atom, a *attributes) {
	p.movedAt = p.start
	switch {
	case p.link != nil || p.again:
	case tag == atom.Img && a.usemap:
		p.labelMap()
	case !htmltoken.IsVoid(tag):
		p.lay(p.start)
	}
}

// labelMap gives areas the text before a picture at the end of what was read, which is a map and
// may lie over it.
func (p *pass) labelMap() {
	if len(p.pictures) == maxLabels {
		return
	}
	before := p.source[max(0, p.start-maxAround):p.start]
	if lines := linesOf(before, 0, nil); len(lines) > 0 && p.spend(len(before)) == nil {
		p.pictures = append(p.pictures, lines[len(lines)-1])
	}
}

// endTag reads an end tag.
func (p *pass) endTag() {
	name, tag := p.tokens.name(p.source[p.start+2 : p.pos])
	e := element{atom: tag, name: name}
	if p.link != nil && strings.EqualFold(p.link.name, e.name) {
		if p.top() != e.atom || e.atom != atom.A && *p.open.ofElement(&e) > 1 {
			p.odd = true // it may end another element of that name
		}
		p.ended = p.link.open + 1
		p.closeLink()
	} else if p.conditional && e.atom == atom.A {
		p.conditions = true
	}
	if e.atom == atom.Form {
		p.endForm()
		p.inForm = false
	}
	// Breaks may also come from the style.
	inside, setOff, isIgnored := p.pop(&e)
	if p.ended = 0; isIgnored {
		return
	}
	near, breaks := p.behind, splits(e.atom) || setOff
	if breaks {
		p.splitBox(&inside, e.inLine)
	}
	switch {
	case inside.gone:
	case p.link != nil:
		p.behind = near // as its start tag left that
	default:
		p.behind = near.over(breaks, e.inLine)
	}
}

// split ends the text before a break of an element. The text of a reference goes on.
// Elements that are not shown break nothing that is.
func (p *pass) split(l *look) {
	if l.gone {
		if p.link != nil {
			p.link.text.put(" ", l)
		}
		p.emit(&p.hidden, true)
		return
	}
	p.behind, p.generated = away, ""
	if p.link != nil {
		p.link.text.blank()
	}
	p.flush()
}

// splitBox ends the text before a break of an element that may be in the line of that text. Its last word
// may go on in the element.
func (p *pass) splitBox(l *look, inLine beside) {
	if p.link != nil || l.gone {
		p.split(l)
		return
	}
	isBlank := len(p.visible.pieces) == 0 || inLine == touching && !p.visible.hasWords()
	word := p.inWord
	switch {
	case inLine == notBeside:
		p.boxWord, word.urls = "", nil
	case isBlank:
		p.inWord.urls, word.boxed = nil, true // the word ends behind the break
	default:
		word.urls = nil
		tail := p.visible.tail()
		if inLine == touching {
			tail = strings.TrimRight(tail, blanks)
		}
		p.boxWord = lastWordOf(tail)
	}
	p.split(l)
	if word.urls != nil {
		p.inWord = word
	}
}

// reference begins a reference; one without a text of its own is complete.
func (p *pass) reference(tag atom.Atom, l *openLink, selfClosing bool) {
	// The text may belong to both, or to none where a browser knows no reference.
	l.vml = p.outlook && !opens(tag)
	p.odd = p.odd || p.link != nil && !p.link.vml || !p.conditional && !p.outlook && !opens(tag)
	p.endBeforeReference(l)
	l.shape = p.inForeign()
	p.labelButton(tag, l)
	p.flush()
	if htmltoken.IsVoid(tag) || tag == atom.Form || selfClosing && tag != atom.A {
		p.sendEmpty(l)
		p.goOn(l.around)
		return
	}
	l.scope, l.open = p.scope(), len(p.stack)
	p.link = l
}

// animateAround adds the URLs of an animation to the reference around it, or makes one of the
// element around.
func (p *pass) animateAround(urls []string, at place) {
	const most = 8 // URLs of a reference
	p.odd = true
	if p.link == nil {
		p.link = p.newLink(&p.stack[len(p.stack)-1], urls, at, &attributes{}, p.conditional)
		p.link.scope, p.link.open = p.scope(), len(p.stack)-1
		p.link.item.addLabel(p.visible.text()) // it may be that of the element
	} else if len(p.link.urls) < most {
		p.link.urls = append(slices.Clip(p.link.urls), urls...)
	}
}

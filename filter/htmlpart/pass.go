package htmlpart

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// pass reads a piece of the source token by token: all of it, a conditional comment,
// or a branch.
type pass struct {
	*reader
	tokens       tokens
	given        attributes  // of the start tag read last
	start, pos   int         // the token read last
	until        int         // the end of what the pass reads
	raw          atom.Atom   // the element whose content is not markup, right after its start tag
	stack        []element   // open elements
	open         counts      // how many of them there are of a kind
	scopes       int         // how many of them are scopes
	beside       []byte      // the last text that was shown before, where the source has buttons
	besideBlanks blanksRun   // at its end
	sends        []*openLink // what the buttons of the open form open
	link         *openLink   // the reference whose text is being read
	ended        int         // one more than the elements around the reference that an end tag ends
	conditional  bool        // in a conditional comment
	inForm       bool        // a form began that no end tag ended
	aroundTable  int         // one more than the elements around a paragraph that may go on behind a table; 0 without one
	reopened     int         // one more than the elements around what a parser opened again and the pass has not; 0 without any
	odd          bool        // at this token a parser may have other elements open
	unsettled    int         // elements that were open at this offset are not settled
	formatting   int         // open formatting elements
	branch       bool        // reads only references, up to where another pass was
	rejoined     bool        // another pass was here
}

// look returns how text is shown here. It is valid until an element begins or ends.
func (p *pass) look() *look {
	if len(p.stack) == 0 {
		return &plainLook
	}
	return &p.stack[len(p.stack)-1].look
}

// plainLook is the look of a text in no element.
var plainLook look

// isHidden reports whether text here is hidden.
func (p *pass) isHidden() bool { return p.conditional || p.look().hidden() }

// inForeign reports whether text here belongs to SVG or MathML.
func (p *pass) inForeign() bool {
	return len(p.stack) > 0 && p.stack[len(p.stack)-1].foreign
}

// closeLink completes the open reference.
func (p *pass) closeLink() {
	l := p.link
	if l == nil {
		return
	}
	p.link = nil
	for i := len(p.stack) - 1; i > l.open; i-- {
		l.text.leave(&p.stack[i].look)
	}
	if l.open < len(p.stack) {
		l.text.sign(1, &p.stack[l.open].look)
	}
	p.flush()
	p.sendLink(l)
	p.endBefore(l, p.start)
	p.within(l)
	around := l.around
	p.reuse(l)
	p.goOn(around)
}

// goOn goes on with the shape around a reference that has ended, if it is still open. It may be nil.
func (p *pass) goOn(around *vmlLink) {
	if around == nil || around.open >= len(p.stack) || p.stack[around.open].name != around.name {
		return
	}
	p.link = p.newLink(&p.stack[around.open], around.urls, place{around.start, around.end}, &noAttributes, false)
	p.link.vml, p.link.scope, p.link.open = true, p.scope(), around.open
}

// newLink returns a reference whose text follows.
func (r *reader) newLink(e *element, urls []string, at place, a *attributes, hidden bool) *openLink {
	l := r.room.link
	if r.room.link = nil; l == nil {
		l = new(openLink)
	}
	r.instruction = 0
	l.urls, l.name, l.boxBefore, l.before = urls, e.name, r.wordOfBox(), r.wordBefore()
	l.divided = r.dividedAt > r.visible.length()-len(l.before)
	l.item.Element, l.item.Hidden, l.item.Start, l.item.End = e.name, hidden || e.look.hidden(), at.start, at.end
	l.item.label(a)
	if a.title == "" {
		l.item.addLabel(e.look.title)
	}
	r.labelByID(&l.item, "", a)
	l.veiled = e.look.veiled
	if l.moved, l.movedAt = e.look.moved, at.start; l.moved {
		l.movedAt, l.covers = min(r.movedAt, at.start), r.covering == r.serial
	}
	l.text.sheet = r.sheet
	l.text.sign(0, &e.look)
	l.text.cutFirst(&e.look)
	switch e.atom {
	case atom.Area:
		r.labelArea(l)
	case atom.Input:
		l.text.put(a.value, &e.look)
		l.item.addLabel(embeddedText("input", a))
	case atom.Button:
		l.item.addLabel(a.value)
	}
	if e.look.turned {
		l.text.put(override, &e.look)
	}
	return l
}

// wordBefore returns the text right before a reference, up to a blank.
func (r *reader) wordBefore() string {
	word := r.visible.lastWord() + r.generated
	r.generated = ""
	if word == "" && r.behind == right && len(r.last.word) == 0 {
		return r.last.before // the references between show nothing
	}
	return word
}

// reuse keeps a reference that was sent, for the room of its text.
func (r *reader) reuse(l *openLink) {
	if cap(l.text.all) > maxReadingBytes {
		return
	}
	room := l.text.room()
	*l = openLink{}
	l.text = room
	r.room.link = l
}

// sendLink yields a reference for each URL that it may open. Where it follows another
// one directly, a reader may see the two as one.
func (r *reader) sendLink(l *openLink) {
	r.labelCovered(l)
	r.labelLaid(l)
	r.labelPainted(&l.item)
	l.item.Text, l.item.Readings = l.text.texts()
	if r.sheet != nil && r.sheet.letters != nil {
		l.item.addReading(withoutFirst(l.item.Text))
	}
	if l.text.floats {
		first, _ := firstLetter(l.item.Text)
		l.item.addReading(l.item.Text[len(first):] + first)
	}
	l.item.Readings = l.appendGenerated(l.item.Readings, l.item.Text)
	l.item.Readings = cutTexts(l.text.withSigns(l.item.Readings), l.item.Text, r.roomOf(&l.text))
	l.item.Readings = append(l.item.Readings, l.inputs...)
	if len(l.text.offsets) > 0 {
		readings, all := orders(string(l.text.all), l.text.offsets, l.urls[0])
		l.item.Readings = append(l.item.Readings, readings...)
		l.cut = l.cut || !all
	}
	if len(l.text.seams) > 0 && mayNameHost(l.text.all) {
		if line := inOneLine(string(l.text.all), l.text.seams, l.urls[0]); line != l.item.Text {
			l.item.Readings = append(l.item.Readings, line)
		}
	}
	l.item.addLabel(l.withAlts())
	l.combined(l.item.addReading, l.item.addNewLabel)
	l.readCounters()
	r.partial = r.partial || l.cut || l.item.cut || l.text.cut || r.letters.unread()
	r.joinBox(l)
	r.join(l)
	r.last.url, r.behind = l.urls[0], right
	for _, url := range l.urls {
		l.item.URL = url
		r.send(&l.item)
	}
}

// sendEmpty is sendLink for a reference without content. What was near before it still is.
func (r *reader) sendEmpty(l *openLink) {
	near := r.behind
	r.sendLink(l)
	switch {
	case l.item.Text != "" || len(l.item.Labels) > 0:
		near = away
	case l.before != "":
		near = right // the text before it goes on behind it
	}
	r.behind = near
}

// within notes a reference that has ended, so that the text that follows it may end a word.
func (r *reader) within(l *openLink) {
	r.inWord.urls = nil
	r.last.ends = r.last.pieces > 1
	if text := l.item.Text; len(text) > 1 && len(text) < maxInPieces && strings.IndexByte(text, ' ') < 0 {
		r.inWord = linkInWord{l.item, l.urls, l.boxBefore + l.before, l.divided || l.text.divided, l.boxBefore != ""}
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

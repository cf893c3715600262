package htmlpart

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	// leastSettled is the length in bytes of a piece that is worth it.
	leastSettled = 128
	// maxSettled bounds the memory for them.
	maxSettled = 4096
)

// maySettle reports whether an element of a kind may be settled. Its start tag ends a paragraph, and its
// end tag nothing but itself.
func maySettle(tag atom.Atom) bool {
	switch tag {
	case atom.Blockquote, atom.Center, atom.Div, atom.Dl, atom.Ol, atom.Table, atom.Ul:
		return true
	}
	return false
}

// unsettles reports whether a start tag in an element, right in another one, may have a part in what is around that
// element: a parser may look there for what the tag ends, or remember it for what follows.
func unsettles(tag, around atom.Atom) bool {
	switch tag {
	case 0, atom.A, atom.Abbr, atom.Acronym, atom.Address, atom.Article, atom.Aside, atom.B, atom.Big, atom.Blockquote, atom.Br,
		atom.Caption, atom.Center, atom.Cite, atom.Code, atom.Col, atom.Colgroup, atom.Del, atom.Div, atom.Dl, atom.Em, atom.Font,
		atom.Footer, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hr, atom.I, atom.Img, atom.Ins, atom.Main,
		atom.Ol, atom.P, atom.Pre, atom.S, atom.Section, atom.Small, atom.Span, atom.Strike, atom.Strong, atom.Sub, atom.Sup,
		atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Tt, atom.U, atom.Ul:
		return false
	case atom.Li:
		return around != atom.Ul && around != atom.Ol
	case atom.Dd, atom.Dt:
		return around != atom.Dl
	}
	return true
}

// unsettle says that what is open is not settled.
func (p *pass) unsettle() { p.unsettled = p.start }

// mayBeSettled reports whether an element may be settled that begins here, and has its look.
func (p *pass) mayBeSettled(e *element) bool {
	return maySettle(e.atom) && e.inLine == notBeside && p.link == nil && !p.again && !p.conditional && !p.branch &&
		!e.look.hidden() && !e.look.moved && e.look.generated == nil && !p.last.mayContinue() &&
		(e.atom == atom.Table || p.formatting == 0) && p.canMove(e)
}

// canMove reports whether the attributes of an element that begins here can be left out of what a parser
// gets.
func (p *pass) canMove(e *element) bool {
	at := e.start + len("<") + len(e.name)
	if at == p.pos-len(">") {
		return true
	}
	_, _, solidus := tagEnd(p.source, at)
	return attributesEnd(p.source, at, p.pos, solidus) > 0
}

// settle notes an element that its end tag has closed, if it is settled.
func (p *pass) settle(e *element) {
	if e.alone && e.start > p.unsettled && !p.odd && p.link == nil && !p.last.mayContinue() {
		p.note(settled{start: e.start, end: p.pos, kind: html.ElementNode, look: e.look})
	}
}

// settleToken notes the token read last, of a kind.
func (p *pass) settleToken(kind html.NodeType) {
	if p.pos < p.until && !p.again && !p.conditional && !p.branch {
		p.note(settled{start: p.start, end: p.pos, kind: kind})
	}
}

// settleComment notes the comment read last. What is a comment only in HTML may be a text in SVG.
func (p *pass) settleComment(source string) {
	switch {
	case strings.HasPrefix(source, "<!--") && strings.HasSuffix(source, "-->"):
		p.settleToken(html.CommentNode)
	case !p.conditional:
		p.unsettle()
	}
}

// note notes a settled piece. It replaces those that are in it.
func (r *reader) note(s settled) {
	n := len(r.settled)
	for n > 0 && r.settled[n-1].start > s.start {
		n--
	}
	if r.settled = r.settled[:n]; s.end-s.start >= leastSettled && n < maxSettled {
		r.settled = append(r.settled, s)
	}
}

// mayContinue reports whether the text of a next reference may continue that of this one, though breaks
// are between them.
func (b *linkBefore) mayContinue() bool { return len(b.text) > 0 && startsAsURL(string(b.text)) }

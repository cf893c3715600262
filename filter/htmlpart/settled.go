package htmlpart

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/htmltoken"
)

// Most of an irregular source is regular: a table with a fault is among tables without one. An element is
// settled where a parser reads its content as the pass did, whatever is around it: all that begins in
// it ends in it, and a parser asks for nothing that may be around. So are comments, style sheets and
// scripts. A parser takes most of the time of a reading. So it gets something short in place of what is settled. If
// that is in the tree where it may be, and is shown as the pass saw it, the tree has nothing in it that the
// pass has not.

// settled is a piece of the source that is settled.
type settled struct {
	start, end int
	kind       html.NodeType // html.ElementNode, html.CommentNode or html.TextNode, for a style sheet or script
	look       look          // of an element
	missed     bool          // the tree shows it in another way than the pass saw it
}

const (
	// leastSettled is the length in bytes of a piece that is worth it.
	leastSettled = 128
	// maxSettled bounds the memory for them.
	maxSettled = 4096
)

// A short element that is no table has these: a text, at which a parser opens formatting elements again
// that are not closed, and a table, which it puts elsewhere where the element is right in another table.
const textOfShort, tableOfShort = "x", "<table></table>"

// shorten writes the source up to a settled piece, and what is in place of that, with its number. It counts what
// that costs. It writes nothing where a tag before seems to end behind the beginning of the piece.
func (m *marker) shorten(s *settled, number int, c *treeCost) {
	if m.done > s.start {
		return
	}
	switch s.kind {
	case html.CommentNode:
		m.mark(s.start+len("<!--"), settledMark, number)
		m.WriteString("-->")
	case html.TextNode:
		m.mark(s.start, settledMark, number)
	default:
		name := tagName(m.source[s.start+1:])
		tag, at := lookup(name), s.start+1+len(name)
		end, attributes, _ := tagEnd(m.source, at)
		c.start(m.source, s.start+1, end, attributes, name, tag)
		c.end(name, tag)
		m.mark(at, settledMark, number)
		if attributes > 0 {
			m.mark(at, cutMark, s.start)
		}
		if tag != atom.Table {
			m.WriteString(">" + textOfShort + tableOfShort + "</" + name + ">")
			c.nodes += 2 + c.reopenedNodes()
		} else {
			m.WriteString("></table>")
		}
	}
	m.done = s.end
}

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

// settleComment notes the comment read last. In SVG what is no comment everywhere may be text.
func (p *pass) settleComment(source string) {
	switch {
	case strings.HasPrefix(source, "<!--") && strings.HasSuffix(source, "-->"):
		p.settleToken(html.CommentNode)
	case !p.conditional:
		p.unsettle()
	}
}

// note notes what is settled in place of what is in it.
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

// hasOneTree reports whether the source has one tree, which shows elements alike wherever they are.
func (r *reader) hasOneTree() bool {
	return r.branches == nil && !r.noscript && !(r.hasNoscript() && r.ignoresNoscript()) && !r.hasFrames() && !r.twoModes && !r.fields && r.linkColor == "" && !r.always &&
		(r.sheet == nil || r.sheet.generating == nil)
}

// maxShort is how often a tree is read with something short in it.
const maxShort = 3

// readShort reads the tree with something short in place of what is settled, and reports whether that is all there
// is to read. What is not in the tree where it may be, or is shown in another way than the pass saw it, is
// read after all, and so is what is behind it: a reference around it, or beside it, lacks it.
func (r *reader) readShort() bool {
	for range maxShort {
		if len(r.settled) == 0 {
			return false
		}
		source, ok := r.marked(r.settled)
		if !ok {
			return false
		}
		doc, err := html.ParseWithOptions(r.metered(source), html.ParseOptionEnableScripting(false))
		if err != nil {
			return false
		}
		counted, isPartial := r.counted, r.partial
		ok = !r.hasAllShort(doc) || r.readNodes(false, doc) && !r.noscript
		if r.muted || !ok { // what was read is read again
			r.muted, r.counted, r.partial = false, counted, isPartial || r.spentBases
		}
		if !ok {
			return false
		}
		n := len(r.settled)
		if r.settled = slices.DeleteFunc(r.settled, func(s settled) bool { return s.missed }); len(r.settled) == n {
			return true
		}
	}
	return false
}

// settledOf returns what is settled that a mark, which may begin with "/", is in place of.
func (r *reader) settledOf(mark string) (*settled, bool) {
	number, ok := strings.CutPrefix(strings.TrimPrefix(mark, "/"), markPrefix[1:]+settledMark)
	if !ok {
		return nil, false
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(r.settled) {
		return nil, false
	}
	return &r.settled[len(r.settled)-n], true
}

// isLike reports whether texts are shown in the same way, wherever the elements are that say so.
func (l *look) isLike(other *look) bool {
	a, b := *l, *other
	for _, l := range [...]*look{&a, &b} {
		l.goneAt, l.doubt, l.cuts = min(l.goneAt, 1), min(l.doubt, 1), min(l.cuts, 1)
	}
	return a == b
}

// isShort reports whether a parser reads what is in place of a settled piece where that may be.
func isShort(n *html.Node) bool {
	switch {
	case n.Type == html.CommentNode:
		return true
	case n.Type == html.TextNode:
		return (n.Parent.DataAtom == atom.Style || n.Parent.DataAtom == atom.Script) && n.Parent.Namespace == ""
	case n.Namespace != "" || !maySettle(n.DataAtom):
		return false
	}
	c := n.FirstChild
	if n.DataAtom == atom.Table {
		return c == nil
	}
	if c == nil || c.Type != html.TextNode || c.Data != textOfShort {
		return false
	}
	c = c.NextSibling
	if c == nil || c.DataAtom != atom.Table || c.FirstChild != nil || c.NextSibling != nil {
		return false
	}
	for around := n.Parent; around != nil && !isCell(around.DataAtom); around = around.Parent {
		if htmltoken.IsFormatting(around.DataAtom) {
			return false
		}
	}
	return true
}

// hasAllShort reports whether a tree has what is in place of each settled piece, where that may be. It
// notes which pieces it misses.
func (r *reader) hasAllShort(doc *html.Node) bool {
	for i := range r.settled {
		r.settled[i].missed = true
	}
	left := len(r.settled)
	for n := range doc.Descendants() {
		mark := n.Data
		if n.Type == html.ElementNode {
			if len(n.Attr) == 0 {
				continue
			}
			mark = n.Attr[0].Key
		}
		if s, ok := r.settledOf(mark); ok && s.missed && s.kind == n.Type && isShort(n) && r.spend(1) == nil {
			s.missed = false
			left--
		}
	}
	return left == 0
}

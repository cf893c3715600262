package htmlpart

import (
	"crypto/rand"
	"hash/maphash"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/htmltoken"
)

// The tree of a parser does not say where its elements come from, and attributes take
// most of the time of a parser. So the parser gets a source in which start tags have an
// attribute with their offset, a mark, mostly in place of all others. Whatever begins
// like a start tag gets one, since only the parser knows what is one. As "/mark-offset"
// a mark changes no quoted value, comment or raw text but by itself. There it is removed,
// and what it replaced is put back.

// markPrefix is what a mark begins with. No sender can guess its 60 bits; a parser reads it in
// each tag.
var markPrefix = "/m" + strings.ToLower(rand.Text()[:12]) + "-"

// cutMark is between the prefix and the offset of a mark that replaces the other attributes.
const cutMark = "a"

// settledMark is in its place for the number of a settled element.
const settledMark = "b"

// solidusMark is between a value that ends in "/" and the ">" behind it. It has no
// offset, so that unmarked can tell it from other marks.
var solidusMark = " " + markPrefix

// treeCost is an upper bound of the work of a parser. It counts all that the parser may take for a
// tag.
type treeCost struct {
	nodes     int // elements, attributes and texts at most, with those that a parser opens again
	trees     int // how often a parser reads the source
	steps     int // for comparing and copying attributes
	open      []uint64
	formats   map[uint64]int // formatting elements that may be open, by tag
	given     map[uint64]int // attributes of formatting elements, by tag
	reopened  int            // formatting elements that a parser opens again for a text, without the last reference
	copied    int            // their attributes
	inLink    bool           // the last reference has no end tag yet
	linkAttrs int            // its attributes
	rootAttrs int            // of html and body
	scanned   int            // bytes of tags
}

const (
	maxTreeSource = 8 << 20
	maxTreeNodes  = 1 << 18
	maxOpenNames  = 600
	// freeNodes are as many as any source may have. A longer one may have a node for each
	// bytesPerNode bytes more, so that its tree takes about as long as its tokens.
	freeNodes    = 8 << 10
	bytesPerNode = 8
	// adoptionNodes are as many as the adoption agency copies for a tag.
	adoptionNodes = 24
	// freeSteps and stepsPerByte bound the steps in the same way.
	freeSteps    = 1 << 20
	stepsPerByte = 8
)

// exceeds reports whether the tree costs too much.
func (c *treeCost) exceeds(source string) bool {
	return c.trees*c.nodes > min(maxTreeNodes, freeNodes+len(source)/bytesPerNode) || c.steps > freeSteps+stepsPerByte*len(source) || c.scanned > 4*len(source)+(64<<10)
}

// marker writes the source with marks.
type marker struct {
	strings.Builder
	source string
	done   int // what is before this offset was written
}

// mark writes the source up to an offset, and a mark of a kind with a number.
func (m *marker) mark(at int, kind string, number int) {
	m.WriteString(m.source[m.done:at])
	m.WriteString(markPrefix)
	m.WriteString(kind)
	m.WriteString(strconv.Itoa(number))
	m.done = at
}

// A short element other than a table has a text and a table. At the text a parser opens formatting elements
// again that are not closed. It puts the table elsewhere where the element is right in another table.
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

// marked returns the source with marks, with short ones in place of some settled pieces, and false if its
// tree may cost too much.
func (r *reader) marked(settled []settled) (string, bool) {
	source := r.source
	if len(source) > maxTreeSource {
		return "", false
	}
	c := treeCost{trees: r.trees(), nodes: r.begun().nodes}
	if c.exceeds(source) {
		return "", false // without reading the tags
	}
	c.nodes, c.formats, c.given = 0, make(map[uint64]int), make(map[uint64]int)
	m := marker{source: source}
	m.Grow(len(source) + min(r.begun().nodes/2*(len(markPrefix)+len("123456")), 2*len(source)))
	within := 0 // the end of the last possible tag, in which others may seem to begin
	for at := 0; at < len(source); {
		i := strings.IndexByte(source[at:], '<')
		if i < 0 || r.spend(i+1) != nil {
			break
		}
		if at += i; len(settled) > 0 && at >= settled[0].start {
			m.shorten(&settled[0], len(settled), &c)
			at = max(at, m.done)
			if settled = settled[1:]; at == m.done {
				continue
			}
		}
		at++
		isEnd := at < len(source) && source[at] == '/'
		if isEnd {
			at++
		}
		if at == len(source) || !ascii.IsLetter(source[at]) {
			continue
		}
		start := at
		at += len(tagName(source[at:]))
		name := source[start:at]
		tag := lookup(name)
		if isEnd {
			if at < len(source) && source[at] != '>' {
				end, _, _ := tagEnd(source, at)
				c.scanned += end - at
				within = max(within, end)
			}
			c.end(name, tag)
			continue
		}
		end, attributes, solidus := tagEnd(source, at)
		if c.start(source, start, end, attributes, name, tag); c.exceeds(source) {
			return "", false
		}
		isInTag := start < within
		within = max(within, end)
		until := attributesEnd(source, at, end, solidus)
		switch {
		case !canMark(name, tag), attributes == 0 && !opensAlone(tag):
		case until > 0 && attributes > 0 && !isInTag && !asksForAttributes(name, tag):
			m.mark(at, cutMark, start-1)
			m.done, at = until, until
			continue
		case !strings.HasPrefix(trimLeft(source[at:end]), "="): // which would give the mark a value
			m.mark(at, "", start-1)
		}
		if solidus {
			m.WriteString(source[m.done:end-1] + solidusMark) // or a parser takes it for "/>"
			m.done = end - 1
			at = m.done
		}
	}
	m.WriteString(source[m.done:])
	return m.String(), r.err == nil
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

// trees returns how many trees the source has.
func (r *reader) trees() int {
	n := 1
	for _, more := range [...]bool{r.hasNoscript(), r.hasTemplates(), r.hasFrames(), r.twoModes} {
		if more {
			n++
		}
	}
	return n
}

func (r *reader) hasNoscript() bool { return r.indexFold(r.source, "<noscript") >= 0 }

// ignoresNoscript reports whether a parser may ignore a tag of noscript: in a selection or frames.
func (r *reader) ignoresNoscript() bool {
	return r.indexFold(r.source, "<select") >= 0 || r.hasFrames()
}

func (r *reader) hasTemplates() bool {
	return r.branches != nil && r.indexFold(r.source, "<template") >= 0
}
func (r *reader) hasFrames() bool { return r.indexFold(r.source, "<frameset") >= 0 }

// canMark reports whether tags with the name may get a mark. Those of formatting elements
// may not, since a parser compares their attributes, nor those of which it puts the
// attributes of several tags together.
func canMark(name string, tag atom.Atom) bool {
	for i := range len(name) {
		if c := name[i]; !ascii.IsAlphanumeric(c) && c != ':' && (c != '-' || i == len(name)-1) {
			return false
		}
	}
	return tag == atom.A || !htmltoken.IsFormatting(tag) && tag != atom.Html && tag != atom.Body
}

// opensAlone reports whether an element may open something without an attribute: not most of those
// of mail.
func opensAlone(tag atom.Atom) bool {
	switch tag {
	case atom.Br, atom.Center, atom.Div, atom.Hr, atom.Img, atom.Li, atom.P, atom.Span, atom.Table, atom.Tbody, atom.Td, atom.Th, atom.Tr:
		return false
	}
	return true
}

// asksForAttributes reports whether a parser reads the attributes of an element.
func asksForAttributes(name string, tag atom.Atom) bool {
	return tag == atom.Input || tag == atom.Template || strings.EqualFold(name, "annotation-xml")
}

// attributesEnd returns the offset behind the attributes of a start tag, given those behind its name and
// behind the tag, and 0 where they have to stay: the tag may have no end, they may end something
// else, such as a comment, or take long to read.
func attributesEnd(source string, at, end int, solidus bool) int {
	if end--; end-at > checkEvery || end <= at || end == len(source)-1 {
		return 0
	}
	switch source[end-1] {
	case '-', '!', ']':
		return 0 // "-->", "--!>" and "]]>"
	case '/':
		if !solidus {
			end--
		}
	}
	if strings.IndexByte(source[at:end], '<') >= 0 || strings.IndexByte(source[at:end], '>') >= 0 {
		return 0
	}
	return end
}

// start counts a start tag, whose name begins at an offset and which ends at another.
func (c *treeCost) start(source string, at, end, attributes int, name string, tag atom.Atom) {
	c.scanned += end - at
	c.nodes += 2 + attributes + c.reopenedNodes()
	c.steps += c.copiedAttributes()
	if htmltoken.IsVoid(tag) {
		return
	}
	key := nameKey(name, tag)
	formatting := htmltoken.IsFormatting(tag)
	if formatting || tag == atom.Html || tag == atom.Body {
		if !formatting {
			c.rootAttrs += attributes
			c.steps += c.rootAttrs
		}
		c.steps += min(c.reopenedNodes(), 512) * attributes * attributes
		switch {
		case tag == atom.A: // a parser ends the one before, whatever its attributes are
			if c.inLink {
				c.nodes += adoptionNodes
			}
			c.inLink, c.linkAttrs = true, attributes
		case formatting:
			key = maphash.String(seed, source[at:end])
			if c.formats[key]++; c.formats[key] <= 3 {
				c.reopened++
				c.copied += attributes
			}
			c.given[key] = attributes
		}
	}
	if len(c.open) < maxOpenNames {
		c.open = append(c.open, key)
		if formatting {
			c.open = append(c.open, nameKey(name, tag))
		}
	}
}

// nameKey returns a number for the name of a tag in any case.
func nameKey(name string, tag atom.Atom) uint64 {
	if tag != 0 {
		return uint64(tag)
	}
	return maphash.String(seed, strings.ToLower(name))
}

// reopenedNodes returns how many elements a parser opens again for a text.
func (c *treeCost) reopenedNodes() int {
	if c.inLink {
		return c.reopened + 1
	}
	return c.reopened
}

// copiedAttributes returns how many attributes those elements have.
func (c *treeCost) copiedAttributes() int {
	if c.inLink {
		return c.copied + c.linkAttrs
	}
	return c.copied
}

// end counts an end tag. Only where it belongs to the start tag right before it, the
// element is surely closed.
func (c *treeCost) end(name string, tag atom.Atom) {
	c.nodes += 1 + c.reopenedNodes()
	c.steps += c.copiedAttributes()
	n := len(c.open)
	if n == 0 {
		return
	}
	formatting := htmltoken.IsFormatting(tag)
	key := nameKey(name, tag)
	if c.open[n-1] != key {
		if formatting {
			c.nodes += adoptionNodes
			return
		}
		for i := n - 1; i >= max(0, n-32); i-- {
			if c.open[i] == key {
				c.open = c.open[:i]
				return
			}
		}
		return
	}
	c.open = c.open[:n-1]
	if !formatting {
		return
	}
	format := c.open[n-2]
	c.open = c.open[:n-2]
	if tag == atom.A {
		c.inLink = false
	} else if c.formats[format]--; c.formats[format] < 3 {
		c.reopened--
		c.copied -= c.given[format]
	}
}

// unmarked returns a text of the marked source without its marks, and with the attributes
// that they replaced. In an escaped text they have character references.
func (r *reader) unmarked(s string, escaped bool) string {
	first, rest, marked := strings.Cut(s, markPrefix)
	if !marked {
		return s
	}
	text := append(make([]byte, 0, len(s)), first...)
	for piece := range strings.SplitSeq(rest, markPrefix) {
		piece, isCut := strings.CutPrefix(piece, cutMark)
		after := strings.TrimLeft(piece, "0123456789")
		switch offset := piece[:len(piece)-len(after)]; {
		case isCut:
			attributes := r.attributesAt(offset)
			if escaped {
				attributes = html.UnescapeString(attributes)
			}
			text = append(text, attributes...)
		case offset == "" && len(text) > 0:
			text = text[:len(text)-1] // the blank of a solidusMark
		}
		text = append(text, after...)
	}
	return string(text)
}

// attributesAt returns what the mark of a tag replaced, given the offset of the tag.
func (r *reader) attributesAt(offset string) string {
	start, err := strconv.Atoi(offset)
	if err != nil || start >= len(r.source) {
		return ""
	}
	at := start + 1 + len(tagName(r.source[start+1:]))
	end, _, solidus := tagEnd(r.source, at)
	if r.spend(end-start) != nil {
		return ""
	}
	return r.source[at:max(at, attributesEnd(r.source, at, end, solidus))]
}

package htmlpart

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/htmltoken"
)

// treePass reads the tree of the source, as browsers do.
type treePass struct {
	*reader
	scripts bool // they run, so noscript is not shown
	links   []*openLink
	depth   int        // elements around
	short   *settled   // the element read last is in place of this one; nil for none
	given   attributes // of the element read last
	at      place      // of the last element with a known place
	tokens  tokens     // of the source, for attributes
	texts   [2][]byte  // that are not yet complete: visible, hidden
}

// readNodes reads trees and reports whether the context did not end.
func (r *reader) readNodes(scripts bool, nodes ...*html.Node) bool {
	t := treePass{reader: r, scripts: scripts, at: place{0, len(r.source)}, tokens: r.newTokens(r.source, 0)}
	r.form, r.behind, r.last, r.boxWord, r.inWord = form{}, away, linkBefore{}, "", linkInWord{}
	for _, n := range nodes {
		t.walk(n, look{})
	}
	t.flushTexts()
	r.room.attributes = t.tokens.plain.Attributes
	return r.err == nil
}

// walk reads a node and what is in it.
func (t *treePass) walk(n *html.Node, around look) {
	if t.stopped || t.spend(1) != nil {
		return
	}
	switch n.Type {
	case html.TextNode:
		t.text(n, around)
	case html.ElementNode:
		t.element(n, around)
	case html.DocumentNode:
		t.children(n, around)
	}
}

func (t *treePass) children(n *html.Node, l look) {
	t.depth++
	defer func() { t.depth-- }()
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		t.walk(c, l)
	}
}

// element reads an element.
func (t *treePass) element(n *html.Node, around look) {
	a := t.attributes(n)
	name := localName(n.Data)
	t.noscript = t.noscript || n.DataAtom == atom.Noscript
	switch {
	case n.Namespace != "":
		a.action, a.formaction, a.src, a.data, a.srcdoc, a.typ = "", "", "", "", "", "button"
		a.hasHref = a.href != ""
	case a != &noAttributes && !opensByHref(n.DataAtom):
		a.href, a.hasHref = "", false
	}
	s := a.styleOf(n.Namespace != "")
	l := around
	moved := t.enter(&l, n.DataAtom, name, a, s, t.nextSerial())
	if moved {
		t.movedAt = t.at.start
	}
	if hasShadow(n) {
		l.doubt = t.nextSerial()
	}
	breaks := splits(n.DataAtom) || s.splits || around.apart
	for _, link := range t.links[max(0, len(t.links)-maxNested):] {
		link.text.enter(&l, &around)
	}
	inLine := notBeside
	if len(t.links) > 0 || breaks || around.inRow {
		inLine = t.inLine(n.DataAtom, name, a, s, &around)
	}
	isEdge := (breaks || inLine != notBeside) && !l.gone
	t.edge(isEdge, inLine)
	t.breakAt(breaks, inLine, &l)
	if l.turned && !around.turned {
		t.put(override, &around)
	}
	e := element{atom: n.DataAtom, name: strings.ToLower(t.unmarked(n.Data, false)), look: l}
	var link *openLink
	urls, silent := t.opened(name, a, t.at)
	if s.field != "" {
		urls = t.resolve(urls, s.field)
	}
	if len(urls) > 0 {
		link = t.newLink(&e, urls, t.at, a, silent)
	} else {
		link = t.buttonOf(&e, a, t.at)
	}
	if last := len(t.links) - 1; last >= 0 && len(n.Attr) > 0 {
		t.links[last].cut = t.links[last].cut || a.backward
		t.links[last].item.addLabel(embeddedText(name, a))
		t.labelByID(&t.links[last].item, name, a)
	}
	if last := len(t.links) - 1; last >= 0 && (moved || n.DataAtom == atom.Slot) {
		t.links[last].moved = true
		t.links[last].covers = t.links[last].covers || t.covering == t.serial
	}
	if len(n.Attr) > 0 {
		t.script(a.readScripts(), t.at)
		t.readFrame(name, a, t.at)
	}
	if len(t.links) == 0 && link == nil && l.generated != nil {
		t.showGenerated(&l, &l.generated.before)
	}
	if s := t.short; s == nil {
		t.linked(n, link, a, l)
	} else if len(t.links) > 0 || link != nil || inLine != notBeside || t.last.mayContinue() || !l.isLike(&s.look) {
		s.missed, t.muted = true, true
	}
	if len(t.links) == 0 && link == nil && l.generated != nil {
		t.showGenerated(&l, &l.generated.after)
	}
	for _, link := range t.links[max(0, len(t.links)-maxNested):] {
		link.text.leave(&l)
	}
	t.edge(isEdge, inLine)
	t.breakAt(breaks, inLine, &l)
}

// hasShadow reports whether an element has a template whose content programs may show in place of its
// own.
func hasShadow(n *html.Node) bool {
	c := n.FirstChild
	for c != nil && c.Type != html.ElementNode {
		c = c.NextSibling
	}
	return c != nil && c.DataAtom == atom.Template && slices.ContainsFunc(c.Attr, func(a html.Attribute) bool { return a.Key == "shadowrootmode" })
}

// linked reads what is in an element, which may be a reference.
func (t *treePass) linked(n *html.Node, link *openLink, a *attributes, l look) {
	if link == nil {
		for _, around := range t.links {
			around.labelWithin(n.DataAtom, a)
			around.generate(t.sheet, rememberedStyle(a.style), localName(n.Data), a, l.quotes)
		}
		t.children(n, l)
		return
	}
	t.flushTexts()
	if n.DataAtom != atom.Form {
		link.generate(t.sheet, rememberedStyle(a.style), localName(n.Data), a, l.quotes)
	}
	if n.DataAtom == atom.Form || htmltoken.IsVoid(n.DataAtom) {
		t.sendEmpty(link)
		t.reuse(link)
		t.children(n, l)
		return
	}
	t.links = append(t.links, link)
	t.partial = t.partial || len(t.links) > maxNested
	t.children(n, l)
	t.flushTexts()
	t.links = t.links[:len(t.links)-1]
	link.text.sign(1, &l)
	t.sendLink(link)
	t.reuse(link)
}

// attributes reads the attributes of an element, and comes to its place.
func (t *treePass) attributes(n *html.Node) *attributes {
	a := &noAttributes
	t.short = nil
	if n.Namespace != "" || slices.ContainsFunc(n.Attr, func(from html.Attribute) bool { return !isPlace(from.Key) }) {
		t.given = attributes{names: t.given.names[:0]}
		a = &t.given
	}
	t.each(n, func(name, value string) { t.attribute(a, name, value, len(t.links) > 0) })
	return a
}

// each calls a function for the name, in lower case, and value of each attribute of an element. It comes to
// the place of the element, if that has a mark.
func (t *treePass) each(n *html.Node, use func(name, value string)) {
	for _, from := range n.Attr {
		offset, isMark := strings.CutPrefix(from.Key, markPrefix[1:])
		if !isMark {
			name := from.Key
			if from.Namespace != "" {
				name = from.Namespace + ":" + name
			}
			use(strings.ToLower(t.unmarked(name, false)), t.unmarked(from.Val, false))
			continue
		}
		if s, ok := t.settledOf(from.Key); ok {
			t.short = s
			continue
		}
		offset, isCut := strings.CutPrefix(offset, cutMark)
		start, err := strconv.Atoi(offset)
		if err != nil || start >= len(t.source) {
			continue // a solidusMark
		}
		if isCut {
			t.at = place{start, t.tokens.startTag(start)}
			t.tokens.each(use)
		} else {
			end, _, _ := tagEnd(t.source, start+1)
			t.at = place{start, end}
		}
	}
}

// isPlace reports whether an attribute is a mark that only says where its element is.
func isPlace(key string) bool {
	offset, ok := strings.CutPrefix(key, markPrefix[1:])
	return ok && !strings.HasPrefix(offset, cutMark)
}

// text reads a text.
func (t *treePass) text(n *html.Node, l look) {
	if _, ok := t.settledOf(n.Data); ok {
		return
	}
	isEscaped := n.Parent != nil && (n.Parent.DataAtom == atom.Textarea || n.Parent.DataAtom == atom.Title)
	text := t.unmarked(n.Data, isEscaped)
	if p := n.Parent; p != nil && p.Namespace != "" && p.DataAtom == atom.Script {
		t.script(text, t.at)
	} else if p != nil && p.Namespace == "" {
		switch p.DataAtom {
		case atom.Script:
			t.script(text, t.at)
			return
		case atom.Style:
			return
		case atom.Iframe, atom.Noembed, atom.Noframes, atom.Title:
			l.gone = true
		case atom.Noscript:
			if t.scripts {
				return
			}
		}
	}
	t.put(text, &l)
}

// maxNested is the number of references around a text that get it. With more, the reading is
// partial.
const maxNested = 4

// put adds a text to the references that are open, or to the text beside them.
func (t *treePass) put(s string, l *look) {
	if t.spend(len(s)) != nil {
		return
	}
	for i := len(t.links) - 1; i >= max(0, len(t.links)-maxNested); i-- {
		t.links[i].text.putAt(t.depth, s, t.inField(l))
	}
	switch {
	case l.hidden():
		if n := len(t.links); n == 0 || !t.links[n-1].item.Hidden {
			t.texts[1] = append(t.texts[1], s...)
		}
	case len(t.links) == 0:
		t.apart(s)
		if len(t.texts[1]) > 0 {
			t.flushText(1)
		}
		t.texts[0] = append(t.texts[0], s...)
	}
}

// edge notes in the references around that an element begins or ends, if it breaks their texts or may be
// in their lines.
func (t *treePass) edge(isEdge bool, inLine beside) {
	if !isEdge {
		return
	}
	for _, link := range t.links {
		link.text.edge(inLine, t.depth)
	}
}

// breakAt ends the text where an element begins or ends, if it breaks texts.
func (t *treePass) breakAt(breaks bool, inLine beside, l *look) {
	near := t.behind
	if breaks {
		t.split(l)
	}
	if !l.gone {
		t.behind = near.over(breaks, inLine)
	}
}

// split ends the text before a break of an element.
func (t *treePass) split(l *look) {
	if l.gone {
		for _, link := range t.links {
			link.text.put(" ", l)
		}
		t.flushText(1)
		return
	}
	t.behind, t.generated = away, ""
	for _, link := range t.links {
		link.text.blank()
	}
	t.flushTexts()
}

// flushTexts completes the texts.
func (t *treePass) flushTexts() {
	t.flushText(0)
	t.flushText(1)
}

// flushText completes the visible text, or the hidden one, unless it is blank.
func (t *treePass) flushText(which int) {
	text := t.texts[which]
	t.texts[which] = text[:0]
	if len(bytes.TrimSpace(text)) > 0 {
		t.send(&Item{Text: string(text), Hidden: which == 1, Start: t.at.start, End: t.at.end})
	}
}

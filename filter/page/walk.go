package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// walker walks through a tree once, with the computed style of each element.
type walker struct {
	*reader
	tree    *tree
	at      span // the last start tag
	links   []*link
	line    line
	texts   texts
	form    []target // what the surrounding form opens
	beside  string   // the end of the previous text, which may label a button
	edges   edges
	apart   bool                 // the next text of the line is in another box
	level   int                  // depth of the open elements
	styles  map[*html.Node]style // what the style sheets say about elements
	matches int                  // how many rules were compared with elements
	note    int                  // index of the next comment
}

// computed is the part of an element's computed style that linkmilter reads (CSS Cascading §4.4):
// its own declarations and what it inherits.
type computed struct {
	gone       bool       // nothing shows it
	invisible  bool       // its text is invisible, except in elements that make theirs visible
	zeroSized  bool       // its text has size zero, except in elements that set a size
	doubt      *html.Node // the innermost element that some programs may hide
	fromRight  bool       // markup reverses its text
	island     *html.Node // the innermost element that sets the direction of the text
	effects    effects
	color      string
	background string
	title      string // the tooltip that programs show under the pointer
	veil       veil
}

func (l *computed) hidden() bool { return l.gone || l.invisible || l.zeroSized }

// maxLinks is how many nested open links get the texts inside them.
const maxLinks = 8

// maxMatches bounds how often rules are compared with elements. A newsletter with Bootstrap's rules
// needs 300,000 comparisons.
const maxMatches = 2 << 20

// override is RIGHT-TO-LEFT OVERRIDE. In a link's text it stands for markup with the same effect.
const override = "\u202e"

// walk reads the tree.
func (w *walker) walk() {
	w.styles = make(map[*html.Node]style)
	w.at = span{0, len(w.tree.source)}
	var l computed
	if w.depth > 0 {
		l.effects = cuts | narrow // a frame has a size
	}
	w.children(w.tree.doc, l)
	w.flush()
	w.endTexts()
	w.endLine()
}

func (w *walker) children(n *html.Node, l computed) {
	for c := n.FirstChild; c != nil && !w.done(); c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			w.text(c, &l)
		case html.CommentNode:
			w.noteComment(c)
			w.comment(c)
		case html.ElementNode:
			w.element(c, l)
		}
	}
}

// element reads an element and what is in it.
func (w *walker) element(n *html.Node, around computed) {
	e := elementOf(n)
	own := styleOfText(e.declarations())
	if own.flow == asElement && e.isHidden() {
		sheet := w.styleOf(n)
		own.flow = sheet.flow // a display value wins over the attribute hidden
		own.addIf(own.flow != asElement, mayHide)
	}
	if tag := w.tree.of[n]; tag != nil {
		tag.used = true
		w.at, w.texts.next = tag.span, tag.text
	}
	l := around
	l.compute(&e, &own)
	w.noteLarge(&e, &l)
	w.veilOf(&l, &e, &own)
	w.level++
	at := w.edgeOf(&e, &own)
	w.noteEdge(at, &e, &l)
	if l.fromRight && !around.fromRight {
		w.put(override, &around)
	}
	opened := w.open(&e, &l)
	if opened == nil {
		w.labelLinks(&e)
	}
	if n.FirstChild == nil && isVoid(e.known) || opened != nil && e.known == atom.Form {
		w.close(opened, &l)
		opened = nil
	}
	if opened != nil {
		if len(w.links) == maxLinks {
			w.partial = true
		}
		w.links = append(w.links, opened)
	}
	w.styleLinks(&e, &own, &l)
	form := w.form
	if e.known == atom.Form {
		w.form, w.beside = w.targets(w.tree, &e), ""
	}
	w.children(n, l)
	w.form = form
	if opened != nil {
		w.links = w.links[:len(w.links)-1]
		w.close(opened, &l)
	}
	if e.known == atom.Form {
		w.beside = ""
	}
	w.noteEdge(at, &e, &l)
	w.level--
}

// compute makes l, the computed style of the parent, that of e. own is the style attribute of e.
func (l *computed) compute(e *element, own *style) {
	wasHidden := l.invisible || l.zeroSized
	l.gone = l.gone || own.effects&hides != 0 || e.isHidden() && (own.flow == asElement || e.known == atom.Template)
	l.invisible = own.effects&invisible != 0 || l.invisible && own.effects&visible == 0
	l.zeroSized = own.effects&zeroSized != 0 || l.zeroSized && own.effects&sized == 0
	isShownAgain := l.doubt != nil && own.effects&(visible|sized) != 0
	if isShownAgain || wasHidden && !l.invisible && !l.zeroSized || own.effects&mayHide != 0 || e.isDoubtful() || isPictorial(e.attr("face")) {
		l.doubt = e.node
	}
	l.effects |= own.effects & (styled | cuts | narrow)
	switch e.known {
	case atom.Td, atom.Th, atom.Table:
		l.effects |= narrowness(e.attr("width"))
		for c := e.node.FirstChild; c != nil && c.DataAtom == atom.Colgroup && c.FirstChild != nil; c = c.NextSibling {
			column := elementOf(c.FirstChild)
			l.effects |= narrowness(column.attr("width"))
		}
	case atom.Marquee:
		l.effects |= cuts | narrow
	}
	if e.name == "svg" {
		l.effects |= cuts | narrow
	}
	l.fromRight = l.fromRight || own.effects&reverses != 0 || e.known == atom.Bdo && strings.EqualFold(e.attr("dir"), "rtl")
	if own.effects&turnsText != 0 || e.known == atom.Bdi || e.has("dir") {
		l.island = e.node
	}
	if title := e.attr("title"); title != "" {
		l.title = title
	}
	l.setColors(e.node, or(own.color, e.attr("color")), or(own.background, e.attr("bgcolor")))
}

// setColors sets the colours of an element; "" inherits.
func (l *computed) setColors(n *html.Node, color, background string) {
	if color == "" && background == "" {
		return
	}
	l.color, l.background = or(color, l.color), or(background, l.background)
	if l.doubt != nil || l.color != "" && mayMatch(l.color, l.background) {
		l.doubt = n // the element may show its text again
	}
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// declarations returns the style attribute of an element, with SVG and MathML attributes that act as
// style properties.
func (e *element) declarations() string {
	if !e.isForeign() {
		return e.attr("style")
	}
	var b strings.Builder
	e.attributes(func(name, _, value string) {
		switch name {
		case "mathcolor":
			name = "color"
		case "mathsize":
			name = "font-size"
		case "mathbackground":
			name = "background"
		}
		const longest = 64
		if len(value) <= longest && !strings.ContainsAny(value, ";{}") {
			b.WriteString(name + ":" + value + ";")
		}
	})
	return b.String() + e.attr("style")
}

// edge is what separates an element from the text before or after it.
type edge uint8

const (
	noEdge   edge = iota
	touching      // its box may touch the previous one
	boxed         // its box touches the previous one unless blanks are between them
	breaking      // it begins a line
)

// edges has the strongest edge since the last text. The edge of the outermost element counts.
type edges struct {
	edge
	level int // the depth of that element
}

// edgeOf returns the edge before and after an element.
func (w *walker) edgeOf(e *element, own *style) edge {
	of := *own
	if len(w.links) > 0 || e.isBox() {
		sheet := w.styleOf(e.node)
		of.add(&sheet)
	}
	switch {
	case of.flow == inline, e.known == atom.Input && strings.EqualFold(e.attr("type"), "hidden"):
		return noEdge
	case of.flow == cell || e.known == atom.Td || e.known == atom.Th || e.known == atom.Table && e.isAtSide():
		return touching
	case of.flow == box:
		return boxed
	case w.inRow(e.node):
		return touching
	case breaks(e.known) || of.flow == block:
		return breaking
	}
	return noEdge
}

// isAtSide reports whether an element floats beside the text around it.
func (e *element) isAtSide() bool {
	align := strings.ToLower(e.attr("align"))
	return align == "left" || align == "right"
}

// isBox reports whether styles often put this element next to others.
func (e *element) isBox() bool { return e.known == atom.Div || e.known == atom.P || e.known == atom.Li }

// inRow reports whether a style of the parent may put an element next to its siblings.
func (w *walker) inRow(n *html.Node) bool {
	p := n.Parent
	if p == nil || p.Type != html.ElementNode || p.DataAtom == atom.Body || p.DataAtom == atom.Tr {
		return false
	}
	around := elementOf(p)
	own := styleOfText(around.declarations())
	sheet := w.styleOf(p)
	return own.row || sheet.row
}

// styleOf returns what the style sheets say about an element.
func (w *walker) styleOf(n *html.Node) style {
	if len(w.sheet.rules) == 0 && !w.sheet.unread.matters() {
		return style{}
	}
	s, ok := w.styles[n]
	if ok || w.done() {
		return s
	}
	if w.matches += len(w.sheet.rules); w.matches > maxMatches {
		w.partial = true
		return style{effects: mayHide}
	}
	s = w.sheet.style(w.ctx, n, w.level)
	w.styles[n] = s
	return s
}

// noteEdge records the edge at the start or end of an element. A text before the edge may end there.
func (w *walker) noteEdge(at edge, e *element, l *computed) {
	if isBreak(at, e) {
		w.noteBreak()
	}
	switch {
	case at == noEdge:
		return
	case l.gone:
		w.emit(&w.texts.hidden, true)
		return
	}
	if isBreak(at, e) {
		w.flush()
	}
	if w.edges.edge == noEdge || w.level < w.edges.level {
		w.edges = edges{at, w.level}
	} else if w.level == w.edges.level {
		w.edges.edge = max(w.edges.edge, at)
	}
}

// passEdges ends the line before a text, or records that the text is in another box of the line.
func (w *walker) passEdges() {
	at := w.edges.edge
	if w.edges.edge = noEdge; at == noEdge {
		return
	}
	kind := gap
	if at != breaking {
		kind = seam
	}
	for _, k := range w.openLinks() {
		k.pieces = append(k.pieces, linkPiece{text: " ", kind: kind})
		k.parted = true
	}
	switch {
	case len(w.links) > 0:
	case at == breaking:
		w.endLine()
	default:
		w.apart = true
		for i := len(w.line.stretches) - 1; i >= 0; i-- { // blanks at the end of a box are not shown
			s := &w.line.stretches[i]
			if s.text = strings.TrimRight(s.text, blanks); s.text != "" {
				break
			}
		}
	}
}

// text reads a text node.
func (w *walker) text(n *html.Node, l *computed) {
	switch localName(n.Parent.Data) {
	case "script":
		at := w.at
		w.eachPiece(n, func(_ string, start, size int) {
			if size == 0 {
				return
			}
			if at == w.at {
				at.start = start
			}
			at.end = start + size
		})
		w.script(n.Data, at)
		return
	case "style":
		w.pass(n)
		return
	}
	w.noteLargeText(n, l)
	w.noteText(n, l)
	inLink := len(w.links) > 0
	if inLink && (!l.hidden() || w.links[len(w.links)-1].item.Hidden) {
		w.flush()
		w.pass(n)
	} else {
		w.addText(n, l.hidden())
	}
	w.put(w.tree.written(n, n.Data), l)
}

// put adds a text to the open links and to the line.
func (w *walker) put(s string, l *computed) {
	kind := seen
	switch {
	case l.hidden():
		kind = hidden
	case l.doubt != nil:
		kind = doubtful
	}
	if isBlank := strings.Trim(s, blanks) == ""; w.edges.edge != noEdge && kind != hidden {
		if isBlank {
			if w.edges.edge == boxed {
				w.edges.edge = breaking
			}
			return
		}
		w.passEdges()
		s = strings.TrimLeft(s, blanks) // blanks at the start of a box are not shown
	}
	for _, k := range w.openLinks() {
		k.pieces = append(k.pieces, linkPiece{s, kind, l.doubt, l.island})
	}
	if kind == hidden || s == "" {
		return
	}
	const longest = 512 // bytes of the label of a button
	if w.about.buttons {
		w.beside += squeezed(s) + " "
		w.beside = w.beside[max(0, len(w.beside)-longest):]
	}
	var k *link
	if len(w.links) > 0 {
		k = w.links[len(w.links)-1]
	}
	w.line.stretches = append(w.line.stretches, stretch{text: s, link: k, apart: w.apart})
	w.apart = false
}

// openLinks returns the open links whose texts are read.
func (w *walker) openLinks() []*link { return w.links[max(0, len(w.links)-maxLinks):] }

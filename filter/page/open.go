package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// urlsOf returns what an element opens by itself.
func (w *walker) urlsOf(e *element) (urls []string) {
	for _, reference := range e.opener().references {
		urls = append(urls, w.resolve(reference)...)
	}
	return urls
}

// open reads what an element opens, and returns it as a link whose text follows; nil for none.
func (w *walker) open(e *element, l *look) *link {
	if e.name == "script" {
		w.runs(e, w.at)
	}
	urls, silent, isButton := w.opened(e)
	if len(urls) == 0 {
		return nil
	}
	w.passEdges()
	k := &link{element: *e, effects: l.effects, first: len(w.line.stretches)}
	i := &k.item
	i.Element, i.URLs, i.Hidden = strings.ToLower(e.node.Data), urls, silent || l.hidden()
	i.Start, i.End = w.at.start, w.at.end
	if w.tree.tagOf(e.node) == nil {
		i.Start, i.End = 0, len(w.tree.source)
	}
	if isButton {
		if e.attr("formaction") == "" {
			i.Element, i.Again = "form", true
		}
		i.addLabel(e.attr("value"))
		i.addLabel(w.beside)
	}
	for _, label := range e.labels() {
		i.addLabel(label)
	}
	i.addLabel(l.title)
	if e.name == "textpath" { // of VML
		i.addLabel(e.attr("string"))
	}
	if e.known == atom.Area {
		w.addPicture(e.attr("alt"), k)
		for _, text := range w.maps {
			i.addLabel(text)
		}
	}
	w.noteNamed(e, k)
	return k
}

// opened returns the URLs that an element opens, whether a reader cannot click on it, and whether it
// is the button or the label of a form.
func (w *walker) opened(e *element) (urls []string, silent, isButton bool) {
	opener := e.opener()
	w.partial = w.partial || opener.cut
	for _, reference := range opener.references {
		urls = append(urls, w.resolve(reference)...)
	}
	if field := fieldOfStyle(e.attr("style")); field != "" {
		urls = append(urls, w.resolve(field)...)
	}
	w.script(opener.scripts, w.at)
	w.readFrames(e, opener.references, w.at)
	if strings.Contains(opener.scripts, "ubmit(") { // submit and requestSubmit
		urls = append(urls, w.actions...)
	}
	for c := e.node.FirstChild; c != nil && e.isForeign(); c = c.NextSibling {
		if c.Type == html.ElementNode {
			if inner := elementOf(c); inner.isAnimation() {
				urls = append(urls, w.urlsOf(&inner)...)
			}
		}
	}
	isButton = e.known == atom.Button || e.known == atom.Input || e.known == atom.Label
	if isButton && len(urls) == 0 && (e.isSubmit() || e.known == atom.Label) {
		named, ok := w.forms[e.attr("form")]
		switch {
		case ok:
			urls = named
		case len(w.form) > 0:
			urls = w.form
		case e.known != atom.Label || e.has("for"):
			urls = w.actions
		}
	}
	slices.Sort(urls)
	return slices.Compact(urls), opener.silent, isButton
}

// labelLinks gives the open links the texts that an element in them shows.
func (w *walker) labelLinks(e *element) {
	if len(w.links) == 0 {
		return
	}
	if e.known == atom.Img || e.name == "image" {
		w.addPicture(or(e.attr("alt"), e.attr("title")), w.links[len(w.links)-1])
	}
	for _, k := range w.openLinks() {
		for _, label := range e.labels() {
			k.item.addLabel(label)
		}
		w.noteNamed(e, k)
		if e.showsValue() {
			k.item.addLabel(e.attr("value"))
			k.item.addLabel(e.attr("placeholder"))
		}
		switch e.name {
		case "use", "tref", "object", "embed", "iframe":
			k.effects |= generates // a text of another element or document
			k.content += drawn
		case "textpath":
			k.item.addLabel(e.attr("string"))
		}
		if ascii.HasPrefixFold(trim(e.attr("src")), "data:image/svg") {
			k.effects |= generates
			k.content += drawn
		}
		k.pictures = k.pictures || e.known == atom.Img || e.name == "svg"
	}
}

// addPicture adds the text that stands in place of a picture in a link.
func (w *walker) addPicture(alt string, k *link) {
	if alt = squeezed(alt); alt == "" {
		return
	}
	w.passEdges()
	w.line.stretches = append(w.line.stretches, stretch{alt, k, true})
	k.pieces = append(k.pieces, linkPiece{text: alt, kind: picture})
}

// noteNamed notes that the text of another element is a label of a link.
func (w *walker) noteNamed(e *element, k *link) {
	if e.has("aria-labelledby") || e.has("aria-describedby") {
		k.effects |= generates
		k.content += drawn
	}
}

// styleLinks notes what the styles of an element do to the open links, which it is or is in.
func (w *walker) styleLinks(e *element, own *style, l *look) {
	if len(w.links) == 0 {
		return
	}
	sheet := w.styleOf(e.node)
	if sheet.effects&mayHide != 0 {
		l.doubt = e.node
	}
	l.effects |= sheet.effects & (styled | cuts | narrow)
	l.paint(e.node, sheet.color, sheet.background)
	if l.color == "" && l.background != "" && mayMatch("linktext", l.background) {
		l.doubt = e.node
	}
	for _, k := range w.openLinks() {
		k.effects |= own.effects | sheet.effects | l.effects
		k.content += own.content + sheet.content
	}
}

// close ends a link.
func (w *walker) close(k *link, l *look) {
	if k == nil {
		return
	}
	k.effects |= l.effects
	k.last = len(w.line.stretches)
	w.line.links = append(w.line.links, k)
}

// endLine sends the links of a line, which is complete.
func (w *walker) endLine() {
	for _, k := range w.line.links {
		w.sendLink(k)
	}
	w.line.stretches, w.line.links = w.line.stretches[:0], w.line.links[:0]
}

// sendLink sends a link with what a reader may see of it.
func (w *walker) sendLink(k *link) {
	i := &k.item
	i.Text, _, _ = k.readings()
	around := w.styleAround(k)
	k.effects |= around & (cuts | narrow)
	text, others, withPictures := k.readings()
	for _, other := range append(others, w.line.word(k)) {
		i.addReading(other)
	}
	i.addLabel(withPictures)
	i.Styled = w.defines || k.isStyled() || around&styled != 0 && hasHostSign(text) && !k.names(text) || len(k.pieces) > 1 && w.sheet.unread.effects != 0 && hasHostSign(text)
	w.send(i)
}

// styleAround returns what style sheets do to the elements around a link.
func (w *walker) styleAround(k *link) (around effects) {
	if len(w.sheet.rules) == 0 || !hasHostSign(k.item.Text) {
		return 0
	}
	for n := k.element.node.Parent; n != nil && n.Type == html.ElementNode; n = n.Parent {
		s := w.styleOf(n)
		around |= s.effects
	}
	return around
}

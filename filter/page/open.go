package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// open returns what an element opens as a link, whose text follows, or nil.
func (w *walker) open(e *element, l *computed) *link {
	if e.name == "script" {
		w.runs(e, w.at)
	}
	targets, silent, isButton := w.opened(e)
	if len(targets) == 0 {
		return nil
	}
	w.passEdges()
	k := &link{element: *e, targets: targets, effects: l.effects, first: len(w.line.stretches)}
	i := &k.item
	for _, one := range targets {
		i.URLs = append(i.URLs, one.url)
	}
	i.Element, i.Hidden = strings.ToLower(e.node.Data), silent || l.hidden()
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
	if e.name == "textpath" { // VML has a text in an attribute
		i.addLabel(e.attr("string"))
	}
	if e.known == atom.Area {
		w.addPicture(e.attr("alt"), k)
		for _, text := range w.about.maps {
			i.addLabel(text)
		}
	}
	w.noteUnread(e, k)
	return k
}

// opened returns what an element opens, whether a reader cannot click on it, and whether it is a button
// or the label of one.
func (w *walker) opened(e *element) (all []target, silent, isButton bool) {
	opener := e.opener()
	w.partial = w.partial || opener.cut
	at := w.tree.place(e.node)
	references := opener.references
	if field := fieldOfStyle(e.attr("style")); field != "" {
		references = append(references, field)
	}
	for _, reference := range references {
		for _, url := range w.resolve(reference) {
			all = append(all, target{url, at})
		}
	}
	w.script(opener.scripts, at)
	w.readFrames(e, opener.references, at)
	if strings.Contains(opener.scripts, "ubmit(") { // submit and requestSubmit
		all = append(all, w.about.actions...)
	}
	all = append(all, w.about.animated[e.attr("id")]...)
	for c := e.node.FirstChild; c != nil && e.isForeign(); c = c.NextSibling {
		if c.Type == html.ElementNode {
			if inner := elementOf(c); inner.isAnimation() {
				all = append(all, w.targets(w.tree, &inner)...)
			}
		}
	}
	isButton = e.known == atom.Button || e.known == atom.Input || e.known == atom.Label
	if isButton && len(all) == 0 && (e.isSubmit() || w.isLabelOfSubmit(e)) {
		named, ok := w.about.forms[e.attr("form")]
		switch {
		case ok:
			all = named
		case len(w.form) > 0:
			all = w.form
		default:
			all = w.about.actions
		}
	}
	return all, opener.silent, isButton
}

// isLabelOfSubmit reports whether an element is the label of a button that submits a form.
func (w *walker) isLabelOfSubmit(e *element) bool {
	if id := e.attr("for"); id != "" && e.known == atom.Label {
		return w.about.submits[id]
	}
	return w.about.labels[e.node]
}

// labelLinks adds to the open links the labels and alt texts of an element inside them.
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
		w.noteUnread(e, k)
		if e.showsValue() {
			k.item.addLabel(e.attr("value"))
			k.item.addLabel(e.attr("placeholder"))
		}
		switch e.name {
		case "use", "tref", "object", "embed", "iframe":
			k.effects |= generates // it shows a text of another element or document
			addContent(&k.content, drawn)
		case "textpath":
			k.item.addLabel(e.attr("string"))
		}
		k.pictures = k.pictures || e.known == atom.Img || e.name == "svg"
	}
}

// addPicture adds the alt text of a picture to a link.
func (w *walker) addPicture(alt string, k *link) {
	if alt = squeezed(alt); alt == "" {
		return
	}
	w.passEdges()
	w.line.stretches = append(w.line.stretches, stretch{text: alt, link: k, picture: true, apart: w.apart})
	k.pieces = append(k.pieces, linkPiece{text: alt, kind: picture})
}

// noteUnread records that a link shows a text that is not read: that of another element, or of a
// picture in an attribute.
func (w *walker) noteUnread(e *element, k *link) {
	e.attributes(func(name, _, value string) {
		if name == "aria-labelledby" || name == "aria-describedby" || ascii.HasPrefixFold(trim(value), "data:image/svg") {
			k.effects |= generates
			addContent(&k.content, drawn)
		}
	})
}

// styleLinks applies the styles of an element to the open links, which are this element or contain it.
func (w *walker) styleLinks(e *element, own *style, l *computed) {
	if len(w.links) == 0 {
		return
	}
	sheet := w.styleOf(e.node)
	wasHidden := l.hidden()
	l.invisible = l.invisible && (sheet.effects&visible == 0 || own.effects&invisible != 0)
	l.zeroSized = l.zeroSized && (sheet.effects&sized == 0 || own.effects&zeroSized != 0)
	if sheet.effects&mayHide != 0 || (l.doubt != nil || wasHidden) && sheet.effects&(visible|sized) != 0 {
		l.doubt = e.node
	}
	l.effects |= sheet.effects & (styled | cuts | narrow)
	l.setColors(e.node, sheet.color, sheet.background)
	l.setColors(e.node, own.color, own.background) // they win over the sheet's, unless those are important
	unread := &w.sheet.unread                      // its rules may apply to the element, or not
	isColored := unread.color != "" || unread.background != ""
	if isColored && mayMatch(or(unread.color, l.color), or(unread.background, l.background)) ||
		l.color == "" && l.background != "" && mayMatch("linktext", l.background) {
		l.doubt = e.node
	}
	for _, k := range w.openLinks() {
		k.effects |= own.effects | sheet.effects | l.effects
		addContent(&k.content, own.content+sheet.content)
	}
}

// close ends a link after its text.
func (w *walker) close(k *link, l *computed) {
	if k == nil {
		return
	}
	k.effects |= l.effects
	k.last = len(w.line.stretches)
	w.line.links = append(w.line.links, k)
}

// endLine sends the links of a line that is complete.
func (w *walker) endLine() {
	for _, k := range w.line.links {
		w.sendLink(k)
	}
	w.line.stretches, w.line.links = w.line.stretches[:0], w.line.links[:0]
}

// sendLink sends a link with what a reader may see of it, as one item for each tag that holds its URLs.
func (w *walker) sendLink(k *link) {
	i := &k.item
	text, others, withPictures := k.readings()
	around := w.styleAround(k, text)
	if more := around & (cuts | narrow) &^ k.effects; more != 0 {
		k.effects |= more
		text, others, withPictures = k.readings()
	}
	i.Text = text
	for _, other := range append(others, w.line.word(k)) {
		i.addReading(other)
	}
	i.addLabel(withPictures)
	i.Styled = w.defines || k.isStyled(w.sheet, around)
	for len(k.targets) > 0 {
		of := *i
		at := k.targets[0].at
		of.URLs, of.Start, of.End = nil, at.start, at.end
		k.targets = slices.DeleteFunc(slices.Clone(k.targets), func(one target) bool {
			if one.at == at && !slices.Contains(of.URLs, one.url) {
				of.URLs = append(of.URLs, one.url)
			}
			return one.at == at
		})
		w.send(&of)
	}
}

// styleAround returns what style sheets do to the elements around a link, if its text may name a host.
func (w *walker) styleAround(k *link, text string) (around effects) {
	if len(w.sheet.rules) == 0 || !hasHostSign(text) {
		return 0
	}
	for n := k.element.node.Parent; n != nil && n.Type == html.ElementNode; n = n.Parent {
		s := w.styleOf(n)
		around |= s.effects
	}
	return around
}

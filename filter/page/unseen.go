package page

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// A Text is a text of a page between two breaks as programs read it, in links and outside of them.
type Text struct {
	Text       string
	Veil       Veil
	Start, End int // its place in the source, or the whole source if the place is unknown

	pieces []piece
}

// A Veil says why people may not see a text.
type Veil uint8

// The veils.
const (
	Shown   Veil = iota
	Faint        // its colour is that of its background; or a rule of a style sheet hides it, which another rule may undo
	Hidden       // its element is not displayed, has no size, is out of the page or transparent
	Comment      // it is a comment
)

// Source returns the range of the source that Text[start:end] comes from, and whether it is known.
func (t *Text) Source(start, end int) (from, to int, known bool) {
	if len(t.pieces) == 0 {
		return t.Start, t.End, false
	}
	from, to = sourceRange(t.pieces, len(t.Text), start, end)
	return from, to, true
}

// veil says what keeps people from seeing the texts of an element, in addition to what computed
// knows.
type veil struct {
	tiny    bool // its letters have a pixel or two
	away    bool // it is out of the page, transparent, or in a box without a size
	sheet   bool // a rule of a style sheet hides it
	colored bool // the colour of the text is that of its background
}

// veilOf adds to l.veil what an element's own style and the style sheets do to hide its texts.
// Before the call, l has the computed style of the elements around it.
func (w *walker) veilOf(l *computed, e *element, own *style) {
	if w.texts.use == nil {
		return
	}
	l.veil.tiny = own.effects&tiny != 0 || l.veil.tiny && own.effects&sized == 0
	l.veil.away = l.veil.away || own.effects&vanishes != 0 || own.effects&zeroBox != 0 && own.effects&cuts != 0
	hasRule := len(w.sheet.rules) > 0 && (e.has("class") || e.has("id")) && w.matches < maxMatches/2
	if hasRule && w.sheet.veils() {
		sheet := w.styleOf(e.node)
		l.veil.sheet = l.veil.sheet || sheet.effects&veiled != 0
	}
	if own.color != "" || own.background != "" || e.has("color") || e.has("bgcolor") {
		l.veil.colored = isSameColor(l.color, l.background)
	}
}

// veils reports whether some rule of the sheet hides elements.
func (s *sheet) veils() bool {
	for i := range s.rules {
		if s.rules[i].style.effects&(hides|invisible|zeroSized|tiny|vanishes) != 0 {
			return true
		}
	}
	return false
}

// isSameColor reports whether a text has nearly the colour of its background, which is white if no
// style sets it.
func isSameColor(text, background string) bool {
	if _, known := colorOf(text); !known {
		return false
	}
	if _, known := colorOf(background); !known && background != "" {
		return false
	}
	const near = 16
	return differ(text, background) < near
}

// differ returns the largest difference of two known colours in red, green or blue.
func differ(text, background string) int {
	a, _ := colorOf(text)
	b, known := colorOf(background)
	if !known {
		b, _ = colorOf("white")
	}
	far := func(a, b uint8) int { return int(max(a, b) - min(a, b)) }
	return max(far(a.R, b.R), far(a.G, b.G), far(a.B, b.B))
}

// seenTexts are the open texts of the page as programs read it, one for each veil.
type seenTexts struct {
	use  func(*Text)
	runs [Hidden + 1]run
}

// noteText adds a text of the tree to the open text of its veil.
func (w *walker) noteText(n *html.Node, l *computed) {
	t := &w.texts.seenTexts
	if t.use == nil || w.again {
		return
	}
	v := Shown
	switch {
	case l.hidden() || l.veil.tiny || l.veil.away:
		v = Hidden
	case l.veil.sheet || l.veil.colored:
		v = Faint
	}
	if v == Shown && trim(n.Data) != "" {
		w.endText(Hidden)
		w.endText(Faint)
	}
	next := w.texts.next
	w.eachPiece(n, func(text string, at, size int) {
		into := &t.runs[v]
		into.append(text, at, size)
		into.unplaced = into.unplaced || size == 0
	})
	w.texts.next = next
}

// noteBreak ends the visible text at the end of a line, and adds a line end to the others.
func (w *walker) noteBreak() {
	if w.texts.use == nil {
		return
	}
	w.endText(Shown)
	for v := Faint; v <= Hidden; v++ {
		if t := &w.texts.runs[v]; len(t.pieces) > 0 {
			last := t.pieces[len(t.pieces)-1]
			t.append("\n", last.source+last.size, 0)
		}
	}
}

// noteComment sends a comment unless it is a conditional comment of Outlook.
func (w *walker) noteComment(n *html.Node) {
	if w.texts.use == nil || w.again || ascii.HasPrefixFold(trim(n.Data), "[if") || ascii.HasPrefixFold(n.Data, "<![") {
		return
	}
	w.sendText(&Text{Text: n.Data, Veil: Comment, Start: w.at.start, End: w.at.end})
}

// endTexts sends all open texts.
func (w *walker) endTexts() {
	for v := Shown; v <= Hidden; v++ {
		w.endText(v)
	}
}

// endText sends the open text of a veil.
func (w *walker) endText(v Veil) {
	t := &w.texts.runs[v]
	if len(t.pieces) == 0 {
		return
	}
	if t.hasWords() {
		text := Text{Text: t.text(), Veil: v, End: len(w.tree.source)}
		if !t.unplaced && isSorted(t.pieces) {
			first, last := t.pieces[0], t.pieces[len(t.pieces)-1]
			text.Start, text.End = first.source, last.source+last.size
			text.pieces = append([]piece(nil), t.pieces...)
		}
		w.sendText(&text)
	}
	t.reset()
}

// sendText hands a text to the caller, with its place in the caller's source.
func (w *walker) sendText(t *Text) {
	if w.reader.at != nil {
		t.Start, t.End, t.pieces = w.reader.at.start, w.reader.at.end, nil
	} else if w.offset > 0 {
		t.Start, t.End = t.Start+w.offset, t.End+w.offset
		for i := range t.pieces {
			t.pieces[i].source += w.offset
		}
	}
	w.texts.use(t)
}

func isSorted(pieces []piece) bool {
	for i := 1; i < len(pieces); i++ {
		if pieces[i].source < pieces[i-1].source {
			return false
		}
	}
	return true
}

// isBreak reports whether the text before an edge is another text for programs than the one after
// it.
func isBreak(at edge, e *element) bool {
	return at == breaking || e.known == atom.Td || e.known == atom.Th
}

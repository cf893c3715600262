package page

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// texts are the texts outside of links since the last break, with their places in the source.
type texts struct {
	visible, hidden run
	next            int // index of the source text that the next text of the tree most likely is
	seenTexts
}

// maxAhead is how many texts of the source are compared with a text of the tree. The order differs
// because the parser moves texts out of tables (HTML §13.2.6.1, foster parenting).
const maxAhead = 16

// addText adds a text of the tree that is outside of links.
func (w *walker) addText(n *html.Node, hidden bool) {
	into := &w.texts.visible
	if hidden {
		into = &w.texts.hidden
	} else {
		w.emit(&w.texts.hidden, true)
	}
	w.eachPiece(n, func(text string, at, size int) {
		into.append(text, at, size)
		into.unplaced = into.unplaced || size == 0
	})
}

// pass skips the source text of n, which is inside a link or a style sheet.
func (w *walker) pass(n *html.Node) { w.eachPiece(n, func(string, int, int) {}) }

// eachPiece calls use for each piece of a text of the tree, with its offset in the source and its
// length there. The length is 0 if the place is unknown.
func (w *walker) eachPiece(n *html.Node, use func(text string, at, size int)) {
	rest := n.Data
	for rest != "" {
		i, shown := w.sourceOf(rest)
		if i < 0 {
			use(w.tree.written(n, rest), w.at.end, 0)
			return
		}
		rest = rest[len(shown):]
		at := w.tree.texts[i].start
		raw := w.tree.source[at:w.tree.texts[i].end]
		if len(raw) > len(shown) && len(raw)-len(shown) == len(w.skippedBlanks(raw, shown)) {
			at, raw = at+len(raw)-len(shown), shown
		}
		for raw != "" {
			n := strings.IndexAny(raw, "&\r\x00")
			if n < 0 {
				n = len(raw)
			}
			if n > 0 {
				use(raw[:n], at, n)
			}
			if raw, at = raw[n:], at+n; raw != "" {
				n := referenceLength(raw)
				use(shownAs(raw[:n]), at, n)
				raw, at = raw[n:], at+n
			}
		}
	}
}

// skippedBlanks returns the blanks at the start of a source text that the parser drops.
func (w *walker) skippedBlanks(raw, shown string) string {
	if rest, ok := strings.CutSuffix(raw, shown); ok && trim(rest) == "" {
		return rest
	}
	return ""
}

// sourceOf returns the index of the source text at the start of a text of the tree, and what that
// source text shows. The index is -1 if none is near.
func (w *walker) sourceOf(text string) (int, string) {
	all := w.tree.texts
	for i := w.texts.next; i < min(len(all), w.texts.next+maxAhead); i++ {
		raw := w.tree.source[all[i].start:all[i].end]
		shown := shownAs(raw)
		if !strings.HasPrefix(text, shown) {
			shown = strings.TrimLeft(shown, blanks) // the parser drops blanks after <pre> and before the body
		}
		if shown != "" && strings.HasPrefix(text, shown) {
			if i == w.texts.next {
				w.texts.next++
			}
			return i, shown
		}
	}
	return -1, ""
}

// shownAs returns what a text of the source shows: character references decoded, and one kind of line
// end.
func shownAs(raw string) string {
	if strings.IndexByte(raw, '\r') >= 0 {
		raw = lineEnds.Replace(raw)
	}
	if strings.IndexByte(raw, 0) >= 0 {
		raw = strings.ReplaceAll(raw, "\x00", "")
	}
	if strings.IndexByte(raw, '&') >= 0 {
		raw = html.UnescapeString(raw)
	}
	return raw
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// referenceLength returns the length of what may stand for a character at the start of s: a character
// reference, a line end, or a NUL.
func referenceLength(s string) int {
	if s[0] != '&' {
		if strings.HasPrefix(s, "\r\n") {
			return len("\r\n")
		}
		return 1
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case ascii.IsAlphanumeric(c), c == '#' && i == 1:
		case c == ';':
			return i + 1
		default:
			return i
		}
	}
	return len(s)
}

// flush sends the texts, which end at a break.
func (w *walker) flush() {
	w.emit(&w.texts.visible, false)
	w.emit(&w.texts.hidden, true)
}

func (w *walker) emit(t *run, hidden bool) {
	if len(t.pieces) == 0 {
		return
	}
	if t.hasWords() {
		i := Item{Text: t.text(), Hidden: hidden, End: len(w.tree.source)}
		if !t.unplaced && slices.IsSortedFunc(t.pieces, func(a, b piece) int { return a.source - b.source }) {
			first, last := t.pieces[0], t.pieces[len(t.pieces)-1]
			i.Start, i.End, i.pieces = first.source, last.source+last.size, slices.Clone(t.pieces)
		}
		w.send(&i)
	}
	t.reset()
}

// maxBlanks is how many blanks in a row are kept.
const maxBlanks = 16

// squeezed returns a text without blanks around it, and with at most maxBlanks in a row.
func squeezed(s string) string {
	n := 0
	return strings.TrimFunc(strings.Map(func(r rune) rune {
		if !isBlank(r) {
			n = 0
		} else if n++; n > maxBlanks {
			return -1
		}
		return r
	}, s), isBlank)
}

// isBlank reports whether a character shows nothing. Direction controls are not blank.
func isBlank(r rune) bool {
	if r < 0xa0 {
		return r <= ' '
	}
	isIgnorable := unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
	return isIgnorable && !unicode.Is(unicode.Bidi_Control, r) || unicode.IsSpace(r) || r == '\u2800'
}

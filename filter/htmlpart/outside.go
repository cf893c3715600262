package htmlpart

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// flush completes the texts.
func (r *reader) flush() {
	if len(r.visible.pieces) > 0 || r.inWord.urls != nil || r.last.ends {
		r.emit(&r.visible, false)
	}
	if len(r.hidden.pieces) > 0 {
		r.emit(&r.hidden, true)
	}
}

// emit yields a text that is complete, unless it is blank.
func (r *reader) emit(t *run, hidden bool) {
	if !hidden {
		r.endBoth(t.head())
		r.generated, r.dividedAt = "", 0
	}
	if len(t.pieces) == 0 {
		return
	}
	if text := t.text(); strings.TrimSpace(text) != "" {
		first, last := t.pieces[0], t.pieces[len(t.pieces)-1]
		r.send(&Item{Text: text, Hidden: hidden, Start: first.source, End: last.source + last.size, pieces: t.pieces})
	}
	t.reset()
}

// showGenerated notes that rules put one of some texts outside of references, given the look of its
// element.
func (r *reader) showGenerated(l *look, at *textsAt) {
	if len(at.texts) == 0 || l.hidden() {
		return
	}
	text := withoutNumbers(at.texts[len(at.texts)-1])
	if text == "" {
		return
	}
	if len(r.visible.pieces) == 0 {
		r.endBoth(text)
	}
	before := r.generated
	r.apart(text)
	r.generated = before + text[:min(len(text), max(0, maxInPieces-len(before)))]
}

// endBoth ends a word that references are in with the text right behind them.
func (r *reader) endBoth(text string) {
	if r.inWord.urls != nil {
		r.endWord(text)
	}
	if r.last.ends {
		r.endJoined(text)
	}
}

// endWord yields the reference before a text with the word that it is in.
func (r *reader) endWord(text string) {
	w := r.inWord
	r.inWord.urls = nil
	turned := w.fromRight(text)
	if !w.complete(text) {
		if turned == "" {
			return
		}
		w.item.Again, w.item.Labels, w.item.Readings = true, nil, nil
	}
	if turned != "" {
		w.item.Readings = append(w.item.Readings, turned)
	}
	for _, url := range w.urls {
		w.item.URL = url
		r.send(&w.item)
	}
}

// fromRight returns the word that a text ends as a text from right to left shows it, where marks or a hidden text
// divide it; "" for a word that is not divided.
func (w *linkInWord) fromRight(text string) string {
	if i := strings.IndexAny(text, blanks); i >= 0 {
		text = text[:i]
	}
	parts := [...]string{text, w.item.Text, w.before}
	isDivided := w.divided
	for _, part := range parts {
		isDivided = isDivided || !ascii.Is(part) && strings.ContainsFunc(part, turns)
	}
	if !isDivided || w.boxed || text == "" && w.before == "" || len(text) == maxInPieces {
		return ""
	}
	return joined(parts[:])
}

// divide notes a hidden text: it may divide the word that the visible text ends with, or begins with behind
// a reference.
func (r *reader) divide(s string) {
	switch {
	case !divides(s):
	case r.inWord.urls != nil && len(r.visible.pieces) == 0:
		r.inWord.divided, r.last.divided = true, true
	default:
		r.dividedAt = r.visible.length()
	}
}

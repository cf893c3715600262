package htmlpart

// wordOfBox returns the last word of the box before, if no text is behind that.
func (r *reader) wordOfBox() string {
	word := r.boxWord
	if r.boxWord = ""; r.visible.hasWords() || r.generated != "" {
		return ""
	}
	return word
}

// joinBox adds the word that a text of a reference may end as a label: its beginning is in the box before,
// or a style shows the text.
func (r *reader) joinBox(l *openLink) {
	if begin := l.boxBefore; beginsURL(begin) && l.item.Text != "" {
		l.item.addLabel(begin + firstWord(l.item.Text))
	}
	if begin := l.boxBefore + l.before; beginsURL(begin) {
		for _, text := range l.generated {
			l.item.addLabel(begin + firstWord(withoutCounters(text)))
		}
	}
}

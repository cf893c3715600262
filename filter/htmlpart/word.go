package htmlpart

import (
	"bytes"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// linkInWord is a reference whose text is a part of a word: "https://www.<a>paypal</a>.com".
type linkInWord struct {
	item   Item
	urls   []string
	before string
}

// maxInPieces is the length in bytes of a URL of which the text of a reference is a part.
const maxInPieces = 256

// complete adds the word that a text ends as a reading of the reference, and reports whether
// a reader may take that for a URL.
func (w *linkInWord) complete(text string) bool {
	if i := strings.IndexAny(text, blanks); i >= 0 {
		text = text[:i]
	}
	begins := w.before != "" && continuesHost(w.before[len(w.before)-1])
	ends := text != "" && (ascii.IsAlphanumeric(text[0]) || len(text) > 1 && text[0] != '/' && continuesHost(text[0]) && ascii.IsAlphanumeric(text[1]))
	word := w.before + w.item.Text + text
	if !begins && !ends || len(text) == maxInPieces || strings.IndexByte(word, '.') < 0 {
		return false
	}
	w.item.Again, w.item.Labels, w.item.Readings = true, nil, []string{word}
	return true
}

// mayNameHost reports whether a text may have a host, a URL or an address in it.
func mayNameHost(text []byte) bool {
	for _, c := range [...]byte{'.', ':', '/', '@'} {
		if bytes.IndexByte(text, c) >= 0 {
			return true
		}
	}
	return !ascii.Is(text)
}

// continuesHost reports whether a host or path may go on behind a character.
func continuesHost(c byte) bool {
	return ascii.IsAlphanumeric(c) || c == '.' || c == '-' || c == '/'
}

// lastWord returns the end of the text, from its last blank on, unless that is long.
func (t *run) lastWord() string {
	if t.length() == 0 {
		return ""
	}
	if t.whole != "" {
		word := t.whole[max(0, len(t.whole)-maxInPieces):]
		if word = word[strings.LastIndexAny(word, blanks)+1:]; len(word) < maxInPieces {
			return word
		}
		return ""
	}
	word := t.joined[max(0, len(t.joined)-maxInPieces):]
	if word = word[bytes.LastIndexAny(word, blanks)+1:]; len(word) < maxInPieces {
		return string(word)
	}
	return ""
}

// head returns the beginning of the text.
func (t *run) head() string {
	if t.whole != "" {
		return t.whole[:min(len(t.whole), maxInPieces)]
	}
	return string(t.joined[:min(len(t.joined), maxInPieces)])
}

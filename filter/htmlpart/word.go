package htmlpart

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// linkInWord is a reference whose text is a part of a word: "https://www.<a>paypal</a>.com".
type linkInWord struct {
	item    Item
	urls    []string
	before  string
	divided bool // a text from right to left shows its parts from the last to the first
	boxed   bool // a part of the word is in another box
}

// maxInPieces is the length in bytes of a URL of which the text of a reference is a part.
const maxInPieces = 256

// complete adds the word that a text ends as a reading of the reference, and reports whether
// a reader may take that for a URL.
func (w *linkInWord) complete(text string) bool {
	if w.boxed {
		return w.completeBox(strings.TrimLeft(text, blanks))
	}
	if i := strings.IndexAny(text, blanks); i >= 0 {
		text = text[:i]
	}
	first, _ := utf8.DecodeRuneInString(w.item.Text)
	last, _ := utf8.DecodeLastRuneInString(w.item.Text)
	begins := w.before != "" && continuesURL(w.before[len(w.before)-1]) && !isBeside(first)
	ends := endsURL(text) && !isBeside(last)
	word := w.before + w.item.Text + text
	if !begins && !ends || len(text) == maxInPieces || strings.IndexByte(word, '.') < 0 {
		return false
	}
	w.item.Again, w.item.Labels, w.item.Readings = true, nil, []string{word}
	return true
}

// completeBox adds the word that a text in another box ends as a label of the reference, and reports whether
// a reader may take that for a URL.
func (w *linkInWord) completeBox(text string) bool {
	begin := w.before + w.item.Text
	if text == "" || !beginsURL(begin) {
		return false
	}
	if i := strings.IndexAny(text, blanks); i >= 0 {
		text = text[:i]
	}
	w.item.Again, w.item.Labels, w.item.Readings = true, []string{begin + text}, nil
	return true
}

// beginsURL reports whether a text begins a URL in the middle of its host.
func beginsURL(text string) bool {
	host := text
	for _, start := range [...]string{"https://", "http://", "www."} {
		if ascii.HasPrefixFold(host, start) {
			host = host[len(start):]
		}
	}
	return len(host) < len(text) && !strings.ContainsAny(strings.TrimSuffix(host, "."), "./?#:@")
}

// endsURL reports whether a text right behind a reference may be the end of a URL.
func endsURL(text string) bool {
	isJoined := len(text) > 1 && strings.IndexByte(".-@", text[0]) >= 0 && ascii.IsAlphanumeric(text[1])
	return isJoined || strings.HasPrefix(strings.TrimPrefix(text, ":"), "//") || text != "" && ascii.IsAlphanumeric(text[0])
}

// isBeside reports whether a text that begins or ends with a character is beside the word there
// and not a part of it: an icon, an arrow, a number of a note, or what is in brackets or
// quotation marks. Letters in circles are parts of a word.
func isBeside(edge rune) bool {
	isSign := unicode.In(edge, unicode.So, unicode.No) && !unicode.Is(unicode.Other_Alphabetic, edge)
	isArrow := '\u2190' <= edge && edge <= '\u21ff'
	return isSign || isArrow || unicode.In(edge, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf) || strings.ContainsRune("<>*\"'", edge)
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

// continuesURL reports whether a URL may go on behind a character. A question mark ends a sentence.
func continuesURL(c byte) bool {
	return ascii.IsAlphanumeric(c) || strings.IndexByte(".-/@_~=&#%+", c) >= 0
}

// lastWord returns the end of the text, from its last blank on, unless that is long.
func (t *run) lastWord() string { return lastWordOf(t.tail()) }

// tail returns the end of the text, up to the length of a word.
func (t *run) tail() string {
	if t.whole != "" {
		return t.whole[max(0, len(t.whole)-maxInPieces):]
	}
	return string(t.joined[max(0, len(t.joined)-maxInPieces):])
}

// lastWordOf returns what is behind the last blank of the end of a text, unless that is long.
func lastWordOf(tail string) string {
	if word := tail[strings.LastIndexAny(tail, blanks)+1:]; len(word) < maxInPieces {
		return word
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

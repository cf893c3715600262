package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// withEscapedWords returns shown, the readable form of the text typed behind a host. A word of
// mixed scripts that reads as Latin stays escaped where it came in escapes, so that it is not read
// as another word (UASG 1.4 b). Typed characters stay.
func withEscapedWords(typed, shown string) string {
	var out strings.Builder
	w := escapedWord{out: &out}
	for shown != "" {
		if typed == "" {
			return out.String() + w.shown.String() + shown
		}
		before, after := percent.Next(typed), percent.Next(shown)
		w.add(typed[:before.Size], shown[:after.Size], after)
		typed, shown = typed[before.Size:], shown[after.Size:]
	}
	w.end()
	return out.String()
}

// An escapedWord is a word as typed and as shown, and as characters.
type escapedWord struct {
	out                 *strings.Builder
	typed, shown, chars strings.Builder
}

// add adds a unit to the word, or ends the word.
func (w *escapedWord) add(typed, shown string, u percent.Unit) {
	if u.Spelling == percent.Stray || !unicode.In(u.Rune, unicode.Letter, unicode.Mark, unicode.Digit) {
		w.end()
		w.out.WriteString(shown)
		return
	}
	w.chars.WriteRune(u.Rune)
	w.shown.WriteString(shown)
	if u.Rune < utf8.RuneSelf {
		typed = shown
	}
	w.typed.WriteString(typed)
}

// end writes the word.
func (w *escapedWord) end() {
	chars := w.chars.String()
	if uts39.ReadsASCII(chars) && uts39.Analyze(chars).Mixture() == uts39.MinimallyRestrictive {
		w.out.WriteString(w.typed.String())
	} else {
		w.out.WriteString(w.shown.String())
	}
	w.typed.Reset()
	w.shown.Reset()
	w.chars.Reset()
}

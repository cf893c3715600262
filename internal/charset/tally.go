package charset

import (
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// A Tally counts how much of a content is UTF-8 and how much is not. Some programs trust such a
// count more than the declared charset.
type Tally struct {
	characters int // non-ASCII characters
	strays     int // non-ASCII bytes that are in no character
}

// Add counts a piece of the content. It returns the beginning of a character at the end of
// the piece, which belongs to the next one.
func (t *Tally) Add(piece []byte) (rest []byte) {
	for i := 0; i < len(piece); {
		if piece[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(piece[i:])
		switch {
		case r != utf8.RuneError || size > 1:
			t.characters++
		case !utf8.FullRune(piece[i:]):
			return piece[i:]
		default:
			t.strays++
		}
		i += size
	}
	return nil
}

// MayBeUTF8 reports whether most of the content counted so far is in UTF-8.
func (t *Tally) MayBeUTF8() bool { return t.characters >= t.strays }

// maxStrays is the number by which stray bytes may exceed characters before UTF-8 is ruled out.
const maxStrays = 16

// IsOther reports whether the content counted so far is in another charset. No further content can
// change that.
func (t *Tally) IsOther() bool { return t.strays > t.characters+maxStrays }

// isMostlyUTF8 reports whether most non-ASCII bytes of a content are UTF-8.
func isMostlyUTF8(content []byte) bool {
	var t Tally
	t.Add(content)
	return t.MayBeUTF8()
}

// Multibyte returns a content if most of its bytes beyond ASCII are close to others, else nil. They are in
// Chinese, Japanese and Korean, whose characters have several bytes, and may end in a byte of ASCII.
// Words of other languages that are written in such bytes count, too.
func Multibyte(content []byte) []byte {
	const least, apart = 4, 2
	all, close, run, last := 0, 0, 0, -1-apart
	for i := ascii.Prefix(content); i < len(content); i += 1 + ascii.Prefix(content[i+1:]) {
		if i-last > apart {
			run = 0
		}
		all++
		switch run++; {
		case run == least:
			close += least
		case run > least:
			close++
		}
		last = i
	}
	if close <= least || 3*close < 2*all {
		return nil
	}
	return content
}

// IsTrail reports whether a word of a content that is mostly in characters of several bytes always follows
// a byte beyond ASCII, so that its first letter may belong to the character before it.
func IsTrail(content []byte, word string) bool {
	const share = 4
	beyond, found := 0, false
	for i := ascii.Prefix(content); i < len(content); i += 1 + ascii.Prefix(content[i+1:]) {
		beyond++
	}
	for rest := content; ; {
		i := ascii.IndexFold(rest, word)
		if i < 0 {
			return found && beyond*share >= len(content)
		}
		if i == 0 || rest[i-1] < utf8.RuneSelf {
			return false
		}
		found, rest = true, rest[i+len(word):]
	}
}

// IsReplaced reports whether a text has more replacement characters than other non-ASCII characters: it
// was written in another charset.
func IsReplaced(text string) bool {
	replaced, others := 0, 0
	for i := ascii.Prefix(text); i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError {
			replaced++
		} else {
			others++
		}
		i += size
		i += ascii.Prefix(text[i:])
	}
	return replaced > others
}

// IsMojibake reports whether most characters beyond ASCII of a text are replacement characters, or Latin
// letters of which three or more stand together. No language has these: the text was written in
// another charset.
func IsMojibake(text string) bool {
	const least = 3
	wrong, others, run := 0, 0, 0
	for i := ascii.Prefix(text); i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError:
			wrong, run = wrong+1, 0
		case r < '\u0300':
			if run++; run == least {
				wrong, others = wrong+least, others-least+1
			} else if run > least {
				wrong++
			} else {
				others++
			}
		case '\u2010' <= r && r <= '\u2122': // signs of windows-1252, which honest texts have, too
		default:
			others, run = others+1, 0
		}
		i += size
		next := ascii.Prefix(text[i:])
		if i += next; next > 0 {
			run = 0
		}
	}
	return wrong > others
}

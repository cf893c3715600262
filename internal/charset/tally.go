package charset

import "unicode/utf8"

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

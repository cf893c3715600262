package engine

import "unicode/utf8"

// maxTextEnds is the number of characters that hideTextEnds hides at a time.
const maxTextEnds = 16

// hideTextEnds hides decoded characters at which default mode would end the link: see
// adjust_end.go.
func (u *shownUnits) hideTextEnds(p part, last bool) {
	for range maxTextEnds {
		text := u.run[:0]
		for _, t := range u.units {
			if t.shown {
				text = utf8.AppendRune(text, t.r)
			} else {
				text = append(text, "%EF"...)
			}
		}
		u.run = text
		end := sentenceIn(string(text), 0, len(text))
		if last && end == len(text) {
			end = beforeSuffix(string(text), 0, len(text))
		}
		if end == len(text) || !u.hideFrom(end) {
			return
		}
	}
}

// hideFrom hides the first decoded character beyond ASCII at or behind the offset end of
// the text that hideTextEnds makes. It reports whether there was one.
func (u *shownUnits) hideFrom(end int) bool {
	offset := 0
	for i := range u.units {
		t := &u.units[i]
		if offset >= end && t.shown && !t.typed && t.r >= utf8.RuneSelf {
			t.shown = false
			return true
		}
		if t.shown {
			offset += utf8.RuneLen(t.r)
		} else {
			offset += len("%EF")
		}
	}
	return false
}

package engine

import (
	"strings"
	"unsafe"
)

// AppendBytes is Append for bytes. It copies the links but not the rest of the text, so
// the links stay valid when the caller changes text later.
func (s *Scanner) AppendBytes(dst []Link, text []byte) []Link {
	first := len(dst)
	dst = s.Append(dst, view(text))
	for i := first; i < len(dst); i++ {
		dst[i].Text = strings.Clone(dst[i].Text)
	}
	return dst
}

// FindAll returns the links in text, each a slice of text. It returns at most n links,
// and all of them if n is negative, as the method of [regexp.Regexp] does.
func (s *Scanner) FindAll(text []byte, n int) [][]byte {
	var found [][]byte
	s.findAll(view(text), n, func(l *Link) {
		found = append(found, text[l.Start:l.End:l.End])
	})
	return found
}

// FindAllIndex returns the bounds of the links that FindAll returns: a link is
// text[b[0]:b[1]].
func (s *Scanner) FindAllIndex(text []byte, n int) [][]int {
	return s.FindAllStringIndex(view(text), n)
}

// FindAllString returns the links in text as typed. It returns at most n links, and all
// of them if n is negative, as the method of [regexp.Regexp] does.
func (s *Scanner) FindAllString(text string, n int) []string {
	var found []string
	s.findAll(text, n, func(l *Link) {
		found = append(found, l.Text)
	})
	return found
}

// FindAllStringIndex returns the bounds of the links that FindAllString returns: a link
// is text[b[0]:b[1]].
func (s *Scanner) FindAllStringIndex(text string, n int) [][]int {
	var found [][]int
	s.findAll(text, n, func(l *Link) {
		found = append(found, []int{l.Start, l.End})
	})
	return found
}

// findAll calls yield for the first n links in text, for all of them if n is negative.
func (s *Scanner) findAll(text string, n int, yield func(*Link)) {
	if n == 0 {
		return
	}
	for l := range s.All(text) {
		yield(&l)
		if n--; n == 0 {
			return
		}
	}
}

// Replace returns text with each link replaced by the result of repl. With
// Options.Suspects it calls repl for suspects, too.
func (s *Scanner) Replace(text string, repl func(Link) string) string {
	var out strings.Builder
	end := 0 // of the text written
	for l := range s.All(text) {
		if with := repl(l); with != l.Text {
			out.WriteString(text[end:l.Start])
			out.WriteString(with)
			end = l.End
		}
	}
	if end == 0 {
		return text
	}
	out.WriteString(text[end:])
	return out.String()
}

// view returns b as a string without a copy. The string must not outlive the call that
// b is for, since the caller may change b.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

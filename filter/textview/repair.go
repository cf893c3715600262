package textview

import (
	"bytes"
	"sort"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
)

// repairs are texts in brackets that stand for a sign of a URL, as in "example[.]com" or "example (dot)
// com". A reader repairs them before use.
var repairs = map[string]string{
	".": ".", "dot": ".", "d0t": ".", "punkt": ".", "point": ".", "punto": ".", "ponto": ".", ":": ":", "://": "://", "/": "/", "//": "//", "@": "@", "at": "@",
}

// maxRepair is the largest length in bytes of a text in repairs, with spaces around it.
const maxRepair = 8

// mayBegin has the first bytes of the texts in repairs, and the space.
var mayBegin = func() (first [256]bool) {
	first[' '] = true
	for piece := range repairs {
		first[piece[0]], first[strings.ToUpper(piece)[0]] = true, true
	}
	return first
}()

// MayRepair reports whether a text has a sign in brackets that a reader repairs.
func MayRepair(text string) bool {
	for _, open := range [...]byte{'[', '(', '{'} {
		for at := 0; ; at++ {
			i := strings.IndexByte(text[at:], open)
			if i < 0 {
				break
			}
			if at += i; at+1 < len(text) && mayBegin[text[at+1]] && bracketed(text[at:]) > 0 {
				return true
			}
		}
	}
	return false
}

// bracketed returns the length of the bracketed sign at the start of a text, or 0.
func bracketed(text string) int {
	if len(text) < len("[.]") || strings.IndexByte("[({", text[0]) < 0 || !mayBegin[text[1]] {
		return 0
	}
	end := strings.IndexAny(text[:min(len(text), maxRepair+2)], "])}")
	if end < 0 || repairs[strings.ToLower(strings.TrimSpace(text[1:end]))] == "" {
		return 0
	}
	return end + 1
}

// A repairedLine is a line after a reader's repairs, with the places of the repaired signs.
type repairedLine struct {
	Text   string
	places []repairedPlace
}

// repairedPlace is the end of a repaired sign: to in the repaired text, from in the line.
type repairedPlace struct{ to, from int }

// Repaired returns a line with its bracketed signs repaired.
func Repaired(line string) repairedLine {
	var r repairedLine
	text := make([]byte, 0, len(line))
	for at := 0; at < len(line); {
		size := bracketed(line[at:])
		if size == 0 {
			text = append(text, line[at])
			at++
			continue
		}
		piece := strings.ToLower(strings.TrimSpace(line[at+1 : at+size-1]))
		text = append(bytes.TrimRight(text, " \t"), repairs[piece]...)
		for at += size; at < len(line) && (line[at] == ' ' || line[at] == '\t'); at++ {
		}
		r.places = append(r.places, repairedPlace{len(text), at})
	}
	r.Text = string(text)
	return r
}

// IsIn reports whether a link contains a repaired sign.
func (r *repairedLine) IsIn(link engine.Link) bool {
	i := r.before(link.End)
	return i >= 0 && link.Start < r.places[i].to
}

// At returns the offset in the line for an offset in the repaired text.
func (r *repairedLine) At(offset int) int {
	if i := r.before(offset); i >= 0 {
		return r.places[i].from + offset - r.places[i].to
	}
	return offset
}

// before returns the index of the last repaired sign that ends at or before an offset of the text, or
// -1.
func (r *repairedLine) before(offset int) int {
	return sort.Search(len(r.places), func(i int) bool { return r.places[i].to > offset }) - 1
}

package bidi

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// maxDepth is how many embeddings and isolates can be inside each other (UAX #9 BD2).
const maxDepth = 125

// InOrder returns a text in the order in which a left-to-right paragraph of one line shows it (UAX
// #9), without the controls of embeddings, overrides and isolates. It returns a text without such
// controls unchanged. It does not mirror brackets, and treats them like other signs (rule N0 is
// left out).
func InOrder(text string) string {
	if !strings.ContainsFunc(text, isTurn) {
		return text
	}
	r := orderReader{text: text}
	var b strings.Builder
	r.run(bidi.L, false, false, 0, -1).write(&b)
	return b.String()
}

// isTurn reports whether a character begins or ends an embedding, an override or an isolate.
func isTurn(r rune) bool { return '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069' }

// orderReader reads a text with embeddings and isolates.
type orderReader struct{ text string }

// A run is a text of one embedding level: its direction, and its pieces.
type run struct {
	direction bidi.Class // L or R
	pieces    []piece
}

// A piece is a character with its marks, or the text of an embedding or isolate in the order in
// which it is shown.
type piece struct {
	text  string
	class bidi.Class // L, R, EN for a number, or ON
}

const (
	popEmbedding = '\u202c'
	popIsolated  = '\u2069'
)

// run reads a run, and the character that ends it. With an override, all characters get its
// direction. Inside an isolate, the end of an embedding that began outside ends nothing.
func (r *orderReader) run(direction bidi.Class, override, inIsolate bool, depth int, end rune) *run {
	read := &run{direction: direction}
	for r.text != "" {
		c, size := utf8.DecodeRuneInString(r.text)
		switch {
		case c == end:
			r.text = r.text[size:]
			return read
		case c == popIsolated && end == popEmbedding && inIsolate:
			return read // the end of an isolate also ends the embeddings inside it
		case isTurn(c):
			r.text = r.text[size:]
			if c != popEmbedding && c != popIsolated && depth < maxDepth {
				read.pieces = append(read.pieces, r.within(c, inIsolate, depth))
			}
			continue
		}
		char := r.text[:size]
		r.text = r.text[size:]
		p, _ := bidi.LookupRune(c)
		class := p.Class()
		if class == bidi.NSM && len(read.pieces) > 0 {
			read.pieces[len(read.pieces)-1].text += char
			continue
		}
		if override {
			class = direction
		}
		read.pieces = append(read.pieces, piece{char, class})
	}
	return read
}

// within reads the embedding or isolate that a character begins.
func (r *orderReader) within(begin rune, inIsolate bool, depth int) piece {
	direction, class, end := bidi.L, bidi.ON, popIsolated
	switch begin {
	case '\u202b', '\u202e', '\u2067': // RLE, RLO, RLI
		direction = bidi.R
	case '\u2068': // FSI
		direction = firstStrongOf(r.text)
	}
	if begin <= '\u202e' {
		class, end = direction, popEmbedding
	}
	var b strings.Builder
	r.run(direction, begin == '\u202d' || begin == '\u202e', inIsolate || end == popIsolated, depth+1, end).write(&b)
	return piece{b.String(), class}
}

// firstStrongOf returns the direction of the first character that has one, outside of isolates
// (rules P2 and P3).
func firstStrongOf(text string) bidi.Class {
	depth := 0
	for _, c := range text {
		p, _ := bidi.LookupRune(c)
		switch class := p.Class(); class {
		case bidi.LRI, bidi.RLI, bidi.FSI:
			depth++
		case bidi.PDI:
			if depth--; depth < 0 {
				return bidi.L
			}
		case bidi.L:
			if depth == 0 {
				return bidi.L
			}
		case bidi.R, bidi.AL:
			if depth == 0 {
				return bidi.R
			}
		}
	}
	return bidi.L
}

// write writes the pieces of a run in the order in which they are shown.
func (r *run) write(b *strings.Builder) {
	r.resolve()
	base := 0
	if r.direction == bidi.R {
		base = 1
	}
	order := make([]*piece, len(r.pieces))
	levels := make([]int, len(r.pieces))
	for i := range r.pieces {
		order[i], levels[i] = &r.pieces[i], base
		switch {
		case r.pieces[i].class == bidi.EN:
			levels[i] = 2
		case r.pieces[i].class != r.direction: // rules I1 and I2
			levels[i]++
		}
	}
	for level := 2; level > 0; level-- { // rule L2
		for start := 0; start < len(levels); start++ {
			end := start
			for end < len(levels) && levels[end] >= level {
				end++
			}
			slices.Reverse(order[start:end])
			start = max(start, end)
		}
	}
	for _, p := range order {
		b.WriteString(p.text)
	}
}

// resolve gives each piece of a run the class L or R. A number after right-to-left text gets EN.
// The rules are W2, W3, W6, W7, N1 and N2, and W4 for European numbers. Signs beside numbers count
// as other signs (rule W5).
func (r *run) resolve() {
	strong := r.direction
	for i := range r.pieces {
		switch p := &r.pieces[i]; p.class {
		case bidi.L, bidi.R:
			strong = p.class
		case bidi.AL:
			p.class, strong = bidi.R, bidi.R
		case bidi.EN, bidi.AN:
			if p.class == bidi.EN && strong == bidi.L {
				p.class = bidi.L
			} else {
				p.class = bidi.EN
			}
		case bidi.CS, bidi.ES: // within a number
			if i > 0 && i+1 < len(r.pieces) && r.pieces[i-1].class == bidi.EN && r.pieces[i+1].class == bidi.EN {
				p.class = bidi.EN
				break
			}
			p.class = bidi.ON
		default:
			p.class = bidi.ON
		}
	}
	before := r.direction
	for i := 0; i < len(r.pieces); i++ {
		start := i
		for i < len(r.pieces) && r.pieces[i].class == bidi.ON {
			i++
		}
		after := r.direction
		if i < len(r.pieces) {
			after = directionOf(r.pieces[i].class)
		}
		to := r.direction
		if before == after {
			to = before
		}
		for j := start; j < i; j++ {
			r.pieces[j].class = to
		}
		before = after
	}
}

// directionOf returns the direction of a class other than ON: numbers count as R.
func directionOf(class bidi.Class) bidi.Class {
	if class == bidi.L {
		return bidi.L
	}
	return bidi.R
}

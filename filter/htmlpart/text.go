package htmlpart

import (
	"sort"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A run is a text that is put together from pieces of the source.
type run struct {
	whole  string // the text as long as it is one piece of the source
	joined []byte // the text once it is more; then whole is empty
	pieces []piece
}

// A piece says where a piece of a text comes from. It ends where the next one
// begins.
type piece struct {
	text   int // offset into the text
	source int // offset into the source
	size   int // bytes of the source
}

// maxPieces is how many pieces of a text are told apart: the rest, if there is
// more, counts as one. It bounds the memory for texts of &amp;&amp;&amp;….
const maxPieces = 1 << 16

// append appends s, which stands at the given offset of the source, and is
// written there in size bytes.
func (t *run) append(s string, at, size int) {
	length := t.length()
	if n := len(t.pieces); n > 0 {
		last := &t.pieces[n-1]
		exact := last.size == length-last.text && last.source+last.size == at && size == len(s)
		if exact || n == maxPieces {
			last.size = at + size - last.source
		} else {
			t.pieces = append(t.pieces, piece{length, at, size})
		}
	} else {
		t.pieces = append(t.pieces, piece{0, at, size})
		if size == len(s) {
			t.whole = s
			return
		}
	}
	if t.whole != "" {
		t.joined = append(t.joined, t.whole...)
		t.whole = ""
	}
	t.joined = append(t.joined, s...)
}

func (t *run) length() int { return len(t.whole) + len(t.joined) }

// text returns the text.
func (t *run) text() string {
	if t.whole != "" {
		return t.whole
	}
	return string(t.joined)
}

// reset makes room for the next text.
func (t *run) reset() {
	t.whole, t.joined, t.pieces = "", t.joined[:0], t.pieces[:0]
}

// sourceRange returns the range of the source that bytes start to end of a
// text of the given length come from.
func sourceRange(pieces []piece, length, start, end int) (from, to int) {
	find := func(at int) (p piece, exact bool) {
		i := sort.Search(len(pieces), func(i int) bool { return pieces[i].text > at }) - 1
		next := length
		if i+1 < len(pieces) {
			next = pieces[i+1].text
		}
		return pieces[i], next-pieces[i].text == pieces[i].size
	}
	first, exact := find(start)
	from = first.source
	if exact {
		from += start - first.text
	}
	last, exact := find(max(end-1, start))
	to = last.source + last.size
	if exact {
		to = last.source + end - last.text
	}
	return from, to
}

// text reads a text. After the start tag of an element whose content is no
// markup, raw is that element.
func (p *pass) text(raw atom.Atom) {
	source, at := p.source[p.start:p.pos], p.start
	switch raw {
	case atom.Script, atom.Style:
		return
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Xmp, atom.Plaintext:
		p.put(source, at, len(source), raw != atom.Xmp && raw != atom.Plaintext)
		return
	}
	hidden := raw == atom.Title || p.isHidden()
	for source != "" {
		i := strings.IndexByte(source, '&')
		if i < 0 {
			i = len(source)
		}
		if i > 0 {
			p.put(source[:i], at, i, hidden)
		}
		source, at = source[i:], at+i
		if source != "" {
			n := referenceLength(source)
			p.put(character(source[:n]), at, n, hidden)
			if p.spend(n) != nil {
				return
			}
			source, at = source[n:], at+n
		}
	}
}

// referenceLength returns the length of what may be a character reference at
// the start of s.
func referenceLength(s string) int {
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '#' && i == 1:
		case c == ';':
			return i + 1
		default:
			return i
		}
	}
	return len(s)
}

// character returns what a character reference stands for.
func character(reference string) string {
	if reference == "&nbsp;" { // by far the most common
		return "\u00a0"
	}
	return html.UnescapeString(reference)
}

// put adds a text to the open reference, as far as there is room, or to the
// text between references. What is hidden in a reference that is shown is in
// both.
func (p *pass) put(s string, at, size int, hidden bool) {
	if p.link != nil && p.link.put(s, hidden) && (!hidden || p.link.item.Hidden) {
		return
	}
	if hidden {
		p.hidden.append(s, at, size)
		return
	}
	// What is hidden on both sides of what is shown does not belong together.
	if len(p.hidden.pieces) > 0 {
		p.emit(&p.hidden, true)
	}
	p.visible.append(s, at, size)
}

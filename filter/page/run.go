package page

import (
	"bytes"
	"sort"
	"strings"
)

// A run is a text that is put together from pieces of the source.
type run struct {
	whole  string // the text while it is one piece of the source
	joined []byte // the text once it is more; then whole is empty
	pieces []piece

	unplaced bool // the place of some piece is unknown
}

// append appends s, which takes size bytes of the source from the offset at on.
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

// hasWords reports whether the text has more than white space, or is long.
func (t *run) hasWords() bool {
	const long = 1 << 10 // so that asking is cheap
	return t.length() > long || strings.TrimSpace(t.whole) != "" || len(bytes.TrimSpace(t.joined)) > 0
}

// reset makes room for the next text.
func (t *run) reset() {
	t.whole, t.joined, t.pieces, t.unplaced = "", t.joined[:0], t.pieces[:0], false
}

// A piece says where a piece of a text comes from. It ends where the next one
// begins.
type piece struct {
	text   int // offset into the text
	source int // offset into the source
	size   int // bytes of the source
}

// maxPieces is the number of pieces of a text that are told apart; the rest counts as
// one. It bounds the memory for texts of &amp;&amp;&amp;….
const maxPieces = 1 << 16

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

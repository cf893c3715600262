package htmlpart

import (
	"slices"
	"strings"
)

// linkText is the text of a reference, in pieces that programs may show or hide.
type linkText struct {
	all    []byte // all text
	seen   []byte // what is shown by the styles of the elements, once some is not
	sure   []byte // what nothing may hide, once something may
	pieces []linkPiece
	forked bool // seen and sure differ from all, or may
	rest   bool // there are more pieces than are kept
}

// linkPiece is a piece of the text that is shown or hidden as a whole.
type linkPiece struct {
	text   []byte
	doubt  int // the element that may hide it; 0 for none
	hidden bool
}

const (
	// maxDoubts is the number of elements of a reference of which every combination is
	// read.
	maxDoubts = 5
	// maxLinkPieces is the number of pieces that are kept for that.
	maxLinkPieces = 64
	// maxReadings bounds the number of readings of a text, and maxReadingBytes their
	// length where there are more than three.
	maxReadings     = 40
	maxReadingBytes = 4 << 10
)

// put adds a text with its look.
func (t *linkText) put(s string, l look) {
	hidden := l.hidden()
	if !t.forked && (hidden || l.doubt > 0) {
		t.forked = true
		t.seen, t.sure = slices.Clone(t.all), slices.Clone(t.all)
		t.pieces = append(t.pieces, linkPiece{text: slices.Clone(t.all[:min(len(t.all), maxReadingBytes+1)])})
	}
	t.all = append(t.all, s...)
	if !t.forked {
		return
	}
	if !hidden {
		t.seen = append(t.seen, s...)
	}
	if !hidden && l.doubt == 0 {
		t.sure = append(t.sure, s...)
	}
	if len(t.all) > maxReadingBytes {
		t.rest = true
		return
	}
	last := &t.pieces[len(t.pieces)-1]
	if last.doubt != l.doubt || last.hidden != hidden {
		if len(t.pieces) == maxLinkPieces {
			t.rest = true
			return
		}
		t.pieces = append(t.pieces, linkPiece{doubt: l.doubt, hidden: hidden})
		last = &t.pieces[len(t.pieces)-1]
	}
	last.text = append(last.text, s...)
}

// blank adds a break to all readings.
func (t *linkText) blank() {
	t.all = append(t.all, ' ')
	if !t.forked {
		return
	}
	t.seen, t.sure = append(t.seen, ' '), append(t.sure, ' ')
	if last := &t.pieces[len(t.pieces)-1]; !t.rest {
		last.text = append(last.text, ' ')
	}
}

// texts returns the text that is shown, and the other texts that may be. Where all of
// the text is hidden, that is the text: it may be shown after all.
func (t *linkText) texts() (text string, others []string) {
	all := strings.TrimSpace(string(t.all))
	if !t.forked {
		return all, nil
	}
	text = strings.TrimSpace(string(t.seen))
	if text == "" {
		text = all
	}
	add := func(reading string) {
		if reading = strings.TrimSpace(reading); reading != "" && reading != text && !slices.Contains(others, reading) {
			others = append(others, reading)
		}
	}
	add(all)
	add(string(t.sure))
	if !t.rest && len(t.all) <= maxReadingBytes {
		t.combine(add)
	}
	return text, others
}

// combine adds the readings in which some of the doubtful elements are shown.
func (t *linkText) combine(add func(string)) {
	var doubts []int // elements that may hide their text; -1 for those that do so anyway
	key := func(p *linkPiece) int {
		if p.doubt == 0 && p.hidden {
			return -1
		}
		return p.doubt
	}
	for i := range t.pieces {
		if d := key(&t.pieces[i]); d != 0 && !slices.Contains(doubts, d) {
			doubts = append(doubts, d)
		}
	}
	read := func(isShown func(n int) bool) {
		var b strings.Builder
		for i := range t.pieces {
			if d := key(&t.pieces[i]); d == 0 || isShown(slices.Index(doubts, d)) {
				b.Write(t.pieces[i].text)
			}
		}
		add(b.String())
	}
	if len(doubts) <= maxDoubts {
		for set := range 1 << len(doubts) {
			read(func(n int) bool { return set&(1<<n) != 0 })
		}
		return
	}
	for one := range min(len(doubts), maxReadings/2) {
		read(func(n int) bool { return n == one })
		read(func(n int) bool { return n != one })
	}
}

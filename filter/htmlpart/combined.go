package htmlpart

import (
	"slices"
	"strings"
)

// variant is a text with some of the pieces and inserts of the text of a reference.
type variant struct {
	text    string
	offsets []int
	seams   []seam
}

// combined adds the readings of a text of which programs show some pieces and inserts, in other orders
// or in one line: each of these by itself is read elsewhere. A reading with the texts of pictures is
// a label.
func (l *openLink) combined(add, addLabel func(string)) {
	t := &l.text
	isHidden := t.forked && !t.isFirst()
	if len(t.inserts) == 0 && (!isHidden || len(t.offsets) == 0 && len(t.seams) == 0) || !t.mayNameHost() {
		return
	}
	if t.rest || len(t.all) > maxOrderedText {
		t.cut = t.cut || isHidden && len(t.inserts)+len(t.offsets) > 0
		return
	}
	t.cut = t.cut || t.choices > 2
	kept := combinations{add: add, addLabel: addLabel, words: make(map[string]bool)}
	t.eachShown(func(isShown func(*linkPiece) bool, some bool) {
		for _, kinds := range t.choicesOf() {
			if kept.cut {
				break
			}
			v, ok := t.variant(isShown, kinds)
			if !ok || !some && kinds == 0 || !mayNameHost([]byte(v.text)) {
				continue
			}
			if kinds != 0 {
				kept.put(v.text, kinds)
			}
			if len(v.offsets) > 0 {
				readings, all := orders(v.text, v.offsets, l.urls[0])
				t.cut = t.cut || !all
				for _, reading := range readings {
					kept.put(reading, kinds)
				}
			}
			if len(v.seams) > 0 {
				kept.put(inOneLine(v.text, v.seams, l.urls[0]), kinds)
			}
		}
	})
	t.cut = t.cut || kept.cut
}

// combinations keeps the readings of variants of a text: all that may show a host that none before
// has, and the first of the others.
type combinations struct {
	add, addLabel func(string)
	words         map[string]bool // words of readings that may be hosts
	others, all   int
	cut           bool // there are more readings than are kept or looked at
}

// maxCombinations is the number of readings that are looked at.
const maxCombinations = 16 * maxReadings

// put adds a reading that has inserts of some kinds.
func (c *combinations) put(reading string, kinds insertKind) {
	c.all++
	words := hostWords(reading)
	isNew := words != "" && !c.words[words]
	switch {
	case c.all > maxCombinations, isNew && len(c.words) == maxReadings:
		c.cut = true
		return
	case isNew:
		c.words[words] = true
	case c.others == maxReadings:
		return
	default:
		c.others++
	}
	if kinds&ofPicture != 0 {
		c.addLabel(reading)
	} else {
		c.add(reading)
	}
}

// choicesOf returns the kinds of the inserts that are read together.
func (t *linkText) choicesOf() []insertKind {
	kinds := []insertKind{0, ofPicture, ofBefore, ofAfter, ofBefore | ofAfter, ofPicture | ofBefore, ofPicture | ofAfter}
	if t.choices > 1 {
		kinds = append(kinds, lastOf|ofBefore, lastOf|ofAfter, lastOf|ofBefore|ofAfter)
	}
	return kinds
}

// mayNameHost reports whether the text, or an insert, may have a host in it.
func (t *linkText) mayNameHost() bool {
	return mayNameHost(t.all) || slices.ContainsFunc(t.inserts, func(i insert) bool { return mayNameHost([]byte(i.text)) || mayNameHost([]byte(i.last)) })
}

// eachShown calls use with what may be shown of the pieces: all, and some of them.
func (t *linkText) eachShown(use func(isShown func(*linkPiece) bool, some bool)) {
	use(func(*linkPiece) bool { return true }, false)
	if !t.forked || t.isFirst() {
		return
	}
	of := (*linkPiece).element
	groups := t.groups(of)
	if len(groups) > maxDoubts {
		of = (*linkPiece).group
		groups = t.groups(of)
	}
	if len(groups) > maxDoubts {
		use(func(p *linkPiece) bool { return !p.hidden }, true)
		use(func(*linkPiece) bool { return false }, true)
		return
	}
	for set := range 1<<len(groups) - 1 {
		use(func(p *linkPiece) bool { return set&(1<<slices.Index(groups, of(p))) != 0 }, true)
	}
}

// variant returns the text with the pieces that are shown and inserts of some kinds. It returns false
// where there are kinds and none of these is shown.
func (t *linkText) variant(isShown func(*linkPiece) bool, kinds insertKind) (v variant, ok bool) {
	last := kinds&lastOf != 0
	kinds &^= lastOf
	var b strings.Builder
	found, insert, offset, seamed := insertKind(0), 0, 0, 0
	upTo := func(at int, shown bool) {
		for ; offset < len(t.offsets) && t.offsets[offset] <= at; offset++ {
			for ; insert < len(t.inserts) && t.inserts[insert].part <= offset && t.inserts[insert].at <= t.offsets[offset]; insert++ {
				if i := &t.inserts[insert]; shown && i.kind&kinds != 0 {
					b.WriteString(i.choose(last))
					found |= i.kind
				}
			}
			v.offsets = append(v.offsets, b.Len())
		}
		for ; insert < len(t.inserts) && t.inserts[insert].at <= at; insert++ {
			if i := &t.inserts[insert]; shown && i.kind&kinds != 0 {
				b.WriteString(i.choose(last))
				found |= i.kind
			}
		}
		for ; seamed < len(t.seams) && t.seams[seamed].at <= at; seamed++ {
			v.seams = append(v.seams, seam{b.Len(), t.seams[seamed].blank})
		}
	}
	pieces := t.pieces
	if !t.forked {
		pieces = []linkPiece{{text: t.all}}
	}
	at, shownBefore := 0, true
	for i := range pieces {
		p := &pieces[i]
		if len(p.text) == 0 {
			continue
		}
		shown := p.element() == 0 || isShown(p)
		upTo(at, shown || shownBefore)
		shownBefore = shown
		end := at + len(p.text)
		for at < end {
			upTo(at, shown)
			next := end
			if offset < len(t.offsets) {
				next = min(next, t.offsets[offset])
			}
			if insert < len(t.inserts) {
				next = min(next, t.inserts[insert].at)
			}
			if seamed < len(t.seams) {
				next = min(next, t.seams[seamed].at)
			}
			if shown {
				b.Write(p.text[len(p.text)-(end-at) : len(p.text)-(end-next)])
			}
			at = next
		}
	}
	upTo(at, true)
	v.text = b.String()
	return v, found == kinds
}

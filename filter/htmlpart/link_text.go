package htmlpart

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// linkText is the text of a reference, in pieces that programs may show or hide.
type linkText struct {
	all      []byte // all text
	seen     []byte // what is shown by the styles of the elements, once some is not
	sure     []byte // what nothing may hide, once something may
	pieces   []linkPiece
	first    linkPiece    // how the text is shown up to the fork
	begun    bool         // first is known
	forked   bool         // seen and sure differ from all, or may
	rest     bool         // there are more pieces than are kept
	cut      bool         // the rules of the sheet tell more of them apart than are read
	blanks   blanksRun    // at the end of all
	offsets  []int        // of the elements in all, where a style may change their order
	divided  bool         // a text that may not be seen divides it from what is beside it
	edges    []int        // of the last elements before the first of these
	seams    []seam       // breaks in all at which the next part may be in the same line
	last     linkBreak    // at the end of all
	gap      linkGap      // that is last
	narrow   pixels       // width of the narrowest box around it that cuts off texts, 0 for none
	signs    [2][]altText // syntax of URLs that a rule puts before elements, and after them
	inserts  []insert     // texts that programs may show at places of it
	choices  int          // the largest number of them at a place
	cuts     int          // the element whose first letter or line follows, if a rule may hide that; 0 for none
	cutsLine bool         // it is the line
	floats   bool         // the first letter of it may be behind the others
	sheet    *sheet       // whose selectors may depend on the places of elements; nil for none
}

// linkPiece is a piece of the text that is shown or hidden as a whole.
type linkPiece struct {
	text   []byte
	doubt  int    // the element that may hide it; 0 for none
	kind   uint64 // of that element
	named  bool   // a rule names its class, id or attributes
	holds  uint64 // bits of the conditions of rules that hold for the element
	hidden bool
	goneAt int // the innermost element that shows nothing; 0 for none
}

// hiddenPieces is the group of all pieces that nothing but the style of their element hides.
const hiddenPieces = 1 << 63

// element returns a number for the element that may hide the piece; 0 for a piece that is
// always shown.
func (p *linkPiece) element() uint64 {
	if p.doubt == 0 && p.hidden {
		return hiddenPieces
	}
	return uint64(p.doubt)
}

// group returns a number for the kind of that element.
func (p *linkPiece) group() uint64 {
	if p.doubt == 0 {
		return p.element()
	}
	return p.kind | 1
}

const (
	// maxDoubts is the number of elements of a reference of which every combination is
	// read.
	maxDoubts = 5
	// maxLinkPieces is the number of pieces that are kept for that.
	maxLinkPieces = 256
	// maxReadings bounds the number of readings of a text, and maxReadingBytes their
	// length where there are more than three.
	maxReadings     = 72
	maxReadingBytes = 4 << 10
)

// put adds a text with its look.
func (t *linkText) put(s string, l *look) {
	hidden := l.hidden()
	if t.cuts != 0 && !hidden && s != "" {
		if s = t.putFirst(s, l); s == "" {
			return
		}
	}
	s = t.blanks.squeeze(s)
	if !ascii.Is(s) {
		t.divideAtMarks(s)
	}
	if (hidden || t.begun && l.doubt != 0 && l.doubt != t.first.doubt) && divides(s) {
		t.divideUnseen()
	}
	if l.room > 0 && (t.narrow == 0 || l.room < t.narrow) {
		t.narrow = l.room
	}
	switch {
	case t.forked:
	case !t.begun:
		t.begun, t.first = true, linkPiece{doubt: l.doubt, kind: l.kind, named: l.named, holds: l.holds, hidden: hidden, goneAt: l.goneAt}
	case t.first.doubt != l.doubt || t.first.hidden != hidden:
		t.fork()
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
		t.pieces = append(t.pieces, linkPiece{doubt: l.doubt, kind: l.kind, named: l.named, holds: l.holds, hidden: hidden, goneAt: l.goneAt})
		last = &t.pieces[len(t.pieces)-1]
	}
	last.text = append(last.text, s...)
}

// fork begins to keep the pieces of the text. Up to here it is one, of which all readings are
// the same: without it the text is blank.
func (t *linkText) fork() {
	t.forked = true
	if !t.first.hidden {
		t.seen = append(t.seen, t.all...)
		if t.first.doubt == 0 {
			t.sure = append(t.sure, t.all...)
		}
	}
	t.first.text = slices.Clone(t.all[:min(len(t.all), maxReadingBytes+1)])
	t.pieces = append(t.pieces, t.first)
}

// cutFirst notes that a rule may hide or move the first letter or line of an element.
func (t *linkText) cutFirst(l *look) {
	t.floats = t.floats || l.floats
	if l.cuts != 0 {
		t.cuts, t.cutsLine = l.cuts, l.cutsLine
	}
}

// kindOfFirst is the kind of the first letters and lines, which rules hide alike.
const kindOfFirst = 1 << 62

// putFirst adds the beginning of a text that a rule may hide as that of an element, and returns the
// rest. A break after a line goes with it.
func (t *linkText) putFirst(s string, l *look) (rest string) {
	first, goesOn := firstLetter(s)
	if t.cutsLine {
		first, goesOn = firstLine(s, t.isInFirst())
	}
	around, inside := t.cuts, *l
	t.cuts = 0
	inside.doubt, inside.kind, inside.named = -around, kindOfFirst, false
	t.put(first, &inside)
	if goesOn {
		t.cuts = around
	}
	return s[len(first):]
}

// firstLetter returns the beginning of a text up to its first letter, with the punctuation around that
// (CSS Pseudo-Elements §2.2), and whether the letter is in a text behind it.
func firstLetter(text string) (letter string, goesOn bool) {
	rest := strings.TrimLeftFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) })
	_, size := utf8.DecodeRuneInString(rest)
	rest = strings.TrimLeftFunc(rest[size:], unicode.IsPunct)
	return text[:len(text)-len(rest)], size == 0
}

// isInFirst reports whether the text ends with a part of the line that a rule may hide.
func (t *linkText) isInFirst() bool {
	n := len(t.pieces)
	return n > 0 && t.cuts != 0 && t.pieces[n-1].doubt == -t.cuts
}

// firstLine returns the beginning of a text up to the first place where a line may end, and whether
// that is in a text behind it. hasBegun says that the line has a text before it.
func firstLine(text string, hasBegun bool) (line string, goesOn bool) {
	start := 0
	if !hasBegun {
		start = len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
	}
	i := strings.IndexFunc(text[start:], unicode.IsSpace)
	if i < 0 {
		return text, true
	}
	rest := strings.TrimLeftFunc(text[start+i:], unicode.IsSpace)
	return text[:len(text)-len(rest)], false
}

// enter notes that an element begins, given its look and that around it. Even one without a
// text may move away what follows. Only a style reorders what is surely written from left to
// right.
func (t *linkText) enter(l, around *look) {
	if (l.reordered || l.isolated || l.island || len(t.offsets) > 0 && !around.fromLeft) && len(t.offsets) <= maxParts {
		t.divide()
	}
	t.noteEdge()
	if l.doubt != around.doubt && len(t.all) > 0 {
		t.put("", l)
	}
	t.sign(0, l)
	t.cutFirst(l)
}

// leave notes that an element ends, given its look: the text behind it is a part of its own.
func (t *linkText) leave(l *look) {
	t.sign(1, l)
	if l.cuts == t.cuts {
		t.cuts = 0
	}
	if (l.reordered || l.island) && len(t.offsets) <= maxParts {
		t.divide()
	}
	t.noteEdge()
}

// maxEdges is the number of places right before elements in another order that begin parts, too.
const maxEdges = 4

// noteEdge notes that an element begins or ends before all whose order a style may change. Several
// are at one place where only blanks are between them.
func (t *linkText) noteEdge() {
	if len(t.offsets) > 0 || len(t.inserts) > 0 {
		return
	}
	at, n := t.end(), len(t.edges)
	switch {
	case n > 0 && t.edges[n-1] == at:
	case n == maxEdges:
		copy(t.edges, t.edges[1:])
		t.edges[n-1] = at
	default:
		t.edges = append(t.edges, at)
	}
}

// maxSignsAt is the number of places of a reference at which a rule puts syntax of a URL.
const maxSignsAt = 32

// sign notes the texts before or after an element.
func (t *linkText) sign(where int, l *look) {
	if l.generated == nil {
		return
	}
	t.cut = t.cut || l.generated.unsure
	at := &l.generated.before
	if where == 1 {
		at = &l.generated.after
	}
	t.insertOne(at.texts, ofBefore<<where)
	if at.sign != "" && len(t.signs[where]) < maxSignsAt {
		t.signs[where] = append(t.signs[where], altText{len(t.all), at.sign})
	}
}

// withSigns appends the readings of the text with the syntax of URLs that rules put before its
// elements, or after them.
func (t *linkText) withSigns(readings []string) []string {
	for _, signs := range t.signs {
		if len(signs) > 0 && len(t.all) <= maxReadingBytes {
			readings = append(readings, withTexts(string(t.all), signs))
		}
	}
	return readings
}

// divideAtMarks notes that parts of a text end at characters that turn the direction, and at U+0085, which
// has no shape either: what is between two of them may be shown in another order.
func (t *linkText) divideAtMarks(s string) {
	for i, r := range s {
		if (turns(r) || r == '\u0085') && len(t.offsets) <= maxParts {
			t.divideAt(len(t.all) + i)
		}
	}
}

// divideUnseen notes that a text that may not be seen, although others are, divides those before and behind it.
// Behind a letter from right to left they are not parts of one word.
func (t *linkText) divideUnseen() {
	t.divided = true
	last, size := utf8.DecodeLastRune(bytes.TrimRightFunc(t.all, isBlank))
	if size > 0 && !endsRun(last) && len(t.offsets) <= maxParts {
		t.divide()
	}
}

// divide notes that another part of the text begins.
func (t *linkText) divide() { t.divideAt(len(t.all)) }

// divideAt does so at an offset in all text. The elements before it in the same word are parts, too:
// what a style moves may come to lie before them. Blanks behind an element count as before the word.
func (t *linkText) divideAt(at int) {
	if len(t.offsets) == 0 && len(t.inserts) == 0 {
		before := t.all[:min(at, len(t.all))]
		word := bytes.LastIndexByte(before, ' ') + 1
		behind := len(bytes.TrimRightFunc(before[:word], isBlank)) // the word before
		for _, edge := range t.edges {
			if edge == behind {
				edge = word
			}
			if word <= edge && edge < at && (len(t.offsets) == 0 || t.offsets[len(t.offsets)-1] != edge) {
				t.offsets = append(t.offsets, edge)
			}
		}
	}
	n := len(t.offsets)
	if n == 0 || t.offsets[n-1] != at || len(t.inserts) > 0 && t.inserts[len(t.inserts)-1].part == n {
		t.offsets = append(t.offsets, at)
	}
}

// blank adds a break to all readings.
func (t *linkText) blank() {
	if t.cutsLine && t.isInFirst() {
		t.cuts = 0 // the line ends
	}
	if t.blanks.squeeze(" ") == "" {
		return
	}
	t.all = append(t.all, ' ')
	if !t.forked {
		return
	}
	t.seen, t.sure = append(t.seen, ' '), append(t.sure, ' ')
	if last := &t.pieces[len(t.pieces)-1]; !t.rest {
		last.text = append(last.text, ' ')
	}
}

// linkBreak is what elements say about the place at which the text ends. The outermost element that
// begins or ends there decides.
type linkBreak struct {
	at     int    // offset in the text
	depth  int    // how many elements are around that one
	inLine beside // what follows
}

// linkGap is white space of the source.
type linkGap struct {
	at    int // the end of the text before it, as an offset
	depth int // how many elements are around it
}

// edge notes that an element begins or ends, given how many elements are around it and whether it may
// be in the line of the text.
func (t *linkText) edge(inLine beside, depth int) {
	at := t.end()
	switch b := &t.last; {
	case at != b.at || depth < b.depth:
		*b = linkBreak{at, depth, inLine}
	case depth > b.depth:
	case inLine == notBeside:
		b.inLine = notBeside
	case b.inLine != notBeside:
		b.inLine = max(b.inLine, inLine)
	}
	t.settle(at)
}

// end returns the offset at which the text ends without blanks.
func (t *linkText) end() int { return len(bytes.TrimRightFunc(t.all, isBlank)) }

// putAt is put for a text of the source, given how many elements are around it.
func (t *linkText) putAt(depth int, s string, l *look) {
	isShown := !l.hidden() && l.doubt == 0
	if first, _ := utf8.DecodeRuneInString(s); isShown && unicode.IsSpace(first) {
		t.space(depth)
	}
	t.put(s, l)
	if last, _ := utf8.DecodeLastRuneInString(s); isShown && unicode.IsSpace(last) {
		t.space(depth)
	}
}

// space notes white space at the end of the text, given how many elements are around it.
func (t *linkText) space(depth int) {
	at := t.end()
	if at != t.gap.at || depth < t.gap.depth {
		t.gap = linkGap{at, depth}
	}
	t.settle(at)
}

// settle decides whether the end of the text is a seam, given its offset.
func (t *linkText) settle(at int) {
	last := len(t.seams) - 1
	if last >= 0 && t.seams[last].at == at {
		t.seams = t.seams[:last]
	}
	if b := &t.last; at > 0 && at == b.at && b.inLine != notBeside {
		isShown := b.inLine == flowing || b.inLine == apart && t.gap.depth <= b.depth
		t.seams = append(t.seams, seam{at, isShown && at == t.gap.at})
	}
}

// texts returns the text that is shown, and the other texts that may be. Where all of
// the text is hidden, that is the text: it may be shown after all.
func (t *linkText) texts() (text string, others []string) {
	all := strings.TrimSpace(string(t.all))
	if !t.forked || t.isFirst() {
		return all, nil
	}
	text = strings.TrimSpace(string(t.seen))
	isHidden := text == ""
	if isHidden {
		text = all
	}
	add := func(reading string) {
		if reading = strings.TrimSpace(reading); reading != "" && reading != text && len(others) < maxReadings && !slices.Contains(others, reading) {
			others = append(others, reading)
		}
	}
	add(all)
	add(string(t.sure))
	if isHidden { // what is shown by a program that shows the element around it
		add(t.reading(func(p *linkPiece) bool { return p.goneAt == t.first.goneAt }))
	}
	if isLong := t.rest || len(t.all) > maxReadingBytes; mayNameHost(t.all) {
		if t.cut = t.cut || isLong; !isLong {
			t.combine(add)
		}
	}
	return text, others
}

// withoutFirst returns a text without its first letter and the punctuation around that (CSS
// Pseudo-Elements §2.2).
func withoutFirst(text string) string {
	text = strings.TrimLeftFunc(text, unicode.IsPunct)
	_, size := utf8.DecodeRuneInString(text)
	return strings.TrimLeftFunc(text[size:], unicode.IsPunct)
}

// isFirst reports whether the text has nothing but the first of its pieces, which is shown.
func (t *linkText) isFirst() bool {
	return !t.rest && t.pieces[0].element() == 0 &&
		!slices.ContainsFunc(t.pieces[1:], func(p linkPiece) bool { return len(bytes.TrimSpace(p.text)) > 0 })
}

// room returns an empty text with the room of the text.
func (t *linkText) room() linkText {
	return linkText{all: t.all[:0], seen: t.seen[:0], sure: t.sure[:0], pieces: t.pieces[:0], seams: t.seams[:0], inserts: t.inserts[:0], edges: t.edges[:0]}
}

// combine adds the readings in which some of the doubtful elements are shown: in every
// combination, if they are few, or if their kinds are. A style may also move away what
// follows its element, or the line before it.
func (t *linkText) combine(add func(string)) {
	doubts := t.groups((*linkPiece).element)
	if len(doubts) <= maxDoubts {
		t.combineAll(doubts, (*linkPiece).element, add)
		for _, one := range doubts {
			before := t.before(one)
			before.combineAll(before.groups((*linkPiece).element), (*linkPiece).element, add)
			add(t.after(one).reading(func(*linkPiece) bool { return true }))
		}
		return
	}
	if texts := t.withTexts(); len(texts.pieces) < len(t.pieces) {
		if few := texts.groups((*linkPiece).element); len(few) <= maxDoubts {
			texts.combineAll(few, (*linkPiece).element, add)
		}
	}
	if kinds := t.groups((*linkPiece).group); len(kinds) <= maxDoubts {
		t.combineAll(kinds, (*linkPiece).group, add)
	} else {
		t.eachOf(kinds, (*linkPiece).group, add)
	}
	add(t.reading(func(p *linkPiece) bool { return p.named }))
	add(t.reading(func(p *linkPiece) bool { return !p.named }))
	if t.sheet != nil {
		t.combineRules(doubts, add)
		t.cut = t.cut || t.hasWordOfDoubts()
	}
	t.eachOf(doubts, (*linkPiece).element, add)
	for _, one := range doubts[:maxDoubts] {
		before := t.before(one)
		add(before.reading(func(*linkPiece) bool { return true }))
		add(before.reading(func(*linkPiece) bool { return false }))
	}
}

// withTexts returns the text without the pieces that have none: those only move others.
func (t *linkText) withTexts() *linkText {
	return &linkText{pieces: slices.DeleteFunc(slices.Clone(t.pieces), func(p linkPiece) bool { return len(p.text) == 0 })}
}

// hasWordOfDoubts reports whether a word has more elements of one kind that a rule may tell apart than
// are read in every combination.
func (t *linkText) hasWordOfDoubts() bool {
	doubts := 0
	for i := range t.pieces {
		p := &t.pieces[i]
		if p.element() != 0 && len(p.text) > 0 {
			doubts++
		}
		if doubts > maxDoubts {
			return true
		}
		isBlank := len(bytes.TrimSpace(p.text)) == 0
		if bytes.ContainsFunc(p.text, unicode.IsSpace) && !(isBlank && p.element() != 0) { // a blank may be hidden
			doubts = 0
		}
	}
	return false
}

// before returns the text before the first piece that an element may hide.
func (t *linkText) before(element uint64) *linkText {
	i := slices.IndexFunc(t.pieces, func(p linkPiece) bool { return p.element() == element })
	return &linkText{pieces: t.pieces[:i]}
}

// after returns the text behind the last piece that an element may hide.
func (t *linkText) after(element uint64) *linkText {
	i := len(t.pieces)
	for t.pieces[i-1].element() != element {
		i--
	}
	return &linkText{pieces: t.pieces[i:]}
}

// eachOf adds the readings in which one of several groups of pieces is shown, or all others.
func (t *linkText) eachOf(groups []uint64, of func(*linkPiece) uint64, add func(string)) {
	for _, one := range groups[:min(len(groups), maxReadings/8)] {
		add(t.reading(func(p *linkPiece) bool { return of(p) == one }))
		add(t.reading(func(p *linkPiece) bool { return of(p) != one }))
	}
}

// maxPeriod is the largest number of elements of which a style sheet may hide or show each
// first, second and so on that is read.
const maxPeriod = 4

// combineRules adds the readings in which the elements are shown for which a condition of the
// style sheet holds, or all others.
func (t *linkText) combineRules(elements []uint64, add func(string)) {
	t.cut = t.cut || len(t.sheet.conditions) == maxConditions || len(t.sheet.counted) == maxCounted
	some, all := uint64(0), ^uint64(0) // of the pieces
	for i := range t.pieces {
		some, all = some|t.pieces[i].holds, all&t.pieces[i].holds
	}
	for i := range t.sheet.conditions {
		if (some&^all)>>i&1 == 0 {
			continue
		}
		add(t.reading(func(p *linkPiece) bool { return p.holds&(1<<i) != 0 }))
		add(t.reading(func(p *linkPiece) bool { return p.holds&(1<<i) == 0 }))
	}
	if t.sheet.counts {
		t.combineCounted(elements, add)
	}
}

// combineCounted adds the readings in which the elements are shown that a rule counts, or one of
// every two, three or four, or all others.
func (t *linkText) combineCounted(elements []uint64, add func(string)) {
	index := make(map[uint64]int, len(elements))
	for i, element := range elements {
		index[element] = i
	}
	both := func(isCounted func(int) bool) {
		add(t.reading(func(p *linkPiece) bool { return isCounted(index[p.element()]) }))
		add(t.reading(func(p *linkPiece) bool { return !isCounted(index[p.element()]) }))
	}
	for _, rule := range t.sheet.counted {
		both(func(i int) bool {
			return slices.ContainsFunc(rule, func(n nth) bool { return n.has(i, len(elements)) })
		})
	}
	if all := slices.Concat(t.sheet.counted...); len(t.sheet.counted) > 1 {
		both(func(i int) bool { return slices.ContainsFunc(all, func(n nth) bool { return n.has(i, len(elements)) }) })
	}
	for period := 2; period <= maxPeriod; period++ {
		for at := range period {
			both(func(i int) bool { return i%period == at })
		}
	}
}

// combineAll adds the readings in which some groups of pieces are shown, in every
// combination.
func (t *linkText) combineAll(groups []uint64, of func(*linkPiece) uint64, add func(string)) {
	for set := range 1 << len(groups) {
		add(t.reading(func(p *linkPiece) bool { return set&(1<<slices.Index(groups, of(p))) != 0 }))
	}
}

// groups returns the groups of the pieces that programs may show or hide, in order.
func (t *linkText) groups(of func(*linkPiece) uint64) (groups []uint64) {
	for i := range t.pieces {
		if group := of(&t.pieces[i]); group != 0 && !slices.Contains(groups, group) {
			groups = append(groups, group)
		}
	}
	return groups
}

// reading returns the text with those of the doubtful pieces that are shown.
func (t *linkText) reading(isShown func(*linkPiece) bool) string {
	var b strings.Builder
	for i := range t.pieces {
		if p := &t.pieces[i]; p.element() == 0 || isShown(p) {
			b.Write(p.text)
		}
	}
	return b.String()
}

// maxInserts is the number of inserts of a reference that are read in place.
const maxInserts = 256

// insert notes a text at the end of the text.
func (t *linkText) insert(text string, kind insertKind) { t.insertOne([]string{text}, kind) }

// insertOne notes that one of some texts is at the end of the text.
func (t *linkText) insertOne(texts []string, kind insertKind) {
	switch n := len(texts); {
	case n == 0 || n == 1 && texts[0] == "":
	case len(t.inserts) == maxInserts:
		t.cut = true
	default:
		t.choices = max(t.choices, n)
		t.inserts = append(t.inserts, insert{altText{len(t.all), texts[0]}, texts[n-1], kind, len(t.offsets)})
	}
}

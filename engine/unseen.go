package engine

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// An UnseenText is a stretch of a text that programs read in another way than people: characters
// that show nothing, or that change what people see.
type UnseenText struct {
	Start, End int        // bounds in bytes
	Kind       UnseenKind // what the characters do
	Count      int        // how many characters nobody sees
	Decoded    string     // what a program may read there, at most 4 KiB; empty if nothing is known
}

// An UnseenKind says what unseen characters do.
type UnseenKind uint8

// The kinds of unseen characters. Honest mail has the first three.
const (
	UnseenFiller    UnseenKind = iota // nothing: padding, byte order marks, strays
	UnseenHyphens                     // soft hyphens say where a word may break
	UnseenBreak                       // a zero-width character or two do, in a long word
	UnseenTags                        // tag characters spell a text, and are no flag
	UnseenSelectors                   // variation selectors carry data: each is a byte
	UnseenBits                        // invisible characters in an order that carries data
	UnseenSplit                       // invisible characters spread over a word
	UnseenMark                        // marks of another script are on the letters of a word
	UnseenOrder                       // Bidi controls show words or letters in another order
)

// String returns the name of the kind.
func (k UnseenKind) String() string {
	names := [...]string{"filler", "hyphens", "break", "tags", "selectors", "bits", "split", "mark", "order"}
	return names[min(int(k), len(names)-1)]
}

// Deceives reports whether honest text has nothing of the kind.
func (k UnseenKind) Deceives() bool { return k > UnseenBreak }

// Unseen iterates over what programs read in a text and people do not see, by start. Characters that
// scripts and emoji need are not among it: joiners and selectors in Arabic, Persian, Indic and Mongolian
// words, zero-width spaces in Thai, Khmer and Japanese, flags, Bidi controls beside letters from right to
// left. Time is linear in the text.
//
// Decoded has the text of tag characters, the bytes of variation selectors, the text of invisible bits
// where one of the common encodings gives one, and the word or words without the unseen characters.
// Print it with %q: it may be anything.
func Unseen(text string) iter.Seq[UnseenText] {
	return func(yield func(UnseenText) bool) {
		if isPlain(text) {
			return
		}
		g := unseenGroups{text: text, yield: yield}
		unseenPieces(text, func(p unseenPiece) bool {
			g.add(p)
			return !g.stopped
		})
		g.closeGroup()
	}
}

// Clean returns a text without the characters that [Unseen] tells of, for programs such as language
// models. What is between them stays, and so do all characters that scripts and emoji need.
func Clean(text string) string {
	if isPlain(text) {
		return text
	}
	var b strings.Builder
	done := 0
	unseenPieces(text, func(p unseenPiece) bool {
		b.WriteString(text[done:p.start])
		done = p.end
		return true
	})
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// UnseenCharacters iterates over the ranges in bytes that [Clean] takes out of a text, in order.
func UnseenCharacters(text string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		if !isPlain(text) {
			unseenPieces(text, func(p unseenPiece) bool { return yield(p.start, p.end) })
		}
	}
}

// isPlain reports whether a text is in ASCII.
func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// unseenPiece is a piece of unseen characters of one class, side by side.
type unseenPiece struct {
	start, end int
	class      unseenClass
	count      int
	inWord     bool // a letter is before it, and one behind it
	opens      int  // the end of the text that its controls reorder; 0 for none
}

// unseenPieces calls use for the unseen characters of a text, in order, until it returns false.
func unseenPieces(text string, use func(unseenPiece) bool) {
	for start := 0; start < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		if line := text[start:end]; !isPlain(line) {
			l := unseenLine{text: text, start: start, end: end, use: use}
			if !l.read() {
				return
			}
		}
		start = end
	}
}

// unseenLine is a line of a text. The effect of Bidi controls ends at the end of the line.
type unseenLine struct {
	text       string
	start, end int
	use        func(unseenPiece) bool
	orders     []order // what controls reorder, by start
	rtl        bool    // it has letters from right to left
	known      bool    // rtl is known

	base      rune // the last character that is seen
	letter    rune // the last letter before, without another character between but marks
	next      rune // the character at nextAtEnd
	nextAtEnd int
	unneeded  []unseenPiece
}

// read calls use for the pieces of the line, and reports whether it wants more.
func (l *unseenLine) read() bool {
	l.orders = orders(l.text, l.start, l.end)
	l.base, l.letter, l.nextAtEnd = -1, -1, -1
	for i := l.start; i < l.end; {
		c := l.text[i]
		if c < utf8.RuneSelf {
			l.base, l.letter = rune(c), -1
			if 'a' <= c|0x20 && c|0x20 <= 'z' {
				l.letter = rune(c)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(l.text[i:])
		switch {
		case l.classOf(r) != seenClass:
			end := l.stretch(i)
			for _, p := range l.unneeded {
				if !l.use(p) {
					return false
				}
			}
			i = end
			continue
		case ucd.IsMark(r):
			l.base = r
		default:
			l.base, l.letter = r, -1
			if unicode.IsLetter(r) {
				l.letter = r
			}
		}
		i += size
	}
	return true
}

// classOf returns the class of r, given the last letter before it: a foreign mark on that letter is a mark of
// its own class.
func (l *unseenLine) classOf(r rune) unseenClass {
	class := unseenClassOf(r)
	if class == seenClass && l.letter >= 0 && ucd.IsMark(r) && isForeignMark(r, l.letter) {
		return markClass
	}
	return class
}

// stretch reads the invisible characters from a place on, which stand side by side. It notes which of
// them nothing needs, and returns their end.
func (l *unseenLine) stretch(start int) (end int) {
	l.unneeded = l.unneeded[:0]
	var room, roomOfRest [maxStretch]unseenChar
	all, withoutMarks := room[:0], roomOfRest[:0]
	plain := 0
	for end = start; end < l.end; {
		r, size := utf8.DecodeRuneInString(l.text[end:])
		class := l.classOf(r)
		if class == seenClass {
			break
		}
		if class == invisibleClass || class == bidiClass || class == hyphenClass {
			plain++
		}
		c := unseenChar{r, class, end, size}
		if all = append(all, c); class != markClass {
			withoutMarks = append(withoutMarks, c)
		}
		end += size
		if len(all) == maxStretch { // the rest is a stretch of its own
			break
		}
	}
	next := l.nextAt(end)
	inWord := l.letter >= 0 && next >= 0 && unicode.IsLetter(next)
	s := unseenStretch{line: l, chars: withoutMarks, next: next, many: plain > 3}
	for i, rest := 0, 0; i < len(all); {
		c := &all[i]
		if c.class != markClass {
			n := s.needed(rest)
			if rest += max(n, 1); n > 0 {
				i += n
				continue
			}
		}
		p := unseenPiece{start: c.start, end: c.start + c.size, class: c.class, count: 1, inWord: inWord || c.class == markClass}
		if c.class == bidiClass {
			p.opens, _ = l.order(c.start)
		}
		if last := len(l.unneeded) - 1; last >= 0 && l.unneeded[last].end == p.start && l.unneeded[last].class == p.class && p.opens == 0 {
			l.unneeded[last].end, l.unneeded[last].count = p.end, l.unneeded[last].count+1
		} else {
			l.unneeded = append(l.unneeded, p)
		}
		i++
	}
	return end
}

// nextAt returns the first character from a place on that stays: foreign marks go; -1 for none.
func (l *unseenLine) nextAt(at int) rune {
	if at <= l.nextAtEnd {
		return l.next
	}
	l.next = -1
	for at < l.end {
		r, size := utf8.DecodeRuneInString(l.text[at:])
		if l.classOf(r) == seenClass {
			l.next = r
			break
		}
		at += size
	}
	l.nextAtEnd = at
	return l.next
}

// maxStretch is the number of invisible characters side by side that are looked at together.
const maxStretch = 256

// order returns the end of the range that the control at this place reorders, and whether the place lies within
// a reordered range, where any control is part of the trick.
func (l *unseenLine) order(at int) (opens int, within bool) {
	for len(l.orders) > 0 && l.orders[0].end <= at {
		l.orders = l.orders[1:]
	}
	if len(l.orders) == 0 || at < l.orders[0].start {
		return 0, false
	}
	if at == l.orders[0].start {
		return l.orders[0].end, true
	}
	return 0, true
}

// isRTL reports whether the line has letters from right to left.
func (l *unseenLine) isRTL() bool {
	if !l.known {
		l.known = true
		for _, r := range l.text[l.start:l.end] {
			if r >= 0x590 && isRTL(r) {
				l.rtl = true
				break
			}
		}
	}
	return l.rtl
}

// unseenGroups puts pieces together to what [Unseen] yields.
type unseenGroups struct {
	text      string
	yield     func(UnseenText) bool
	stopped   bool
	pieces    []unseenPiece // of the open group
	word      bool          // the group is a word
	reordered int           // the end of the reordered text that was sent
}

// maxGroup bounds the pieces of a group.
const maxGroup = 4 << 10

// add adds a piece to the open group, or begins another.
func (g *unseenGroups) add(p unseenPiece) {
	if p.opens > 0 {
		g.closeGroup()
		g.send(UnseenText{Start: p.start, End: p.opens, Kind: UnseenOrder, Count: controlsIn(g.text[p.start:p.opens]), Decoded: keptOf(g.text, p.start, p.opens)})
		g.reordered = p.opens
	}
	if p.class == bidiClass && p.start < g.reordered {
		return
	}
	if len(g.pieces) > 0 && !g.joins(p) {
		g.closeGroup()
	}
	if len(g.pieces) == 0 {
		g.word = p.inWord
	}
	g.pieces = append(g.pieces, p)
}

// joins reports whether a piece belongs to the open group: only white space or, in a word, letters are
// between.
func (g *unseenGroups) joins(p unseenPiece) bool {
	last := g.pieces[len(g.pieces)-1]
	between := g.text[last.end:p.start]
	if last.class == tagClass || last.class == selectorClass || p.class == tagClass || p.class == selectorClass {
		return between == "" && last.class == p.class
	}
	if len(g.pieces) == maxGroup || len(between) > 256 {
		return false
	}
	if between == "" {
		return true
	}
	if p.inWord || g.word {
		return p.inWord && g.word && strings.IndexFunc(between, func(r rune) bool { return !unicode.IsLetter(r) && !ucd.IsMark(r) && !isJoiner(r) }) < 0
	}
	return last.class != markClass && p.class != markClass && strings.TrimSpace(between) == ""
}

// send yields a text.
func (g *unseenGroups) send(u UnseenText) {
	if u.Decoded = bounded(u.Decoded); !g.stopped {
		g.stopped = !g.yield(u)
	}
}

// closeGroup sends the open group.
func (g *unseenGroups) closeGroup() {
	if len(g.pieces) == 0 {
		return
	}
	u := UnseenText{Start: g.pieces[0].start, End: g.pieces[len(g.pieces)-1].end}
	for _, p := range g.pieces {
		u.Count += p.count
	}
	chars := g.text[u.Start:u.End]
	switch g.pieces[0].class {
	case tagClass:
		u.Kind, u.Decoded = UnseenTags, decodeTags(chars)
	case selectorClass:
		u.Kind, u.Decoded = decodeSelectors(chars)
	default:
		g.name(&u)
	}
	g.pieces = g.pieces[:0]
	g.send(u)
}

// name sets the kind of a group of invisible characters, and what it says.
func (g *unseenGroups) name(u *UnseenText) {
	if decoded, carries := decodeBits(g.text, g.pieces); carries {
		u.Kind, u.Decoded = UnseenBits, decoded
		return
	}
	if !g.word {
		u.Kind = UnseenFiller
		return
	}
	hasMark, onlyHyphens := false, true
	for _, p := range g.pieces {
		hasMark = hasMark || p.class == markClass
		onlyHyphens = onlyHyphens && p.class == hyphenClass
	}
	start, end := wordAround(g.text, u.Start, u.End)
	u.Start, u.End = start, end
	u.Decoded = g.without(start, end)
	shortest, parts := g.segments(start, end)
	letters := utf8.RuneCountInString(u.Decoded)
	switch {
	case hasMark:
		u.Kind = UnseenMark
	case onlyHyphens && (shortest > 1 || !isPlain(u.Decoded)): // bytes in a wrong charset look so, too
		u.Kind = UnseenHyphens
	case parts <= 2, letters > 5*parts:
		u.Kind = UnseenBreak
	default:
		u.Kind = UnseenSplit
	}
}

// segments returns the length in letters of the shortest part of a word between unseen characters, and
// the number of parts.
func (g *unseenGroups) segments(start, end int) (shortest, parts int) {
	shortest = utf8.RuneCountInString(g.text[start:end])
	from := start
	for _, p := range g.pieces {
		if p.start > from {
			shortest = min(shortest, utf8.RuneCountInString(g.text[from:p.start]))
			parts++
		}
		from = p.end
	}
	if end > from {
		shortest = min(shortest, utf8.RuneCountInString(g.text[from:end]))
		parts++
	}
	return shortest, parts
}

// without returns a range of the text without the pieces of the group.
func (g *unseenGroups) without(start, end int) string {
	var b strings.Builder
	for _, p := range g.pieces {
		b.WriteString(g.text[start:p.start])
		start = p.end
	}
	b.WriteString(g.text[start:end])
	return b.String()
}

// wordAround returns the bounds of the word around a range.
func wordAround(text string, start, end int) (int, int) {
	const longest = 64 // letters to either side
	for range longest {
		r, size := utf8.DecodeLastRuneInString(text[:start])
		if size == 0 || !unicode.IsLetter(r) && !ucd.IsMark(r) || unseenClassOf(r) != seenClass {
			break
		}
		start -= size
	}
	for range longest {
		r, size := utf8.DecodeRuneInString(text[end:])
		if size == 0 || !unicode.IsLetter(r) && !ucd.IsMark(r) || unseenClassOf(r) != seenClass {
			break
		}
		end += size
	}
	return start, end
}

// keptOf returns a range of a text without characters that nobody sees.
func keptOf(text string, start, end int) string {
	end = min(end, start+4*maxDecoded)
	return strings.Map(func(r rune) rune {
		if unseenClassOf(r) != seenClass {
			return -1
		}
		return r
	}, text[start:end])
}

// controlsIn returns the number of Bidi controls in a text.
func controlsIn(text string) (n int) {
	for _, r := range text {
		if unseenClassOf(r) == bidiClass {
			n++
		}
	}
	return n
}

// maxDecoded bounds in bytes what Decoded has.
const maxDecoded = 4 << 10

// bounded returns the beginning of a decoded text, with replacement characters for what is no UTF-8.
func bounded(s string) string {
	if len(s) > maxDecoded {
		s = s[:maxDecoded]
		for !utf8.ValidString(s[max(0, len(s)-utf8.UTFMax):]) && len(s) > maxDecoded-utf8.UTFMax {
			s = s[:len(s)-1]
		}
	}
	return strings.ToValidUTF8(s, "\ufffd")
}

// An order is a range whose letters are shown in another order.
type order struct{ start, end int }

// orders returns the ranges that Bidi controls reorder: an override around letters of the other direction, or
// several embeddings inside another one without any right-to-left letter. Ranges inside others are left out.
func orders(text string, start, end int) []order {
	if !strings.Contains(text[start:end], "\u202a"[:2]) && !strings.Contains(text[start:end], "\u2066"[:2]) {
		return nil
	}
	type opener struct {
		r        rune
		at       int
		left     int  // letters from left to right, directly in it or in embeddings
		right    int  // the same from right to left
		pieces   int  // runs of letters and embeddings with letters
		embedded int  // embeddings with letters
		turned   bool // an embedding in it reorders letters
		inRun    bool // the last piece is a run of letters
	}
	var open []opener
	var found []order
	const deepest = 128 // UAX #9 has 125
	closeOne := func(at int) {
		o := open[len(open)-1]
		open = open[:len(open)-1]
		turns := false
		switch o.r {
		case 0x202e: // RLO
			turns = o.left > 1 && (o.embedded == 0 || o.pieces > 1 || o.turned)
		case 0x202d: // LRO
			turns = o.right > 1
		case 0x202b, 0x2067: // RLE, RLI
			turns = o.right == 0 && o.pieces > 1 && o.embedded > 0
		}
		if turns {
			for len(found) > 0 && found[len(found)-1].start >= o.at {
				found = found[:len(found)-1]
			}
			found = append(found, order{o.at, at})
		}
		if len(open) > 0 && o.left+o.right > 0 {
			around := &open[len(open)-1]
			around.turned = around.turned || turns || o.turned
			around.left, around.right = around.left+o.left, around.right+o.right
			around.pieces, around.embedded, around.inRun = around.pieces+1, around.embedded+1, false
		}
	}
	for i, r := range text[start:end] {
		at := start + i
		switch r {
		case 0x202a, 0x202b, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068:
			if len(open) < deepest {
				open = append(open, opener{r: r, at: at})
			}
		case 0x202c, 0x2069: // PDF, PDI
			isolates := r == 0x2069
			match := slices.ContainsFunc(open, func(o opener) bool { return (o.r >= 0x2066) == isolates })
			if !isolates && len(open) > 0 && open[len(open)-1].r >= 0x2066 {
				match = false // an isolate keeps a PDF within
			}
			for match && len(open) > 0 {
				if wasIsolate := open[len(open)-1].r >= 0x2066; wasIsolate == isolates {
					closeOne(at + len("\u202c"))
					break
				}
				closeOne(at)
			}
		default:
			if len(open) == 0 {
				continue
			}
			o := &open[len(open)-1]
			switch {
			case !unicode.IsLetter(r):
				continue
			case isRTL(r):
				o.right++
			default:
				o.left++
			}
			if !o.inRun {
				o.pieces, o.inRun = o.pieces+1, true
			}
		}
	}
	for len(open) > 0 {
		closeOne(len(strings.TrimRight(text[:end], "\r\n")))
	}
	slices.SortFunc(found, func(a, b order) int { return a.start - b.start })
	return found
}

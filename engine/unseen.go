package engine

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// An UnseenText is a part of a text that programs read in another way than people. It has
// characters that show nothing, or that change what people see.
type UnseenText struct {
	Start, End int        // bounds in bytes
	Kind       UnseenKind // what the characters do
	Count      int        // how many characters in it people do not see
	Decoded    string     // what a program may read there, at most 4 KiB; empty if no encoding fits
}

// An UnseenKind says what unseen characters do in a text.
type UnseenKind uint8

// The kinds of unseen characters. Honest mail has the first three.
const (
	UnseenFiller    UnseenKind = iota // nothing: they pad a text, or are left over, as a byte order mark
	UnseenHyphens                     // soft hyphens say where a word may be hyphenated
	UnseenBreak                       // a zero-width character or two say where a long word may break
	UnseenTags                        // tag characters spell a text outside of a flag emoji
	UnseenSelectors                   // variation selectors carry data: each stands for a byte
	UnseenBits                        // invisible characters in an order that carries data
	UnseenSplit                       // invisible characters divide a word into many parts
	UnseenMark                        // letters of a word have marks of another script
	UnseenOrder                       // bidi controls show words or letters in another order
)

// String returns the name of the kind.
func (k UnseenKind) String() string {
	names := [...]string{"filler", "hyphens", "break", "tags", "selectors", "bits", "split", "mark", "order"}
	return names[min(int(k), len(names)-1)]
}

// Deceives reports whether the kind does not occur in honest text.
func (k UnseenKind) Deceives() bool { return k > UnseenBreak }

// Unseen iterates over what programs read in a text and people do not see, in the order of the
// starts. It leaves out characters that scripts and emoji need: joiners and selectors in Arabic,
// Persian, Indic and Mongolian words, zero-width spaces in Thai, Khmer and Japanese, flags, bidi
// controls beside letters from right to left. Its time is linear in the length of text.
//
// The field Decoded is what tag characters spell, or the bytes of variation selectors, or the text that
// invisible bits give in a common encoding. For a word or words it is the text without the unseen
// characters. Print it with %q: the sender chose its characters.
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

// Clean returns a text without the unseen characters that [Unseen] reports, for programs such as
// language models. All other characters stay, also those that scripts and emoji need.
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

// UnseenCharacters iterates over the byte ranges that [Clean] removes from a text, in order.
func UnseenCharacters(text string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		if !isPlain(text) {
			unseenPieces(text, func(p unseenPiece) bool { return yield(p.start, p.end) })
		}
	}
}

// isPlain reports whether a text is ASCII.
func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// unseenPiece is a run of unseen characters of one class.
type unseenPiece struct {
	start, end int
	class      unseenClass
	count      int
	inWord     bool // a letter is in front of it, and another after it
	opens      int  // the end of the text that its bidi control reorders; 0 for none
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

// unseenLine is a line of a text. Bidi controls have no effect beyond the end of their line.
type unseenLine struct {
	text       string
	start, end int
	use        func(unseenPiece) bool
	orders     []order // the ranges that controls reorder, by start
	rtl        bool    // it has right-to-left letters
	known      bool    // rtl is known

	base      rune // the last visible character
	letter    rune // the last letter, if only marks follow it so far
	next      rune // the visible character at the offset nextAtEnd
	nextAtEnd int
	unneeded  []unseenPiece
}

// read calls use for the pieces of the line, and reports whether use wants more.
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

// classOf returns the class of r after the letter l.letter. If r is a mark that no script has on
// that letter, the class is markClass.
func (l *unseenLine) classOf(r rune) unseenClass {
	class := unseenClassOf(r)
	if class == seenClass && l.letter >= 0 && ucd.IsMark(r) && isForeignMark(r, l.letter) {
		return markClass
	}
	return class
}

// stretch reads the run of unseen characters that begins at an offset, and returns its end. It
// records in l.unneeded those that no script or emoji needs.
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
		if len(all) == maxStretch { // the rest of the run is read as another stretch
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

// nextAt returns the first visible character at or after an offset, or -1. Foreign marks do not
// count.
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

// maxStretch is the largest number of unseen characters in a row that are judged together.
const maxStretch = 256

// order returns the end of the range that the bidi control at the offset at reorders, or 0. within
// reports whether the offset lies in a reordered range: there each control is part of the trick.
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

// isRTL reports whether the line has right-to-left letters.
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

// unseenGroups joins pieces to groups, each of which [Unseen] yields as one text.
type unseenGroups struct {
	text      string
	yield     func(UnseenText) bool
	stopped   bool
	pieces    []unseenPiece // those of the open group
	word      bool          // the group is inside a word
	reordered int           // the end of the last reordered text that was yielded
}

// maxGroup bounds the number of pieces in a group.
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

// joins reports whether a piece belongs to the open group: only white space, or in a word letters,
// are between them.
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

// closeGroup ends the open group and yields it.
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

// name sets Kind and Decoded of a group that has neither tag characters nor selectors.
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
	case onlyHyphens && (shortest > 1 || !isPlain(u.Decoded)): // text decoded with a wrong charset looks so, too
		u.Kind = UnseenHyphens
	case parts <= 2, letters > 5*parts:
		u.Kind = UnseenBreak
	default:
		u.Kind = UnseenSplit
	}
}

// segments returns into how many parts unseen characters divide a word, and the length in letters
// of the shortest part.
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

// without returns text[start:end] without the characters of the group.
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
	const longest = 64 // letters on either side
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

// keptOf returns text[start:end] without unseen characters.
func keptOf(text string, start, end int) string {
	end = min(end, start+4*maxDecoded)
	return strings.Map(func(r rune) rune {
		if unseenClassOf(r) != seenClass {
			return -1
		}
		return r
	}, text[start:end])
}

// controlsIn returns the number of bidi controls in a text.
func controlsIn(text string) (n int) {
	for _, r := range text {
		if unseenClassOf(r) == bidiClass {
			n++
		}
	}
	return n
}

// maxDecoded is the largest length in bytes of Decoded.
const maxDecoded = 4 << 10

// bounded returns the first maxDecoded bytes of a decoded text, with replacement characters in
// place of bytes that are not UTF-8.
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

// orders returns the ranges of text[start:end] that bidi controls reorder: an override around
// letters of the other direction, or several embeddings inside another one without any
// right-to-left letter. Ranges inside others are left out.
func orders(text string, start, end int) []order {
	if !strings.Contains(text[start:end], "\u202a"[:2]) && !strings.Contains(text[start:end], "\u2066"[:2]) {
		return nil
	}
	type opener struct {
		r        rune
		at       int
		left     int  // left-to-right letters, directly in it or in embeddings
		right    int  // right-to-left letters, likewise
		pieces   int  // runs of letters, and embeddings that have letters
		embedded int  // embeddings that have letters
		turned   bool // an embedding in it reorders letters
		inRun    bool // the last piece is a run of letters
	}
	var open []opener
	var found []order
	const deepest = 128 // UAX #9 allows 125
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
				match = false // a PDF inside an isolate does not end what is around the isolate
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

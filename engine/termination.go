package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// A part is one of the URL Parts of UTS #58 table 3-3, in the order of a URL.
type part uint8

const (
	partNone part = iota // before the first part
	partPath
	partQuery
	partFragment
	partDirective // a fragment directive
)

// directiveMark begins a fragment directive.
const directiveMark = ":~:"

// clears reports whether r separates items within the part, so that brackets do not pair across it: it
// is in the ClearStackOpen set of UTS #58 table 3-3.
func (p part) clears(r rune) bool {
	switch p {
	case partPath:
		return r == '/'
	case partQuery:
		return r == '=' || r == '&'
	case partDirective:
		return r == '&' || r == ','
	}
	return false
}

// A partText is the text of a part of a URL, without its initiator.
type partText struct {
	part      part
	initiator string // "/", "\", "?", "#" or ":~:"
	text      string
}

// cutParts divides the text after the host and port of a URL. Each part begins with its initiator; an
// absent part is "". The fragment includes its directives.
func cutParts(rest string) (path, query, fragment string) {
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		rest, fragment = rest[:i], rest[i:]
	}
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		rest, query = rest[:i], rest[i:]
	}
	return rest, query, fragment
}

// listParts lists the parts that cutParts returns, without absent ones. Each fragment directive is a
// part of its own.
func listParts(path, query, fragment string) []partText {
	list := make([]partText, 0, 3)
	if path != "" {
		list = append(list, partText{part: partPath, initiator: path[:1], text: path[1:]})
	}
	if query != "" {
		list = append(list, partText{part: partQuery, initiator: "?", text: query[1:]})
	}
	if fragment != "" {
		p := partText{part: partFragment, initiator: "#"}
		for text := fragment[1:]; ; {
			head, tail, more := strings.Cut(text, directiveMark)
			p.text = head
			list = append(list, p)
			if !more {
				break
			}
			p, text = partText{part: partDirective, initiator: directiveMark}, tail
		}
	}
	return list
}

// linkEnd is the URL Link Detection Termination Algorithm (UTS #58 §3.5.1), with the
// names and steps of the standard. The host and port of the link end at the offset
// start. linkEnd returns link_end: the end of path, query and fragment in bytes, or
// start if none of them follows.
//
// In default mode a final "?" without a query is not part of the link, as in table 3-2 (adjustment
// "question mark"), and a "<" ends the link (adjustment "less-than sign").
func linkEnd(text string, start int, strict bool, openStack *brackets) int {
	if classAt(text, start)&initiatorByte == 0 {
		return start
	}
	return linkEndIn(partNone, text, start, strict, openStack)
}

// linkEndIn is linkEnd for a link whose part continues at the offset start.
func linkEndIn(part part, text string, start int, strict bool, openStack *brackets) int {
	lastSafe := start // "lastSafe = link_start" would give an empty link
	openStack.clear()
	for i := start; i < len(text); {
		if part != partNone {
			if i, lastSafe = passPlain(text, i, lastSafe, plainTable(part, openStack)); i == len(text) {
				break
			}
		}
		// §3.5.1 "If part ≠ none and one of the part.terminators matches at i" and "If
		// part == none then try to match one of the URL Part initiators at i": each
		// terminator is the initiator of a later part.
		if next, size := initiatorAt(text, i, part); size > 0 {
			part = next
			i += size
			if part != partQuery || strict {
				lastSafe = i
			}
			openStack.clear()
			continue
		}
		// §3.5.1 "If none of the initiators match, then stop and return lastSafe."
		if part == partNone {
			return lastSafe
		}
		cp, size, LT := linkTermAt(text, i)
		i += size
		// §3.5.1 "If one of the part.clearStackOpen elements matches at i"
		if part.clears(cp) {
			lastSafe = i
			openStack.clear()
			continue
		}
		switch LT {
		case ucd.Include: // §3.5.1 "If LT == Include"
			lastSafe = i
		case ucd.Soft: // §3.5.1 "If LT == Soft"
		case ucd.Hard: // §3.5.1 "If LT == Hard"
			return lastSafe
		case ucd.Open: // §3.5.1 "If LT == Open"
			if isTagStart(cp) && !strict {
				return lastSafe
			}
			if !openStack.push(cp) { // "If openStack.length() == limit"
				return lastSafe
			}
			lastSafe = i
		case ucd.Close: // §3.5.1 "If LT == Close"
			if lastOpen, ok := openStack.pop(); !ok || ucd.LinkBracket(cp) != lastOpen {
				return lastSafe
			}
			lastSafe = i
		}
	}
	return lastSafe
}

// partFollows reports whether a path, query or fragment follows the host or port that ends at the
// offset i: then linkEnd would return more than i. It stops at the first character that decides.
func partFollows(text string, i int, strict bool) bool {
	part, size := initiatorAt(text, i, partNone)
	if size == 0 || part != partQuery || strict {
		return size > 0
	}
	for i += size; i < len(text); i += size {
		if _, n := initiatorAt(text, i, part); n > 0 {
			return true
		}
		var cp rune
		var LT ucd.LinkTerm
		cp, size, LT = linkTermAt(text, i)
		if part.clears(cp) {
			return true
		}
		if LT != ucd.Soft {
			return LT == ucd.Include || LT == ucd.Open && !isTagStart(cp)
		}
	}
	return false
}

// initiatorAt returns the part whose initiator (UTS #58 table 3-3) is at the offset i, and the length
// of the initiator in bytes. before is the current part. The length is 0 if that part goes on.
func initiatorAt(text string, i int, before part) (next part, size int) {
	if i >= len(text) {
		return before, 0
	}
	switch c := text[i]; {
	case c == '/' && before == partNone:
		return partPath, 1
	case c == '?' && before <= partPath:
		return partQuery, 1
	case c == '#' && before <= partQuery:
		return partFragment, 1
	case c == ':' && before >= partFragment && len(text)-i >= len(directiveMark) && text[i:i+len(directiveMark)] == directiveMark:
		return partDirective, len(directiveMark)
	}
	return before, 0
}

// maxOpen is the limit of the openStack: the brackets that may be open at a time
// (UTS #58 §3.5.1).
const maxOpen = 125

// brackets is the openStack of UTS #58: the open brackets, at most maxOpen of them. A scan uses one for
// a whole text, because clearing its memory takes time.
type brackets struct {
	open   [maxOpen]rune
	length int
}

func (b *brackets) clear() { b.length = 0 }

func (b *brackets) isEmpty() bool { return b.length == 0 }

// push adds an opening bracket. It returns false if the limit is reached.
func (b *brackets) push(cp rune) bool {
	if b.length == len(b.open) {
		return false
	}
	b.open[b.length] = cp
	b.length++
	return true
}

// pop removes the bracket added last and returns it, or false if the stack is empty.
func (b *brackets) pop() (lastOpen rune, ok bool) {
	if b.length == 0 {
		return 0, false
	}
	b.length--
	return b.open[b.length], true
}

// passPlain is the fast path of linkEnd: it skips characters that only move lastSafe or leave it where
// it is. It returns the offset of the next character for linkEnd, or len(text) if the link ends here,
// and lastSafe.
func passPlain(text string, i, lastSafe int, plain *[256]uint8) (next, safe int) {
	for i < len(text) {
		first := i
		for i < len(text) && plain[text[i]] == plainInclude {
			i++
		}
		if i > first {
			lastSafe = i
		}
		if i == len(text) {
			break
		}
		switch plain[text[i]] {
		case plainSoft:
			i++
		case plainHard:
			return len(text), lastSafe
		case plainNot:
			return i, lastSafe
		default:
			end := includeEnd(text, i)
			if end == i {
				return i, lastSafe
			}
			i, lastSafe = end, end
		}
	}
	return len(text), lastSafe
}

// The effect of a byte on a link.
const (
	plainInclude uint8 = iota // lastSafe moves after the byte
	plainSoft                 // lastSafe stays as it is
	plainHard                 // the link ends
	plainHigh                 // begins a non-ASCII code point
	plainNot                  // linkEnd itself decides
)

// plainTables has the effect of each byte in each part. [0] is for no open bracket, where the
// ClearStackOpen set acts like Include; [1] is for an open bracket.
var plainTables = func() (t [2][partDirective + 1][256]uint8) {
	for open := range t {
		for p := range t[open] {
			for c := range t[open][p] {
				t[open][p][c] = plainEffect(part(p), c, open == 1)
			}
		}
	}
	return t
}()

// plainTable returns the table of plainTables for a part.
func plainTable(p part, openStack *brackets) *[256]uint8 {
	if openStack.isEmpty() {
		return &plainTables[0][p]
	}
	return &plainTables[1][p]
}

// plainEffect returns the effect of the byte c in a part. open says that a bracket is open.
func plainEffect(p part, c int, open bool) uint8 {
	switch {
	case p == partNone, c == '?' && p == partPath, c == '#' && p <= partQuery, c == ':' && p >= partFragment:
		return plainNot
	case c >= utf8.RuneSelf:
		return plainHigh
	case p.clears(rune(c)) && open:
		return plainNot
	case p.clears(rune(c)):
		return plainInclude
	}
	switch ucd.LinkTermOf(rune(c)) {
	case ucd.Include:
		return plainInclude
	case ucd.Soft:
		return plainSoft
	case ucd.Hard:
		return plainHard
	}
	return plainNot
}

// includeEnd returns the end of the code points of two and three bytes at the offset i that have
// Link_Term Include. Words of a path in most non-Latin scripts consist of them.
func includeEnd(text string, i int) int {
	for i+2 < len(text) {
		c0, c1, c2 := text[i], text[i+1], text[i+2]
		size, r := 3, rune(c0&0x0f)<<12|rune(c1&0x3f)<<6|rune(c2&0x3f)
		switch {
		case c0&0xf0 == 0xe0 && c1&0xc0 == 0x80 && c2&0xc0 == 0x80 && r >= 0x800 && r&^0x7ff != 0xd800:
		case c0&0xe0 == 0xc0 && c0 >= 0xc2 && c1&0xc0 == 0x80:
			size, r = 2, rune(c0&0x1f)<<6|rune(c1&0x3f)
		default:
			return i
		}
		if ucd.ScanOf(r).LinkTerm() != ucd.Include {
			return i
		}
		i += size
	}
	return i
}

package engine

import (
	"math/bits"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine/ucd"
)

// partsEnd returns the end of the link whose host and port end at the
// offset i: of path, query and fragment as UTS #58 §3.5.1 finds it. Where
// none of them follows it is i, since the standard's "lastSafe = link_start"
// would otherwise make an empty link.
//
// In default mode a "?" that nothing of a query follows is a question mark,
// as in the standard's table 3-2 (adjustment "question mark").
func (sc *scan) partsEnd(i int) int {
	if sc.octetAt(i)&initiatorOctet == 0 {
		return i
	}
	t := termination{text: sc.text, safe: i, keepQuestion: sc.s.opts.Mode == ModeStrict}
	i = t.begin(i)
	text, safe, act := t.text, t.safe, &actions[t.part]
	for {
		a, first := actInclude, i
		soft := uint64(0) // a bit for each octet, the latest lowest: is it Soft?
		for ; i < len(text); i++ {
			if a = act[text[i]]; a > actSoft {
				break
			}
			soft = soft<<1 | uint64(a)
		}
		j := i - bits.TrailingZeros64(^soft)
		for j > first && act[text[j-1]] == actSoft {
			j--
		}
		if j > first {
			safe = j
		}
		if i == len(text) {
			return safe
		}
		size, term := 1, ucd.Soft
		switch a {
		case actHard:
			return safe
		case actInitiator:
			t.safe = safe
			i = t.begin(i)
			safe, act = t.safe, &actions[t.part]
			continue
		case actColon:
			size = t.colon(i)
			if act = &actions[t.part]; size > 1 {
				term = ucd.Include
			}
		case actRune:
			if j := includeRun(text, i); j > i {
				i, safe = j, j
				continue
			}
			_, size, term = linkTermAt(text, i)
		case actBracket:
			term = ucd.Open
		}
		i += size
		switch term {
		case ucd.Include:
			safe = i
		case ucd.Soft:
		case ucd.Hard:
			return safe
		default: // the first bracket: go on with a stack
			t.safe = safe
			t.brackets(i - size)
			return t.safe
		}
	}
}

// hasParts reports whether a path, query or fragment follows a host or port
// that ends at the offset i: whether partsEnd(i) > i. It looks no further than
// it must.
func (sc *scan) hasParts(i int) bool {
	if sc.octetAt(i)&initiatorOctet == 0 {
		return false
	}
	if sc.text[i] != '?' || sc.s.opts.Mode == ModeStrict {
		return true
	}
	for i++; i < len(sc.text); {
		act, size, term := actions[partQuery][sc.text[i]], 1, ucd.Soft
		switch act {
		case actSoft:
		case actRune:
			_, size, term = linkTermAt(sc.text, i)
		case actBracket:
			term = ucd.LinkTermOf(rune(sc.text[i]))
		default:
			return act != actHard
		}
		if term != ucd.Soft {
			return term == ucd.Include || term == ucd.Open
		}
		i += size
	}
	return false
}

// A termination is the state of the algorithm of UTS #58 §3.5.1 but for the
// stack of open brackets, which is only there once there is a bracket.
type termination struct {
	text         string
	part         part
	safe         int  // lastSafe: the end of the link so far
	keepQuestion bool // the initiator "?" is part of the link in any case
}

// What an octet does to a link in a part: its Link_Term, or, since that comes
// first in the algorithm, its role in the syntax of the part.
const (
	actInclude   uint8 = iota // Link_Term Include, or in the ClearStackOpen set; must be 0
	actSoft                   // Link_Term Soft; must be 1
	actHard                   // Link_Term Hard
	actInitiator              // terminates this part and initiates the next
	actColon                  // Soft, unless it begins the mark of a fragment directive
	actBracket                // Link_Term Open or Close
	actRune                   // begins a code point beyond ASCII
)

// actions holds the action of each octet in each part.
var actions = func() (t [partDirective + 1][256]uint8) {
	for p := range t {
		for c := range t[p] {
			t[p][c] = actRune
			if c < utf8.RuneSelf {
				t[p][c] = actionOf(part(p), rune(c))
			}
		}
	}
	return t
}()

// actionOf returns the action of an ASCII character in a part.
func actionOf(p part, r rune) uint8 {
	switch {
	case r == '?' && p == partPath, r == '#' && p <= partQuery:
		return actInitiator
	case r == ':' && p >= partFragment:
		return actColon
	case p.clears(r):
		return actInclude
	}
	switch ucd.LinkTermOf(r) {
	case ucd.Include:
		return actInclude
	case ucd.Soft:
		return actSoft
	case ucd.Hard:
		return actHard
	}
	return actBracket
}

// begin enters the part that the character at the offset i initiates and
// returns the offset after it.
func (t *termination) begin(i int) int {
	switch t.text[i] {
	case '/':
		t.part = partPath
	case '?':
		t.part = partQuery
		if !t.keepQuestion {
			return i + 1
		}
	case '#':
		t.part = partFragment
	}
	t.safe = i + 1
	return i + 1
}

// colon returns the number of octets of the mark of a fragment directive
// that begins at the offset i, and enters the directive; or 1, for a colon.
func (t *termination) colon(i int) int {
	if len(t.text)-i < len(directiveMark) || t.text[i:i+len(directiveMark)] != directiveMark {
		return 1
	}
	t.part = partDirective
	return len(directiveMark)
}

// includeRun returns the end of the code points of two and three octets from
// the offset i on that have Link_Term Include: the words of a path in most
// scripts beyond Latin.
func includeRun(text string, i int) int {
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

// linkTermAt returns the code point at the offset i, its length in octets
// and its Link_Term. An octet that belongs to no code point ends the link.
func linkTermAt(text string, i int) (r rune, size int, term ucd.LinkTerm) {
	r, size = decode(text, i)
	if r == utf8.RuneError && size == 1 {
		return r, size, ucd.Hard
	}
	return r, size, ucd.LinkTermOf(r)
}

// brackets goes on at the offset i with a stack of open brackets, which is
// empty there.
func (t *termination) brackets(i int) {
	var stack [maxOpen]rune
	open := 0
	for i < len(t.text) {
		r, size, term := rune(t.text[i]), 1, ucd.Soft
		switch actions[t.part][t.text[i]] {
		case actHard:
			return
		case actRune:
			r, size, term = linkTermAt(t.text, i)
		case actBracket:
			term = ucd.LinkTermOf(r)
		case actInitiator:
			i = t.begin(i)
			open = 0
			continue
		case actColon:
			if size = t.colon(i); size > 1 {
				term = ucd.Include
				open = 0
			}
		case actInclude:
			term = ucd.Include
			if t.part.clears(r) {
				open = 0
			}
		}
		switch term {
		case ucd.Include:
			t.safe = i + size
		case ucd.Hard:
			return
		case ucd.Open:
			if open == maxOpen {
				return
			}
			stack[open] = r
			open++
			t.safe = i + size
		case ucd.Close:
			if open == 0 {
				return
			}
			open--
			if stack[open] != ucd.LinkBracket(r) {
				return
			}
			t.safe = i + size
		}
		i += size
	}
}

package engine

import (
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
	end := termination{text: sc.text, safe: i, keepQuestion: sc.s.opts.Mode == ModeStrict}
	end.run(i)
	return end.safe
}

// A termination is the state of the algorithm of UTS #58 §3.5.1 but for the
// stack of open brackets, which is only there once there is a bracket.
type termination struct {
	text         string
	part         part
	safe         int  // lastSafe: the end of the link so far
	keepQuestion bool // the initiator "?" is part of the link in any case
}

// What an octet does to the link, by part: an action of the table below.
const (
	actInclude  uint8 = iota // Link_Term Include
	actSoft                  // Link_Term Soft
	actHard                  // Link_Term Hard
	actPath                  // clears the stack in a path: "/"
	actQuery                 // begins a query
	actFragment              // begins a fragment
	actClear                 // clears the stack in this part
	actColon                 // may begin the mark of a fragment directive
	actBracket               // Link_Term Open or Close
	actRune                  // the first octet of a code point beyond ASCII
)

// actions holds the action of each octet in each part. Where several apply,
// the order of the algorithm counts: terminators, then ClearStackOpen, then
// Link_Term.
var actions = func() (t [partDirective + 1][256]uint8) {
	for p := range t {
		for c := range t[p] {
			t[p][c] = actRune
			if c >= utf8.RuneSelf {
				continue
			}
			switch ucd.LinkTermOf(rune(c)) {
			case ucd.Include:
				t[p][c] = actInclude
			case ucd.Soft:
				t[p][c] = actSoft
			case ucd.Hard:
				t[p][c] = actHard
			default:
				t[p][c] = actBracket
			}
			if part(p).clears(rune(c)) {
				t[p][c] = actClear
			}
		}
	}
	t[partPath]['?'] = actQuery
	t[partPath]['#'] = actFragment
	t[partQuery]['#'] = actFragment
	t[partFragment][':'] = actColon
	t[partDirective][':'] = actColon
	return t
}()

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

// run follows the parts from the initiator at the offset i as long as there
// are no brackets, and hands over to runBrackets at the first.
func (t *termination) run(i int) {
	i = t.begin(i)
	for i < len(t.text) {
		c := t.text[i]
		switch actions[t.part][c] {
		case actInclude, actClear:
			i++
			t.safe = i
		case actSoft:
			i++
		case actHard:
			return
		case actQuery, actFragment:
			i = t.begin(i)
		case actColon:
			i = t.colon(i)
		case actBracket:
			t.runBrackets(i)
			return
		default:
			_, size, term := linkTermAt(t.text, i)
			switch term {
			case ucd.Include:
				t.safe = i + size
			case ucd.Soft:
			case ucd.Hard:
				return
			default:
				t.runBrackets(i)
				return
			}
			i += size
		}
	}
}

// linkTermAt returns the code point at the offset i, its length in octets
// and its Link_Term. An octet that belongs to no code point ends the link.
func linkTermAt(text string, i int) (r rune, size int, term ucd.LinkTerm) {
	r, size = utf8.DecodeRuneInString(text[i:])
	if r == utf8.RuneError && size == 1 {
		return r, size, ucd.Hard
	}
	return r, size, ucd.LinkTermOf(r)
}

// colon passes the colon at the offset i of a fragment or directive and
// returns the offset after it, or after the mark of a directive that it
// begins.
func (t *termination) colon(i int) int {
	if len(t.text)-i >= len(directiveMark) && t.text[i:i+len(directiveMark)] == directiveMark {
		t.part = partDirective
		i += len(directiveMark)
		t.safe = i
		return i
	}
	return i + 1
}

// runBrackets is run with the stack of open brackets, which is empty at the
// offset i.
func (t *termination) runBrackets(i int) {
	var stack [maxOpen]rune
	open := 0
	for i < len(t.text) {
		c := t.text[i]
		r, size := rune(c), 1
		term := ucd.Hard
		switch actions[t.part][c] {
		case actQuery, actFragment:
			i = t.begin(i)
			open = 0
			continue
		case actColon:
			before := t.part
			safe := t.safe
			i = t.colon(i)
			if t.safe != safe || t.part != before {
				open = 0
			}
			continue
		case actClear:
			open = 0
			term = ucd.Include
		case actRune:
			r, size, term = linkTermAt(t.text, i)
		default:
			term = ucd.LinkTermOf(r)
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

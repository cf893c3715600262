package uts39

import (
	"slices"

	"golang.org/x/text/unicode/bidi"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// A baseDirection is the direction of the paragraph in which a string is displayed.
type baseDirection uint8

const (
	leftToRight baseDirection = iota
	rightToLeft
)

// VisualOrder returns the order in which a left-to-right paragraph displays the
// characters on one line, from left to right (UAX #9, rules W1 to L2). The
// character at the visual position i is runes[order[i]].
//
// It ignores explicit formatting, as skeletons ignore its characters (rule
// X9): embeddings and overrides have no effect, isolates are neutral.
func VisualOrder(runes []rune) []int { return visualOrder(leftToRight, runes) }

func visualOrder(d baseDirection, runes []rune) []int { return reorder(levels(d, runes)) }

// reorder applies rule L2 to embedding levels and returns the visual order.
func reorder(lv []uint8) []int {
	order := make([]int, len(lv))
	for i := range order {
		order[i] = i
	}
	highest, lowestOdd := uint8(0), uint8(1)
	for _, l := range lv {
		highest = max(highest, l)
	}
	for level := highest; level >= lowestOdd; level-- {
		for i := 0; i < len(lv); i++ {
			if lv[i] < level {
				continue
			}
			start := i
			for i < len(lv) && lv[i] >= level {
				i++
			}
			slices.Reverse(order[start:i])
		}
	}
	return order
}

// levels returns the embedding level of each character (UAX #9).
func levels(d baseDirection, runes []rune) []uint8 {
	p := paragraph{base: bidi.L, class: make([]bidi.Class, len(runes))}
	if d == rightToLeft {
		p.base = bidi.R
	}
	for i, r := range runes {
		props, _ := bidi.LookupRune(r)
		p.class[i] = props.Class()
	}
	original := slices.Clone(p.class)
	p.weak()
	p.brackets(runes, original)
	p.neutral()
	lv := make([]uint8, len(runes))
	for i, c := range p.class {
		lv[i] = uint8(d)
		switch {
		case d == leftToRight && c == bidi.R, d == rightToLeft && c == bidi.L:
			lv[i]++ // rules I1, I2
		case c == bidi.EN || c == bidi.AN:
			lv[i] = 2
		}
	}
	// Rule L1: separators, and white space before them or at the end.
	trailing := true
	for i := len(lv) - 1; i >= 0; i-- {
		switch original[i] {
		case bidi.S, bidi.B:
			trailing = true
		case bidi.WS, bidi.BN, bidi.Control:
		default:
			trailing = false
		}
		if trailing {
			lv[i] = uint8(d)
		}
	}
	return lv
}

// A paragraph is the state of the rules that resolve classes. It has one run:
// without explicit levels there is only one.
type paragraph struct {
	base  bidi.Class // L or R: the class before and after the run, and its level
	class []bidi.Class
}

// weak applies rules W1 to W7.
func (p *paragraph) weak() {
	before, strong := p.base, p.base
	for i, c := range p.class {
		if c == bidi.NSM { // W1
			c = before
		}
		switch c { // W2, W3
		case bidi.EN:
			if strong == bidi.AL {
				c = bidi.AN
			}
		case bidi.L, bidi.R, bidi.AL:
			strong = c
		case bidi.BN, bidi.Control, bidi.LRE, bidi.RLE, bidi.LRO, bidi.RLO, bidi.PDF, bidi.LRI, bidi.RLI, bidi.FSI, bidi.PDI:
			c = bidi.ON
		}
		before = c
		if c == bidi.AL {
			c = bidi.R
		}
		p.class[i] = c
	}
	p.numbers()
	strong = p.base
	for i, c := range p.class { // W7
		switch c {
		case bidi.L, bidi.R:
			strong = c
		case bidi.EN:
			if strong == bidi.L {
				p.class[i] = bidi.L
			}
		}
	}
}

// numbers applies rules W4 to W6: separators and terminators of numbers.
func (p *paragraph) numbers() {
	cl := p.class
	for i := 1; i+1 < len(cl); i++ { // W4
		number := cl[i-1] == cl[i+1] && (cl[i-1] == bidi.EN || cl[i-1] == bidi.AN)
		if number && (cl[i] == bidi.CS || cl[i] == bidi.ES && cl[i-1] == bidi.EN) {
			cl[i] = cl[i-1]
		}
	}
	for i := 0; i < len(cl); i++ { // W5
		if cl[i] != bidi.ET {
			continue
		}
		start := i
		for i < len(cl) && cl[i] == bidi.ET {
			i++
		}
		if start > 0 && cl[start-1] == bidi.EN || i < len(cl) && cl[i] == bidi.EN {
			fill(cl[start:i], bidi.EN)
		}
	}
	for i, c := range cl { // W6
		if c == bidi.ES || c == bidi.ET || c == bidi.CS {
			cl[i] = bidi.ON
		}
	}
}

// maxBrackets is how many brackets can be open before rule BD16 stops.
const maxBrackets = 63

// brackets applies rule N0 to the pairs of rule BD16.
func (p *paragraph) brackets(runes []rune, original []bidi.Class) {
	var open []int
	pairs := map[int]int{} // the index of the closing bracket by that of the opening one
	var starts []int
	for i, r := range runes {
		props, _ := bidi.LookupRune(r)
		switch {
		case !props.IsBracket() || p.class[i] != bidi.ON:
		case props.IsOpeningBracket():
			if len(open) == maxBrackets {
				return
			}
			open = append(open, i)
		default:
			for j := len(open) - 1; j >= 0; j-- {
				if canonicalBracket(runes[open[j]]) == canonicalBracket(ucd.LinkBracket(r)) {
					pairs[open[j]] = i
					starts = append(starts, open[j])
					open = open[:j]
					break
				}
			}
		}
	}
	slices.Sort(starts)
	for _, start := range starts {
		p.pair(start, pairs[start], original)
	}
}

// canonicalBracket returns the opening bracket to which the opening bracket r is canonically
// equivalent (rule BD16).
func canonicalBracket(r rune) rune {
	if r == 0x2329 {
		return 0x3008
	}
	return r
}

// pair resolves the brackets at start and end (rule N0, b to d).
func (p *paragraph) pair(start, end int, original []bidi.Class) {
	opposite := false
	to := bidi.ON
	for _, c := range p.class[start+1 : end] {
		switch direction(c) {
		case p.base:
			to = p.base
		case bidi.L, bidi.R:
			opposite = true
		}
	}
	if to == bidi.ON {
		if !opposite {
			return
		}
		to = p.base
		for i := start - 1; i >= 0; i-- {
			if c := direction(p.class[i]); c != bidi.ON {
				to = c
				break
			}
		}
	}
	for _, i := range [...]int{start, end} {
		p.class[i] = to
		for i++; i < len(original) && original[i] == bidi.NSM; i++ {
			p.class[i] = to
		}
	}
}

// neutral applies rules N1 and N2.
func (p *paragraph) neutral() {
	cl := p.class
	before := p.base
	for i := 0; i < len(cl); i++ {
		if d := direction(cl[i]); d != bidi.ON {
			before = d
			continue
		}
		start := i
		for i < len(cl) && direction(cl[i]) == bidi.ON {
			i++
		}
		after := p.base
		if i < len(cl) {
			after = direction(cl[i])
		}
		to := p.base
		if before == after {
			to = before
		}
		fill(cl[start:i], to)
		before = after
	}
}

// direction returns the direction of a class: L or R, R for numbers (rules N0
// and N1), ON for a class without one.
func direction(c bidi.Class) bidi.Class {
	switch c {
	case bidi.L:
		return bidi.L
	case bidi.R, bidi.EN, bidi.AN:
		return bidi.R
	}
	return bidi.ON
}

// fill sets all of s to c.
func fill(s []bidi.Class, c bidi.Class) {
	for i := range s {
		s[i] = c
	}
}

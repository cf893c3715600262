package policy

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// judgeNameProfile judges a display name by the Email Security Profile. Bidi controls that come in
// pairs are allowed, because they reorder nothing outside the name.
func judgeNameProfile(out *collector, name string) {
	if ascii.Is(name) {
		return
	}
	out.note(turnedText(name))
	if r := strayControl(name); r >= 0 && !strings.ContainsAny(name, "\u202d\u202e") {
		out.note(controlInName.finding(name, r))
	}
	if r := pileOfMarks(name); r >= 0 {
		out.note(marksInName.finding(name, r))
	}
	if !out.has(CodeEmailProfile) && !norm.NFC.IsNormalString(name) {
		out.note(variantInName.finding(name))
	}
}

// strayControl returns the first bidi control of s that begins or ends an embedding or isolate
// without its counterpart (UAX #9 §2), or -1.
func strayControl(s string) rune {
	var open []rune
	for _, r := range s {
		var end rune
		switch r {
		case 0x202a, 0x202b, 0x202d, 0x202e: // LRE, RLE, LRO, RLO
			end = 0x202c // PDF
		case 0x2066, 0x2067, 0x2068: // LRI, RLI, FSI
			end = 0x2069 // PDI
		case 0x202c, 0x2069:
			if len(open) == 0 || open[len(open)-1] != r {
				return r
			}
			open = open[:len(open)-1]
			continue
		default:
			continue
		}
		open = append(open, end)
	}
	if len(open) > 0 {
		return open[len(open)-1]
	}
	return -1
}

// maxMarks is how many nonspacing marks may follow each other (UTS #39 §3.3).
const maxMarks = 4

// pileOfMarks returns the first nonspacing mark of s that is more than maxMarks on its letter or
// repeats the mark in front of it, or -1.
func pileOfMarks(s string) rune {
	var marks []rune
	for _, r := range norm.NFD.String(s) {
		if !unicode.Is(unicode.Mn, r) || ucd.IsDefaultIgnorable(r) {
			marks = marks[:0]
			continue
		}
		if len(marks) == maxMarks || slices.Contains(marks, r) {
			return r
		}
		marks = append(marks, r)
	}
	return -1
}

package engine

import (
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// maxRounds is the number of times that settle applies the rules of context to a
// part. They only hide units. What one rule hides may matter to another, but not in
// long chains: three rounds are enough. The limit keeps the time linear in any case.
const maxRounds = 8

// settle hides the units that cannot be shown because of their neighbours. It
// returns false if it did not come to an end: then nothing beyond ASCII may be
// shown.
func (pr *partReader) settle(p part, last bool) bool {
	if last {
		pr.hideFinalSoft()
	}
	for range maxRounds {
		before := pr.countShown()
		pr.hideJoiners()
		pr.hideLonely()
		pr.hideMarks()
		pr.hideUnstable()
		pr.hideBrackets(p)
		if pr.countShown() == before {
			return true
		}
	}
	return false
}

// countShown returns the number of units that are shown.
func (pr *partReader) countShown() int {
	n := 0
	for i := range pr.units {
		if pr.units[i].shown {
			n++
		}
	}
	return n
}

// hideFinalSoft hides a decoded Soft character at the end, since the link would end
// before it (UTS #58 §4.1). A typed one was part of the link.
func (pr *partReader) hideFinalSoft() {
	if n := len(pr.units); n > 0 {
		t := &pr.units[n-1]
		t.shown = t.shown && (t.typed || ucd.LinkTermOf(t.r) != ucd.Soft)
	}
}

// hideJoiners hides ZWJ and ZWNJ unless IDNA would allow them: elsewhere they make
// no visible difference (RFC 5892 appendix A.1 and A.2).
func (pr *partReader) hideJoiners() {
	for i := range pr.units {
		t := &pr.units[i]
		if t.shown && (t.r == zeroWidthJoiner || t.r == zeroWidthNonJoiner) {
			t.shown = pr.allowsJoiner(i)
		}
	}
}

// joiners checks only the CONTEXTJ rules.
var joiners = idna.New(idna.CheckJoiners(true))

// allowsJoiner applies the CONTEXTJ rules to the unit i: a virama before it, or for
// ZWNJ letters that would join on both sides, with only marks between.
func (pr *partReader) allowsJoiner(i int) bool {
	if i > 0 && pr.units[i-1].shown && ucd.IsVirama(pr.units[i-1].r) {
		return true
	}
	const maxMarks = 8
	from, to := i-1, i+1
	for from >= 0 && i-from <= maxMarks && pr.isShownMark(from) {
		from--
	}
	for to < len(pr.units) && to-i <= maxMarks && pr.isShownMark(to) {
		to++
	}
	if from < 0 || to == len(pr.units) || pr.units[i].r != zeroWidthNonJoiner {
		return false
	}
	label := pr.run[:0]
	for _, t := range pr.units[from : to+1] {
		if !t.shown || t.r < utf8.RuneSelf {
			return false
		}
		label = utf8.AppendRune(label, t.r)
	}
	pr.run = label
	_, err := joiners.ToUnicode(string(label))
	return err == nil
}

// isShownMark reports whether the unit i is a combining mark and shown.
func (pr *partReader) isShownMark(i int) bool {
	return pr.units[i].shown && ucd.IsMark(pr.units[i].r)
}

// hideLonely hides a letter or digit that looks like the syntax of a URL, unless a
// character of its script that does not look so is beside it.
func (pr *partReader) hideLonely() {
	for i := 0; i < len(pr.units); i++ {
		if !pr.isLookalike(i) {
			continue
		}
		end := i + 1
		for end < len(pr.units) && pr.isLookalike(end) {
			end++
		}
		if !pr.isCompany(i-1, pr.units[i].r) && !pr.isCompany(end, pr.units[end-1].r) {
			for j := i; j < end; j++ {
				pr.units[j].shown = false
			}
		}
		i = end
	}
}

// isLookalike reports whether the unit i is shown and looks like syntax.
func (pr *partReader) isLookalike(i int) bool {
	return pr.units[i].shown && ucd.IsSyntaxLookalike(pr.units[i].r)
}

// isCompany reports whether the unit i exists, is shown and shares a script with r.
func (pr *partReader) isCompany(i int, r rune) bool {
	if i < 0 || i >= len(pr.units) {
		return false
	}
	t := pr.units[i]
	return t.shown && t.r >= utf8.RuneSelf && shareScript(r, t.r)
}

// hideMarks hides a combining mark without a character to combine with. At the start
// of a segment, or behind an escape, it would alter the syntax; behind a joiner it
// has no effect.
func (pr *partReader) hideMarks() {
	carries := false // the unit before can carry a mark
	for i := range pr.units {
		t := &pr.units[i]
		if !carries && ucd.IsMark(t.r) {
			t.shown = false
		}
		joiner := t.r == zeroWidthJoiner || t.r == zeroWidthNonJoiner
		carries = t.shown && (t.r >= utf8.RuneSelf && !joiner || ascii.IsAlphanumeric(t.r))
	}
}

// hideUnstable hides decoded characters that NFC would change: a program that
// normalises its text would make another URL of them. Typed ones stay.
func (pr *partReader) hideUnstable() {
	for i := 0; i < len(pr.units); {
		if !pr.units[i].shown {
			i++
			continue
		}
		end := i
		run := pr.run[:0]
		for end < len(pr.units) && pr.units[end].shown {
			run = utf8.AppendRune(run, pr.units[end].r)
			end++
		}
		pr.run = run
		if norm.NFC.QuickSpan(run) < len(run) {
			pr.hideUnstableIn(i, run)
		}
		i = end
	}
}

// hideUnstableIn is hideUnstable for a run of shown units. The run begins with the
// unit first and has the text run. NFC changes each segment by itself.
func (pr *partReader) hideUnstableIn(first int, run []byte) {
	for len(run) > 0 {
		n := norm.NFC.NextBoundary(run, true)
		count := utf8.RuneCount(run[:n])
		if !norm.NFC.IsNormal(run[:n]) {
			for j := first; j < first+count; j++ {
				pr.units[j].shown = pr.units[j].typed
			}
		}
		first += count
		run = run[n:]
	}
}

// hideBrackets hides decoded brackets without a partner: they could end the link, or
// make it go on where it ended before.
func (pr *partReader) hideBrackets(p part) {
	start := 0
	for i, t := range pr.units {
		if t.typed && p.clears(t.r) {
			pairBrackets(pr.units[start:i])
			start = i + 1
		}
	}
	pairBrackets(pr.units[start:])
}

// pairBrackets hides the decoded brackets without a decoded partner. It hides all
// decoded brackets if there are more than detection follows.
func pairBrackets(units []shownUnit) {
	var stack [maxOpen]int // indices of the brackets that are open
	open, opening := 0, 0
	for i := range units {
		if units[i].shown && ucd.LinkTermOf(units[i].r) == ucd.Open {
			opening++
		}
	}
	if opening > maxOpen {
		for i := range units {
			t := &units[i]
			term := ucd.LinkTermOf(t.r)
			t.shown = t.shown && (t.typed || term != ucd.Open && term != ucd.Close)
		}
		return
	}
	for i := range units {
		t := &units[i]
		if !t.shown {
			continue
		}
		switch ucd.LinkTermOf(t.r) {
		case ucd.Open:
			stack[open] = i
			open++
		case ucd.Close:
			if t.typed {
				// Its partner was typed: those decoded in between have none.
				for open > 0 && !units[stack[open-1]].typed {
					open--
					units[stack[open]].shown = false
				}
				open = max(open-1, 0)
			} else if open > 0 && !units[stack[open-1]].typed && units[stack[open-1]].r == ucd.LinkBracket(t.r) {
				open--
			} else {
				t.shown = false
			}
		}
	}
	for _, i := range stack[:open] {
		if !units[i].typed {
			units[i].shown = false
		}
	}
}

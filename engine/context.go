package engine

import (
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/engine/ucd"
)

// maxRounds is how often the rules of context are applied to one part. Each
// only hides tokens, and what one hides another may depend on, but not in
// long chains: three rounds do. The limit is there so that the time is linear
// should a chain have been overlooked.
const maxRounds = 8

// settle hides the tokens that cannot be shown because of what is beside
// them. It returns false where it finds no end: then nothing beyond ASCII may
// be shown.
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

// countShown returns the number of tokens that are shown.
func (pr *partReader) countShown() int {
	n := 0
	for i := range pr.units {
		if pr.units[i].shown {
			n++
		}
	}
	return n
}

// hideFinalSoft: the link would end before a Soft character at its end
// (UTS #58 §4.1). One that was typed there was part of the link.
func (pr *partReader) hideFinalSoft() {
	if n := len(pr.units); n > 0 {
		t := &pr.units[n-1]
		t.shown = t.shown && (t.typed || ucd.LinkTermOf(t.r) != ucd.Soft)
	}
}

// hideJoiners: ZWJ and ZWNJ are shown only where IDNA would allow them, since
// only there they make a difference (RFC 5892 appendix A.1 and A.2).
func (pr *partReader) hideJoiners() {
	for i := range pr.units {
		t := &pr.units[i]
		if t.shown && (t.r == zeroWidthJoiner || t.r == zeroWidthNonJoiner) {
			t.shown = pr.allowsJoiner(i)
		}
	}
}

// joiners checks the CONTEXTJ rules and nothing else.
var joiners = idna.New(idna.CheckJoiners(true))

// allowsJoiner applies the CONTEXTJ rules to the token i: a virama before it,
// or for ZWNJ letters that would join on both sides, with nothing but marks
// between.
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

// isShownMark reports whether the token i is a combining mark and shown.
func (pr *partReader) isShownMark(i int) bool {
	return pr.units[i].shown && ucd.IsMark(pr.units[i].r)
}

// hideLonely: a letter or digit that looks like the syntax of a URL is shown
// only beside another character of its script, which does not look so.
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

// isLookalike reports whether the token i is shown and looks like syntax.
func (pr *partReader) isLookalike(i int) bool {
	return pr.units[i].shown && ucd.IsSyntaxLookalike(pr.units[i].r)
}

// isCompany reports whether there is a token i, shown, of a script of r.
func (pr *partReader) isCompany(i int, r rune) bool {
	if i < 0 || i >= len(pr.units) {
		return false
	}
	t := pr.units[i]
	return t.shown && t.r >= utf8.RuneSelf && shareScript(r, t.r)
}

// hideMarks: a combining mark is shown only on a character to combine with.
// At the start of a segment, or after an escape, it would alter the syntax;
// after a joiner it has nothing to do.
func (pr *partReader) hideMarks() {
	carries := false // the token before can carry a mark
	for i := range pr.units {
		t := &pr.units[i]
		if !carries && ucd.IsMark(t.r) {
			t.shown = false
		}
		joiner := t.r == zeroWidthJoiner || t.r == zeroWidthNonJoiner
		carries = t.shown && (t.r >= utf8.RuneSelf && !joiner || isAlphanumeric(t.r))
	}
}

// isAlphanumeric reports ASCII letters and digits.
func isAlphanumeric(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// hideUnstable: what NFC would change stays escaped, or a program that
// normalises its text would make another URL of it. What was typed stays.
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

// hideUnstableIn does so in a run of shown tokens that begins with the token
// first and whose text is run, segment by segment as NFC acts.
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

// hideBrackets: brackets are shown in pairs only. One without the other could
// end the link, or make it go on where it ended before.
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

// pairBrackets hides the decoded brackets of a stretch that have no partner
// among the decoded, and all of them if the stretch has more brackets than
// detection follows.
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

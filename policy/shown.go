package policy

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine/ucd"
)

// TurnedText judges the text that is shown for a link, or the display name of an
// address, by itself: where an override turns the direction of its characters,
// a reader sees another text.
func (j *Judge) TurnedText(text string) []Finding {
	g := judgement{judge: j}
	if i := strings.IndexAny(text, "\u202d\u202e"); i >= 0 {
		r, _ := utf8.DecodeRuneInString(text[i:])
		g.add(CodeBidiControl, SeverityHigh, text, fmt.Sprintf("%U turns the text that is shown", r))
	}
	return g.findings
}

// RefusedHost judges what stands where a URL has its authority and is refused
// by browsers, since some character cannot be in a host. Where that is mapped to
// the syntax of a URL, programs that map it open another host than is read.
func (j *Judge) RefusedHost(authority string) []Finding {
	g := judgement{judge: j}
	for _, r := range labelDots.Replace(authority) {
		if r < utf8.RuneSelf {
			continue
		}
		if like := syntaxLike(r); like != "" {
			g.add(CodeSyntaxLookalike, SeverityHigh, authority, fmt.Sprintf("%U looks like %q", r, printable(like)))
			return g.findings
		}
	}
	g.add(CodeInvalidIDNA, SeverityLow, authority, "browsers refuse the host")
	return g.findings
}

// SeenText returns a text without what cannot be seen in it: what a reader takes
// it for. Joiners stay between characters beyond ASCII, where languages need
// them.
func SeenText(text string) string {
	if isASCII(text) {
		return text
	}
	var b strings.Builder
	before := rune(-1)
	for i, r := range text {
		if ucd.IsDefaultIgnorable(r) {
			after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
			if !isJoiner(r) || before < utf8.RuneSelf || after < utf8.RuneSelf || after == utf8.RuneError {
				continue
			}
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

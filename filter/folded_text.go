package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// aroundFold is the number of bytes before and behind a link that may belong to the link that
// folding cut.
const aroundFold = 512

// folds are the breaks of folded lines in calendars and headers, and soft line breaks of
// quoted-printable, with nothing for each.
var folds = strings.NewReplacer(
	"=\r\n ", "", "=\r\n\t", "", "=\r\n", "", "=\n ", "", "=\n\t", "", "=\n", "",
	"\r\n ", "", "\r\n\t", "", "\n ", "", "\n\t", "",
)

// lineEnds are those that RTF has anywhere, with nothing for each.
var lineEnds = strings.NewReplacer("\r\n", "", "\n", "")

// foldsOf returns the breaks that lines of some of the forms have anywhere, or nil.
func foldsOf(forms []form) *strings.Replacer {
	switch {
	case slices.Contains(forms, formCalendar), slices.Contains(forms, formMessage):
		return folds
	case slices.Contains(forms, formRTF):
		return lineEnds
	}
	return nil
}

// forgiveFolds drops what is flagged in lines as written, from the index first on, but is a piece
// of a link without findings: folds cut lines anywhere, as in "m icrosoft.com". It returns the
// error of the context.
func (c *collector) forgiveFolds(folds *strings.Replacer, first int, text string) error {
	var err error
	c.links = slices.DeleteFunc(c.links, func(found report.Found) bool {
		if first--; first >= 0 || err != nil || found.Verdict.Worst() < policy.SeverityMedium {
			return false
		}
		start, end := found.Link.Start, found.Link.End
		for end > start && text[end-1] == '=' { // of a soft line break
			end--
		}
		before, after := text[max(0, start-aroundFold):start], text[end:min(len(text), end+aroundFold)]
		left, right := folds.Replace(before), folds.Replace(after)
		if len(left) == len(before) && len(right) == len(after) {
			return false
		}
		err = c.spend(len(left) + len(right) + end - start)
		return c.isPiece(left, text[start:end], right)
	})
	return err
}

// isPiece reports whether a text is a piece of a longer link without findings that begins in
// left or ends in right.
func (c *collector) isPiece(left, piece, right string) bool {
	return slices.ContainsFunc(c.judge.finder.in(left+piece+right), func(l engine.Link) bool {
		covers := l.Start <= len(left) && l.End >= len(left)+len(piece) && l.End-l.Start > len(piece)
		return covers && l.Kind != engine.KindSuspect && c.judge.verdict(l).Worst() < policy.SeverityLow
	})
}

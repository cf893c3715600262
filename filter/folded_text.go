package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// aroundFold is the number of bytes before and behind a piece in which the rest of a link that
// folding cut is looked for.
const aroundFold = 512

// folds removes the breaks of folded lines in calendars and headers, and the soft line breaks of
// quoted-printable.
var folds = strings.NewReplacer(
	"=\r\n ", "", "=\r\n\t", "", "=\r\n", "", "=\n ", "", "=\n\t", "", "=\n", "",
	"\r\n ", "", "\r\n\t", "", "\n ", "", "\n\t", "",
)

// lineEnds removes line ends, which mean nothing in RTF.
var lineEnds = strings.NewReplacer("\r\n", "", "\n", "")

// foldsOf returns what removes the breaks that a text in one of the forms may have anywhere, or nil
// for a text that has no such breaks.
func foldsOf(forms []form) *strings.Replacer {
	switch {
	case slices.Contains(forms, formCalendar), slices.Contains(forms, formMessage):
		return folds
	case slices.Contains(forms, formRTF):
		return lineEnds
	}
	return nil
}

// escapes are those of lines in calendars, and backslash that of RTF, with as many bytes of white
// space: as they are written, a host would begin or end there with signs.
var (
	escapes   = strings.NewReplacer(`\n`, " \n", `\N`, " \n")
	backslash = strings.NewReplacer(`\`, " ")
)

// escapesOf returns what removes the escapes that a text in one of the forms may have anywhere, or
// nil for a text that has no such escapes.
func escapesOf(forms []form) *strings.Replacer {
	switch {
	case slices.Contains(forms, formCalendar):
		return escapes
	case slices.Contains(forms, formRTF):
		return backslash
	}
	return nil
}

// forgiveFolds drops the links of a text, from the index first on, that are flagged as written but
// are pieces of a link without findings: folds cut lines anywhere, as in "m icrosoft.com". It
// returns the error of the context.
func (c *collector) forgiveFolds(folds *strings.Replacer, first int, text string) error {
	var err error
	kept := slices.DeleteFunc(c.links[first:], func(found report.Found) bool {
		if err != nil || found.Verdict.Worst() < policy.SeverityMedium {
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
	c.links = c.links[:first+len(kept)]
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

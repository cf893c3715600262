package filter

import (
	"context"
	"iter"
	"strings"
)

// linksOfSheet returns HTML with the links of formulas in a table. In CSV quotes may be
// doubled. whole is false where it leaves some out, or does not know what one opens or shows. It
// ends with ctx, which the reader of the HTML reports.
func linksOfSheet(ctx context.Context, source string) (links string, whole bool) {
	var b strings.Builder
	room := 4*len(source) + 1<<20
	whole = true
	link := func(url, text string) {
		if room -= len(url) + len(text); room < 0 {
			whole = false
			return
		}
		writeLink(&b, text, url)
	}
	for line := range strings.Lines(source) {
		for piece, more := range formulaPieces(line) {
			if ctx.Err() != nil {
				return b.String(), whole
			}
			unknown, invalid := eachFormulaLink(piece, more, link)
			if single := strings.ReplaceAll(piece, `""`, `"`); len(single) < len(piece) {
				unknownSingle, _ := eachFormulaLink(single, more, link)
				unknown = unknown || invalid && unknownSingle
			}
			whole = whole && !unknown
		}
	}
	return b.String(), whole
}

// maxFormula is the greatest length in bytes of a formula: spreadsheets read 8,192 characters.
const maxFormula = 16 << 10

// formulaPieces iterates over the pieces of a line that may have a formula. Each formula is whole
// in one of them. With each piece it says whether there is more of the line.
func formulaPieces(line string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		for more := true; more; {
			piece := line[:min(len(line), scanStep)]
			if more = len(piece) < len(line); more {
				line = line[scanStep-maxFormula:]
			}
			if strings.Contains(piece, "(") && !yield(piece, more) {
				return
			}
		}
	}
}

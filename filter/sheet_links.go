package filter

import (
	"context"
	"strings"
)

// linksOfSheet returns HTML with the links of formulas in a table. In CSV quotes may be
// doubled. It ends with ctx, which the reader of the HTML reports.
func linksOfSheet(ctx context.Context, source string) string {
	var b strings.Builder
	link := func(url, text string) { writeLink(&b, text, url) }
	for line := range strings.Lines(source) {
		for line != "" && ctx.Err() == nil {
			piece := line[:min(len(line), scanStep)]
			line = line[len(piece):]
			if !strings.Contains(piece, "(") {
				continue
			}
			eachFormulaLink(piece, link)
			if single := strings.ReplaceAll(piece, `""`, `"`); len(single) < len(piece) {
				eachFormulaLink(single, link)
			}
		}
	}
	return b.String()
}

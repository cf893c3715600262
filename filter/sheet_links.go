package filter

import (
	"context"
	"regexp"
	"strings"
)

// formulaLink matches a formula of a table that opens a URL, with its text. In CSV quotes
// are doubled.
var formulaLink = regexp.MustCompile(`(?i)HYPERLINK\s*\(\s*"+([^"\r\n]+)"+\s*[,;]\s*"+([^"\r\n]+)"`)

// linksOfSheet returns HTML with the links of formulas in a table that have a text. It ends
// with ctx, which the reader of the HTML reports.
func linksOfSheet(ctx context.Context, source string) string {
	var b strings.Builder
	for line := range strings.Lines(source) {
		for line != "" && ctx.Err() == nil {
			piece := line[:min(len(line), scanStep)]
			line = line[len(piece):]
			if !strings.Contains(piece, "(") {
				continue
			}
			for _, match := range formulaLink.FindAllStringSubmatch(piece, -1) {
				writeLink(&b, match[2], match[1])
			}
		}
	}
	return b.String()
}

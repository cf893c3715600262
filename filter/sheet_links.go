package filter

import (
	"html"
	"regexp"
	"strings"
)

// formulaLink matches a formula of a table that opens a URL, with its text. In CSV quotes
// are doubled.
var formulaLink = regexp.MustCompile(`(?i)HYPERLINK\s*\(\s*"+([^"\r\n]+)"+\s*[,;]\s*"+([^"\r\n]+)"`)

// linksOfSheet returns HTML with the links of formulas in a table that have a text.
func linksOfSheet(source string) string {
	if !strings.Contains(source, "(") {
		return ""
	}
	var b strings.Builder
	for _, match := range formulaLink.FindAllStringSubmatch(source, -1) {
		b.WriteString(`<a href="` + html.EscapeString(match[1]) + `">` + html.EscapeString(match[2]) + "</a>\n")
	}
	return b.String()
}

package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/mime"
)

// sheetsOf returns the style sheets in the parts of m. It reads them once for all parts.
func (c *collector) sheetsOf(m *mime.Message) string {
	if c.sheetsIn != m {
		c.sheetsIn, c.sheets = m, readSheets(m)
	}
	return c.sheets
}

// readSheets reads the style sheets in the parts of m.
func readSheets(m *mime.Message) string {
	var b strings.Builder
	for leaf := range m.Leaves() {
		isSheet := func(name string) bool { return suffixOf(name) == "css" }
		if leaf.MediaType != "text/css" && !slices.ContainsFunc(m.Names(leaf), isSheet) {
			continue
		}
		for content := range m.Contents(leaf) {
			b.WriteString(strings.ToValidUTF8(string(content), "\ufffd") + "\n")
			break // as declared
		}
	}
	return strings.ReplaceAll(b.String(), "</", "<\\/")
}

package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/mime"
)

// maxSheets is how many times as long as the message the style sheets may be, with which its pages are
// read.
const maxSheets = 4

// sheetsOf returns the style sheets in the parts of m for another page. It reads them once for all
// pages in a row. whole is false after too many pages.
func (c *collector) sheetsOf(m *mime.Message) (sheets string, whole bool) {
	if c.sheetBytes > maxSheets*len(c.message.Raw) {
		return "", false
	}
	if c.sheetsIn != m {
		c.sheetsIn, c.sheets = m, readSheets(m)
	}
	c.sheetBytes += len(c.sheets)
	return c.sheets, true
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

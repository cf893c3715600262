package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/mime"
)

// sheetsBeside returns the style sheets in the parts of m beside one.
func sheetsBeside(m *mime.Message, part *mime.Part) string {
	var b strings.Builder
	for leaf := range m.Leaves() {
		isSheet := func(name string) bool { return suffixOf(name) == "css" }
		if leaf == part || leaf.MediaType != "text/css" && !slices.ContainsFunc(m.Names(leaf), isSheet) {
			continue
		}
		for content := range m.Contents(leaf) {
			b.WriteString(strings.ToValidUTF8(string(content), "\ufffd") + "\n")
			break // as declared
		}
	}
	return strings.ReplaceAll(b.String(), "</", "<\\/")
}

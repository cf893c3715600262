package alternative

import "strings"

// MaxQuoteLevel is the depth to which quotes nest.
const MaxQuoteLevel = maxQuoteLevel

// Alternative returns text as a complete HTML document, as [Write] writes it.
func Alternative(text string, links []Link) string {
	var b strings.Builder
	_ = Write(&b, text, links) // a strings.Builder does not fail
	return b.String()
}

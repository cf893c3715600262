package htmlpart

import "strings"

// altText is what programs show at a place of a reference: for a picture, or for a rule.
type altText struct {
	at   int // offset in all of the text
	text string
}

// withTexts returns a text with others at their places.
func withTexts(all string, texts []altText) string {
	var b strings.Builder
	at := 0
	for _, alt := range texts {
		b.WriteString(all[at:alt.at] + alt.text)
		at = alt.at
	}
	b.WriteString(all[at:])
	return b.String()
}

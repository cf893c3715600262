package filter

import (
	"html"
	"strings"
)

// plainOfXML returns the words of XML: those of texts and of attributes, with the references
// to characters decoded. Tags separate words, unlike in HTML.
func plainOfXML(source string) string {
	return html.UnescapeString(tagMarks.Replace(source))
}

var tagMarks = strings.NewReplacer("<", " ", ">", " ")

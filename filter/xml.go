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

// markupInXML returns XML with the HTML that its texts hold as markup: feeds and maps have it
// in CDATA sections or behind references to characters. It returns "" without such texts.
func markupInXML(source string) string {
	unwrapped := cdataMarks.Replace(source)
	plain := html.UnescapeString(unwrapped)
	if len(unwrapped) == len(source) && strings.Count(plain, "<") == strings.Count(source, "<") {
		return ""
	}
	return plain
}

var cdataMarks = strings.NewReplacer("<![CDATA[", "", "]]>", "")

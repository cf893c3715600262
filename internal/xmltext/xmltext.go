// Package xmltext reads the words of XML, and the HTML and files in its texts. It uses no XML
// parser, because programs also read XML that is not well-formed.
package xmltext

import (
	"html"
	"regexp"
	"strings"

	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/meter"
)

// Words returns the words in texts and attributes of XML, with character references decoded. Tags
// separate words, unlike in HTML.
func Words(source string) string {
	return html.UnescapeString(tagMarks.Replace(source))
}

var tagMarks = strings.NewReplacer("<", " ", ">", " ")

// Markup returns XML in which HTML inside texts has become markup. Feeds and maps have such HTML in
// CDATA sections, or written with character references. It returns "" if there is none.
func Markup(source string) string {
	unwrapped := cdataMarks.Replace(source)
	plain := html.UnescapeString(unwrapped)
	if len(unwrapped) == len(source) && strings.Count(plain, "<") == strings.Count(source, "<") {
		return ""
	}
	return plain
}

var cdataMarks = strings.NewReplacer("<![CDATA[", "", "]]>", "")

// IsWord reports whether the words of XML are those of a Word document, whose links are in
// relationships and fields.
func IsWord(plain string) bool {
	return strings.Contains(plain, "schemas.microsoft.com/office/2006/xmlPackage") || strings.Contains(plain, "schemas.microsoft.com/office/word/2003/wordml")
}

// innerSheet matches the reference to a style sheet inside the same XML.
var innerSheet = regexp.MustCompile(`(?i)\?xml-stylesheet[^?]*(?:#|d\s*a\s*t\s*a\s*:)`)

// TransformsItself reports whether XML has a style sheet inside it, which may be XSLT and turn the
// XML into any page. Browsers do not open a style sheet in another file. plain are the words of the
// XML.
func TransformsItself(plain string) bool {
	return strings.Contains(plain, "?xml-stylesheet") &&
		(innerSheet.MatchString(plain) || strings.Contains(plain, "XSL/Transform") || strings.Contains(plain, "!ENTITY"))
}

// HoldsFile reports whether a text of XML is a file in base64, which is not read. Property lists,
// web archives of Safari and PDF forms have such files. It stops when the context of t ends.
func HoldsFile(t *meter.Meter, source string) bool {
	const fewest = 64 // few words are as long
	for piece := range strings.SplitSeq(source, ">") {
		if t.Spend(len(piece)+1) != nil {
			return false
		}
		text, _, _ := strings.Cut(piece, "<")
		if text = strings.TrimSpace(text); len(text) >= fewest && !strings.ContainsFunc(text, isNotBase64) {
			return true
		}
	}
	return false
}

func isNotBase64(r rune) bool {
	return r > 0x7F || !charset.IsBase64(byte(r)) && r != '=' && r != ' ' && r != '\t' && r != '\r' && r != '\n'
}

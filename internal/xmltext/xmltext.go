// Package xmltext reads the words of XML, and the HTML and files that its texts hold, without a parser:
// programs read XML that is not well-formed, too.
package xmltext

import (
	"html"
	"regexp"
	"strings"

	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/meter"
)

// Words returns the words of XML: those of texts and of attributes, with the references
// to characters decoded. Tags separate words, unlike in HTML.
func Words(source string) string {
	return html.UnescapeString(tagMarks.Replace(source))
}

var tagMarks = strings.NewReplacer("<", " ", ">", " ")

// Markup returns XML with the HTML that its texts hold as markup: feeds and maps have it
// in CDATA sections or behind references to characters. It returns "" without such texts.
func Markup(source string) string {
	unwrapped := cdataMarks.Replace(source)
	plain := html.UnescapeString(unwrapped)
	if len(unwrapped) == len(source) && strings.Count(plain, "<") == strings.Count(source, "<") {
		return ""
	}
	return plain
}

var cdataMarks = strings.NewReplacer("<![CDATA[", "", "]]>", "")

// IsWord reports whether the words of XML are those of a document of Word, which has links in
// relationships and fields.
func IsWord(plain string) bool {
	return strings.Contains(plain, "schemas.microsoft.com/office/2006/xmlPackage") || strings.Contains(plain, "schemas.microsoft.com/office/word/2003/wordml")
}

// innerSheet matches a style sheet that the words of XML have in themselves.
var innerSheet = regexp.MustCompile(`(?i)\?xml-stylesheet[^?]*(?:#|d\s*a\s*t\s*a\s*:)`)

// TransformsItself reports whether XML has a style sheet in itself, which may be XSLT and make any
// page of it. Browsers do not open one in another file. plain are its words.
func TransformsItself(plain string) bool {
	return strings.Contains(plain, "?xml-stylesheet") &&
		(innerSheet.MatchString(plain) || strings.Contains(plain, "XSL/Transform") || strings.Contains(plain, "!ENTITY"))
}

// HoldsFile reports whether a text of XML is a file in base64, which is not read: property lists,
// web archives of Safari and forms of PDF have some. It ends with t.
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

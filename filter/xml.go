package filter

import (
	"html"
	"iter"
	"strings"

	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/meter"
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

// isWordXML reports whether the words of XML are those of a document of Word, which has links in
// relationships and fields.
func isWordXML(plain string) bool {
	return strings.Contains(plain, "schemas.microsoft.com/office/2006/xmlPackage") || strings.Contains(plain, "schemas.microsoft.com/office/word/2003/wordml")
}

// transformsItself reports whether XML has a style sheet in itself, which may be XSLT and make any
// page of it. Browsers do not open one in another file.
func transformsItself(source string) bool {
	const mark = "<?xml-stylesheet"
	_, rest, ok := strings.Cut(source, mark)
	if !ok {
		return false
	}
	for piece := range strings.SplitSeq(rest, mark) {
		reference, _, _ := strings.Cut(piece, "?>")
		reference = strings.Join(strings.Fields(html.UnescapeString(reference)), "")
		if strings.Contains(reference, "#") || strings.Contains(strings.ToLower(reference), "data:") {
			return true
		}
	}
	return strings.Contains(source, "XSL/Transform") || strings.Contains(source, "<!ENTITY")
}

const (
	// minData is the length in bytes of the shortest text of XML that may be a file.
	minData = 64
	// minDigits is the number of digits of base64 that such a text begins with: few words are as long.
	minDigits = 20
)

// filesInXML iterates over the files that texts of XML hold in base64: in property lists, in web
// archives of Safari, and in files of Office in one part. It ends with the context of t.
func filesInXML(t *meter.Meter, source string) iter.Seq[charset.File] {
	return func(yield func(charset.File) bool) {
		for {
			_, after, ok := strings.Cut(source, ">")
			if !ok {
				return
			}
			text, _, _ := strings.Cut(after, "<")
			if t.Spend(len(source)-len(after)+len(text)) != nil {
				return
			}
			source = after[len(text):]
			if len(text) < minData || !isBase64Text(t, text) {
				continue
			}
			if !yield(charset.File{Content: charset.RawBase64(charset.Base64Digits(t, []byte(text), false))}) {
				return
			}
		}
	}
}

// isBase64Text reports whether a text is base64 alone, in lines. It does not if t ends.
func isBase64Text(t *meter.Meter, text string) bool {
	text = strings.TrimSpace(text)
	for i := range len(text) {
		if i%meter.Every == meter.Every-1 && t.Spend(meter.Every) != nil {
			return false
		}
		isSign := text[i] == '=' || strings.IndexByte(" \t\r\n", text[i]) >= 0
		if !charset.IsBase64(text[i]) && (i < minDigits || !isSign) {
			return false
		}
	}
	return len(text) >= minDigits
}

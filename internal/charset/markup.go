package charset

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// MarkupLead is how many bytes of a document are searched for the name of its charset.
// Browsers read 1,024.
const MarkupLead = 8 << 10

// markupCharset matches a charset in a meta element of HTML, or in the declaration of XML
// or of a style sheet.
var markupCharset = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:charset|<\?xml[^>]*encoding)\s*=\s*["']?\s*([a-z0-9_:.-]{2,40})`)
})

// metaReference matches a meta element that may have a character reference.
var metaReference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)<meta[^>]*&`) })

// maxInMarkup is the number of charsets that a document may name.
const maxInMarkup = 4

// InMarkup returns the canonical names of the charsets that a document may declare for itself: the
// first ones that it names anywhere, and the one that browsers find.
func InMarkup(content []byte) []string {
	content = content[:min(len(content), MarkupLead)]
	if bytes.IndexByte(content, '<') < 0 {
		return nil
	}
	var names []string
	matches := markupCharset().FindAllSubmatch(content, maxInMarkup)
	if metaReference().Match(content) {
		text := []byte(html.UnescapeString(string(content)))
		matches = append(matches, markupCharset().FindAllSubmatch(text, maxInMarkup)...)
	}
	for i, match := range matches[:min(len(matches), maxInMarkup)] {
		label := string(match[1])
		if i == maxInMarkup-1 {
			label = cmp.Or(inMeta(content), label) // comments and other tags may have the ones before
		}
		name := looseCharset(label)
		if strings.HasPrefix(name, "utf-16") || strings.HasPrefix(name, "utf-32") {
			name = "utf-8" // the name is in ASCII (WHATWG HTML, "prescan a byte stream")
		}
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// inMeta returns the charset that the first meta element with one names that is known, or "". As
// browsers do it, it also looks for elements in a title or script (WHATWG HTML, "prescan a byte
// stream").
func inMeta(content []byte) string {
	z := html.NewTokenizer(bytes.NewReader(content))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			z.NextIsNotRawText()
			if label := charsetOfMeta(z.Token()); known(looseCharset(label)) {
				return label
			}
		}
	}
}

// charsetOfMeta returns the charset that a tag names as a meta element does, or "".
func charsetOfMeta(tag html.Token) string {
	if tag.DataAtom != atom.Meta {
		return ""
	}
	isPragma, label := false, ""
	for _, a := range tag.Attr {
		switch a.Key {
		case "charset":
			return a.Val
		case "http-equiv":
			isPragma = strings.EqualFold(a.Val, "content-type")
		case "content":
			if match := markupCharset().FindStringSubmatch(a.Val); match != nil {
				label = match[1]
			}
		}
	}
	if !isPragma {
		return ""
	}
	return label
}

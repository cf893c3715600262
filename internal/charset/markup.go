package charset

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// MarkupLead is how many bytes of a document are searched for the name of its charset.
// Browsers read 1,024.
const MarkupLead = 8 << 10

// markupCharset matches a charset in a meta element of HTML, or in the declaration of XML
// or of a style sheet, at the start of a text.
var markupCharset = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:charset|<\?xml[^>]*encoding)\s*=\s*["']?\s*([a-z0-9_:.-]{2,40})`)
})

// labelsIn returns the first charsets that a text names, at most most. Few texts have the words
// with which markupCharset begins, so it searches for these first, which takes a hundredth of the
// time.
func labelsIn(text []byte, most int) (labels []string) {
	charset, xml := 0, 0 // indexes of the next occurrences of the words
	for at := 0; len(labels) < most; {
		charset, xml = next(text, "charset", charset, at), next(text, "<?xml", xml, at)
		if at = min(charset, xml); at == len(text) {
			break
		}
		match := markupCharset().FindSubmatchIndex(text[at:])
		if match == nil {
			at++
			continue
		}
		labels = append(labels, string(text[at+match[2]:at+match[3]]))
		at += match[1]
	}
	return labels
}

// next returns the index of the first occurrence of a word at or after the index from, or the
// length of the text. known is the last result for the same word.
func next(text []byte, word string, known, from int) int {
	if known > from {
		return known
	}
	if i := ascii.IndexFold(text[from:], word); i >= 0 {
		return from + i
	}
	return len(text)
}

// hasReference reports whether a meta element may have a character reference.
func hasReference(text []byte) bool {
	for {
		i := ascii.IndexFold(text, "<meta")
		if i < 0 {
			return false
		}
		text = text[i+len("<meta"):]
		tag, _, _ := bytes.Cut(text, []byte(">"))
		if bytes.IndexByte(tag, '&') >= 0 {
			return true
		}
	}
}

// maxInMarkup is the number of charsets that are read from a document.
const maxInMarkup = 4

// InMarkup returns the canonical names of the charsets that a document may declare for itself: the
// first ones that it names anywhere, and the one that browsers choose.
func InMarkup(content []byte) []string {
	content = content[:min(len(content), MarkupLead)]
	if bytes.IndexByte(content, '<') < 0 {
		return nil
	}
	var names []string
	labels := labelsIn(content, maxInMarkup)
	if hasReference(content) {
		labels = append(labels, labelsIn([]byte(html.UnescapeString(string(content))), maxInMarkup)...)
	}
	for i, label := range labels[:min(len(labels), maxInMarkup)] {
		if i == maxInMarkup-1 {
			label = cmp.Or(inMeta(content), label) // the earlier ones may be in comments and other tags
		}
		name := looseCharset(label)
		if strings.HasPrefix(name, "utf-16") || strings.HasPrefix(name, "utf-32") {
			name = "utf-8" // the name itself is readable as ASCII, so the text is not UTF-16 (WHATWG HTML, "prescan a byte stream")
		}
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// inMeta returns the first known charset that a meta element names, or "". Like browsers, it also
// finds such elements inside a title or script (WHATWG HTML, "prescan a byte stream").
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

// charsetOfMeta returns the charset that a tag names if it is a meta element, or "".
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
			if labels := labelsIn([]byte(a.Val), 1); len(labels) > 0 {
				label = labels[0]
			}
		}
	}
	if !isPragma {
		return ""
	}
	return label
}

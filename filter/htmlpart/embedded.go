package htmlpart

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// maxEmbedded is the number of bytes of a document in an attribute whose text is read as a
// label.
const maxEmbedded = 16 << 10

// embeddedText returns the text of the picture or document that an element shows in itself,
// if an attribute holds that. name is without a prefix, in lower case.
func embeddedText(name string, a *attributes) string {
	url := ""
	switch name {
	case "img", "embed", "input":
		url = a.src
	case "iframe":
		if a.srcdoc != "" {
			return textOf(a.srcdoc)
		}
		url = a.src
	case "video", "source":
		url = a.picture
	case "object":
		url = a.data
	case "image":
		url = a.href
	}
	url = url[:min(len(url), 4*maxEmbedded)]
	switch start := strings.TrimLeft(url, blanks); {
	case ascii.HasPrefixFold(start, "data:image/svg"), ascii.HasPrefixFold(start, "data:text/html"):
		document, _ := dataDocument(url)
		return textOf(document)
	case ascii.HasPrefixFold(start, "data:text/plain"):
		document, _ := dataDocument("data:text/html" + start[len("data:text/plain"):])
		return document[:min(len(document), maxEmbedded)]
	}
	return ""
}

// textOf returns the text between the tags of a document.
func textOf(document string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(document[:min(len(document), maxEmbedded)]))
	for {
		switch z.Next() {
		case html.TextToken:
			b.Write(z.Text())
		case html.ErrorToken:
			return b.String()
		}
	}
}

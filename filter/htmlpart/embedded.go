package htmlpart

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// maxEmbedded is the number of bytes of a document in an attribute whose text is read as a
// label.
const maxEmbedded = 256 << 10

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
	case "object":
		url = a.data
	case "image":
		url = a.href
	}
	if url == "" {
		url = a.picture
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

// textOfPictures returns the texts of the pictures in SVG that the URLs in CSS hold.
func textOfPictures(css string) string {
	const scheme, kind = "data", ":image/svg"
	var b strings.Builder
	for at := 0; b.Len() < maxEmbedded; {
		i := strings.IndexByte(css[at:], kind[0])
		if i < 0 {
			break
		}
		start := at + i - len(scheme)
		at += i + 1
		if start < 0 || !ascii.HasPrefixFold(css[start:], scheme+kind) {
			continue
		}
		end := ")"
		if start > 0 && isQuote(css[start-1]) {
			end = css[start-1 : start]
		}
		url, rest, _ := strings.Cut(css[start:], end)
		b.WriteString(embeddedText("img", &attributes{src: url}) + " ")
		at = len(css) - len(rest)
	}
	return strings.TrimSpace(b.String())
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

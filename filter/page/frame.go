package page

import (
	"encoding/base64"
	"hash/maphash"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/scheme"
	"github.com/linkmilter/linkmilter/internal/script"
)

// maxDepth is how deep documents may be nested to be read.
const maxDepth = 4

// readFrames reads the documents that an element shows or opens: srcdoc, HTML in data URLs, and
// documents that the script in a URL writes. Their items have the place of the element.
func (r *reader) readFrames(e *element, references []string, at span) {
	for _, reference := range references {
		for _, document := range r.dataDocuments(reference) {
			r.readDocument(document, at)
		}
		code := clean(reference)
		if name, _ := scheme.Name(code); scheme.IsCode(name) {
			if plain, err := url.PathUnescape(code); err == nil {
				code = plain
			}
			texts, _ := script.Texts(code)
			for _, document := range script.Documents(texts) {
				r.readDocument(document, at)
			}
		}
	}
	if document := e.attr("srcdoc"); document != "" {
		r.readDocument(document, at)
	}
}

// readDocument reads a nested document once. Its items have the place at.
func (r *reader) readDocument(document string, at span) {
	key := maphash.String(seed, document)
	if r.done() || r.known[key] {
		return
	}
	r.known[key] = true
	if r.depth == maxDepth {
		r.partial = true
		return
	}
	if r.at != nil {
		at = *r.at
	}
	r.readInner(&reader{source: document, at: &span{at.start + r.offset, at.end + r.offset}, depth: r.depth + 1})
}

// readMarkup reads a text as a document if it may have tags that open something.
func (r *reader) readMarkup(text string, at span) {
	if strings.Contains(text, "<") && mayHaveAttribute(text) {
		r.readDocument(text, at)
	}
}

// readInner reads another source for the same caller, with the same bounds.
func (r *reader) readInner(inner *reader) {
	inner.ctx, inner.limit, inner.yield, inner.known = r.ctx, r.limit, r.yield, r.known
	inner.useTexts = r.useTexts
	inner.again, inner.bases, inner.scripted = inner.again || r.again, r.bases, r.scripted
	inner.read()
	r.stopped, r.err, r.scripted = inner.stopped, inner.err, inner.scripted
	r.partial = r.partial || inner.partial || inner.cut
}

// dataDocuments returns the HTML or XML document in a data URL, once for each charset that programs may
// assume.
func (r *reader) dataDocuments(reference string) (documents []string) {
	content, label := dataDocument(reference)
	if content == "" {
		return nil
	}
	if utf8.ValidString(content) && label == "" {
		return []string{content}
	}
	for text, err := range charset.Readings(r.ctx, label, []byte(content)) {
		if err != nil {
			break // the context ended
		}
		documents = append(documents, text)
	}
	return documents
}

// dataDocument returns the HTML or XML document in a data URL, or "", and the name of its charset.
func dataDocument(reference string) (content, label string) {
	return dataContent(reference, "text/html", "image/svg+xml", "application/xhtml+xml", "text/xml", "application/xml")
}

// dataContent returns the content of a data URL that has one of these media types, or "", and the name
// of its charset.
func dataContent(reference string, types ...string) (content, label string) {
	if strings.IndexByte(reference, ',') < 0 {
		return "", ""
	}
	reference = clean(reference)
	if !ascii.HasPrefixFold(reference, "data:") {
		return "", ""
	}
	header, body, ok := strings.Cut(reference[len("data:"):], ",")
	mediaType, parameters, _ := strings.Cut(strings.ToLower(header), ";")
	if !ok || !slices.Contains(types, strings.TrimSpace(mediaType)) {
		return "", ""
	}
	if _, name, ok := strings.Cut(parameters, "charset="); ok {
		name, _, _ = strings.Cut(name, ";")
		label = strings.Trim(name, `"' `)
	}
	content = percent.Decode(body)
	if i := strings.LastIndexByte(header, ';'); i >= 0 && strings.EqualFold(strings.TrimSpace(header[i+1:]), "base64") {
		content = strings.NewReplacer(" ", "", "\t", "", "\f", "", "=", "").Replace(content)
		plain, err := base64.RawStdEncoding.DecodeString(content)
		if err != nil && len(plain) == 0 {
			return "", ""
		}
		content = string(plain)
	}
	return content, label
}

// clean removes the characters that the URL parser ignores: controls and spaces at both ends, tabs and
// line ends anywhere (WHATWG URL §4.4).
func clean(s string) string {
	start, end := 0, len(s)
	for start < end && s[start] <= ' ' {
		start++
	}
	for start < end && s[end-1] <= ' ' {
		end--
	}
	s = s[start:end]
	for i := range len(s) {
		if c := s[i]; c == '\t' || c == '\r' || c == '\n' {
			return tabsAndLineEnds.Replace(s)
		}
	}
	return s
}

var tabsAndLineEnds = strings.NewReplacer("\t", "", "\r", "", "\n", "")

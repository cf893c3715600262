package page

import (
	"hash/maphash"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// maxDepth is the number of documents that are read in each other.
const maxDepth = 4

// readFrames reads the documents that an element shows in itself or opens: that of srcdoc, of data URLs
// among its references, or one that the script in a URL writes. Their items have the place of the element.
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
			for _, document := range documentsIn(readScript(code).texts) {
				r.readDocument(document, at)
			}
		}
	}
	if document := e.attr("srcdoc"); document != "" {
		r.readDocument(document, at)
	}
}

// readDocument reads a document within the source. Its items have the place at.
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

// readMarkup reads a text as a document, if it may have tags that open something.
func (r *reader) readMarkup(text string, at span) {
	if strings.Contains(text, "<") && mayOpen(text) {
		r.readDocument(text, at)
	}
}

// readInner reads a source for the same caller.
func (r *reader) readInner(inner *reader) {
	inner.ctx, inner.limit, inner.yield, inner.known = r.ctx, r.limit, r.yield, r.known
	inner.again, inner.bases, inner.scripted = inner.again || r.again, r.bases, r.scripted
	inner.read()
	r.stopped, r.err, r.scripted = inner.stopped, inner.err, inner.scripted
	r.partial = r.partial || inner.partial || inner.cut
}

// dataDocuments returns the document of a data URL that is HTML or XML, in each charset that programs
// may take for its.
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

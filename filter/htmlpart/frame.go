package htmlpart

import (
	"hash/maphash"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// maxFrames is the number of documents that are read in each other.
const maxFrames = 4

// readFrame reads the document that an element shows in itself or opens: that of srcdoc,
// or of a data URL. Its items have the place of the element.
func (r *reader) readFrame(name string, a *attributes, at place) {
	source, framed := a.src, false
	switch name {
	case "iframe", "frame", "embed", "object":
		framed = true
	case "a", "area":
		source = a.href
	case "form":
		source = a.action
	case "meta":
		source = refreshTarget(a.content)
	default:
		return
	}
	if a.srcdoc != "" || a.data != "" || strings.ContainsAny(source, ",(<%'\"`") {
		r.readDocuments(source, a, at, framed)
	}
}

// readDocuments reads the documents of an element: that at a URL, or written by the script in
// it, of its data and of its srcdoc. framed is true if the element shows it in itself.
func (r *reader) readDocuments(reference string, a *attributes, at place, framed bool) {
	documents := append(r.dataDocuments(reference), r.dataDocuments(a.data)...)
	code := clean(reference)
	if name, _ := scheme.Name(code); scheme.IsCode(name) {
		if plain, err := url.PathUnescape(code); err == nil {
			code = plain
		}
		texts := readScript(code).texts
		documents = append(documents, documentsIn(texts)...)
	}
	if a.srcdoc != "" {
		documents = append(documents, a.srcdoc)
	}
	for _, document := range documents {
		if r.stopped || r.err != nil {
			return
		}
		if r.frames == maxFrames {
			r.partial = true
			return
		}
		key := maphash.String(seed, document)
		if framed {
			key *= hashStep
		}
		if !r.known.add(key) {
			continue
		}
		inner := r.inner(document, &at)
		inner.frames, inner.outer, inner.framed = r.frames+1, r.bases, r.framed || framed
		if err := r.readInner(inner); err != nil && inner.err == nil && !inner.stopped {
			r.partial = true
		}
	}
}

// dataDocuments returns the document of a data URL that is HTML or XML, in each charset that
// programs may take for its.
func (r *reader) dataDocuments(reference string) (documents []string) {
	content, label := dataDocument(reference)
	if content == "" {
		return nil
	}
	if utf8.ValidString(content) && strings.IndexByte(content, 0) < 0 && label == "" {
		return []string{content}
	}
	for text, err := range charset.Readings(r.ctx, label, []byte(content)) {
		if err != nil {
			break // spend sees it, too
		}
		documents = append(documents, text)
	}
	return documents
}

package htmlpart

import (
	"encoding/base64"
	"hash/maphash"
	"net/url"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// maxFrames is the number of documents that are read in each other.
const maxFrames = 4

// readFrame reads the document that an element shows in itself or opens: that of srcdoc,
// or of a data URL. Its items have the place of the element.
func (r *reader) readFrame(name string, a *attributes, at place) {
	source := a.src
	switch name {
	case "iframe", "frame", "embed", "object":
	case "a", "area":
		source = a.href
	case "form":
		source = a.action
	case "meta":
		source = refreshTarget(a.content)
	default:
		return
	}
	for _, document := range [...]string{a.srcdoc, dataDocument(source), dataDocument(a.data)} {
		if document == "" || r.stopped || r.err != nil {
			continue
		}
		if r.frames == maxFrames {
			r.partial = true
			return
		}
		key := maphash.String(seed, document)
		if _, ok := r.known[key]; ok {
			continue
		}
		r.known[key] = struct{}{}
		place := at
		inner := reader{
			ctx: r.ctx, readAll: r.readAll, source: document, limit: r.limit, frames: r.frames + 1, place: &place, yield: r.yield,
			known: r.known, again: r.again, spent: r.spent, outer: r.bases,
		}
		if r.place != nil {
			inner.place = r.place
		}
		if err := inner.readAll(&inner); err != nil && inner.err == nil && !inner.stopped {
			r.partial = true
		}
		r.stopped, r.err, r.spent = inner.stopped, inner.err, inner.spent
		r.partial = r.partial || inner.partial
	}
}

// dataDocument returns the document of a data URL that is HTML or XML, or "".
func dataDocument(reference string) string {
	if strings.IndexByte(reference, ',') < 0 {
		return ""
	}
	reference = clean(reference)
	if !ascii.HasPrefixFold(reference, "data:") {
		return ""
	}
	header, content, ok := strings.Cut(reference[len("data:"):], ",")
	mediaType, _, _ := strings.Cut(strings.ToLower(header), ";")
	types := []string{"text/html", "image/svg+xml", "application/xhtml+xml", "text/xml", "application/xml"}
	if !ok || !slices.Contains(types, strings.TrimSpace(mediaType)) {
		return ""
	}
	if plain, err := url.PathUnescape(content); err == nil {
		content = plain
	}
	if i := strings.LastIndexByte(header, ';'); i >= 0 && strings.EqualFold(strings.TrimSpace(header[i+1:]), "base64") {
		content = strings.NewReplacer(" ", "", "=", "").Replace(content)
		plain, err := base64.RawStdEncoding.DecodeString(content)
		if err != nil && len(plain) == 0 {
			return ""
		}
		content = string(plain)
	}
	return strings.ToValidUTF8(content, "\ufffd")
}

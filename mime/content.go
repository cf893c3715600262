package mime

import "strings"

// interpret reads the fields that describe the part: its media type with the
// parameters, its transfer encoding and its disposition. Where a field stands
// twice the first one counts and the second is a problem.
func (p *parser) interpret(part *Part) {
	part.MediaType = defaultType(part.Parent)
	part.Encoding = "7bit"
	var first describing
	for i := range part.Fields {
		f := &part.Fields[i]
		switch {
		case !decisive(f.Name):
		case strings.EqualFold(f.Name, "Content-Type"):
			p.first(&first.contentType, f, ReasonDuplicateContentType)
		case strings.EqualFold(f.Name, "Content-Transfer-Encoding"):
			p.first(&first.encoding, f, ReasonDuplicateEncoding)
		case strings.EqualFold(f.Name, "Content-Disposition"):
			p.first(&first.disposition, f, ReasonDuplicateDisposition)
		case strings.EqualFold(f.Name, "MIME-Version"):
			p.first(&first.version, f, ReasonMIMEVersion)
		}
	}
	if f := first.version; f != nil && stripComments(p.m.FieldValue(*f)) != "1.0" {
		p.problem(ReasonMIMEVersion, f.Start)
	}
	if f := first.encoding; f != nil {
		part.Encoding = strings.ToLower(stripComments(p.m.FieldValue(*f)))
	}
	if f := first.contentType; f != nil {
		p.contentType(part, *f)
	}
	part.Filename = part.Params["name"]
	if f := first.disposition; f != nil {
		// A malformed disposition is read leniently and is no problem: it moves no
		// range, and broken file names are common.
		h := parseParams(p.m.FieldValue(*f))
		part.Disposition = strings.ToLower(h.value)
		params, _ := combine(h.params)
		if name, ok := params["filename"]; ok {
			part.Filename = name
		}
	}
	part.Filename = decodeWords(part.Filename)
}

// describing are the fields that say what a part is; nil where it has none.
type describing struct {
	contentType, encoding, disposition, version *Field
}

// first keeps f in slot if it is the first of its kind, else it is a problem.
func (p *parser) first(slot **Field, f *Field, twice Reason) {
	if *slot != nil {
		p.problem(twice, f.Start)
		return
	}
	*slot = f
}

// defaultType is the media type of a part without Content-Type: RFC 2045 §5.2,
// and RFC 2046 §5.1.5 for digests.
func defaultType(parent *Part) string {
	if parent != nil && parent.MediaType == "multipart/digest" {
		return "message/rfc822"
	}
	return "text/plain"
}

// contentType reads Content-Type. A type that violates the grammar counts as
// the default one (RFC 2045 §5.2).
func (p *parser) contentType(part *Part, f Field) {
	h := parseParams(p.m.FieldValue(f))
	mediaType := strings.ToLower(h.value)
	if validMediaType(mediaType) {
		part.MediaType = mediaType
	} else {
		h.malformed = true
	}
	if h.malformed {
		p.problem(ReasonMalformedContentType, f.Start)
	}
	var doubts []Reason
	part.Params, doubts = combine(h.params)
	for _, code := range doubts {
		p.problem(code, f.Start)
	}
}

func validMediaType(s string) bool {
	major, minor, ok := strings.Cut(s, "/")
	return ok && isToken(major) && isToken(minor)
}

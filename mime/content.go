package mime

import (
	"slices"
	"strings"
)

// interpret reads the fields that describe the part: its media type with the
// parameters, its transfer encoding and its disposition. Where a field stands
// twice the first one counts and the second is a problem.
func (p *parser) interpret(part *Part) {
	part.MediaType = defaultType(part.Parent)
	part.Encoding = "7bit"
	var disposition []param
	seen := make(map[Reason]bool)
	again := func(code Reason, f Field) bool {
		if seen[code] {
			p.problem(code, f.Start)
			return true
		}
		seen[code] = true
		return false
	}
	for _, f := range part.Fields {
		switch {
		case !decisive(f.Name):
		case strings.EqualFold(f.Name, "Content-Type"):
			if !again(ReasonDuplicateContentType, f) {
				p.contentType(part, f)
			}
		case strings.EqualFold(f.Name, "Content-Transfer-Encoding"):
			if !again(ReasonDuplicateEncoding, f) {
				part.Encoding = strings.ToLower(stripComments(p.m.FieldValue(f)))
			}
		case strings.EqualFold(f.Name, "Content-Disposition"):
			if !again(ReasonDuplicateDisposition, f) {
				// A malformed disposition is read leniently and is no problem: it
				// moves no range, and broken file names are common.
				h := parseParams(p.m.FieldValue(f))
				part.Disposition, disposition = strings.ToLower(h.value), h.params
			}
		case strings.EqualFold(f.Name, "MIME-Version"):
			if again(ReasonMIMEVersion, f) || stripComments(p.m.FieldValue(f)) != "1.0" {
				p.problem(ReasonMIMEVersion, f.Start)
			}
		}
	}
	part.Filename = part.Params["name"]
	if name, ok := combine(disposition)["filename"]; ok {
		part.Filename = name
	}
	part.Filename = decodeWords(part.Filename)
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
	part.Params = combine(h.params)
	p.ambiguousParams(h.params, f.Start)
}

func validMediaType(s string) bool {
	major, minor, ok := strings.Cut(s, "/")
	return ok && isToken(major) && isToken(minor)
}

// structural are the parameters that decide how a part is read.
var structural = []string{"boundary", "charset", "delsp", "format"}

// ambiguousParams reports parameters that readers take in different ways.
func (p *parser) ambiguousParams(params []param, offset int) {
	plain := make(map[string]string)
	extended := make(map[string]bool)
	for _, q := range params {
		base, _, ext := strings.Cut(q.name, "*")
		decides := slices.Contains(structural, base)
		if ext {
			extended[base] = true
			if decides {
				p.problem(ReasonExtendedParameter, offset)
			}
			continue
		}
		first, twice := plain[base]
		if !twice {
			plain[base] = q.value
		}
		if !twice || !decides && first == q.value {
			continue
		}
		p.duplicateParam(base, offset)
	}
	for base := range extended {
		// A name in both forms is good practice for file names (RFC 6266 §4.3).
		if _, twice := plain[base]; twice && slices.Contains(structural, base) {
			p.duplicateParam(base, offset)
		}
	}
}

func (p *parser) duplicateParam(name string, offset int) {
	if name == "boundary" {
		p.problem(ReasonDuplicateBoundary, offset)
		return
	}
	p.problem(ReasonDuplicateParameter, offset)
}

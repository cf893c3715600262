package mime

import (
	"slices"
	"strings"
)

// interpret reads the fields that describe the part: its media type and parameters, its transfer
// encoding and its disposition. If the header has a field twice, the first one counts and the second is
// a problem.
func (m *Message) interpret(part *Part) {
	part.MediaType = defaultType(part.parent)
	part.encoding = "7bit"
	var first describing
	for i := range part.Fields {
		f := &part.Fields[i]
		switch {
		case !decisive(f.Name):
		case f.named("Content-Type"):
			m.firstOf(&first.contentType, f, reasonDuplicateContentType)
		case f.named("Content-Transfer-Encoding"):
			m.firstOf(&first.encoding, f, reasonDuplicateEncoding)
		case f.named("Content-Disposition"):
			m.firstOf(&first.disposition, f, reasonDuplicateDisposition)
		case f.named("MIME-Version"):
			m.firstOf(&first.version, f, reasonMIMEVersion)
		}
	}
	if f := first.version; f != nil && m.word(f) != "1.0" {
		m.problem(reasonMIMEVersion, f.start)
	}
	if f := first.encoding; f != nil {
		part.encoding = m.word(f)
	}
	if f := first.contentType; f != nil {
		m.readType(part, *f)
	}
	part.Filename = part.params.get("name")
	if f := first.disposition; f != nil {
		// A malformed disposition is not a problem: it moves no
		// range, and broken file names are common.
		var buf [4]param
		h, written := parseParams(m.FieldValue(*f), buf[:0])
		part.disposition = strings.ToLower(h.value)
		params, _ := combine(written)
		if name, ok := params.lookup("filename"); ok {
			part.Filename = name
		}
	}
	part.Filename = m.decodeWords(part.Filename)
}

// word returns the value of a one-word field in lower case. Common values need no allocation.
func (m *Message) word(f *Field) string {
	switch string(trimSpace(m.Raw[f.valueStart:f.end])) {
	case "1.0":
		return "1.0"
	case "7bit":
		return "7bit"
	case "8bit":
		return "8bit"
	case "quoted-printable":
		return "quoted-printable"
	case "base64":
		return "base64"
	}
	return strings.ToLower(stripComments(m.FieldValue(*f)))
}

// describing holds the fields that say how to read a part; nil for a missing field.
type describing struct {
	contentType, encoding, disposition, version *Field
}

// firstOf stores f in slot if it is the first of its kind. Otherwise it reports a problem.
func (m *Message) firstOf(slot **Field, f *Field, twice Reason) {
	if *slot != nil {
		if m.saySame(*slot, f) {
			twice = reasonRepeatedField
		}
		m.problem(twice, f.start)
		return
	}
	*slot = f
}

// saySame reports whether two fields of one name say the same, perhaps in another case or with another
// comment: gateways add a second MIME-Version, or a Content-Type with "UTF-8" beside one with "utf-8".
func (m *Message) saySame(a, b *Field) bool {
	x, y := m.FieldValue(*a), m.FieldValue(*b)
	switch {
	case x == y:
		return true
	case a.named("MIME-Version"):
		return m.word(a) == m.word(b)
	case a.named("Content-Transfer-Encoding"):
		name := looseEncoding(x)
		return name != unknownEncoding && name == looseEncoding(y)
	case a.named("Content-Type"):
		s, t := readContentType(x), readContentType(y)
		return s.mediaType == t.mediaType && len(s.doubts)+len(t.doubts) == 0 &&
			slices.EqualFunc(s.params, t.params, func(p, q parameter) bool { return p.name == q.name && sameParameter(p.name, p.value, q.value) })
	}
	return strings.EqualFold(x, y)
}

// sameParameter reports whether two values of a parameter of Content-Type mean the same. Only names of
// charsets and formats have no case.
func sameParameter(name, a, b string) bool {
	return a == b || name != "boundary" && decides(name) && strings.EqualFold(a, b)
}

// defaultType is the media type of a part without Content-Type: RFC 2045 §5.2,
// and RFC 2046 §5.1.5 for digests.
func defaultType(parent *Part) string {
	if parent != nil && parent.MediaType == "multipart/digest" {
		return "message/rfc822"
	}
	return "text/plain"
}

// A contentType is the value of the field Content-Type.
type contentType struct {
	mediaType string     // "" if it violates the grammar
	params    parameters // shared, so read-only
	doubts    []Reason
}

// readType reads Content-Type. A type that violates the grammar counts as the default type (RFC 2045
// §5.2).
func (m *Message) readType(part *Part, f Field) {
	t, usual := usualTypes[string(trimSpace(m.Raw[f.valueStart:f.end]))]
	if !usual {
		t = readContentType(m.FieldValue(f))
	}
	if t.mediaType != "" {
		part.MediaType = t.mediaType
	}
	part.params = t.params
	for _, code := range t.doubts {
		if code == reasonMalformedContentType && part.isMultipart() {
			code = reasonMalformedMultipart
		}
		m.problem(code, f.start)
	}
}

// readContentType reads the value of Content-Type.
func readContentType(value string) contentType {
	var buf [4]param
	h, written := parseParams(value, buf[:0])
	t := contentType{mediaType: strings.ToLower(h.value)}
	if !validMediaType(t.mediaType) {
		t.mediaType, h.malformed = "", true
	}
	if h.malformed {
		t.doubts = append(t.doubts, reasonMalformedContentType)
	}
	params, doubts := combine(written)
	t.params, t.doubts = params, append(t.doubts, doubts...)
	return t
}

// usualTypes maps common values of Content-Type to their parsed form.
var usualTypes = func() map[string]contentType {
	types := make(map[string]contentType)
	for _, mediaType := range []string{"text/plain", "text/html"} {
		for _, charset := range []string{"utf-8", "UTF-8", "us-ascii", "US-ASCII", "iso-8859-1", "ISO-8859-1"} {
			for _, value := range []string{charset, `"` + charset + `"`} {
				value = mediaType + "; charset=" + value
				types[value] = readContentType(value)
				value += "; format=flowed"
				types[value] = readContentType(value)
			}
		}
	}
	return types
}()

func validMediaType(s string) bool {
	major, minor, ok := strings.Cut(s, "/")
	return ok && isToken(major) && isToken(minor)
}

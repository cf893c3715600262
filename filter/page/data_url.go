package page

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/percent"
)

// dataDocument returns the document of a data URL that is HTML or XML, or "", and the name of
// its charset.
func dataDocument(reference string) (content, label string) {
	return dataContent(reference, "text/html", "image/svg+xml", "application/xhtml+xml", "text/xml", "application/xml")
}

// dataContent returns the content of a data URL of one of several media types, or "", and the
// name of its charset.
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

// clean removes characters that the URL parser ignores: controls and spaces at
// the ends, tabs and line ends anywhere (WHATWG URL §4.4).
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

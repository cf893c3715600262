package engine

import (
	"bytes"
	"strconv"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// Href returns the URL that a browser opens for the link, in ASCII: the serialisation of the WHATWG URL
// standard. A bare host gets http://. An e-mail address becomes a mailto: URL (RFC 6068) with A-labels
// in its domain. Href returns "" if a browser would not open the link.
//
// A suspect has an Href only if its host is the one that a browser opens. A URL with a scheme of
// [Options.Schemes] keeps its host as typed, without A-labels; other characters are escaped as in
// browsers.
func (l Link) Href() string {
	if l.isAddress() {
		return l.mailto()
	}
	if l.isOther() {
		return l.otherHref()
	}
	host := l.ASCIIHost()
	if host == "" || l.Reason == ReasonNoHost || l.bounds.hostStart > 0 && l.Text[l.bounds.hostStart-1] == '[' {
		return "" // browsers refuse a URL without a host, and a name in brackets
	}
	if l.Kind == KindSuspect && !l.hasWholeHost() {
		return ""
	}
	name := strings.ToLower(l.scheme())
	if name == "" {
		name = "http"
	}
	var room [512]byte
	dst := append(append(room[:0], name...), "://"...)
	dst = appendUserinfo(dst, l.userinfo())
	dst = append(dst, host...)
	dst, ok := appendPort(dst, name, l.Text[l.bounds.hostEnd:l.bounds.portEnd])
	if !ok {
		return ""
	}
	path, query, fragment := cutParts(l.Text[l.bounds.portEnd:])
	dst = appendPath(dst, path)
	if query != "" {
		dst = append(dst, '?')
		dst = encodeSets[partQuery].append(dst, query[1:])
	}
	if fragment != "" {
		dst = append(dst, '#')
		dst = encodeSets[partFragment].append(dst, fragment[1:])
	}
	if string(dst) == l.Text {
		return l.Text
	}
	return string(dst)
}

// hasWholeHost reports whether the host of a suspect, with userinfo and port, is all that browsers take
// for its authority. Some suspects have a host that only other programs find in the authority.
func (l Link) hasWholeHost() bool {
	before, after := l.Text[l.bounds.schemeEnd:l.bounds.hostStart], l.Text[l.bounds.portEnd:]
	return (before == "" || strings.HasSuffix(before, "@") && !strings.ContainsAny(before, `/\?#`)) &&
		(after == "" || strings.IndexByte(`/\?#`, after[0]) >= 0)
}

// appendPort appends a port, given with its colon, unless it is empty or the default
// of the scheme. It returns false if the port is not valid.
func appendPort(dst []byte, schemeName, port string) ([]byte, bool) {
	digits := strings.TrimPrefix(port, ":")
	if digits == "" {
		return dst, true
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil {
		return dst, false
	}
	if int(n) != scheme.DefaultPort(schemeName) {
		dst = append(dst, ':')
		dst = strconv.AppendUint(dst, n, 10)
	}
	return dst, true
}

// appendPath appends a path as browsers resolve it: backslashes become slashes, single-dot segments
// disappear, and double-dot segments remove the previous one (WHATWG URL, path state). An empty path is
// "/".
//
// The URL parser does the same, but takes quadratic time in the number of segments.
func appendPath(dst []byte, path string) []byte {
	base := len(dst)
	if path == "" {
		return append(dst, '/')
	}
	for path != "" {
		path = path[1:]
		end := strings.IndexAny(path, `/\`)
		last := end < 0
		if last {
			end = len(path)
		}
		segment := path[:end]
		path = path[end:]
		switch dots := dotSegment(segment); {
		case dots == 0:
			dst = append(dst, '/')
			dst = encodeSets[partPath].append(dst, segment)
			continue
		case dots == 2 && len(dst) > base:
			dst = dst[:base+bytes.LastIndexByte(dst[base:], '/')]
		}
		if last {
			dst = append(dst, '/')
		}
	}
	return dst
}

// dotSegment returns 1 for a single-dot and 2 for a double-dot path segment, with escaped dots or not,
// and 0 for any other segment.
func dotSegment(segment string) int {
	dots := 0
	for segment != "" {
		b, isEscape := percent.Byte(segment)
		switch {
		case segment[0] == '.':
			segment = segment[1:]
		case isEscape && b == '.':
			segment = segment[3:]
		default:
			return 0
		}
		dots++
	}
	if dots > 2 {
		return 0
	}
	return dots
}

// isOther reports whether the link has a scheme of Options.Schemes that is not special in the WHATWG
// URL standard. The host of such a URL may be anything.
func (l Link) isOther() bool {
	name := strings.ToLower(l.scheme())
	return l.Kind == KindURL && name != "" && !scheme.IsWeb(name)
}

// otherHref is Href for a link with another scheme. Its host is a name that only the program for the
// scheme understands, so it stays.
func (l Link) otherHref() string {
	dst := append([]byte(nil), strings.ToLower(l.scheme())...)
	dst = append(dst, ':')
	path, query, fragment := cutParts(l.Text[l.bounds.portEnd:])
	switch {
	case strings.HasSuffix(l.Text[:l.bounds.schemeEnd], "//"):
		dst = appendUserinfo(append(dst, "//"...), l.userinfo())
		dst = c0Set.append(dst, l.host())
		if port := l.Text[l.bounds.hostEnd:l.bounds.portEnd]; port != ":" {
			dst = append(dst, port...)
		}
		dst = encodeSets[partPath].append(dst, path)
	default:
		dst = c0Set.append(dst, path)
	}
	if query != "" {
		dst = append(dst, '?')
		dst = otherQuerySet.append(dst, query[1:])
	}
	if fragment != "" {
		dst = append(dst, '#')
		dst = encodeSets[partFragment].append(dst, fragment[1:])
	}
	return string(dst)
}

// An encodeSet is the set of ASCII characters that the WHATWG URL standard percent-encodes in a part of
// a URL. Non-ASCII characters are always percent-encoded.
type encodeSet [128]bool

// newEncodeSet returns the set of chars and the control characters.
func newEncodeSet(chars string) *encodeSet {
	var s encodeSet
	for c := range s {
		s[c] = c < ' ' || c == 0x7f || strings.IndexByte(chars, byte(c)) >= 0
	}
	return &s
}

// encodeSets are the path, the special-query and the fragment percent-encode set.
var encodeSets = [...]*encodeSet{
	partPath:      newEncodeSet(" \"#<>?^`{}"),
	partQuery:     newEncodeSet(" \"#<>'"),
	partFragment:  newEncodeSet(" \"<>`"),
	partDirective: newEncodeSet(" \"<>`"),
}

// append appends s with the characters of the set percent-encoded.
func (set *encodeSet) append(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < 0x80 && !set[c] {
			dst = append(dst, c)
		} else {
			dst = percent.Append(dst, s[i:i+1])
		}
	}
	return dst
}

// c0Set is the C0 control percent-encode set.
var c0Set = newEncodeSet("")

// otherQuerySet is the query percent-encode set of schemes that are not special.
var otherQuerySet = newEncodeSet(" \"#<>")

// appendUserinfo appends user name and password, if any, and the "@" after them.
func appendUserinfo(dst []byte, userinfo string) []byte {
	if userinfo == "" || userinfo == ":" {
		return dst
	}
	encode := func(s string) string {
		return userinfoParser.PercentEncodeString(s, whatwg.UserInfoPercentEncodeSet)
	}
	user, password, _ := strings.Cut(userinfo, ":")
	dst = append(dst, encode(user)...)
	if password != "" {
		dst = append(dst, ':')
		dst = append(dst, encode(password)...)
	}
	return append(dst, '@')
}

var userinfoParser = whatwg.NewParser()

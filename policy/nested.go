package policy

import (
	"net/url"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
)

// nestedMarks has the delimiter between scheme and host of a URL within another
// URL, and a function that decodes the rest of the inner URL. The delimiter is
// plain, percent-encoded once or twice, or in the form of URL Defense version 2.
var nestedMarks = []struct {
	mark    string
	decoded func(string) string
}{
	{"://", asIs},
	{"%3a%2f%2f", unescaped},
	{"-3a__", func(s string) string { return unescaped(strings.NewReplacer("-", "%", "_", "/").Replace(s)) }},
	{"%253a%252f%252f", func(s string) string { return unescaped(unescaped(s)) }},
}

// maxNested is how many bytes of a URL within another nestedLink reads.
const maxNested = 2 << 10

// nestedLink returns the first URL in the path, query or fragment of a link.
// Services that count clicks or check links open this URL. nestedLink returns
// false if there is no URL with a host.
func nestedLink(c engine.Components) (engine.Link, bool) {
	for _, part := range [...]string{c.Path, c.Query, c.Fragment} {
		if i, decoded := findNested(part); decoded != nil {
			link, err := engine.ParseLink("http://" + decoded(beforeNext(part[i:])))
			return link, err == nil && link.Kind == engine.KindURL
		}
	}
	return engine.Link{}, false
}

// findNested returns the index in s behind the first mark of nestedMarks, and the
// function that decodes the rest; nil if s has no mark.
func findNested(s string) (at int, decoded func(string) string) {
	for i := range len(s) {
		switch s[i] {
		case ':', '%', '-':
			for _, m := range nestedMarks {
				// The second byte alone rules out most escapes.
				if len(s)-i > len(m.mark) && s[i+1] == m.mark[1] && strings.EqualFold(s[i:i+len(m.mark)], m.mark) {
					return i + len(m.mark), m.decoded
				}
			}
		}
	}
	return 0, nil
}

// beforeNext returns s, a URL within another, up to the next parameter.
func beforeNext(s string) string {
	s = s[:min(len(s), maxNested)]
	if i := strings.IndexAny(s, "&;\"<> "); i >= 0 {
		s = s[:i]
	}
	return s
}

// asIs returns s.
func asIs(s string) string { return s }

// unescaped returns s with its percent-escapes decoded (RFC 3986 §2.1), or s
// itself if one is broken.
func unescaped(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

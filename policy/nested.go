package policy

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/percent"
)

// nestedMarks has the delimiter between scheme and host of a URL within another
// URL, and a function that decodes the rest of the inner URL. The delimiter is
// plain, percent-encoded once or twice, or in the form of URL Defense version 2.
var nestedMarks = []struct {
	mark    string
	decoded func(string) string
}{
	{"://", plainURL},
	{"%3a%2f%2f", func(s string) string { return percent.Decode(beforeNext(s)) }},
	{"-3a__", func(s string) string { return decodeURLDefense(beforeNext(s)) }},
	{"%253a%252f%252f", func(s string) string { return percent.Decode(percent.Decode(beforeNext(s))) }},
}

// base64Marks have the first letters of http:// and https:// in base64. The delimiter
// is within them.
var base64Marks = [...]string{"aHR0cDovL", "aHR0cHM6Ly"}

// maxNested is how many bytes of a URL within another nestedLink reads.
const maxNested = 2 << 10

// innerLink returns the URL that a link to the host, A-labels, opens or passes on.
func innerLink(host string, c engine.Components) (engine.Link, bool) {
	if link, ok := nestedLink(c); ok {
		return link, true
	}
	return wrappedLink(host, c)
}

// nestedLink returns the first URL in the path, query or fragment of a link.
// Services that count clicks or check links open this URL. nestedLink returns
// false if there is no URL with a host.
func nestedLink(c engine.Components) (engine.Link, bool) {
	for _, part := range [...]string{c.Path, c.Query, c.Fragment} {
		if i, decoded := findNested(part); decoded != nil {
			// Bytes that are not UTF-8 hide nothing (Encoding Standard, "UTF-8 decode").
			rest := part[i:min(len(part), i+maxNested)]
			url := strings.ToValidUTF8(decoded(rest), "\ufffd")
			link, err := engine.ParseLink("http://" + url)
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
		case 'a':
			if slices.ContainsFunc(base64Marks[:], func(mark string) bool { return strings.HasPrefix(s[i:], mark) }) {
				return i, decodeBase64
			}
		case ':', '%', '-':
			for _, m := range nestedMarks {
				// The second byte alone rules out most escapes.
				if len(s)-i > len(m.mark) && s[i+1] == m.mark[1] && ascii.HasPrefixFold(s[i:], m.mark) {
					return i + len(m.mark), m.decoded
				}
			}
		}
	}
	return 0, nil
}

// beforeNext returns s, a URL within another, up to the next parameter.
func beforeNext(s string) string {
	if i := strings.IndexAny(s, "&;\"<> "); i >= 0 {
		s = s[:i]
	}
	return s
}

// plainURL returns the URL at the start of s, which is not encoded, but for the
// characters that URL Defense version 3 moves to its end.
func plainURL(s string) string {
	if strings.Contains(s, "__;") {
		return defenseTokens(s)
	}
	return beforeNext(s)
}

// decodeURLDefense decodes a URL in the form of URL Defense version 2, which
// writes "-" for the percent sign and "_" for the slash.
func decodeURLDefense(s string) string {
	return percent.DecodeMarked(strings.ReplaceAll(percent.Decode(s), "_", "/"), '-')
}

package policy

import (
	"net/url"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
)

// nestedMarks are what stands between scheme and host of a URL within another:
// as it is, percent-encoded, and as URL Defense writes it in its versions 2 and
// 3.
var nestedMarks = []struct {
	mark    string
	decoded func(string) string
}{
	{"://", asIs},
	{"%3a%2f%2f", unescaped},
	{"-3a__", func(s string) string { return unescaped(strings.NewReplacer("-", "%", "_", "/").Replace(s)) }},
	{"%253a%252f%252f", func(s string) string { return unescaped(unescaped(s)) }},
}

// maxNested is how many octets of a URL within another are looked at.
const maxNested = 2 << 10

// nested returns the first URL in the path, query or fragment of a link: what
// the services open that count clicks or check links. It returns false where
// there is none with a host.
func nested(c engine.Components) (engine.Link, bool) {
	for _, part := range [...]string{c.Path, c.Query, c.Fragment} {
		if i, decoded := findNested(part); decoded != nil {
			link, err := engine.ParseLink("http://" + decoded(beforeNext(part[i:])))
			return link, err == nil && link.Kind == engine.KindURL
		}
	}
	return engine.Link{}, false
}

// findNested returns where behind the first mark of nestedMarks what follows
// begins in s, and how that is to be decoded; nil for none.
func findNested(s string) (at int, decoded func(string) string) {
	for i := range len(s) {
		switch s[i] {
		case ':', '%', '-':
			for _, m := range nestedMarks {
				// The second octet tells most escapes apart from all marks.
				if len(s)-i > len(m.mark) && s[i+1] == m.mark[1] && strings.EqualFold(s[i:i+len(m.mark)], m.mark) {
					return i + len(m.mark), m.decoded
				}
			}
		}
	}
	return 0, nil
}

// beforeNext cuts a URL within another where the next parameter begins.
func beforeNext(s string) string {
	s = s[:min(len(s), maxNested)]
	if i := strings.IndexAny(s, "&;\"<> "); i >= 0 {
		s = s[:i]
	}
	return s
}

func asIs(s string) string { return s }

// unescaped returns s without percent-escapes, or as it is where it has broken
// ones.
func unescaped(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

// maxNesting is how many URLs within each other are judged.
const maxNesting = 4

// nestedHosts judges the hosts of the URLs within the link. What they are, links'
// own findings say; here it counts only what is made to deceive.
func (g *judgement) nestedHosts(c engine.Components) {
	for range maxNesting {
		link, ok := nested(c)
		if !ok {
			return
		}
		c = link.Components()
		h := newHost(link, c.Host)
		if isIP(h.ascii) || len(h.unicode) > maxHost {
			continue
		}
		inner := judgement{judge: g.judge}
		inner.host(h)
		for _, f := range inner.findings {
			if f.Severity >= SeverityMedium {
				f.Detail = "in a URL that it passes on: " + f.Detail
				g.findings = append(g.findings, f)
			}
		}
	}
}

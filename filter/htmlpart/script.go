package htmlpart

import (
	"slices"
	"strconv"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// scriptURLs returns the URLs of the web in a script or in JSON, at most most. It reads
// no variables.
func scriptURLs(script string, most int) []string {
	urls := plainURLs(nil, script, most)
	if strings.Contains(script, `\u`) || strings.Contains(script, `\x`) {
		urls = plainURLs(urls, unescapeScript(script), most) // escapes may be in "http", too
	}
	return urls
}

// plainURLs appends the URLs in a script whose scheme has no escapes, up to most.
func plainURLs(urls []string, script string, most int) []string {
	for len(urls) < most {
		i := indexHTTP(script)
		if i < 0 {
			return urls
		}
		script = script[i:]
		end := strings.IndexAny(script, "\"'`<> \t\r\n")
		if end < 0 {
			end = len(script)
		}
		url := strings.TrimRight(unescapeScript(script[:min(end, maxScriptURL)]), `\`)
		script = script[end:]
		if name, rest := scheme.Name(url); scheme.IsWeb(name) && strings.Trim(rest, `/\`) != "" && !slices.Contains(urls, url) {
			urls = append(urls, url)
		}
	}
	return urls
}

// maxScriptURL is the number of bytes of a URL in a script that are read.
const maxScriptURL = 4 << 10

// indexHTTP returns the index of "http" in any case, or -1.
func indexHTTP(s string) int {
	for at := 0; ; at++ {
		i := strings.IndexAny(s[at:], "hH")
		if i < 0 {
			return -1
		}
		if at += i; ascii.HasPrefixFold(s[at:], "http") {
			return at
		}
	}
}

// unescapeScript returns a string of JavaScript without its escapes.
func unescapeScript(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 == len(s) {
			break
		}
		b.WriteString(s[:i])
		s = s[i+1:]
		digits := map[byte]int{'x': 2, 'u': 4}[s[0]]
		if digits > 0 && len(s) > digits {
			if n, err := strconv.ParseUint(s[1:1+digits], 16, 32); err == nil {
				b.WriteRune(rune(n))
				s = s[1+digits:]
				continue
			}
		}
		b.WriteByte(s[0])
		s = s[1:]
	}
	return b.String() + s
}

// isScript reports whether an attribute has a script, or a URL that only a program for
// AMP opens. name is in lower case.
func isScript(name string) bool {
	switch name {
	case "[href]", "data-amp-bind-href", "action-xhr", "verify-xhr":
		return true
	}
	return strings.HasPrefix(name, "on")
}

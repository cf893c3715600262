package filter

import (
	"bytes"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// traceFields are the beginnings of the names of fields that servers and filters write on the
// way. Programs show no URLs of them, and filters quote there what they found.
var traceFields = []string{
	"Received", "X-Received", "ARC-", "Authentication-Results", "DKIM-", "DomainKey-", "X-Google-", "X-Linkmilter", "X-Spam-", "X-Rspamd-", "X-Amavis-", "X-Virus-",
	"X-MS-Exchange-", "X-Microsoft-", "X-Forefront-",
}

// mayOpen reports whether programs may show or open a URL in a field that has no rule of its
// own. raw is the field as written.
func mayOpen(name string, raw []byte) bool {
	if !holdsURL(raw[min(len(name)+len(":"), len(raw)):]) {
		return false
	}
	for _, prefix := range traceFields {
		if ascii.HasPrefixFold(name, prefix) {
			return false
		}
	}
	return true
}

// holdsURL reports whether the value of a field has the colon behind a scheme that programs open, two
// slashes, "www." or an encoded word. The slashes behind a scheme may be missing, folded or turned.
func holdsURL(value []byte) bool {
	for i, c := range value {
		if !endsSign[c] {
			continue
		}
		before := value[:i]
		switch {
		case c == ':':
			if i+1 < len(value) && (value[i+1] == '/' || value[i+1] == '\\') || endsInScheme(before) {
				return true
			}
		case c == '/' && bytes.HasSuffix(before, []byte("/")),
			c == '?' && bytes.HasSuffix(before, []byte("=")),
			c == '.' && (bytes.HasSuffix(before, []byte("www")) || bytes.HasSuffix(before, []byte("WWW"))):
			return true
		}
	}
	return false
}

// endsSign has the last bytes of what holdsURL looks for.
var endsSign = [256]bool{':': true, '/': true, '?': true, '.': true}

// endsInScheme reports whether a text ends in a scheme that programs open.
func endsInScheme(text []byte) bool {
	if n := len(text); n == 0 || !ascii.IsLetter(text[n-1]) { // as no scheme ends
		return false
	}
	for _, name := range openedSchemes {
		if len(text) >= len(name) && ascii.EqualFold(string(text[len(text)-len(name):]), name) {
			return true
		}
	}
	return false
}

// openedSchemes are the schemes that programs open.
var openedSchemes = append([]string{scheme.Mailto}, scheme.Linked[:]...)

// isURL reports whether a text begins as a URL does, with a scheme or two slashes.
func isURL(text string) bool {
	name, _ := scheme.Name(text)
	return name != "" || strings.HasPrefix(text, "//")
}

// isWholeURL reports whether a value is nothing but a URL, which may be folded: it has no words
// beside those of its lines.
func isWholeURL(value string, lines int) bool {
	return isURL(value) && len(strings.Fields(value)) <= max(lines, 1)
}

// isAny is true for every link.
func isAny(engine.Link) bool { return true }

// isTyped reports whether a link is written as a URL: with a scheme or "www.".
func isTyped(link engine.Link) bool {
	c := link.Components()
	return link.Kind != engine.KindEmail && (c.Scheme != "" || ascii.HasPrefixFold(c.Host, "www."))
}

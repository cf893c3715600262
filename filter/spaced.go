package filter

import (
	"strings"
	"unicode"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// readSpaced judges the URLs in angle brackets that have white space before the end of
// their host, as programs open them: without it (RFC 3986 appendix C). It lists those that
// have a finding.
func (c *collector) readSpaced(part *report.Part, text string) error {
	for pos := 0; ; {
		open := strings.IndexByte(text[pos:], '<')
		if open < 0 {
			return nil
		}
		pos += open + 1
		inside := text[pos:min(len(text), pos+longestBroken)]
		inside = inside[:closing(inside)]
		if err := c.spend(len(inside)); err != nil {
			return err
		}
		if url, ok := withoutSpace(inside); ok && c.room() {
			c.listNew(len(c.links))
			links, _ := c.judge.finder.opened(url)
			for _, link := range links {
				link.Start, link.End = pos, pos+len(inside)
				c.add(c.found(part.Number, link))
			}
		}
		pos += len(inside)
	}
}

// withoutSpace returns the URL between angle brackets without white space, and without
// quote marks after line ends. It reports whether there was any before the end of the host.
func withoutSpace(inside string) (url string, ok bool) {
	inside = strings.TrimSpace(inside)
	if ascii.HasPrefixFold(inside, "URL:") {
		inside = strings.TrimSpace(inside[len("URL:"):])
	}
	first := strings.IndexFunc(inside, unicode.IsSpace)
	if first < 0 || !mayBeURL(inside) || strings.ContainsAny(afterSlashes(inside[:first]), "/?#") {
		return "", false
	}
	var b strings.Builder
	for line := range strings.Lines(inside) {
		if b.Len() > 0 {
			line = strings.TrimLeft(line, "> \t")
		}
		for word := range strings.FieldsSeq(line) {
			b.WriteString(word)
		}
	}
	url = b.String()
	name, _ := scheme.Name(url)
	return url, scheme.IsLinked(name) || ascii.HasPrefixFold(url, "www.")
}

// mayBeURL reports whether a text begins with the letter of a linked scheme or of "www".
func mayBeURL(text string) bool { return strings.ContainsRune("hfmwHFMW", rune(text[0])) }

// afterSlashes returns what follows the first "://" of a text, or the text.
func afterSlashes(text string) string {
	if _, after, ok := strings.Cut(text, "://"); ok {
		return after
	}
	return strings.TrimRight(text, "/")
}

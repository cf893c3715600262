package filter

import (
	"regexp"
	"strings"

	"github.com/linkmilter/linkmilter/filter/alternative"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// misread reports whether a program that compares the text of a reference with its
// target takes it for a fraud. MailScanner compares hosts without knowing Punycode, and
// distrusts targets that may be a number; SpamAssassin compares texts with a scheme.
func misread(l alternative.Link) bool {
	name, rest := scheme.Name(l.Href)
	if name != "http" && name != "https" {
		return false
	}
	target := authority(strings.TrimPrefix(rest, "//"))
	if !strings.ContainsAny(target, "ghijklmnopqrstuvwyz") {
		return true
	}
	shown := l.Display
	if name, after := scheme.Name(shown); scheme.IsLinked(name) && strings.HasPrefix(after, "//") {
		if !showsHref(l) {
			return true
		}
		shown = after[len("//"):]
	}
	host, _, _ := strings.Cut(shown, "/")
	if strings.TrimPrefix(strings.ToLower(host), "www.") == strings.TrimPrefix(target, "www.") {
		return false
	}
	return readsAsLink.MatchString(percent.Decode(strings.ToLower(shown)))
}

// authority returns the host and port of a URL without its scheme.
func authority(url string) string {
	if i := strings.IndexAny(url, "/?#"); i >= 0 {
		return url[:i]
	}
	return url
}

// showsHref reports whether the text of a reference is its target.
func showsHref(l alternative.Link) bool {
	return strings.EqualFold(l.Display, l.Href) || strings.HasSuffix(l.Href, "/") && strings.EqualFold(l.Display, l.Href[:len(l.Href)-1])
}

// readsAsLink matches what MailScanner takes for the text of a link.
var readsAsLink = regexp.MustCompile(`^(w+|ft+p|fpt+|ma[il]+to)[.,]|[.,](com|org|net|info|biz|ws)|[.,]com?[.,][a-z][a-z]`)

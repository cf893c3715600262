package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

const (
	// maxEscaped is the number of times that a URL in another one is decoded.
	maxEscaped = 3
	// maxWrapped is the number of URLs in another one that are judged.
	maxWrapped = 8
)

// wrapped returns the links that a URL with a scheme of a program opens, such as
// "intent://host/", "x-safari-https://host/", "microsoft-edge:https://host/" or
// "firefox://open-url?url=https%3A%2F%2Fhost": those in it, and the URL itself with the
// scheme of the web. A file may be on a host. It returns nil for schemes of the web, and
// of URLs with a content of their own.
func (f *finder) wrapped(name, url string) []engine.Link {
	if name == "" || scheme.IsWeb(name) || name == scheme.Mailto || contentSchemes[name] && name != "file" {
		return nil
	}
	w := inScheme{finder: f}
	rest := url[len(name)+1:]
	if name == "android-app" {
		rest = appTarget(rest)
	}
	if inner := strings.TrimLeft(rest, `/\`); inner != rest && !hasNumberForHost(name, inner) {
		w.parse("https://" + inner)
	}
	for range maxEscaped {
		w.collect(rest)
		decoded := percent.Decode(rest)
		if decoded == rest {
			break
		}
		rest = decoded
	}
	return w.links
}

// hasNumberForHost reports whether a number is in place of the host, which is one for browsers only:
// not in "tel://110" or "x-apple-data-detectors://0".
func hasNumberForHost(name, rest string) bool {
	if strings.Contains(name, "http") || name == "intent" || name == "googlechrome" {
		return false
	}
	behind := strings.TrimLeft(rest, "0123456789")
	return len(behind) < len(rest) && (behind == "" || strings.IndexByte("/?#;,", behind[0]) >= 0)
}

// inScheme collects the links in a URL with a scheme of a program.
type inScheme struct {
	*finder
	links []engine.Link
}

// add adds a link that is not known, if its host has a dot or is an IPv6 address.
func (w *inScheme) add(link engine.Link) {
	isKnown := slices.ContainsFunc(w.links, func(known engine.Link) bool { return known.Text == link.Text })
	if !isKnown && len(w.links) < maxWrapped && strings.ContainsAny(link.ASCIIHost(), ".[") {
		w.links = append(w.links, link)
	}
}

// parse adds a URL if it is valid.
func (w *inScheme) parse(url string) {
	if link, err := engine.ParseLink(url); err == nil {
		w.add(link)
	}
}

// collect adds the links in what follows the scheme.
func (w *inScheme) collect(rest string) {
	for _, link := range w.in(rest) {
		if link.Components().Scheme != "" {
			w.add(link)
		}
	}
	w.collectTouching(rest)
	w.parse("https://" + shareHost(rest))
}

// collectTouching adds URLs right behind other text, in which a scanner does not find them.
func (w *inScheme) collectTouching(rest string) {
	const start = "http"
	for {
		i := strings.Index(rest, start)
		if i < 0 {
			return
		}
		rest = rest[i:]
		if name, _ := scheme.Name(rest); scheme.IsLinked(name) {
			url := rest
			if end := strings.IndexAny(rest, "&;,\"'<> "); end >= 0 {
				url = rest[:end]
			}
			w.parse(url)
		}
		rest = rest[len(start):]
	}
}

// appTarget returns what follows the name of a program in an android-app: URL, as a
// URL of its own: "//program/https/host/path".
func appTarget(rest string) string {
	_, rest, _ = strings.Cut(strings.TrimLeft(rest, "/"), "/")
	if inner, path, ok := strings.Cut(rest, "/"); ok && scheme.IsLinked(strings.ToLower(inner)) {
		return "//" + path
	}
	return rest
}

// shareHost returns the host of a share in a URL, or "": "search-ms:…location:\\host@SSL\share".
func shareHost(rest string) string {
	i := strings.Index(rest, `\\`)
	if at := strings.Index(rest, "location://"); at >= 0 {
		i = at + len("location:")
	}
	if i < 0 {
		return ""
	}
	host := strings.TrimLeft(rest[i:], `\/`)
	if end := strings.IndexAny(host, `\/@&`); end >= 0 {
		host = host[:end]
	}
	return host
}

package filter

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

const (
	// maxEscaped is the number of times that a URL in another one is unescaped.
	maxEscaped = 3
	// maxWrapped is the number of URLs in another one that are judged.
	maxWrapped = 8
)

// wrapped returns the links that a URL with a scheme of a program opens, such as
// "intent://host/", "x-safari-https://host/", "microsoft-edge:https://host/" or
// "firefox://open-url?url=https%3A%2F%2Fhost": those in it, and the URL itself with the
// scheme of the web. A file may be on a host. It returns nil for schemes of the web, and
// of URLs with a content of their own.
func (f *finder) wrapped(name, url string) (links []engine.Link) {
	if name == "" || scheme.IsWeb(name) || name == scheme.Mailto || contentSchemes[name] && name != "file" {
		return nil
	}
	add := func(link engine.Link) {
		for _, known := range links {
			if known.Text == link.Text {
				return
			}
		}
		if len(links) < maxWrapped && strings.ContainsAny(link.ASCIIHost(), ".[") {
			links = append(links, link)
		}
	}
	rest := url[len(name)+1:]
	if name == "android-app" {
		rest = appTarget(rest)
	}
	if inner := strings.TrimLeft(rest, `/\`); inner != rest {
		if link, err := engine.ParseLink("https://" + inner); err == nil {
			add(link)
		}
	}
	for range maxEscaped {
		for _, link := range f.in(rest) {
			if link.Components().Scheme != "" {
				add(link)
			}
		}
		// A scheme right before its host is not found in a text.
		for at := 0; at < len(rest); {
			i := strings.Index(rest[at:], "http")
			if i < 0 {
				break
			}
			at += i
			if inner, _ := scheme.Name(rest[at:]); scheme.IsLinked(inner) {
				end := len(rest)
				if i := strings.IndexAny(rest[at:], "&;,\"'<> "); i >= 0 {
					end = at + i
				}
				if link, err := engine.ParseLink(rest[at:end]); err == nil {
					add(link)
				}
			}
			at += len("http")
		}
		if link, err := engine.ParseLink("https://" + shareHost(rest)); err == nil {
			add(link)
		}
		decoded := percent.Decode(rest)
		if decoded == rest {
			break
		}
		rest = decoded
	}
	return links
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

package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// opened returns the link that browsers open for the URL of a reference, or else
// what other programs may take for one, and whether browsers refuse it. A URL
// without a scheme of the web may be a bare host, which mail programs open; other
// schemes hold URLs.
func (f *finder) opened(url string) (links []engine.Link, refused bool) {
	if len(url) > f.maxLinkLen {
		return f.openedLong(url), false
	}
	link, err := engine.ParseLink(url)
	if err == nil && link.Components().Scheme != "" {
		return []engine.Link{link}, false
	}
	refused = err != nil
	name, _ := scheme.Name(url)
	if scheme.IsMessage(name) {
		return nil, refused
	}
	if links := f.wrapped(name, url); len(links) > 0 {
		return links, false
	}
	if name == "javascript" {
		url = percent.Decode(url)
	}
	links = slices.DeleteFunc(f.in(url), isBeside)
	if (scheme.IsLinked(name) || !strings.Contains(url, ":")) && len(links) > 0 {
		links = links[:1]
		if links[0].Start > 0 {
			return nil, refused
		}
	}
	return links, refused
}

// isBeside reports whether a suspect is one only in a text, where programs make links of
// its host. In a URL the host is that of another scheme, or in a path.
func isBeside(l engine.Link) bool {
	return l.Start > 0 && (l.Reason == engine.ReasonTouching || l.Reason == engine.ReasonNoScheme)
}

// openedLong is opened for a URL that is too long: it returns a suspect with its host.
// URLs of other schemes, such as pictures in data:, are read up to the limit.
func (f *finder) openedLong(url string) []engine.Link {
	head := url[:runeStart(url, f.maxLinkLen)]
	if link, err := engine.ParseLink(head); err == nil && link.Components().Scheme != "" {
		link = link.Head(f.maxLinkLen)
		link.Kind, link.Reason, link.End = engine.KindSuspect, engine.ReasonTooLong, len(url)
		return []engine.Link{link}
	}
	links, _ := f.opened(head)
	return links
}

// address returns an address as links. Where the local-part or domain cannot be in
// a link, it returns the domain as the host of a link or suspect.
func (f *finder) address(address string) []engine.Link {
	if len(address) > f.maxLinkLen {
		address = address[len(address)-f.maxLinkLen:] // with the domain
	}
	link, err := engine.ParseLink(address)
	if err == nil && link.Kind == engine.KindEmail {
		return []engine.Link{link}
	}
	if i := strings.LastIndexByte(address, '@'); i >= 0 {
		domain := "http://" + strings.TrimSpace(address[i+1:])
		if link, err := engine.ParseLink(domain); err == nil {
			return []engine.Link{link}
		}
		return f.in(domain)
	}
	return f.in(address)
}

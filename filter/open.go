package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/piece"
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
	name, _ := scheme.Name(url)
	if err == nil && (scheme.IsWeb(name) || link.Components().Scheme != "") {
		if links = append(links, link); name == scheme.Mailto {
			links = append(links, f.recipients(url)...)
		}
		return links, false
	}
	refused = err != nil
	if scheme.IsMessage(name) {
		return nil, refused
	}
	if links := f.wrapped(name, url); len(links) > 0 {
		return links, false
	}
	if scheme.IsCode(name) {
		return f.inScript(percent.Decode(url)), refused
	}
	links = slices.DeleteFunc(f.in(url), isBeside)
	if name == scheme.Mailto {
		links = append(links, f.recipients(url)...)
		if len(links) == 0 {
			links = f.address(bareAddress(percent.Decode(url[len("mailto:"):])))
		}
	} else if len(links) == 0 && name != "" && !scheme.IsLinked(name) {
		links = f.recipients(url) // "googlegmail:///co?to=" opens a mail program
	}
	if (scheme.IsLinked(name) || !strings.Contains(url, ":")) && len(links) > 0 {
		links = links[:1]
		if links[0].Start > 0 {
			return nil, refused
		}
	}
	return links, refused
}

// openedLong is opened for a URL that is too long: it returns a suspect with its host.
// URLs of other schemes, such as pictures in data:, are read up to the limit.
func (f *finder) openedLong(url string) []engine.Link {
	head := withShortAuthority(url)
	if len(head) > f.maxLinkLen {
		head = head[:piece.RuneStart(head, f.maxLinkLen)]
	}
	if link, err := engine.ParseLink(head); err == nil && link.Components().Scheme != "" {
		link = link.Head(f.maxLinkLen)
		link.Kind, link.Reason, link.End = engine.KindSuspect, engine.ReasonTooLong, len(url)
		return []engine.Link{link}
	}
	links, _ := f.opened(head)
	return links
}

const (
	// maxUserinfo is the number of bytes of a userinfo that a long URL keeps.
	maxUserinfo = 256
	// maxSchemes is the number of schemes before a host.
	maxSchemes = 4
)

// withShortAuthority returns a URL with two slashes behind its schemes, where browsers skip any
// number, and without most of a long userinfo, so that its host is near its start. It returns
// other URLs as they are.
func withShortAuthority(url string) string {
	name, rest := "", url
	for range maxSchemes { // view-source:https:
		outer, after := scheme.Name(rest)
		if outer == "" {
			break
		}
		name, rest = outer, after
	}
	after := strings.TrimLeft(rest, `/\`)
	if after == "" || len(after) == len(rest) && !scheme.IsLinked(name) {
		return url
	}
	authority := after
	if i := strings.IndexAny(after, `/\?#`); i >= 0 {
		authority = after[:i]
	}
	userinfo, path := "", after
	if i := strings.LastIndexByte(authority, '@'); i > maxUserinfo {
		userinfo, path = after[:piece.RuneStart(after, maxUserinfo)], after[i:]
	}
	if userinfo == "" && len(rest)-len(after) <= 2 {
		return url
	}
	return url[:len(url)-len(rest)] + "//" + userinfo + path
}

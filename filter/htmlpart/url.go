package htmlpart

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// resolve appends the URLs that a reference opens to urls: one for each base that
// changes it, and as written where a program without base elements may take it for a
// host.
func (r *reader) resolve(urls []string, reference string) []string {
	if len(urls) > 0 {
		urls = r.resolveAnew(urls, reference)
	} else if r.opensLast == nil || r.reference != reference {
		urls = slices.Clip(r.resolveAnew(nil, reference))
		r.reference, r.opensLast = reference, urls
	} else {
		urls = r.opensLast // mail often repeats one
	}
	r.spendBases(urls)
	return urls
}

// resolveAnew is resolve for a reference that is not known.
func (r *reader) resolveAnew(urls []string, reference string) []string {
	add := func(url string) {
		if url != "" && !slices.Contains(urls, url) {
			urls = append(urls, url)
		}
	}
	ref := clean(reference)
	name, rest := scheme.Name(ref)
	if len(r.bases) == 0 {
		add(resolve(&base{}, ref, name, rest))
		return urls
	}
	if name != "" && startsAuthority(rest) { // at any base
		add(ref)
		return urls
	}
	for i := range r.bases {
		add(resolve(&r.bases[i], ref, name, rest))
	}
	if name != "" {
		add(ref) // "https:page" is relative at some bases
	} else if ref != "" && !isSlash(ref[0]) {
		if host, _, _ := strings.Cut(ref, "/"); strings.Contains(strings.Trim(host, "."), ".") {
			add(ref)
		}
	}
	return urls
}

// spendBases counts the bytes of URLs that bases gave. After many times the source, when the hosts of
// all bases are among the items, only that of the first counts, so that relative references cost
// little more than others; the reading is partial.
func (r *reader) spendBases(urls []string) {
	const free, times = 256 << 10, 8
	if len(r.bases) == 0 {
		return
	}
	for _, url := range urls {
		r.resolved += len(url)
	}
	if !r.spentBases && r.resolved > free+times*len(r.source) {
		r.bases, r.spentBases, r.partial, r.opensLast = []base{r.bases[0].host()}, true, true, nil
	}
}

// resolve returns the URL that a reference opens at a base (WHATWG URL §4.4, without the rules that
// depend on the host), given the scheme of the reference and what follows the scheme. It returns
// the reference itself if that is absolute or there is no base, and "" if it only names a place in
// the document.
func resolve(at *base, ref, name, rest string) string {
	switch {
	case ref == "":
		return at.url
	case name != "":
		// "https:page" and "https:/page" are relative to a base of the same scheme.
		if at.end == 0 || name != at.name || startsAuthority(rest) {
			return ref
		}
		if rest == "" || isSlash(rest[0]) {
			return resolve(at, rest, "", rest)
		}
		return resolve(at, "./"+rest, "", "")
	case startsAuthority(ref):
		// Mail programs have no base URL.
		if at.end == 0 {
			return "https:" + ref
		}
		return at.url[:len(at.name)+1] + ref
	case at.end == 0 && ref[0] == '#':
		return ""
	case at.end == 0:
		return ref
	case isSlash(ref[0]):
		return at.url[:at.end] + ref
	case ref[0] == '?', ref[0] == '#':
		return at.url + ref
	}
	if i := strings.LastIndexAny(at.url[at.end:], `/\`); i >= 0 {
		return at.url[:at.end+i+1] + ref
	}
	return at.url[:at.end] + "/" + ref
}

// refreshTarget returns the URL in the content of <meta http-equiv=refresh>,
// or "" (HTML §4.2.5.3, shared declarative refresh steps).
func refreshTarget(content string) string {
	rest := strings.TrimLeft(trim(content), "0123456789.")
	rest = strings.TrimLeft(rest, " \t\r\n\f;,")
	if ascii.HasPrefixFold(rest, "url") {
		if after, ok := strings.CutPrefix(trim(rest[len("url"):]), "="); ok {
			rest = trim(after)
		}
	}
	if rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return rest
	}
	quote := rest[:1]
	url, _, _ := strings.Cut(rest[1:], quote)
	return url
}

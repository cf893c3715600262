package page

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/scheme"
)

// base is a URL that relative references are resolved against. It is absolute, without query and
// fragment, and has two slashes before its host. The zero value is no base.
type base struct {
	url  string
	name string // its scheme in lower case
	end  int    // offset of its path
}

const (
	// maxBase is how many bytes of a base's path are used, since each relative reference repeats them.
	// The host of a longer base still counts.
	maxBase = 4 << 10
	// maxBases is how many different bases are used. Browsers use the first base element in the tree
	// (HTML §4.2.3); other programs choose another element, and some know xml:base.
	maxBases = 8
)

// addBase adds a base that is new.
func (r *reader) addBase(written string) {
	switch b := baseOf(written); {
	case b.url == "" || slices.Contains(r.bases, b):
	case len(r.bases) == maxBases:
		r.partial = true
	default:
		r.bases = append(slices.Clip(r.bases), b)
	}
}

// baseOf returns the used part of a base, or the zero value for a URL that is no web URL.
func baseOf(written string) base {
	url := clean(written)
	name, rest := scheme.Name(url)
	switch {
	case scheme.IsWeb(name):
		url = url[:len(name)] + "://" + strings.TrimLeft(rest, `/\`)
	case startsAuthority(url):
		name, url = "https", "https://"+strings.TrimLeft(url, `/\`)
	default:
		return base{}
	}
	end := authorityOf(url)
	if end == 0 {
		return base{}
	}
	if i := strings.IndexAny(url[end:], "?#"); i >= 0 {
		url = url[:end+i]
	}
	if len(url)-end > maxBase {
		url = url[:end]
	}
	return base{url, name, end}
}

// resolve returns the URLs that a reference opens: one for each base that changes it. It adds the
// reference as written if a program that ignores base elements may take it for a host.
func (r *reader) resolve(reference string) (urls []string) {
	add := func(url string) {
		if url != "" && !slices.Contains(urls, url) {
			urls = append(urls, url)
			r.resolved += len(url)
		}
	}
	ref := clean(reference)
	name, rest := scheme.Name(ref)
	if len(r.bases) == 0 || name != "" && startsAuthority(rest) {
		add(resolve(&base{}, ref, name, rest))
		return urls
	}
	for i := range r.bases {
		add(resolve(&r.bases[i], ref, name, rest))
	}
	if name != "" {
		add(ref) // "https:page" is relative to some bases
	} else if ref != "" && !isSlash(ref[0]) {
		if host, _, _ := strings.Cut(ref, "/"); strings.Contains(strings.Trim(host, "."), ".") {
			add(ref)
		}
	}
	// Each base repeats its path in every URL: the bytes that bases add are bounded by the source.
	const free, times = 256 << 10, 8
	if r.resolved > free+times*len(r.source) && (len(r.bases) > 1 || len(r.bases[0].url) > r.bases[0].end) {
		first := r.bases[0]
		r.bases, r.partial = []base{{first.url[:first.end], first.name, first.end}}, true
	}
	return urls
}

// resolve returns the URL that a reference opens with a base (WHATWG URL §4.4, without the rules that
// depend on the host). name is the scheme of the reference, and rest the text after it. It returns the
// reference itself if it is absolute or there is no base. It returns "" for a reference that only names
// a place in the document.
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

// authorityOf returns the offset of the path in an absolute URL with a host, or 0 for any other.
func authorityOf(s string) int {
	name, rest := scheme.Name(s)
	if name == "" || !startsAuthority(rest) {
		return 0
	}
	host := strings.TrimLeft(rest, `/\`)
	if i := strings.IndexAny(host, `/\?#`); i >= 0 {
		return len(s) - len(host) + i
	}
	return len(s)
}

// startsAuthority reports whether s begins with two slashes, after which a host follows. Browsers read
// backslashes as slashes.
func startsAuthority(s string) bool { return len(s) > 1 && isSlash(s[0]) && isSlash(s[1]) }

func isSlash(c byte) bool { return c == '/' || c == '\\' }

package htmlpart

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// maxBase is the number of bytes of a base's path that are used: each relative reference
// repeats them. The host of a longer base still counts.
const maxBase = 4 << 10

// findBase returns the href of the first base element that has one, which counts for
// the whole document (HTML §2.4.3), or "".
func (r *reader) findBase() string {
	if !r.containsFold("<base") {
		return ""
	}
	for z := r.newTokenizer(r.source); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return ""
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		name, more := z.TagName()
		if string(name) == "noscript" {
			z.NextIsNotRawText()
		}
		for isBase := string(name) == "base"; isBase && more; {
			var key, value []byte
			key, value, more = z.TagAttr()
			if string(key) == "href" {
				return cleanBase(string(value))
			}
		}
	}
}

// containsFold reports whether the source contains the lower-case tag in any case.
func (r *reader) containsFold(tag string) bool {
	for s := r.source; ; {
		i := strings.IndexByte(s, tag[0])
		if i < 0 || r.spend(i+1) != nil {
			return false
		}
		if s = s[i:]; ascii.HasPrefixFold(s, tag) {
			return true
		}
		s = s[1:]
	}
}

// cleanBase returns the used part of a base: absolute, without query and fragment.
func cleanBase(base string) string {
	base = clean(base)
	if authorityOf(base) == 0 && startsAuthority(base) {
		base = "https:" + base
	}
	end := authorityOf(base)
	if end == 0 {
		return ""
	}
	if i := strings.IndexAny(base[end:], "?#"); i >= 0 {
		base = base[:end+i]
	}
	if len(base)-end > maxBase {
		base = base[:end]
	}
	return base
}

// resolve returns the URL that a reference opens (WHATWG URL §4.4, without
// the rules that depend on the host): the reference itself if it is absolute or the
// base is empty, "" if it only names a place in the document.
func resolve(base, reference string) string {
	ref := clean(reference)
	name, rest := scheme.Name(ref)
	baseName, _ := scheme.Name(base)
	end := authorityOf(base)
	switch {
	case ref == "":
		return base
	case name != "":
		// "https:page" is relative to a base of the same scheme.
		if end == 0 || name != baseName || rest != "" && isSlash(rest[0]) {
			return ref
		}
		return resolve(base, "./"+rest)
	case startsAuthority(ref):
		// Mail programs have no base URL.
		if end == 0 {
			return "https:" + ref
		}
		return base[:len(baseName)+1] + ref
	case end == 0 && ref[0] == '#':
		return ""
	case end == 0:
		return ref
	case isSlash(ref[0]):
		return base[:end] + ref
	case ref[0] == '?', ref[0] == '#':
		return base + ref
	}
	if i := strings.LastIndexAny(base[end:], `/\`); i >= 0 {
		return base[:end+i+1] + ref
	}
	return base[:end] + "/" + ref
}

// clean removes characters that the URL parser ignores: controls and spaces at
// the ends, tabs and line ends anywhere (WHATWG URL §4.4).
func clean(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	if strings.ContainsAny(s, "\t\r\n") {
		s = strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(s)
	}
	return s
}

// authorityOf returns where the path of an absolute URL with a host begins, 0
// for any other.
func authorityOf(s string) int {
	name, rest := scheme.Name(s)
	if name == "" || !startsAuthority(rest) {
		return 0
	}
	start := len(s) - len(rest)
	for start < len(s) && isSlash(s[start]) {
		start++
	}
	if i := strings.IndexAny(s[start:], `/\?#`); i >= 0 {
		return start + i
	}
	return len(s)
}

// startsAuthority reports whether s begins with two slashes, which a host follows.
// Browsers read backslashes as slashes.
func startsAuthority(s string) bool { return len(s) > 1 && isSlash(s[0]) && isSlash(s[1]) }

func isSlash(c byte) bool { return c == '/' || c == '\\' }

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

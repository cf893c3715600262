package engine

import (
	"fmt"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/linkmilter/linkmilter/internal/scheme"
)

// Resolve returns the URL that a reference opens in a document whose URL is base, such as a link in
// HTML. The result is ASCII, the serialisation of the WHATWG URL standard, as in [Link.Href]. If the
// reference is an absolute URL, base does not matter and may be "".
//
// Resolve returns an error for a base without a scheme, for a relative reference that the base cannot
// complete, and for a URL that a browser would not open. It also refuses URLs longer than
// [DefaultMaxLinkLen] that have path segments but no web scheme, such as file: URLs.
func Resolve(base, reference string) (string, error) {
	ref, err := cleanURL(reference)
	if err != nil {
		return "", fmt.Errorf("reference: %w", err)
	}
	name, rest := scheme.Name(ref)
	if name != "" && (hasAuthority(rest) || !scheme.IsWeb(name) && name != "file") {
		return absoluteURL(ref)
	}
	if base, err = cleanURL(base); err != nil {
		return "", fmt.Errorf("base: %w", err)
	}
	baseName, _ := scheme.Name(base)
	if name != "" && name != baseName {
		return absoluteURL(ref)
	}
	if base, err = absoluteURL(base); err != nil {
		return "", fmt.Errorf("reference %q: base: %w", reference, err)
	}
	if scheme.IsWeb(baseName) {
		return absoluteURL(resolveWeb(base, baseName, rest))
	}
	return resolveOther(base, ref)
}

// Equivalent reports whether two absolute URLs are the same URL for a browser: their serialisations by
// the WHATWG URL standard are equal, including fragments. So letter case in scheme and host, a default
// port, and "." and ".." in the path make no difference. Percent-escapes after the host do. Nothing is
// equivalent to a string that [Resolve] refuses.
func Equivalent(a, b string) bool {
	if a, err := absoluteURL(a); err == nil {
		b, err := absoluteURL(b)
		return err == nil && a == b
	}
	return false
}

// absoluteURL returns the serialisation of a URL that has a scheme.
func absoluteURL(url string) (string, error) {
	url, err := cleanURL(url)
	if err != nil {
		return "", err
	}
	switch name, _ := scheme.Name(url); {
	case name == "":
		return "", fmt.Errorf("URL %q: scheme missing (want one such as https://example.com/)", url)
	case !scheme.IsWeb(name):
		return resolveOther("", url)
	}
	return FormatASCII(url)
}

// resolveWeb returns the URL that a reference opens with a base of a web scheme. The result is not yet
// serialised; base is. rest is the reference without its scheme, which is that of the base.
func resolveWeb(base, name, rest string) string {
	if hasAuthority(rest) {
		return name + ":" + rest
	}
	after := len(name) + len("://")
	after += strings.IndexByte(base[after:], '/')
	path, query, _ := cutParts(base[after:])
	switch {
	case rest == "", rest[0] == '#':
		return base[:after] + path + query + rest
	case rest[0] == '?':
		return base[:after] + path + rest
	case isSlash(rest[0]):
		return base[:after] + rest
	}
	return base[:after] + path[:strings.LastIndexByte(path, '/')+1] + rest
}

// hasAuthority reports whether the text after the scheme of a web URL begins with the two slashes of an
// authority.
func hasAuthority(rest string) bool { return skipSlashes(rest, 0) > 1 }

// otherParser escapes "^" in a path, too (WHATWG URL, path percent-encode set).
var otherParser = whatwg.NewParser(whatwg.WithPathPercentEncodeSet(whatwg.PathPercentEncodeSet.Set('^')))

// resolveOther is Resolve for a URL without a web scheme. The URL parser takes quadratic time in the
// number of path segments and the length of the authority, so the length is limited.
func resolveOther(base, ref string) (string, error) {
	if n := len(base) + len(ref); n > DefaultMaxLinkLen && !isOpaque(ref) {
		return "", fmt.Errorf("URL of %d bytes: too long (want at most %d)", n, DefaultMaxLinkLen)
	}
	if base != "" && isOpaque(base) && ref[:min(len(ref), 1)] != "#" {
		return "", fmt.Errorf("reference %q: relative to %q, which has no path", ref, base)
	}
	u, err := otherParser.ParseRef(base, ref)
	if err != nil {
		return "", fmt.Errorf("URL %q: %w", ref, err)
	}
	if u.Scheme() == "file" && u.Hostname() != "" {
		if _, err := hostToASCII(u.Hostname()); err != nil {
			return "", fmt.Errorf("URL %q: %w", ref, err)
		}
	}
	return u.Href(false), nil
}

// isOpaque reports whether a URL has neither host nor path segments, like those of mailto: and data:
// (WHATWG URL, opaque path).
func isOpaque(url string) bool {
	name, rest := scheme.Name(url)
	return name != "" && name != "file" && !strings.HasPrefix(rest, "/")
}

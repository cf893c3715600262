package policy

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/percent"
)

// wrappedURLs returns the URLs without scheme that a service opens: Google's and Bing's copies for
// mobile devices, Google's translations, and URLs in the parameters of wrappers (lists/counters.txt).
func wrappedURLs(host string, c *engine.Components) []string {
	if name, ok := strings.CutSuffix(host, ".translate.goog"); ok {
		return []string{untranslated(name)}
	}
	if isGoogle(host) || strings.HasSuffix(host, "cdn.ampproject.org") || host == "www.bing.com" || strings.HasSuffix(host, ".bing-amp.com") {
		if copied := mobileCopy(c.Path); copied != "" {
			return []string{copied}
		}
	}
	if !strings.ContainsAny(c.Query, ".%") {
		return nil
	}
	return namedHosts(host, c.Query)
}

// targetParameters are what sites call the parameter with the URL that they redirect to.
var targetParameters = map[string]bool{
	"u": true, "url": true, "uri": true, "link": true, "target": true, "dest": true, "destination": true, "redirect": true, "redirect_to": true,
	"redirect_uri": true, "redirect_url": true, "next": true, "goto": true, "to": true, "continue": true, "return": true, "returnurl": true,
	"return_to": true, "return_url": true, "r": true,
}

// isGoogle reports whether a host is Google's, in any country.
func isGoogle(host string) bool {
	return strings.Contains(host, "google.") && strings.HasPrefix(hostname.Registrable(host), "google.")
}

// namedHosts returns the hosts in a query, perhaps with a path: the values of targetParameters, and parameters
// without a value. Google and the wrappers have further names for such parameters.
func namedHosts(host, query string) (hosts []string) {
	for parameter := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, ok := strings.Cut(parameter, "=")
		if !ok {
			value = name // often the whole query is the URL
		}
		name = strings.ToLower(name)
		known := targetParameters[name] || !ok
		switch name {
		case "a", "d", "domain", "q":
			known = isGoogle(host) || isBelow(host, wrappers)
		}
		if decoded := percent.Decode(value); known && !isDefenseURL(decoded) {
			value = withoutSlashes(decoded)
			host, _, _ := strings.Cut(value, "/")
			if strings.Contains(host, ".") && !strings.Contains(host, "@") && tld.Builtin().Contains(hostname.LastLabel(host)) {
				hosts = append(hosts, value)
			}
		}
	}
	return hosts
}

// withoutSlashes returns the rest of a URL after a scheme that fewer than two slashes follow.
// Browsers read such a URL as if there were two.
func withoutSlashes(url string) string {
	for _, scheme := range [...]string{"http:", "https:"} {
		if ascii.HasPrefixFold(url, scheme) {
			return strings.TrimLeft(url[len(scheme):], `/\`)
		}
	}
	return url
}

// untranslated returns the host that Google's translation writes with hyphens for the
// dots, and with two hyphens for each hyphen.
func untranslated(name string) string {
	const hyphens = "\x00"
	name = strings.ReplaceAll(name, "--", hyphens)
	name = strings.ReplaceAll(name, "-", ".")
	return strings.ReplaceAll(name, hyphens, "-")
}

// mobileCopy returns host and path of the page in the path of an AMP cache, or "".
// The path begins with the kind of the document, and "s" for https.
func mobileCopy(path string) string {
	for _, kind := range [...]string{"/amp/", "/c/", "/v/", "/i/", "/wp/"} {
		if rest, ok := strings.CutPrefix(path, kind); ok {
			rest, secure := strings.CutPrefix(rest, "s/")
			host, _, _ := strings.Cut(rest, "/")
			name := withDots(percent.Decode(host))
			if strings.Contains(name, ".") || (secure || kind == "/amp/") && isNumberOfIP(name) {
				return name + rest[len(host):]
			}
		}
	}
	return ""
}

// isNumberOfIP reports whether a name without dots is the number of an IPv4 address (WHATWG URL,
// "IPv4 parser"). It is false for smaller numbers, such as page numbers.
func isNumberOfIP(name string) bool {
	link, err := engine.ParseLink("http://" + name)
	return err == nil && hostname.IsIP(link.ASCIIHost()) && !strings.HasPrefix(link.ASCIIHost(), "0.")
}

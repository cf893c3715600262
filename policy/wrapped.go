package policy

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/percent"
)

// wrappedURLs returns the URLs without scheme that a service opens: Google's and Bing's
// copies for mobile devices, Google's translations, and what parameters of wrappers name.
func wrappedURLs(host string, c *engine.Components) []string {
	if name, ok := strings.CutSuffix(host, ".translate.goog"); ok {
		return []string{untranslated(name)}
	}
	isGoogle := strings.Contains(host, "google.") && strings.HasPrefix(hostname.Registrable(host), "google.")
	if isGoogle || strings.HasSuffix(host, "cdn.ampproject.org") || host == "www.bing.com" || strings.HasSuffix(host, ".bing-amp.com") {
		if copied := mobileCopy(c.Path); copied != "" {
			return []string{copied}
		}
	}
	if c.Query == "" || !isGoogle && !isBelow(host, wrappers) {
		return nil
	}
	return namedHosts(c.Query)
}

// namedHosts returns the values of parameters that are a host, perhaps with a path.
func namedHosts(query string) (hosts []string) {
	for parameter := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(parameter, "=")
		switch strings.ToLower(name) {
		case "a", "d", "domain", "q", "u", "url":
			value = percent.Decode(value)
			host, _, _ := strings.Cut(value, "/")
			if strings.Contains(host, ".") && tld.Builtin().Contains(hostname.LastLabel(host)) {
				hosts = append(hosts, value)
			}
		}
	}
	return hosts
}

// untranslated returns the host that Google's translation writes with hyphens for the
// dots, and with two hyphens for each hyphen.
func untranslated(name string) string {
	const hyphens = "\x00"
	name = strings.ReplaceAll(name, "--", hyphens)
	name = strings.ReplaceAll(name, "-", ".")
	return strings.ReplaceAll(name, hyphens, "-")
}

// mobileCopy returns host and path of the page in the path of an AMP cache; "" if there
// is none. The path begins with the kind of the document, and "s" for https.
func mobileCopy(path string) string {
	for _, kind := range [...]string{"/amp/", "/c/", "/v/", "/i/", "/wp/"} {
		if rest, ok := strings.CutPrefix(path, kind); ok {
			rest = strings.TrimPrefix(rest, "s/")
			if host, _, _ := strings.Cut(rest, "/"); strings.Contains(host, ".") {
				return rest
			}
		}
	}
	return ""
}

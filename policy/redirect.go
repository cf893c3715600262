package policy

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/percent"
)

// passesOn reports whether the target is a link of a wrapper that opens the
// registrable domain.
func passesOn(target engine.Link, domain string) bool {
	opened := passedTo(target)
	return len(opened) > 0 && !slices.ContainsFunc(opened, func(l engine.Link) bool { return hostname.Registrable(l.ASCIIHost()) != domain })
}

// inPath says of a wrapper that its links have the URL in the path.
const inPath = "path"

// passedTo returns the links that a wrapper may open: those in its path, or in each of its
// parameters. It returns nil if the target is not a link of a wrapper, or if one of these
// cannot be read. URLs elsewhere in the link do not count: anybody can add them.
func passedTo(target engine.Link) []engine.Link {
	host, c := target.ASCIIHost(), target.Components()
	where := whereWrapped(host, c.Path)
	if slices.Contains(where, inPath) {
		return firstWithin(host, engine.Components{Path: c.Path})
	}
	var opened []engine.Link
	for parameter := range strings.SplitSeq(c.Query, "&") {
		name, _, _ := strings.Cut(parameter, "=")
		if !slices.Contains(where, strings.ToLower(percent.Decode(name))) {
			continue
		}
		inner := firstWithin(host, engine.Components{Query: parameter})
		if inner == nil {
			return nil
		}
		opened = append(opened, inner...)
	}
	return opened
}

// whereWrapped returns where the links of a host, A-labels, have the URL that they open: the
// names of parameters, or inPath. It returns nil if they open none.
func whereWrapped(host, path string) []string {
	if isGoogle(host) {
		host = "google.com"
	}
	var where []string
	paths, begins := 0, false
	for word := range strings.FieldsSeq(wrappers.Value(listed(host, wrappers))) {
		if !strings.HasPrefix(word, "/") {
			where = append(where, word)
			continue
		}
		paths++
		begins = begins || strings.HasPrefix(path, word)
	}
	if paths > 0 && !begins {
		return nil
	}
	return where
}

// firstWithin returns the first URL in components of a link to a host; nil without one.
func firstWithin(host string, c engine.Components) []engine.Link {
	var inner innerURLs
	inner.collect(host, &c)
	return inner.links[:min(len(inner.links), 1)]
}

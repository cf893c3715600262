package policy

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/percent"
)

// maxWrappings is how deep wrappers inside each other are read.
const maxWrappings = 4

// openedBy returns the links that a link of wrappers finally opens. These are not links of wrappers
// themselves, unless more than maxWrappings are inside each other. It returns nil if the target is
// not a link of a wrapper, or if the URL inside it cannot be read.
func openedBy(target engine.Link) []engine.Link {
	opened := passedTo(target)
	for range maxWrappings {
		var next []engine.Link
		for _, link := range opened {
			if inner := passedTo(link); inner != nil {
				next = append(next, inner...)
			} else {
				next = append(next, link)
			}
		}
		opened = next
	}
	return opened
}

// inPath marks a wrapper whose links have the URL in the path.
const inPath = "path"

// passedTo returns the links that a wrapper may open: those in its path, or in each of its
// parameters. In place of links that it cannot read, and of those beyond maxInner, it returns the
// target itself. passedTo returns nil if the target is not a link of a wrapper, or if it can read
// no link. URLs elsewhere in the target do not count: anyone can add them.
func passedTo(target engine.Link) []engine.Link {
	c := target.Components()
	opened, all := unwrapped(target.ASCIIHost(), &c)
	if !all && opened != nil {
		opened = append(opened, target)
	}
	return opened
}

// unwrapped returns the links that a wrapper may open, and whether these are all. It reads at most
// maxInner parameters, the first ones and the last one, since some services open the first and
// others the last.
func unwrapped(host string, c *engine.Components) (opened []engine.Link, all bool) {
	where := whereWrapped(host, c.Path)
	if where == nil {
		return nil, true
	}
	if slices.Contains(where, inPath) {
		inner := firstWithin(host, engine.Components{Path: c.Path})
		if inner != nil && c.Query != "" { // the query belongs to the URL in the path
			inner = firstWithin(host, engine.Components{Path: c.Path + "?" + c.Query})
		}
		return inner, true
	}
	var parameters []string
	for parameter := range strings.SplitSeq(c.Query, "&") {
		name, value, _ := strings.Cut(parameter, "=")
		if value != "" && slices.Contains(where, strings.ToLower(percent.Decode(name))) {
			parameters = append(parameters, parameter)
		}
	}
	all = len(parameters) <= maxInner
	if !all {
		parameters[maxInner-1] = parameters[len(parameters)-1]
		parameters = parameters[:maxInner]
	}
	for _, parameter := range parameters {
		inner := firstWithin(host, engine.Components{Query: parameter})
		all = all && inner != nil
		opened = append(opened, inner...)
	}
	return opened, all
}

// collect adds the URLs in a link. host is its host in A-labels. If there are too many, it adds
// only those that a wrapper opens.
func (u *innerURLs) collect(host string, c *engine.Components) {
	u.collectAll(host, c)
	if u.tried < maxInner || u.unwrapped == maxWrappings {
		return
	}
	if opened, _ := unwrapped(host, c); opened != nil {
		u.unwrapped++
		u.links = append(u.links, opened...)
	}
}

// whereWrapped returns where the links of a host, A-labels, have the URL that they open: the names
// of parameters, or inPath. It returns nil if links of the host open no other URL.
func whereWrapped(host, path string) []string {
	if isGoogle(host) {
		host = strings.TrimSuffix(host, hostname.Registrable(host)) + "google.com"
	}
	var where []string
	behindPath, begins := false, true
	for word := range strings.FieldsSeq(wrappers.Value(listed(host, wrappers))) {
		if word == markCounter {
			continue
		}
		if !strings.HasPrefix(word, "/") {
			if behindPath = false; begins {
				where = append(where, word)
			}
			continue
		}
		begins = behindPath && begins || strings.HasPrefix(path, word)
		behindPath = true
	}
	return where
}

// firstWithin returns the first URL in components of a link to a host; nil without one.
func firstWithin(host string, c engine.Components) []engine.Link {
	var inner innerURLs
	inner.collectAll(host, &c)
	return inner.links[:min(len(inner.links), 1)]
}

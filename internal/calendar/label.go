package calendar

import (
	"slices"
	"strings"
)

// A group is a group of properties of a vCard. It has their URLs, and the labels that programs show
// with these.
type group struct{ urls, labels []string }

const (
	// maxGroups bounds the groups with a URL or a label that are remembered of a vCard.
	maxGroups = 256
	// maxInGroup bounds the URLs of a group, and also its labels.
	maxInGroup = 8
)

// groups are the groups of a vCard with a URL or a label.
type groups struct {
	byName  map[string]*group
	leftOut bool // some labels were left out
}

// note records the URL or label of a group, and calls give for each new pair of a URL and a label.
func (g *groups) note(p *property, value string, give func(url, label string)) {
	value = strings.TrimSpace(value)
	switch {
	case p.name == "BEGIN" && strings.EqualFold(value, "VCARD"):
		clear(g.byName)
	case p.group == "":
	case urlProperties[p.name], addressProperties[p.name]:
		if of := g.of(p.group); g.add(&of.urls, value) {
			for _, label := range of.labels {
				give(value, label)
			}
		}
	case p.name == "X-ABLABEL":
		if of := g.of(p.group); g.add(&of.labels, value) {
			for _, url := range of.urls {
				give(url, value)
			}
		}
	}
}

// of returns the group with a name. If there are too many groups, it returns a new one that is not
// kept.
func (g *groups) of(name string) *group {
	if known := g.byName[name]; known != nil {
		return known
	}
	of := new(group)
	if len(g.byName) == maxGroups {
		g.leftOut = true
		return of
	}
	if g.byName == nil {
		g.byName = make(map[string]*group)
	}
	g.byName[name] = of
	return of
}

// add adds a value that is new, and reports whether it did.
func (g *groups) add(values *[]string, value string) bool {
	if value == "" || slices.Contains(*values, value) {
		return false
	}
	if len(*values) == maxInGroup {
		g.leftOut = true
		return false
	}
	*values = append(*values, value)
	return true
}

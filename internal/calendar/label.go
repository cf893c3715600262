package calendar

import (
	"slices"
	"strings"
)

// A group has the URLs of a group of properties of a vCard, and the labels that programs show
// with them.
type group struct{ urls, labels []string }

const (
	// maxGroups is the number of groups of a vCard with a URL or a label that are known.
	maxGroups = 256
	// maxInGroup is the number of URLs of a group, and that of its labels.
	maxInGroup = 8
)

// label passes on the URLs of a group with its labels, once both are known.
func (r *reader) label(p *property, value string) {
	value = strings.TrimSpace(value)
	if p.name == "BEGIN" && strings.EqualFold(value, "VCARD") {
		clear(r.groups)
	}
	if p.group == "" || p.name != "URL" && p.name != "X-ABLABEL" {
		return
	}
	g := r.groups[p.group]
	if g == nil {
		if len(r.groups) == maxGroups {
			r.leftOut = true
			return
		}
		if g = new(group); r.groups == nil {
			r.groups = make(map[string]*group)
		}
		r.groups[p.group] = g
	}
	if p.name == "URL" {
		if r.add(&g.urls, value) {
			for _, label := range g.labels {
				r.give(KindLabel, value, label)
			}
		}
	} else if r.add(&g.labels, value) {
		for _, url := range g.urls {
			r.give(KindLabel, url, value)
		}
	}
}

// add adds a value that is new, and reports whether it did.
func (r *reader) add(values *[]string, value string) bool {
	if value == "" || slices.Contains(*values, value) {
		return false
	}
	if len(*values) == maxInGroup {
		r.leftOut = true
		return false
	}
	*values = append(*values, value)
	return true
}

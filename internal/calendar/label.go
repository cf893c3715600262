package calendar

import "strings"

// labelled is the URL of a group of properties of a vCard, and the label that programs show
// with it.
type labelled struct{ url, label string }

// groups are the groups of a vCard with a URL or a label, by name.
type groups map[string]labelled

// maxGroups is the number of groups of a vCard that are known.
const maxGroups = 256

// note notes the URL or the label of a group, and returns both once they are known.
func (g *groups) note(p *property) (known labelled, ok bool) {
	if p.name == "BEGIN" {
		*g = nil
	}
	if p.group == "" || p.name != "URL" && p.name != "X-ABLABEL" {
		return labelled{}, false
	}
	group, begun := (*g)[p.group]
	if !begun && len(*g) == maxGroups {
		return labelled{}, false
	}
	if value := strings.TrimSpace(unescape(p.value)); p.name == "URL" {
		group.url = value
	} else {
		group.label = value
	}
	if *g == nil {
		*g = make(groups)
	}
	(*g)[p.group] = group
	return group, group.url != "" && group.label != ""
}

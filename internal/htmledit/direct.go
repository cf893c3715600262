package htmledit

import (
	"strings"

	"golang.org/x/net/html"
)

// direct compares a source with the result of splices, token by token and then node by node.
// Each difference must be a change that the splices plan for that token.
type direct struct {
	source, after string
	splices       []Splice
	sure          bool // some splices are Sure
	places        places
	nesting       nesting
	known         []html.Attribute // of a tag
	unsure        []bool           // nil before the first

	changed  []changedText
	texts    map[string]*changes // those of changed by the text before, for the tree
	events   []event             // room for those of a text
	tags     map[removedAttribute]bool
	comments map[[2]string]bool // before and after
}

// changedText is a text between tags with splices, whose indexes are [from,to).
type changedText struct{ start, end, from, to int }

// changes are those of texts that are equal before.
type changes struct {
	all    []*change
	unused int // index of the first that the tree may still have
}

// A change is the planned change of a text between tags.
type change struct {
	before  string  // as shown; empty for an insertion
	after   []event // texts and links
	splices []Splice
	used    bool // the tree has it, at one place
}

// removedAttribute is an attribute of an element that a splice removes.
type removedAttribute struct{ element, name, value string }

// without reports whether the attributes of an element are the old ones without removed ones.
func (d *direct) without(element string, old, now []html.Attribute) bool {
	for _, a := range old {
		if len(now) > 0 && now[0] == a {
			now = now[1:]
		} else if !d.tags[removedAttribute{strings.ToLower(element), nameOf(a), a.Val}] {
			return false
		}
	}
	return len(now) == 0
}

// refuse notes the Sure ones of some splices, which are not where they must be.
func (d *direct) refuse(from, to int) {
	for i := from; i < to; i++ {
		if !d.splices[i].Sure {
			continue
		}
		if d.unsure == nil {
			d.unsure = make([]bool, len(d.splices))
		}
		d.unsure[i] = true
	}
}

package htmledit

import (
	"golang.org/x/net/html/atom"
)

// startInTable notes the start tag of a part of a table (HTML §13.2.6.4.9 to §13.2.6.4.15).
func (n *nesting) startInTable(o openElement) {
	for {
		switch top := n.top(); {
		case top == atom.Table:
			n.startInside(o, atom.Table)
			return
		case isSection(top) && (o.tag == atom.Tr || isCell(o.tag)):
			n.startInside(o, atom.Tbody)
			return
		case top == atom.Tr && isCell(o.tag):
			n.push(o)
			return
		case top == atom.Colgroup && o.tag == atom.Col:
			return
		case isTable(top):
			n.cut(len(n.open) - 1)
		default:
			cell := n.find(isCell, func(atom.Atom) bool { return false })
			if cell < 0 {
				return // outside of tables the tag is ignored
			}
			n.cut(cell)
		}
	}
}

// startInside opens a part of a table, and those around it up to one that is open.
func (n *nesting) startInside(o openElement, in atom.Atom) {
	switch {
	case o.tag == atom.Col:
		n.pushImplied(atom.Colgroup)
		return
	case in == atom.Table && (o.tag == atom.Tr || isCell(o.tag)):
		n.pushImplied(atom.Tbody)
	}
	if isCell(o.tag) {
		n.pushImplied(atom.Tr)
	}
	n.push(o)
}

// endInTable notes an end tag between the cells of a table.
func (n *nesting) endInTable(tag atom.Atom) {
	top := n.top()
	last := len(n.open) - 1
	switch {
	case tag == atom.P || tag == atom.Br || tag == atom.Form && n.form:
		n.lost = true
	case tag == atom.Table:
		n.cut(n.findTag(atom.Table, func(atom.Atom) bool { return false }))
	case top == atom.Colgroup:
		if tag != atom.Col {
			n.cut(last)
		}
		n.lost = n.lost || tag != atom.Col && tag != atom.Colgroup
	case tag == atom.Tr || isSection(tag):
		if top == tag {
			n.cut(last)
		} else if top == atom.Tr && n.open[last-1].tag == tag {
			n.cut(last - 1)
		}
	}
}

// endsCell notes an end tag in a cell, and reports whether it is one of a part of a table.
func (n *nesting) endsCell(tag atom.Atom) bool {
	if !isCell(tag) && !isTable(tag) && tag != atom.Col && tag != atom.Caption {
		return false
	}
	cell := n.find(isCell, func(atom.Atom) bool { return false })
	switch {
	case cell < 0, tag == atom.Col, tag == atom.Colgroup, tag == atom.Caption:
	case isCell(tag):
		if n.open[cell].tag == tag {
			n.cut(cell)
		}
	case isSection(tag) && n.open[cell-2].tag != tag:
	default:
		n.cut(cell)
		n.endInTable(tag)
	}
	return true
}

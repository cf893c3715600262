package htmlpart

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// fit notes how much the box of an element shows of a text that is too long.
func (r *reader) fit(l *look, tag atom.Atom, name string, a *attributes, b *box) {
	width := b.own()
	if width == 0 && a.width != "" && hasWidth(tag) {
		width = widthOfAttribute(a.width)
	}
	if width == 0 && r.sheet != nil && r.sheet.narrow.mayHide(name, a) {
		width = r.sheet.room
	}
	l.width = narrower(l.width, width)
	if tag == atom.Table || b.fixed {
		l.fixed = b.fixed || r.sheet != nil && r.sheet.fixed
	}
	inColumn := l.fixed && width > 0 && (tag == atom.Td || tag == atom.Th) // the next cell may cover the text
	switch {
	case tag == atom.Svg || b.anywhere: // SVG scales its texts
		l.room = narrowest
	case !b.cuts && !inColumn && tag != atom.Input && tag != atom.Marquee && (r.sheet == nil || !r.sheet.cutting.mayHide(name, a)):
	case l.width == 0 && l.fixed: // a column says
		l.room = narrowest
	case width == 0 && b.oneLine:
		l.room = narrower(narrower(l.room, l.width), lineWidth)
	default:
		l.room = narrower(l.room, l.width)
	}
}

// hasWidth reports whether an element has an attribute for the width of a box that may cut off texts.
func hasWidth(tag atom.Atom) bool {
	return tag == atom.Td || tag == atom.Th || tag == atom.Table || tag == atom.Marquee
}

// widthOfAttribute returns about the width in pixels that an attribute gives a box, 0 for as much as there
// is. Any unit is pixels (HTML §2.3.4.4).
func widthOfAttribute(value string) pixels {
	value = trimLeft(value)
	number, unit := cutNumber(value)
	if strings.HasPrefix(unit, "%") {
		number = value[:len(number)+1]
	}
	return widthIn(number)
}

// roomOf returns about the width in pixels of the box that cuts off a text, 0 for none.
func (r *reader) roomOf(t *linkText) pixels {
	if r.framed {
		return narrowest
	}
	return t.narrow
}

package htmlpart

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// look is how an element shows its text, as far as styles of its own and of
// the elements around it say.
type look struct {
	gone      bool // display:none and the like: nothing within can undo it
	tiny      bool // font-size:0, until an element within sets another
	invisible bool // visibility:hidden, until an element within sets another
	setOff    bool // breaks surround the element
	turned    bool // all characters are shown from right to left
}

// hidden reports whether the text cannot be seen.
func (l look) hidden() bool { return l.gone || l.tiny || l.invisible }

// with returns the look of an element with a style in an element with look l.
func (l look) with(s style) look {
	l.gone = l.gone || s.gone || s.flat && s.clipped
	l.tiny = s.font.over(l.tiny)
	l.invisible = s.visibility.over(l.invisible)
	l.setOff = s.splits
	return l
}

// style has the properties of a style attribute that linkmilter reads.
type style struct {
	gone       bool   // display:none or opacity:0
	flat       bool   // no height or no width
	clipped    bool   // overflow:hidden
	splits     bool   // display is neither none nor inline
	font       choice // whether the size is zero
	visibility choice // whether it is hidden

	override    bool // unicode-bidi lets the direction count for all characters
	rightToLeft bool // direction
}

// choice is a property that an element may inherit.
type choice uint8

const (
	inherited choice = iota
	shown
	unseen
)

// over returns whether a text is unseen, given whether the text around the element is.
func (c choice) over(around bool) bool {
	if c == inherited {
		return around
	}
	return c == unseen
}

// styleOf reads a style attribute (CSS Style Attributes §3). Comments and
// escapes of CSS are not read.
func styleOf(declarations string) style {
	var s style
	for declarations != "" {
		var declaration string
		declaration, declarations, _ = strings.Cut(declarations, ";")
		property, value, ok := strings.Cut(declaration, ":")
		if ok {
			s.declare(trim(property), value)
		}
	}
	return s
}

// declare reads one declaration.
func (s *style) declare(property, value string) {
	value, _, _ = strings.Cut(value, "!")
	value = trim(value)
	is := func(names ...string) bool {
		for _, name := range names {
			if strings.EqualFold(value, name) {
				return true
			}
		}
		return false
	}
	switch strings.ToLower(property) {
	case "display":
		s.gone = s.gone || is("none")
		s.splits = !is("none", "contents", "initial", "inherit", "unset", "") && !ascii.HasPrefixFold(value, "inline")
	case "opacity":
		s.gone = s.gone || isZero(value)
	case "visibility":
		if is("hidden", "collapse") {
			s.visibility = unseen
		} else if is("visible") {
			s.visibility = shown
		}
	case "unicode-bidi":
		s.override = is("bidi-override", "isolate-override")
	case "direction":
		s.rightToLeft = is("rtl")
	case "font-size":
		s.fontSize(value)
	case "font":
		for part := range strings.FieldsSeq(value) {
			size, _, hasLine := strings.Cut(part, "/")
			if hasLine || isZero(size) || strings.TrimLeft(size, "0123456789.") != "" && size[0] <= '9' {
				s.fontSize(size)
				return
			}
		}
	case "height", "max-height", "width", "max-width":
		s.flat = s.flat || isZero(value)
	case "overflow", "overflow-x", "overflow-y":
		s.clipped = s.clipped || is("hidden", "clip")
	}
}

// fontSize reads a size. One that is relative to zero is zero.
func (s *style) fontSize(value string) {
	unit := strings.TrimLeft(value, "+-.0123456789")
	switch {
	case value == "":
	case isZero(value):
		s.font = unseen
	case strings.EqualFold(unit, "em"), unit == "%", strings.EqualFold(unit, "ex"), strings.EqualFold(unit, "ch"),
		strings.EqualFold(unit, "smaller"), strings.EqualFold(unit, "larger"), strings.EqualFold(unit, "inherit"):
	default:
		s.font = shown
	}
}

// isZero reports whether a value is the number zero, with any unit.
func isZero(value string) bool {
	number := value[:len(value)-len(strings.TrimLeft(value, "+-.0123456789"))]
	return strings.Contains(number, "0") && strings.Trim(number, "+-.0") == ""
}

// trim removes the white space of HTML and CSS around s.
func trim(s string) string { return strings.Trim(s, " \t\r\n\f") }

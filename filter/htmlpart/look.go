package htmlpart

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"
)

// look is how an element shows its text, as far as styles of its own and of
// the elements around it say.
type look struct {
	gone       bool         // display:none and the like: nothing within can undo it
	goneAt     int          // the innermost element with that; 0 for none
	tiny       bool         // font-size:0, until an element within sets another
	invisible  bool         // visibility:hidden, until an element within sets another
	setOff     bool         // breaks surround the element
	apart      bool         // a style puts its children in a row with gaps
	inRow      bool         // a style may put its children in a row without gaps
	moved      bool         // a style takes the element from its place
	reordered  bool         // a style changes the order of elements
	isolated   bool         // the direction around elements bdi may change their order
	island     bool         // the element is shown in one place of a text that may be from right to left
	fromLeft   bool         // the direction of the text surely is from left to right
	fromRight  bool         // it may be from right to left
	fromAuto   bool         // its first letter says whether it is
	veiled     bool         // a style makes the text unreadable
	turned     bool         // all characters are shown from right to left
	fixed      bool         // a table around has columns that do not grow with their texts
	doubt      int          // the innermost element that a program may hide; 0 for none
	named      bool         // a rule names the class, id or attributes of that element
	holds      uint64       // bits of the conditions of rules that hold for that element
	kind       uint64       // of that element: styles hide all of a kind alike
	shrunk     float64      // what relative sizes make of the size of the text, as its logarithm
	room       pixels       // width of the narrowest box around that cuts off texts, 0 for none
	width      pixels       // that of the narrowest box around, 0 if unknown
	cuts       int          // the element, where a rule may hide the first letter or line of it; 0 for none
	cutsLine   bool         // it is the line
	floats     bool         // a rule lets the first letter of the element float
	title      string       // what programs show while the pointer is over it
	quotes     *quotes      // of quotations in it; nil for signs that are in no URL
	generated  *besideTexts // what programs show before and after it; nil for nothing
	color      string       // of the text, where one is set
	background string       // its color, where one is set
}

// hidden reports whether the text cannot be seen.
func (l *look) hidden() bool { return l.gone || l.tiny || l.invisible }

// blends reports whether the text may be unreadable on its background.
func (l *look) blends() bool {
	if l.color != "" {
		return mayMatch(l.color, l.background)
	}
	background := plainColor(l.background)
	return background != "" && mayMatch("linktext", background)
}

// style has the properties of a style attribute that linkmilter reads. If a property has several
// declarations, the last one counts (CSS Cascading §6.4).
type style struct {
	none       bool    // display:none
	displayed  bool    // display is set, and not none
	flat       bool    // no height or no width
	clipped    bool    // overflow:hidden
	splits     bool    // display is neither none nor inline
	row        bool    // it puts the children in a row, or in a grid
	gaps       bool    // they stand apart
	font       choice  // whether the size is zero
	grows      float64 // logarithm of the factor of a relative size
	visibility choice  // whether it is hidden
	moved      bool    // the element may lie over others
	veiled     bool    // the text is unreadable, or far from its place
	reorders   bool    // the order of elements may be another one
	letters    letters // that no text has
	beside     bool    // it may lie over others in its line
	indented   bool    // its first line may, if it is a box
	floats     bool    // float is set, and not none
	outOfFlow  bool    // position is absolute or fixed
	sides      sides   // that are set for that
	wide       bool    // some size is that of the box around, or large
	doubt      bool    // some declaration may hide the text

	override    bool // unicode-bidi lets the direction count for all characters
	rightToLeft bool // direction
	directs     bool // direction is set
	box         box  // for texts that are too long
	isBox       bool // display is that of a box in a line, or of a table or its cell
	isCell      bool // display is that of a cell
	columns     bool // the content is in columns

	color, background string
	field             string // the URL of a field of Word
	inField, outField bool   // the instruction of such a field begins here, or ends
	quotes            quotes // of quotations in it
	text              string // that it shows: of markers, and of pictures

	transparent bool // opacity:0
}

// isMoved reports whether the element may lie over others, given whether it is in a line.
func (s *style) isMoved(inline bool) bool {
	isBox := s.displayed && !s.splits
	return s.moved || s.beside && (inline || isBox || s.floats) || s.indented && isBox || s.flat && !s.clipped
}

// covers reports whether the element is stretched over the box around it.
func (s *style) covers() bool {
	const width, height = leftSide | rightSide, topSide | bottomSide
	return s.outOfFlow && (s.wide || s.sides&width == width || s.sides&height == height)
}

// beside says whether an element may be in the line of the text before and behind it.
type beside uint8

const (
	notBeside beside = iota
	flowing          // white space around it and at its ends is shown
	apart            // only that around it is
	touching         // a cell, a float or an item of a row: none is
)

// inLine says whether the style shows a block beside what is before it.
func (s *style) inLine() beside {
	switch {
	case s.isCell || s.floats:
		return touching
	case s.displayed && !s.splits && s.isBox:
		return apart
	case s.displayed && !s.splits:
		return flowing
	}
	return notBeside
}

// inRow reports whether the style shows the children beside each other, without gaps.
func (s *style) inRow() bool { return (s.row || s.columns) && !s.gaps }

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

// styleOf reads a style attribute (CSS Style Attributes §3).
func styleOf(declarations string) style {
	var s style
	if declarations == "" {
		return s
	}
	s.field = fieldOfStyle(declarations)
	s.doubt = isOdd(declarations)
	s.text = textOfPictures(declarations)
	plain := plainCSS(declarations)
	s.declareAll(plain)
	if strings.Contains(plain, customMark) && strings.Contains(strings.ToLower(plain), "var(") {
		s.text += textsOfCustom(plain)
	}
	return s
}

// textsOfCustom returns the texts of the custom properties among declarations.
func textsOfCustom(declarations string) string {
	var b strings.Builder
	for declarations != "" {
		var written string
		written, declarations = cutDeclaration(declarations)
		if d, ok := readDeclaration(written); ok && strings.HasPrefix(d.property, customMark) {
			b.WriteString(contentOf(d.written))
		}
	}
	return b.String()
}

// declareAll reads declarations without comments and escapes.
func (s *style) declareAll(declarations string) {
	var important importance
	for declarations != "" {
		var written string
		written, declarations = cutDeclaration(declarations)
		if d, ok := readDeclaration(written); ok && important.counts(&d) {
			s.declare(d.property, d.value)
		}
	}
}

// gone reports whether the element shows nothing.
func (s *style) gone() bool { return s.none || s.transparent }

// display reads a value of display.
func (s *style) display(value string) {
	first, _, _ := strings.Cut(strings.ToLower(value), " ")
	s.row = strings.HasSuffix(first, "flex") || strings.HasSuffix(first, "grid") || strings.HasSuffix(first, "box")
	s.isCell = first == "table-cell"
	switch first {
	case "none":
		s.none, s.doubt, s.displayed, s.splits = true, true, false, false
	case "contents", "initial", "inherit", "unset", "revert", "revert-layer",
		"inline", "inline-block", "inline-table", "inline-flex", "inline-grid", "ruby":
		s.none, s.displayed, s.splits, s.isBox = false, true, false, strings.HasPrefix(first, "inline-")
	case "table-column", "table-column-group": // shows nothing
		s.none, s.doubt, s.displayed, s.splits = false, true, true, true
	case "block", "flex", "grid", "flow", "flow-root", "list-item", "math", "run-in", "table", "table-caption", "table-cell",
		"table-footer-group", "table-header-group", "table-row", "table-row-group":
		s.none, s.displayed, s.splits, s.isBox = false, true, true, strings.HasPrefix(first, "table")
	default:
		s.doubt = true
	}
}

// declare reads a declaration.
func (s *style) declare(property, value string) {
	if !s.declareCommon(property, value) {
		s.declareRare(property, value)
	}
}

// declareCommon reads a declaration of a property that others may set anew, and reports whether it
// is one.
func (s *style) declareCommon(property, value string) bool {
	is := func(names ...string) bool {
		for _, name := range names {
			if strings.EqualFold(value, name) {
				return true
			}
		}
		return false
	}
	switch property {
	case "display":
		s.display(value)
	case "opacity":
		s.transparent = isZero(value)
		isFaint := isSmall(value) || isSmallPart(value)
		s.veiled = s.veiled || isFaint
		s.doubt = s.doubt || isFaint
	case "visibility":
		if is("hidden", "collapse") {
			s.visibility, s.doubt = unseen, true
		} else if is("visible") {
			s.visibility = shown
		}
	case "unicode-bidi":
		s.reorders = s.reorders || reorders(property, strings.ToLower(value))
		s.override = is("bidi-override", "isolate-override")
	case "direction":
		s.rightToLeft, s.directs = is("rtl"), true
	case "font-size":
		s.fontSize(value)
	case "font":
		_, line, _ := strings.Cut(value, "/")
		line, _, _ = strings.Cut(strings.TrimSpace(line), " ")
		s.reorders = s.reorders || reorders("line-height", strings.ToLower(line))
		if size, ok := sizeOfFont(value); ok {
			s.fontSize(size)
		} else if !is("inherit", "unset", "revert", "revert-layer") {
			s.font = shown // a size by its name, or that of the system
		}
	case "height", "max-height", "width", "max-width":
		s.reorders = s.reorders || reorders(property, strings.ToLower(value))
		s.flat, s.wide = s.flat || isZero(value), s.wide || isWide(value)
		s.doubt = s.doubt || isSmall(value)
		s.box.declare(property, strings.ToLower(value))
	case "overflow", "overflow-x", "overflow-y":
		s.clipped = s.clipped || is("hidden", "clip")
		s.box.declare(property, strings.ToLower(value))
	case "color":
		s.color = trim(value)
	case "-webkit-text-fill-color":
		s.color, s.doubt = trim(value), true // other programs show the text in its color
	case "background-image":
		if strings.Contains(strings.ToLower(value), "gradient(") {
			s.background = trim(value)
		}
	case "background", "background-color":
		s.background = trim(value)
		s.doubt = s.doubt || isColorOfText(value)
		s.box.declare(property, strings.ToLower(value))
	case "mso-element":
		s.inField, s.outField = is("field-begin"), is("field-separator", "field-end")
		s.doubt = s.doubt || hides(property, strings.ToLower(value))
	default:
		return false
	}
	return true
}

// maxStyleText is the length in bytes of the text of a style. The reading of a longer one is partial.
const maxStyleText = 4 << 10

// declareRare reads a declaration of a rarer property. It only adds to what the style says.
func (s *style) declareRare(property, value string) {
	switch {
	case property == "quotes":
		s.quotes = quotesOf(value)
	case isBorrowed(property) && len(s.text) <= maxStyleText:
		s.text += contentOf(value)
	}
	value = strings.ToLower(value)
	s.box.declare(property, value)
	s.moved = s.moved || moves(property, value)
	s.outOfFlow = s.outOfFlow || property == "position" && (value == "absolute" || value == "fixed")
	s.sides |= sidesOf(property)
	s.wide = s.wide || (strings.HasPrefix(property, "padding") || strings.HasPrefix(property, "min-")) && isWide(value)
	s.reorders = s.reorders || reorders(property, value)
	s.letters.declare(property, value)
	s.beside = s.beside || movesBeside(property, value)
	s.gaps = s.gaps || separates(property, value)
	s.columns = s.columns || strings.HasPrefix(strings.TrimPrefix(property, "-webkit-"), "column") && property != "column-gap"
	s.floats = s.floats || property == "float" && value != "none"
	s.indented = s.indented || property == "text-indent" && least(value) <= -far
	s.veiled = s.veiled || s.indented
	s.doubt = s.doubt || hides(property, value)
}

// sizeOfFont returns the size in a value of font, and whether a number or a line height says
// which part it is.
func sizeOfFont(value string) (size string, ok bool) {
	for part := range strings.FieldsSeq(value) {
		size, _, hasLine := strings.Cut(part, "/")
		if hasLine || isZero(size) || strings.TrimLeft(size, "0123456789.") != "" && size[0] <= '9' {
			return size, true
		}
	}
	return "", false
}

// separates reports whether a declaration puts a gap as wide as a space between the children of
// a row.
func separates(property, value string) bool {
	switch property {
	case "gap", "column-gap", "grid-gap", "grid-column-gap":
		const space = 4
		return least(value) >= 0 && most(value) >= space
	case "justify-content":
		return strings.HasPrefix(value, "space-")
	}
	return false
}

// hides reports whether a declaration of a rarer property may hide the text, or move it
// away from the text beside it. Properties that are not known may.
func hides(property, value string) bool {
	switch property {
	case "position":
		return value != "static" && value != "relative"
	case "mso-hide":
		return value != "none"
	case "content-visibility":
		return value == "hidden"
	case "clip", "clip-path", "mask", "mask-image", "-webkit-mask":
		return value != "none" && value != "auto"
	case "line-height", "zoom", "scale", "max-inline-size", "max-block-size", "inline-size", "block-size":
		return isSmall(value)
	case "transform", "-webkit-transform", "translate", "rotate":
		return value != "none" && value != ""
	case "filter", "-webkit-filter":
		return value != "none" && value != ""
	case "text-indent", "margin", "margin-left", "margin-right", "margin-top", "margin-bottom", "left", "right", "top", "bottom",
		"letter-spacing", "word-spacing", "inset":
		return strings.Contains(value, "-") || len(value) > 5 || property == "text-indent" && strings.Contains(value, "%")
	case "font-family":
		return isPictorial(value)
	case "text-decoration", "text-decoration-line":
		return strings.Contains(value, "line-through")
	case "font-size-adjust", "-webkit-text-size-adjust":
		return isSmall(value)
	case "vertical-align":
		return value != "" && value[0] <= '9'
	case "padding", "padding-left", "padding-right", "padding-top", "padding-bottom", "text-transform", "text-align", "cursor",
		"font-weight", "font-style", "font-variant", "outline", "white-space", "word-break", "word-wrap", "overflow-wrap", "hyphens",
		"box-sizing", "box-shadow", "min-width", "min-height", "list-style", "orphans", "widows", "table-layout", "caret-color",
		"border", "border-left", "border-right", "border-width", "border-left-width", "border-right-width":
		const far = 1000 // pixels
		for number := range strings.FieldsFuncSeq(value, func(r rune) bool { return r < '0' || r > '9' }) {
			if n, err := strconv.Atoi(number); err != nil || n >= far {
				return true
			}
		}
		return false
	}
	if name, ok := strings.CutPrefix(property, "mso-"); ok {
		return hidesInWord(name, value)
	}
	return !strings.HasPrefix(property, "border") && !strings.HasPrefix(property, "text-decoration-") &&
		!strings.HasPrefix(property, "font-") && !strings.HasPrefix(property, "background-") && !strings.HasSuffix(property, "-size-adjust")
}

// hidesInWord reports whether a property of Word, without "mso-", may hide the text in Outlook: a
// transparent filling, a tiny size or width, a comment, what is elsewhere on a page, or a text far
// above or below its line.
func hidesInWord(property, value string) bool {
	switch property {
	case "style-textfill-type":
		return value == "none"
	case "style-textfill-fill-alpha":
		return value != "100%" && value != "100.0%"
	case "ansi-font-size", "font-width":
		return isSmall(value)
	case "text-raise":
		const far = 100 // pixels
		return least(value) <= -far || most(value) >= far
	case "element", "special-character":
		for _, elsewhere := range [...]string{"comment", "header", "footer", "footnote", "endnote"} {
			if strings.HasPrefix(value, elsewhere) {
				return true
			}
		}
	}
	return false
}

// tooSmall is the natural logarithm of the factor at which a text is too small to read.
const tooSmall = -1

// smaller is the natural logarithm of the factor by which "smaller" and elements such as small
// change the size.
const smaller = -0.18

// isSmaller reports whether an element shows its text smaller than that around it.
func isSmaller(tag atom.Atom) bool { return tag == atom.Small || tag == atom.Sub || tag == atom.Sup }

// shrink notes what an element makes of the size of the text around.
func (l *look) shrink(tag atom.Atom, s *style) {
	if s.font == shown {
		l.shrunk = 0
	}
	if l.shrunk += s.grows; s.grows == 0 && s.font == inherited && isSmaller(tag) {
		l.shrunk += smaller
	}
}

// fontSize reads a size. One that is relative to zero is zero.
func (s *style) fontSize(value string) {
	number, unit := cutNumber(value)
	s.grows = 0
	if n, err := strconv.ParseFloat(number, 64); err == nil && n > 0 {
		switch {
		case unit == "%":
			s.grows = math.Log(n / 100)
		case strings.EqualFold(unit, "em"):
			s.grows = math.Log(n)
		}
	} else if strings.EqualFold(value, "smaller") {
		s.grows = smaller
	}
	switch {
	case value == "":
	case isZero(value):
		s.font, s.doubt = unseen, true
	case strings.EqualFold(unit, "em"), unit == "%", strings.EqualFold(unit, "ex"), strings.EqualFold(unit, "ch"),
		strings.EqualFold(unit, "smaller"), strings.EqualFold(unit, "larger"), strings.EqualFold(unit, "inherit"):
		s.doubt = s.doubt || isSmall(value)
	default:
		s.font = shown
		const readable = 5 // pixels
		s.doubt = s.doubt || isSmall(value) || strings.Contains(value, "(") || most(strings.ToLower(value)) < readable && value[0] <= '9'
	}
}

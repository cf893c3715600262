package htmlpart

import (
	"slices"
	"strconv"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

const (
	// narrowest and widest bound in pixels the boxes that may cut off a host.
	narrowest = 40
	widest    = 500
	// lineWidth is taken for the width of a box of one or two lines that has none.
	lineWidth = 300
	// widthOfDigit is about that of a digit in pixels, a unit of CSS.
	widthOfDigit = 8
	// widthOfLetter is the most that a letter takes, in pixels.
	widthOfLetter = 10
	// maxCutText is the length in bytes of a text that is read without its end, and maxCuts the
	// number of places at which it is cut off.
	maxCutText = 512
	maxCuts    = 16
)

// pixels is a length of CSS.
type pixels float32

// box says what a style makes of a text that is longer than its box.
type box struct {
	cuts     bool   // what does not fit is not shown
	anywhere bool   // any part of the text may not be shown
	fixed    bool   // the columns of a table do not grow with their texts
	oneLine  bool   // the box shows a line or two
	width    pixels // 0 if unknown
}

// declare reads a declaration, in lower case.
func (b *box) declare(property, value string) {
	switch property {
	case "overflow", "overflow-x", "overflow-y", "overflow-inline", "overflow-block":
		b.cuts = b.cuts || !isVisible(value)
	case "contain":
		b.cuts = b.cuts || strings.Contains(value, "paint") || value == "strict" || value == "content"
	case "content-visibility":
		b.cuts = b.cuts || value == "auto"
	case "clip", "clip-path", "-webkit-clip-path", "mask", "mask-image", "mask-border", "mask-border-source",
		"-webkit-mask", "-webkit-mask-image", "-webkit-mask-box-image", "-webkit-mask-box-image-source":
		b.anywhere = b.anywhere || value != "none" && !isInherited(value)
	case "background", "background-clip", "-webkit-background-clip":
		b.anywhere = b.anywhere || strings.Contains(value, "text") &&
			slices.Contains(strings.FieldsFunc(value, func(r rune) bool { return r == ' ' || r == ',' }), "text")
	case "table-layout":
		b.fixed = b.fixed || value == "fixed"
	case "width", "max-width", "inline-size", "max-inline-size", "flex", "flex-basis", "-webkit-flex", "-webkit-flex-basis",
		"grid", "grid-template", "grid-template-columns", "grid-auto-columns":
		b.width = narrower(b.width, widthIn(value))
	case "height", "max-height":
		b.oneLine = b.oneLine || most(value) <= narrowest && value != "" && value[0] <= '9' && !strings.Contains(value, "%")
	case "white-space":
		b.oneLine = b.oneLine || value == "nowrap" || value == "pre"
	case "text-overflow", "-webkit-line-clamp":
		b.oneLine = b.oneLine || value != "clip" && value != "none"
	}
}

// own returns about the width that the style gives the box, in pixels, 0 if unknown.
func (b *box) own() pixels {
	if b.anywhere {
		return narrowest
	}
	return b.width
}

// room is own for a box in whatever is around: one of a line or two is about as wide as a line.
func (b *box) room() pixels {
	if b.width == 0 && b.oneLine && !b.anywhere {
		return lineWidth
	}
	return b.own()
}

// isVisible reports whether a value of overflow, in lower case, lets all be shown. What is around may cut
// a box that inherits its value.
func isVisible(value string) bool {
	return value == "visible" || value != "auto" && value != "inherit" && isInherited(value)
}

// narrower returns the lesser of two widths, each 0 if unknown.
func narrower(a, b pixels) pixels {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// widthIn returns about the width in pixels that a value in lower case gives a box: the least that may
// show a host. It returns 0 if the value gives none, or as much as there is.
func widthIn(value string) (width pixels) {
	if isUnknown(value) {
		return narrowest
	}
	for word := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune(" ,()/*", r) }) {
		number, unit := cutNumber(word)
		n, err := strconv.ParseFloat(number, 64)
		if err != nil {
			continue
		}
		switch unit {
		case "px", "":
		case "ch", "ex":
			n *= widthOfDigit
		case "%", "vw", "vi", "vh", "vb", "vmin", "vmax", "svw", "lvw", "dvw", "cqw", "cqi":
			if n <= 0 || n >= 100 {
				continue
			}
			n = max(n*lineWidth/100, narrowest)
		default:
			n *= pixelsOf(unit)
		}
		if n >= narrowest {
			width = narrower(width, pixels(n))
		}
	}
	return width
}

// cutTexts appends the readings of a text in a box of a width in pixels that cuts off the end of a
// host: all before each dot up to the registrable domain.
func cutTexts(readings []string, text string, width pixels) []string {
	if width == 0 || width >= pixels(widthOfLetter*len(text)) {
		return readings
	}
	if len(text) > maxCutText {
		text = text[:max(0, strings.LastIndexAny(text[:maxCutText], " /?#"))]
	}
	for word := range strings.FieldsSeq(text) {
		start := strings.Index(word, "://") + len("://")
		if start < len("://") {
			start = 0
		}
		host := word[start:]
		if end := strings.IndexAny(host, "/?#:"); end >= 0 {
			host = host[:end]
		}
		domain := hostname.Registrable(strings.ToLower(host))
		if len(domain) >= len(host) || !ascii.Is(host) {
			continue
		}
		sub := host[:len(host)-len(domain)]
		first := strings.IndexByte(sub, '.')
		if ascii.HasPrefixFold(sub, "www.") {
			first += 1 + strings.IndexByte(sub[first+1:], '.')
		}
		cuts := 0
		for i := first + 1; i < len(sub); i++ { // a name alone is not a host
			if sub[i] == '.' && cuts < maxCuts {
				readings = append(readings, word[:start+i])
				cuts++
			}
		}
	}
	return readings
}

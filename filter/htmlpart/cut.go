package htmlpart

import (
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
	// widthOfLetter is the most that a letter takes, in pixels.
	widthOfLetter = 10
	// maxCutText is the length in bytes of a text that is read without its end, and maxCuts the
	// number of places at which it is cut off.
	maxCutText = 512
	maxCuts    = 16
)

// box says what a style makes of a text that is longer than its box.
type box struct {
	cuts    bool    // what does not fit is not shown
	oneLine bool    // the box shows a line or two
	width   float64 // in pixels; 0 if unknown
}

// declare reads a declaration, in lower case.
func (b *box) declare(property, value string) {
	switch property {
	case "overflow", "overflow-x", "overflow-y":
		b.cuts = b.cuts || value != "visible" && !isInherited(value)
	case "width", "max-width":
		if width := most(value); width >= narrowest && !strings.Contains(value, "%") {
			b.width = width
		}
	case "height", "max-height":
		b.oneLine = b.oneLine || most(value) <= narrowest && value != "" && value[0] <= '9' && !strings.Contains(value, "%")
	case "white-space":
		b.oneLine = b.oneLine || value == "nowrap" || value == "pre"
	case "text-overflow", "-webkit-line-clamp":
		b.oneLine = b.oneLine || value != "clip" && value != "none"
	}
}

// room returns about the width of the box in pixels, 0 if unknown.
func (b *box) room() float64 {
	if b.width == 0 && b.oneLine {
		return lineWidth
	}
	return b.width
}

// cutTexts appends the readings of a text in a box of a width in pixels that cuts off the end of a
// host: all before each dot up to the registrable domain.
func cutTexts(readings []string, text string, width float64) []string {
	if width == 0 || width >= float64(widthOfLetter*len(text)) {
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

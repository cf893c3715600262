package htmlpart

import (
	"slices"
	"strings"
)

// palette has the colors that a style sheet sets.
type palette struct {
	texts, backgrounds []paint
	blended            bool // one of the texts is near one of the backgrounds
}

// maxColors is the number of colors of texts, and of backgrounds, that a palette keeps.
const maxColors = 64

// addBackground adds the color of a value of background, if it has one.
func (p *palette) addBackground(value string) {
	background := plainColor(value)
	if background == "" {
		return
	}
	p.backgrounds = p.withColor(p.backgrounds, background)
	p.blended = p.blended || p.hasTextOn(background) || mayMatch("linktext", background)
}

// addText adds the color of a text, unless it is empty.
func (p *palette) addText(text string) {
	if text == "" {
		return
	}
	p.texts = p.withColor(p.texts, text)
	p.blended = p.blended || p.hides(text)
}

// withColor returns colors with one more. Beyond their number any color may be near another.
func (p *palette) withColor(colors []paint, color string) []paint {
	switch {
	case slices.ContainsFunc(colors, func(known paint) bool { return known.value == color }):
	case len(colors) == maxColors:
		p.blended = true
	default:
		return append(colors, paintOf(color))
	}
	return colors
}

// hides reports whether a text in a color may be unreadable on one of the backgrounds.
func (p *palette) hides(text string) bool {
	return len(p.backgrounds) > 0 && slices.ContainsFunc(p.backgrounds, paintOf(text).mayMatch)
}

// hasTextOn reports whether one of the texts may be unreadable on a background.
func (p *palette) hasTextOn(background string) bool {
	if len(p.texts) == 0 {
		return false
	}
	behind := paintOf(background)
	return slices.ContainsFunc(p.texts, func(text paint) bool { return text.mayMatch(behind) })
}

// plainColor returns the first color in a value of background, or "".
func plainColor(background string) string {
	if background == "" {
		return ""
	}
	if _, ok := colorOf(background); ok {
		return background
	}
	for field := range strings.FieldsFuncSeq(background, func(r rune) bool { return strings.ContainsRune(" \t\r\n,()", r) }) {
		if _, ok := colorOf(field); ok {
			return field
		}
	}
	return ""
}

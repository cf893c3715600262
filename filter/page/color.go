package page

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"
)

// systemColors are CSS colour names that depend on the program, with the colours that most programs
// use for them (CSS Color §6.2).
var systemColors = map[string]color.RGBA{"windowtext": colornames.Black, "canvastext": colornames.Black, "linktext": {B: 238}}

// isInherited reports whether a value takes the colour of the parent element.
func isInherited(value string) bool {
	switch strings.ToLower(value) {
	case "inherit", "initial", "unset", "revert", "currentcolor", "auto":
		return true
	}
	return false
}

// mayMatch reports whether a text may look too much like its background to be read: its colour is
// near that of the background, transparent or unknown. An empty text colour is black, an empty
// background white.
func mayMatch(text, background string) bool {
	if text == "" {
		return false
	}
	letters, known := colorOf(text)
	if !known {
		return !isInherited(text)
	}
	ground, known := colornames.White, true
	if background != "" {
		ground, known = colorOf(background)
	}
	const near = 48
	isNear := func(a, b uint8) bool { return max(a, b)-min(a, b) < near }
	return !known || isNear(letters.R, ground.R) && isNear(letters.G, ground.G) && isNear(letters.B, ground.B)
}

// colorOf returns the colour that a CSS or HTML value names. known is false for values that are
// computed or not opaque.
func colorOf(value string) (c color.RGBA, known bool) {
	value = strings.ToLower(trim(value))
	for _, names := range [...]map[string]color.RGBA{colornames.Map, systemColors} {
		if c, known = names[value]; known {
			return c, true
		}
	}
	if strings.HasPrefix(value, "rgb(") {
		_, err := fmt.Sscanf(strings.ReplaceAll(value, ",", " "), "rgb(%d%d%d)", &c.R, &c.G, &c.B)
		return c, err == nil
	}
	digits := strings.TrimPrefix(value, "#")
	n, err := strconv.ParseUint(digits, 16, 24)
	switch {
	case err == nil && len(digits) == len("rgb"):
		return color.RGBA{R: uint8(n>>8) * 17, G: uint8(n>>4&15) * 17, B: uint8(n&15) * 17}, true
	case err == nil && len(digits) == len("rrggbb"):
		return color.RGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n)}, true
	}
	return c, false
}

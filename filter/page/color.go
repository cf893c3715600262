package page

import (
	"strconv"
	"strings"
)

// color is a color in red, green and blue, each up to 255.
type color struct{ red, green, blue int }

// namedColors are names of colors that mail often has, and light ones (CSS Color §6.1).
var namedColors = map[string]color{
	"white": {255, 255, 255}, "black": {}, "red": {255, 0, 0}, "blue": {0, 0, 255}, "green": {0, 128, 0}, "navy": {0, 0, 128}, "gray": {128, 128, 128},
	"grey": {128, 128, 128}, "silver": {192, 192, 192}, "orange": {255, 165, 0}, "yellow": {255, 255, 0}, "purple": {128, 0, 128}, "maroon": {128, 0, 0},
	"teal": {0, 128, 128}, "snow": {255, 250, 250}, "ivory": {255, 255, 240}, "azure": {240, 255, 255}, "whitesmoke": {245, 245, 245},
	"ghostwhite": {248, 248, 255}, "floralwhite": {255, 250, 240}, "mintcream": {245, 255, 250}, "aliceblue": {240, 248, 255}, "seashell": {255, 245, 238},
	"windowtext": {}, "canvastext": {}, "linktext": {0, 0, 238}, "darkblue": {0, 0, 139},
}

// isInherited reports whether a value takes the color of the text around.
func isInherited(value string) bool {
	switch strings.ToLower(value) {
	case "inherit", "initial", "unset", "revert", "currentcolor", "auto":
		return true
	}
	return false
}

// mayMatch reports whether a text may be too like its background to be read: its color
// is near, transparent, or not known. Either may be empty: then the text is black, and
// the background is white.
func mayMatch(text, background string) bool {
	c, isKnown := colorOf(text)
	behind, isBehindKnown := colorOf(background)
	switch {
	case !isKnown:
		return text != "" && !isInherited(text)
	case background == "":
		behind = color{255, 255, 255}
	case !isBehindKnown:
		return true
	}
	const near = 48
	return abs(c.red-behind.red) < near && abs(c.green-behind.green) < near && abs(c.blue-behind.blue) < near
}

func abs(n int) int { return max(n, -n) }

// colorOf returns the color that a value of CSS or of HTML names. It does not know values
// that are computed or not opaque.
func colorOf(value string) (color, bool) {
	value = strings.ToLower(trim(value))
	if !strings.HasPrefix(value, "#") {
		if c, ok := namedColors[value]; ok {
			return c, true
		}
	}
	if list, ok := strings.CutPrefix(value, "rgb("); ok {
		return decimalColor(strings.TrimSuffix(list, ")"))
	}
	digits := strings.TrimPrefix(value, "#")
	if len(digits) != 3 && len(digits) != 6 {
		return color{}, false
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	switch {
	case err != nil:
		return color{}, false
	case len(digits) == 3:
		return color{int(n>>8) * 17, int(n>>4&15) * 17, int(n&15) * 17}, true
	}
	return color{int(n >> 16), int(n >> 8 & 255), int(n & 255)}, true
}

// decimalColor returns the color of three numbers.
func decimalColor(list string) (color, bool) {
	var parts [3]int
	fields := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	if len(fields) != len(parts) {
		return color{}, false
	}
	for i, field := range fields {
		n, err := strconv.Atoi(field)
		if err != nil {
			return color{}, false
		}
		parts[i] = n
	}
	return color{parts[0], parts[1], parts[2]}, true
}

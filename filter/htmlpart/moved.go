package htmlpart

import (
	"strconv"
	"strings"
)

// far is the number of pixels from which on an element may lie over a text that is elsewhere.
const far = 10

// moves reports whether a declaration may take an element from its place, so that it lies over
// others.
func moves(property, value string) bool {
	switch property {
	case "position":
		return value == "absolute" || value == "fixed" || value == "sticky"
	case "margin", "margin-top", "margin-bottom", "margin-block", "margin-block-start", "margin-block-end":
		return least(value) <= -far
	case "left", "right", "top", "bottom", "inset", "inset-block", "inset-block-start", "inset-block-end":
		return isFar(value)
	case "transform", "-webkit-transform", "translate":
		isMove := property == "translate" || strings.Contains(value, "translate") || strings.Contains(value, "matrix")
		return isMove && isFar(value)
	case "grid-area", "grid-column", "grid-row":
		return value != "auto"
	}
	return false
}

// movesBeside reports whether a declaration may do so with an element in a line.
func movesBeside(property, value string) bool {
	return (property == "margin-left" || property == "margin-right" || strings.HasPrefix(property, "margin-inline")) && least(value) <= -far
}

// isFar reports whether a value has a length that is far to either side, or is not known.
func isFar(value string) bool {
	return least(value) <= -far || most(value) >= far || isUnknown(value)
}

// isUnknown reports whether a value comes from elsewhere.
func isUnknown(value string) bool {
	return strings.Contains(value, "var(") || strings.Contains(value, "attr(")
}

// least returns the least of the lengths in a value, and zero where all are positive.
func least(value string) (pixels float64) {
	for length := range lengths(value) {
		pixels = min(pixels, length)
	}
	return pixels
}

// most returns the greatest of the lengths in a value, and zero where all are negative.
func most(value string) (pixels float64) {
	for length := range lengths(value) {
		pixels = max(pixels, length)
	}
	return pixels
}

// lengths iterates over the lengths in a value, in about pixels.
func lengths(value string) func(func(float64) bool) {
	return func(yield func(float64) bool) {
		for word := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune(" ,()/*", r) }) {
			number, unit := cutNumber(word)
			n, err := strconv.ParseFloat(number, 64)
			if err == nil && !yield(n*pixelsOf(unit)) {
				return
			}
		}
	}
}

// cutNumber splits a value behind the number that it begins with.
func cutNumber(value string) (number, unit string) {
	unit = strings.TrimLeft(value, "+-.0123456789")
	return value[:len(value)-len(unit)], unit
}

// pixelsOf returns about how many pixels a unit has.
func pixelsOf(unit string) float64 {
	switch unit {
	case "", "px":
		return 1
	case "pt":
		return 4. / 3
	case "in":
		return 96
	case "cm":
		return 96 / 2.54
	case "mm":
		return 96 / 25.4
	case "deg", "turn", "rad", "grad":
		return 0
	}
	return 16
}

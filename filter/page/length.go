package page

import (
	"iter"
	"strconv"
	"strings"
)

// far is by how many pixels an element must be moved to count as lying over another text.
const far = 10

// isFar reports whether a value has a length of at least far to either side, or an unknown one.
func isFar(value string) bool {
	return least(value) <= -far || most(value) >= far || isUnknown(value)
}

// isUnknown reports whether a value refers to a variable or an attribute.
func isUnknown(value string) bool {
	return strings.Contains(value, "var(") || strings.Contains(value, "attr(")
}

// least returns the smallest length in a value, or zero if all are positive.
func least(value string) (pixels float64) {
	for length := range lengths(value) {
		pixels = min(pixels, length)
	}
	return pixels
}

// most returns the greatest length in a value, or zero if all are negative.
func most(value string) (pixels float64) {
	for length := range lengths(value) {
		pixels = max(pixels, length)
	}
	return pixels
}

// lengths iterates over the lengths in a value, converted approximately to pixels.
func lengths(value string) iter.Seq[float64] {
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

// cutNumber splits a value after the number at its start.
func cutNumber(value string) (number, unit string) {
	unit = strings.TrimLeft(value, "+-.0123456789")
	return value[:len(value)-len(unit)], unit
}

// pixelsOf returns about how many pixels a unit is.
func pixelsOf(unit string) float64 {
	switch unit {
	case "", "px":
		return 1
	case "pt":
		return 4. / 3
	case "vw":
		return 6 // for a phone, or a column of a page
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

// isZero reports whether a value is zero, with any unit.
func isZero(value string) bool {
	number, _ := cutNumber(value)
	return strings.Contains(number, "0") && strings.Trim(number, "+-.0") == ""
}

// isPercentBelow reports whether a value is a percentage below n.
func isPercentBelow(value string, n float64) bool {
	number, ok := strings.CutSuffix(value, "%")
	is, err := strconv.ParseFloat(number, 64)
	return ok && err == nil && is < n
}

// isSmall reports whether a value is too small to read: a number below three with a unit, a factor
// below 0.7, a negative value, or one that is computed.
func isSmall(value string) bool {
	number, unit := cutNumber(value)
	number, unit = strings.TrimLeft(number, "+0"), strings.ToLower(unit)
	switch {
	case isZero(value), strings.HasPrefix(value, "-"), strings.Contains(value, "calc"), strings.Contains(value, "var("), strings.Contains(value, "min("):
		return true
	case number == "":
		return false
	case unit == "em" || unit == "rem" || unit == "ex" || unit == "ch" || unit == "":
		return number[0] == '.' && !strings.HasPrefix(number, ".8") && !strings.HasPrefix(number, ".9") && !strings.HasPrefix(number, ".7")
	}
	whole, _, _ := strings.Cut(number, ".")
	return len(whole) == 0 || len(whole) == 1 && whole[0] < '3'
}

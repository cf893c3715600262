package htmlpart

import (
	"strconv"
	"strings"
)

// goesBack reports whether a list of places of letters in SVG, or of distances from their places,
// shows them in another order (SVG 2 §11.4).
func goesBack(list string, areDistances bool) bool {
	before, isFirst := 0., true
	for number := range strings.FieldsFuncSeq(list, func(r rune) bool { return strings.ContainsRune(blanks+",", r) }) {
		digits, unit := cutNumber(number)
		place, err := strconv.ParseFloat(digits, 64)
		place *= pixelsOf(unit)
		if !isFirst && (err != nil || areDistances && place <= -far || !areDistances && place < before) {
			return true
		}
		before, isFirst = place, false
	}
	return false
}

package htmlpart

import "strings"

// sides are bits of the sides of a box.
type sides uint8

const (
	leftSide sides = 1 << iota
	rightSide
	topSide
	bottomSide
)

// sidesOf returns the sides that a property sets the place of.
func sidesOf(property string) sides {
	switch property {
	case "left":
		return leftSide
	case "right":
		return rightSide
	case "top":
		return topSide
	case "bottom":
		return bottomSide
	case "inset-inline":
		return leftSide | rightSide
	case "inset", "inset-block":
		return topSide | bottomSide
	}
	return 0
}

// isWide reports whether a size is that of the box around, or large.
func isWide(value string) bool {
	const large = 100 // pixels
	return strings.Contains(value, "100%") || most(strings.ToLower(value)) >= large
}

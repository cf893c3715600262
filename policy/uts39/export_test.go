package uts39

import "github.com/linkmilter/linkmilter/internal/ucd"

// Direction is the direction of a paragraph.
type Direction = baseDirection

// The directions.
const (
	LTR = leftToRight
	RTL = rightToLeft
)

// VisualOrderIn returns the visual order in a paragraph of direction d.
func VisualOrderIn(d Direction, runes []rune) []int { return visualOrder(d, runes) }

// BidiSkeletonIn returns bidiSkeleton(d, s).
func BidiSkeletonIn(d Direction, s string) string { return bidiSkeleton(d, s) }

// Augmented returns the augmented script set of r.
func Augmented(r rune) ucd.ScriptSet { return augment(ucd.IdentityOf(r)) }

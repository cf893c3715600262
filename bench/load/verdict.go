//go:build linux

package main

import (
	"fmt"
)

// A limit is a bound of a ratio: at least or at most.
type limit struct {
	bound float64
	least bool
}

func atLeast(bound float64) limit { return limit{bound, true} }
func atMost(bound float64) limit  { return limit{bound, false} }

// holds reports whether a ratio is within the limit.
func (l limit) holds(ratio float64) bool {
	if l.least {
		return ratio >= l.bound
	}
	return ratio <= l.bound
}

func (l limit) String() string {
	if l.least {
		return fmt.Sprintf("at least %g", l.bound)
	}
	return fmt.Sprintf("at most %g", l.bound)
}

// A verdict is a ratio beside its limit.
type verdict struct {
	what  string
	ratio float64
	limit limit
}

func (v verdict) String() string {
	word := "holds"
	if !v.limit.holds(v.ratio) {
		word = "DOES NOT HOLD"
	}
	return fmt.Sprintf("%s: %.2f (%s): %s", v.what, v.ratio, v.limit, word)
}

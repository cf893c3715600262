package htmlpart

import (
	"strconv"
	"strings"
)

// nth are the elements that a selector counts: step*n+first, from the first or the last
// (Selectors §14.3).
type nth struct {
	step, first int
	last        bool
}

const (
	// maxNths is the number of such selectors of a rule that are known, and maxCounted that of
	// the rules.
	maxNths    = 32
	maxCounted = 16
)

// nthsOf returns what the selectors of a rule count.
func nthsOf(selectors string) (counted []nth) {
	selectors = strings.ToLower(selectors)
	for {
		_, rest, ok := strings.Cut(selectors, ":nth-")
		if !ok || len(counted) == maxNths {
			return counted
		}
		kind, rest, _ := strings.Cut(rest, "(")
		formula, _, _ := strings.Cut(rest, ")")
		formula, _, _ = strings.Cut(formula, "of ")
		if n, ok := parseNth(formula); ok {
			n.last = strings.HasPrefix(kind, "last")
			counted = append(counted, n)
		}
		selectors = rest
	}
}

// parseNth reads a formula such as "2n + 1", "odd" or "3".
func parseNth(formula string) (n nth, ok bool) {
	formula = strings.Join(strings.Fields(formula), "")
	switch formula {
	case "even":
		return nth{step: 2}, true
	case "odd":
		return nth{step: 2, first: 1}, true
	}
	step, first, counts := strings.Cut(formula, "n")
	if !counts {
		step, first = "0", formula
	}
	switch step {
	case "", "+":
		step = "1"
	case "-":
		step = "-1"
	}
	var err error
	if n.step, err = strconv.Atoi(step); err != nil {
		return nth{}, false
	}
	if first != "" {
		n.first, err = strconv.Atoi(first)
	}
	return n, err == nil
}

// has reports whether the selector counts the element i, from zero, of so many.
func (n nth) has(i, all int) bool {
	if i++; n.last {
		i = all + 1 - i
	}
	if i -= n.first; n.step == 0 {
		return i == 0
	}
	return i%n.step == 0 && i/n.step >= 0
}

package printable

import (
	"strconv"
	"strings"
)

// Cell returns a value of CSV that a spreadsheet does not take for a formula, which could
// open a link or run a program: an apostrophe marks it as text.
func Cell(value string) string {
	if value != "" && strings.IndexByte("=+-@\t\r", value[0]) >= 0 {
		return "'" + value
	}
	return value
}

// Number returns a number with its thousands separated by commas.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

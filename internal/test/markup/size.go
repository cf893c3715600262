package markup

import (
	"fmt"
	"strings"
)

// Numbered repeats a format with numbers up to about n bytes.
func Numbered(n int, format string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// fill repeats a piece up to about n bytes.
func fill(n int, piece string) string { return strings.Repeat(piece, max(1, n/len(piece))) }

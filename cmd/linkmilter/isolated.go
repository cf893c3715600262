package main

import (
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/bidi"
)

// isolatedLink returns a link whose components are in order on a terminal that follows the
// Bidi algorithm.
func isolatedLink(s string) string {
	if in := bidi.Isolated(s); in != s {
		return in
	}
	return isolated(s)
}

// isolated returns text that cannot reorder the text beside it on a terminal that
// follows the Bidi algorithm (UAX #9, FSI and PDI).
func isolated(s string) string {
	if ascii.Is(s) {
		return s
	}
	return "\u2068" + s + "\u2069"
}

// Package bidi divides a URL or an address into pieces for display. Pieces with right-to-left
// characters can be isolated, so that the sequence of pieces runs from left to right (UAX #9 HL4,
// which UTS #58 recommends).
package bidi

import (
	"iter"
	"strings"

	"golang.org/x/text/unicode/bidi"
)

// The characters that divide a URL into pieces, up to the port and after it. A piece is a label of
// a host, a path segment, or a key or value of a query. A hyphen never divides, and a dot only in
// the host.
const (
	pathSyntax = "/?#&=;"
	hostSyntax = pathSyntax + ".:@[]"
)

// Segments yields the pieces of a URL in order, and whether to isolate each: it has right-to-left
// characters and is not URL syntax. All pieces together are the URL. The URL may lack its scheme.
func Segments(url string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		path := pathOf(url)
		if segments(url[:path], hostSyntax, yield) {
			segments(url[path:], pathSyntax, yield)
		}
	}
}

// segments yields the pieces of a part of a URL. It reports whether yield wants more.
func segments(part, syntax string, yield func(string, bool) bool) bool {
	done := 0 // end of the part that was yielded
	for start := 0; start < len(part); {
		end := len(part)
		if i := strings.IndexAny(part[start:], syntax); i >= 0 {
			end = start + i
		}
		if RightToLeft(part[start:end]) {
			if done < start && !yield(part[done:start], false) || !yield(part[start:end], true) {
				return false
			}
			done = end
		}
		start = end + 1
	}
	return done == len(part) || yield(part[done:], false)
}

// pathOf returns the offset after the host of a URL.
func pathOf(url string) int {
	start := 0
	if scheme, rest, ok := strings.Cut(url, "//"); ok && !strings.ContainsAny(scheme, "/?#") && strings.HasSuffix(strings.TrimSuffix(scheme, "]"), ":") {
		start = len(url) - len(rest)
	}
	if i := strings.IndexAny(url[start:], "/?#"); i >= 0 {
		return start + i
	}
	return len(url)
}

// RightToLeft reports whether a text has a right-to-left character, or an Arabic digit, which
// reorders its neighbours.
func RightToLeft(text string) bool {
	for i := 0; i < len(text); {
		p, size := bidi.LookupString(text[i:])
		switch p.Class() {
		case bidi.R, bidi.AL, bidi.AN:
			return true
		}
		i += max(size, 1)
	}
	return false
}

// The isolates of UAX #9 §2.
const (
	leftToRight = "\u2066"
	firstStrong = "\u2068"
	popIsolate  = "\u2069"
)

// Isolated returns a URL for a terminal, with its right-to-left pieces in isolates. It returns a
// URL without right-to-left characters unchanged.
func Isolated(url string) string {
	if !RightToLeft(url) {
		return url
	}
	var b strings.Builder
	b.WriteString(leftToRight)
	for piece, isolate := range Segments(url) {
		if isolate {
			piece = firstStrong + piece + popIsolate
		}
		b.WriteString(piece)
	}
	b.WriteString(popIsolate)
	return b.String()
}

//go:build linux

package main

import (
	"strings"
	"testing"
)

// TestMixed: the corpus has the shares of kinds and the sizes that the documentation says.
func TestMixed(t *testing.T) {
	const n = 500
	count := map[string]int{}
	small, most := 0, 0
	for _, m := range mixed(1, n, largest) {
		kind, _, _ := strings.Cut(m.kind, ",")
		count[kind]++
		size := len(m.raw())
		if size <= 11*smallest {
			small++
		}
		most = max(most, size)
	}
	if count["without links"] != n*6/10 || count["HTML"] != n*3/10 || count["hostile"] != n/10 {
		t.Errorf("%v of %d messages", count, n)
	}
	if small < n*8/10 || most < largest*9/10 || most > largest*11/10 {
		t.Errorf("%d of %d messages have up to 11 KB, the largest has %d bytes", small, n, most)
	}
}

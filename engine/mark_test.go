package engine_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
)

// newScanner returns a scanner with options that are known to be valid.
func newScanner(tb testing.TB, o engine.Options) *engine.Scanner {
	tb.Helper()
	s, err := engine.New(o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// mark returns text with ⸠ and ⸡ around each link, as in LinkDetectionTest.txt, and with ⸢, its
// reason and ⸣ around each suspect.
func mark(s *engine.Scanner, text string) string {
	var b strings.Builder
	pos := 0
	for l := range s.All(text) {
		b.WriteString(text[pos:l.Start])
		if l.Kind == engine.KindSuspect {
			b.WriteString("⸢" + l.Text + "|" + string(l.Reason) + "⸣")
		} else {
			b.WriteString("⸠" + l.Text + "⸡")
		}
		pos = l.End
	}
	b.WriteString(text[pos:])
	return b.String()
}

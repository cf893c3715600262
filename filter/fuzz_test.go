package filter_test

import (
	"net/netip"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
)

// FuzzMessage takes any bytes through the whole filter: invariants I1, I2, I5
// and I7, with a rule that edits whatever may be edited.
func FuzzMessage(f *testing.F) {
	for _, s := range samples(f) {
		f.Add(s.raw)
	}
	needed := newFilter(f, filter.Options{})
	always := newFilter(f, filter.Options{Rules: always()})
	stranger := filter.Envelope{Sender: "a@example.com", Client: netip.MustParseAddr("203.0.113.9")}
	f.Fuzz(func(t *testing.T, raw []byte) {
		check(t, "needed", needed, localUser(), raw)
		check(t, "always", always, localUser(), raw)
		if result := check(t, "stranger", needed, stranger, raw); result.Edited != nil {
			t.Error("a stranger's message was edited")
		}
	})
}

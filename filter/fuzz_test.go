package filter_test

import (
	"net/netip"
	"sync"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
)

// FuzzMessage filters any bytes, with rules that edit whatever may be edited, and checks the
// invariants I1 to I5, I7 and I8.
func FuzzMessage(f *testing.F) {
	made := make(map[string]bool) // samples made for editing
	for _, s := range samples(f) {
		f.Add(s.raw)
		if s.madeForEditing() {
			made[string(s.raw)] = true
		}
	}
	var seen, planned, wanted, edited int
	var counts sync.Mutex
	f.Cleanup(func() {
		f.Logf("%d of %d inputs, and %d of %d made for editing, led to a plan", planned, seen, edited, wanted)
		if edited*100 < wanted*30 {
			f.Error("too few to call it tested")
		}
	})
	needed := newFilter(f, filter.Options{})
	always := newFilter(f, filter.Options{Rules: always()})
	plain := newFilter(f, filter.Options{Rules: readable()["defang"]})
	stranger := envelope.Envelope{Sender: "a@example.com", Client: netip.MustParseAddr("203.0.113.9")}
	f.Fuzz(func(t *testing.T, raw []byte) {
		plan := !check(t, "needed", needed, localUser(), raw).Plan.Empty()
		check(t, "always", always, localUser(), raw)
		rewritten := check(t, "plain", plain, localUser(), raw)
		showsTheText(t, raw, rewritten)
		if result := check(t, "stranger", needed, stranger, raw); result.Report.Edited {
			t.Error("a stranger's message was edited")
		}
		counts.Lock()
		defer counts.Unlock()
		seen++
		if plan {
			planned++
		}
		if made[string(raw)] {
			wanted++
			if plan {
				edited++
			}
		}
	})
}

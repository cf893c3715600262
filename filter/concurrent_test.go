package filter_test

import (
	"reflect"
	"sync"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
)

// TestConcurrentUse: several goroutines may use a Filter, and each gets the same results as alone;
// run with -race.
func TestConcurrentUse(t *testing.T) {
	const goroutines, rounds = 4, 3
	f := newFilter(t, filter.Options{})
	all := samples(t)
	want := make([]any, len(all))
	for i := range all {
		want[i] = newFilter(t, filter.Options{}).Scan(all[i].raw)
	}
	var group sync.WaitGroup
	for g := range goroutines {
		group.Go(func() {
			for i := range rounds * len(all) {
				at := (i + g) % len(all)
				if got := f.Scan(all[at].raw); !reflect.DeepEqual(any(got), want[at]) {
					t.Errorf("%s: got %+v, want %+v", all[at].name, got, want[at])
				}
			}
		})
	}
	group.Wait()
}

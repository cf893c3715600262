package metrics

import "sync"

// other is the label for values beyond a bound.
const other = "other"

// A bounded set of label values. Every value costs a time series, here and in
// Prometheus, for as long as the process runs; beyond the bound all further
// values share one.
type bounded struct {
	most int

	mu    sync.Mutex
	known map[string]struct{}
}

func newBounded(most int) *bounded { return &bounded{most: most, known: map[string]struct{}{}} }

// label returns value, or other where there are too many.
func (b *bounded) label(value string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.known[value]; ok {
		return value
	}
	if len(b.known) >= b.most {
		return other
	}
	b.known[value] = struct{}{}
	return value
}

package history

import (
	"time"

	"github.com/linkmilter/linkmilter/policy"
)

// A Query chooses messages. Its zero value chooses all.
type Query struct {
	Text     string          // words that occur in some field; an asterisk at the end of a word stands for the rest of it
	Code     policy.Code     // code of a finding
	Severity policy.Severity // lowest severity of the worst finding
	Host     string          // host of a link, or a domain above it, in A- or U-labels
	Rule     string
	Action   string
	Mark     string    // of a finding: MarkRight or MarkWrong
	From, To time.Time // range of times without To itself; the zero time is no bound

	// Before and After bound the IDs: only older messages than Before, only newer ones than After;
	// 0 is no bound. With After alone, Find returns the oldest of these, not the newest.
	Before, After ID
}

// bounds returns the lowest ID that the query chooses, and the lowest ID above all of them.
func (q *Query) bounds() (low, high ID) {
	low, high = 0, 1<<63-1
	if !q.From.IsZero() {
		low = firstID(q.From)
	}
	if !q.To.IsZero() {
		high = firstID(q.To)
	}
	if q.After > 0 {
		low = max(low, q.After+1)
	}
	if q.Before > 0 {
		high = min(high, q.Before)
	}
	return low, high
}

// rising reports whether the oldest messages of the query come first.
func (q *Query) rising() bool { return q.After > 0 && q.Before == 0 }

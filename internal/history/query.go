package history

import (
	"time"

	"github.com/linkmilter/linkmilter/policy"
)

// A Query chooses messages. Its zero value chooses all.
type Query struct {
	Text     string          // words that are in some field; an asterisk stands for the rest of one
	Code     policy.Code     // of a finding
	Severity policy.Severity // of the worst finding, at least
	Host     string          // of a link, or a domain that it lies in, in A- or U-labels
	Rule     string
	Action   string
	Mark     string    // of a finding: MarkRight or MarkWrong
	From, To time.Time // the zero time is not a bound; To itself is outside

	// Before and After bound the IDs: older and newer messages; 0 is not a bound. With
	// After alone the nearest messages come, not the newest.
	Before, After ID
}

// bounds returns the lowest ID that the query chooses, and the first one above.
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

package report

// An Outcome says how much of a message, or of a part, was read. The zero value
// is the safe one.
type Outcome uint8

// The outcomes.
const (
	OutcomeUnread   Outcome = iota // nothing was read; never the same as clean
	OutcomePartial                 // something was left out
	OutcomeComplete                // every text was read
)

// String returns "unread", "partial" or "complete".
func (o Outcome) String() string {
	switch o {
	case OutcomePartial:
		return "partial"
	case OutcomeComplete:
		return "complete"
	}
	return "unread"
}

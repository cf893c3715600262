package quarantine

import (
	"slices"
	"time"

	"github.com/linkmilter/linkmilter/internal/pattern"
)

// A Filter selects messages in quarantine. Zero fields select all.
type Filter struct {
	Before time.Time // bounds for the time at which they came
	Code   string    // code of a finding
	From   []string  // patterns of addresses: anna@example.com, @example.com, .example.com
	To     []string
}

// Select returns the messages that a filter selects, the oldest first.
func (f *Folder) Select(which Filter) ([]Message, error) {
	from, err := pattern.NewAddresses(which.From)
	if err != nil {
		return nil, err
	}
	to, err := pattern.NewAddresses(which.To)
	if err != nil {
		return nil, err
	}
	list, err := f.List()
	if err != nil {
		return nil, err
	}
	var selected []Message
	for _, m := range list {
		switch {
		case !which.Before.IsZero() && !m.Time.Before(which.Before):
		case which.Code != "" && !slices.Contains(m.Codes, which.Code):
		case len(which.From) > 0 && !from.Has(pattern.ParseAddress(m.Sender)):
		case len(which.To) > 0 && !slices.ContainsFunc(f.recipients(m.Name), func(r string) bool { return to.Has(pattern.ParseAddress(r)) }):
		default:
			selected = append(selected, m)
		}
	}
	return selected, nil
}

// recipients returns the recipients of a message, or none if its envelope is not readable.
func (f *Folder) recipients(name string) []string {
	e, err := f.readEnvelope(name)
	if err != nil {
		return nil
	}
	return e.Recipients
}

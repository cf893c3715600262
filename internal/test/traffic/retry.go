//go:build unix

package traffic

import (
	"cmp"
	"context"
	"time"
)

// attempt is how an attempt to send a message ended. The zero value: it was accepted.
type attempt struct {
	again     bool   // it is to be tried again
	uncertain bool   // it may have arrived all the same
	refusal   string // it was refused for good
}

// retry tries to send a message until it is accepted or refused for good, or ctx ends.
func retry(ctx context.Context, a *Account, m *Message, pause time.Duration, try func() attempt) error {
	for {
		result := try()
		switch {
		case result.refusal != "":
			a.refused(m, result.refusal)
			return nil
		case !result.again:
			a.accepted(m)
			return nil
		}
		a.failed(m, result.uncertain)
		select {
		case <-ctx.Done():
			a.abandoned(m)
			return ctx.Err()
		case <-time.After(cmp.Or(pause, 100*time.Millisecond)):
		}
	}
}

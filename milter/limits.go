package milter

import (
	"errors"
	"time"
)

// Limits bound the work on messages. They may be changed while a [Server]
// runs. Zero values stand for the defaults.
type Limits struct {
	// MaxMessage is the size in bytes, header and body, up to which a message is
	// kept. Of a larger one the filter gets the beginning, as
	// [filter.Envelope.Truncated]. Default DefaultMaxMessage.
	MaxMessage int64
	// Memory bounds in bytes what the messages of all connections take together.
	// A message that does not fit any more is accepted without being looked at.
	// While the filter works on a message it counts twice to three times its
	// size. Default DefaultMemory.
	Memory int64
	// Time is how long the filter may work on a message. Default 5 seconds, far
	// below what MTAs wait for.
	Time time.Duration
}

// withDefaults returns l with its zero values replaced, or what is wrong.
func (l Limits) withDefaults() (Limits, error) {
	if min(l.MaxMessage, l.Memory, int64(l.Time)) < 0 {
		return l, errNegative
	}
	if l.MaxMessage == 0 {
		l.MaxMessage = DefaultMaxMessage
	}
	if l.Memory == 0 {
		l.Memory = DefaultMemory
	}
	if l.Time == 0 {
		l.Time = defaultTime
	}
	return l, nil
}

var errNegative = errors.New("milter: a limit is negative")

// SetLimits replaces the limits. A message in hand keeps the size it may have;
// the others hold at once. An error means that nothing was changed.
func (s *Server) SetLimits(l Limits) error {
	l, err := l.withDefaults()
	if err != nil {
		return err
	}
	s.useLimits(l)
	return nil
}

func (s *Server) useLimits(l Limits) {
	s.limits.Store(&l)
	s.budget.SetLimit(l.Memory)
}

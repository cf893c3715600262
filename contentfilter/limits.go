package contentfilter

import (
	"cmp"
	"time"
)

// Defaults of Limits.
const (
	DefaultMaxMessage int64 = 25 << 20
	DefaultMemory     int64 = 256 << 20

	defaultTime = 5 * time.Second
)

// Limits bound the work on messages. They may be changed while a [Server]
// runs. Zero values stand for the defaults.
type Limits struct {
	// MaxMessage is the size in bytes up to which a message is kept. Of a larger
	// one the filter gets the beginning, as [filter.Envelope.Truncated]; the rest
	// goes straight from the client to the next hop. Default DefaultMaxMessage.
	MaxMessage int64
	// Memory bounds in bytes what the messages of all connections take together.
	// A message that does not fit any more goes on without being looked at.
	// While the filter works on a message it counts three to four times its
	// size. Default DefaultMemory.
	Memory int64
	// Time is how long the filter may work on a message. Default 5 seconds.
	Time time.Duration
}

// withDefaults returns l with its zero values replaced, or what is wrong.
func (l Limits) withDefaults() (Limits, error) {
	if min(l.MaxMessage, l.Memory, int64(l.Time)) < 0 {
		return l, errNegative
	}
	l.MaxMessage = cmp.Or(l.MaxMessage, DefaultMaxMessage)
	l.Memory = cmp.Or(l.Memory, DefaultMemory)
	l.Time = cmp.Or(l.Time, defaultTime)
	return l, nil
}

// Timeouts bound how long a client may keep linkmilter waiting. Zero values
// stand for the defaults.
type Timeouts struct {
	// Command is how long a client may take for a command, from the reply
	// before it to its last octet. Default 5 minutes (RFC 5321 §4.5.3.2.7).
	Command time.Duration
	// Content is how long a client may be silent within a message. Default 5 minutes.
	Content time.Duration
	// Message is how long the content of a message may take in all. Default 1 hour.
	Message time.Duration
	// Write is how long a client may take to accept a reply. Default 1 minute.
	Write time.Duration
}

// withDefaults returns t with its zero values replaced, or what is wrong.
func (t Timeouts) withDefaults() (Timeouts, error) {
	if min(t.Command, t.Content, t.Message, t.Write) < 0 {
		return t, errNegative
	}
	t.Command = cmp.Or(t.Command, 5*time.Minute)
	t.Content = cmp.Or(t.Content, 5*time.Minute)
	t.Message = cmp.Or(t.Message, time.Hour)
	t.Write = cmp.Or(t.Write, time.Minute)
	return t, nil
}

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

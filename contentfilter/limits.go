package contentfilter

import (
	"cmp"
	"fmt"
	"time"

	"github.com/linkmilter/linkmilter/internal/budget"
)

// Limits bound the work on messages: MaxMessage and Memory in bytes, and Time.
// They may be changed while a [Server] runs. Zero values stand for the defaults.
type Limits = budget.Limits

// SetLimits replaces the limits. A message in hand keeps the size it may have;
// the others hold at once. An error means that nothing was changed.
func (s *Server) SetLimits(l Limits) error {
	if err := s.budget.SetLimits(l); err != nil {
		return fmt.Errorf("contentfilter: %w", err)
	}
	return nil
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

package contentfilter

import (
	"cmp"
	"fmt"
	"time"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// Timeouts bound how long a client may keep linkmilter waiting. Zero values mean the
// defaults.
type Timeouts struct {
	// Command is how long a client may take for a command, from the reply
	// before it to its last byte. Default 5 minutes (RFC 5321 §4.5.3.2.7).
	Command time.Duration
	// Content is how long a client may be silent within a message. Default 5 minutes.
	Content time.Duration
	// Message is how long the content of a message may take in all. Default 1 hour.
	Message time.Duration
	// Write is how long a client may take to accept a reply. Default 1 minute.
	Write time.Duration
}

// withDefaults returns t with its zero values replaced; the error says that one is
// negative.
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

var errNegative = fmt.Errorf("contentfilter: %w", mailserver.ErrNegative)

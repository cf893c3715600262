package contentfilter

import (
	"cmp"
	"fmt"
	"time"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// Timeouts bound how long a client may keep linkmilter waiting. Zero values mean
// those of [DefaultOptions].
type Timeouts struct {
	// Command is how long a client may take for a command, from the reply
	// before it to its last byte.
	Command time.Duration
	// Content is how long a client may be silent within a message.
	Content time.Duration
	// Message is how long the content of a message may take in all.
	Message time.Duration
	// Write is how long a client may take to accept a reply.
	write time.Duration
}

// defaultTimeouts returns the default timeouts. The timeout for a command is that of RFC 5321
// §4.5.3.2.7.
func defaultTimeouts() Timeouts {
	return Timeouts{Command: 5 * time.Minute, Content: 5 * time.Minute, Message: time.Hour, write: time.Minute}
}

// withDefaults returns t with its zero values replaced; the error says that one is
// negative.
func (t Timeouts) withDefaults() (Timeouts, error) {
	if min(t.Command, t.Content, t.Message, t.write) < 0 {
		return t, errNegative
	}
	d := defaultTimeouts()
	t.Command = cmp.Or(t.Command, d.Command)
	t.Content = cmp.Or(t.Content, d.Content)
	t.Message = cmp.Or(t.Message, d.Message)
	t.write = cmp.Or(t.write, d.write)
	return t, nil
}

var errNegative = fmt.Errorf("contentfilter: %w", mailserver.ErrNegative)

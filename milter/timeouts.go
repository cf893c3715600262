package milter

import "time"

// Timeouts bound how long a connection may keep linkmilter waiting. Zero values mean the
// defaults.
type Timeouts struct {
	// Idle is how long an MTA may be silent while it holds no message content
	// ready: between messages, and between the commands of an SMTP client.
	// Sendmail gives its client an hour for a command. Default 2 hours.
	Idle time.Duration
	// Content is how long an MTA may be silent between the packets of a message's
	// content. MTAs have all of it when they begin to send it, but other milters
	// may take their time in between. Default 5 minutes.
	Content time.Duration
	// Packet is how long the rest of a packet may take once it has begun.
	// Default 1 minute.
	Packet time.Duration
	// Write is how long an MTA may take to accept a reply. Default 1 minute.
	Write time.Duration
}

// withDefaults returns t with its zero values replaced.
func (t Timeouts) withDefaults() Timeouts {
	set := func(d *time.Duration, value time.Duration) {
		if *d == 0 {
			*d = value
		}
	}
	set(&t.Idle, 2*time.Hour)
	set(&t.Content, 5*time.Minute)
	set(&t.Packet, time.Minute)
	set(&t.Write, time.Minute)
	return t
}

package milter

import "time"

// Timeouts bound how long a connection may keep linkmilter waiting. Zero values mean
// those of [DefaultOptions].
type Timeouts struct {
	// Idle is how long an MTA may be silent while it holds no message content
	// ready: between messages, and between the commands of an SMTP client.
	// Sendmail gives its client an hour for a command.
	Idle time.Duration
	// Content is how long an MTA may be silent between the packets of a message's
	// content. MTAs have all of it when they begin to send it, but other milters
	// may take their time in between.
	Content time.Duration
	// Packet is how long the rest of a packet may take once it has begun.
	packet time.Duration
	// Write is how long an MTA may take to accept a reply.
	write time.Duration
}

// defaultTimeouts returns the default timeouts.
func defaultTimeouts() Timeouts {
	return Timeouts{Idle: 2 * time.Hour, Content: 5 * time.Minute, packet: time.Minute, write: time.Minute}
}

// withDefaults returns t with its zero values replaced.
func (t Timeouts) withDefaults() Timeouts {
	d := defaultTimeouts()
	set := func(d *time.Duration, value time.Duration) {
		if *d == 0 {
			*d = value
		}
	}
	set(&t.Idle, d.Idle)
	set(&t.Content, d.Content)
	set(&t.packet, d.packet)
	set(&t.write, d.write)
	return t
}

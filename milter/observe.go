package milter

import (
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/filter"
)

// An Event is what became of one message.
type Event struct {
	// Report is the filter's; the zero Report where the message was not given
	// to it, or where it did not return in time. It must not be changed.
	Report *filter.Report
	// Reason is why the message was not read, or not edited as the filter asked,
	// for a cause that lies in the protocol or the server; "" otherwise.
	Reason Reason
	// Action is what the MTA was asked to do. ActionReason is why it was not
	// asked for the filter's action; "" otherwise.
	Action       filter.Action
	ActionReason Reason
	Edited       bool          // the content was edited
	Tagged       bool          // header fields were added or removed beside that
	Size         int64         // of the message as it came, header and body, in bytes
	Duration     time.Duration // from the end of the message to the reply
}

func (d *decision) event() *Event {
	e := &Event{
		Report:       &d.result.Report,
		Reason:       d.reason,
		Action:       d.result.Action,
		ActionReason: d.actionReason,
		Edited:       d.edited,
		Tagged:       d.tagged,
		Size:         d.size,
		Duration:     d.duration,
	}
	if e.ActionReason != "" {
		e.Action = filter.ActionNone
	}
	return e
}

// Stats are numbers about a running [Server].
type Stats struct {
	Connections int    // being served now
	Served      uint64 // connections so far
	Denied      uint64 // connections turned away, since Options.Allow does not name their network
	AtLimit     uint64 // how often all connections of Options.MaxConnections were taken
	Memory      int64  // bytes that messages in hand take
	MemoryLimit int64  // Limits.Memory
}

// counts are the sums of Stats.
type counts struct{ served, denied, atLimit atomic.Uint64 }

// Stats returns the numbers of this moment.
func (s *Server) Stats() Stats {
	s.mu.Lock()
	connections := len(s.conns)
	s.mu.Unlock()
	return Stats{
		Connections: connections,
		Served:      s.counts.served.Load(),
		Denied:      s.counts.denied.Load(),
		AtLimit:     s.counts.atLimit.Load(),
		Memory:      s.budget.used.Load(),
		MemoryLimit: s.budget.limit.Load(),
	}
}

package milter

import (
	"github.com/linkmilter/linkmilter/internal/outcome"
)

// An Event is what became of one message.
type Event = outcome.Event

// Stats are numbers about a running [Server].
type Stats struct {
	Connections int    // being served now
	Served      uint64 // connections so far
	Denied      uint64 // connections turned away, since Options.Allow does not name their network
	AtLimit     uint64 // how often all connections of Options.MaxConnections were taken
	// Broken are connections that did not end in order, by the reason in the log.
	Broken      map[string]uint64
	Memory      int64 // bytes that messages in hand take
	MemoryLimit int64 // Limits.Memory
}

// Stats returns the numbers of this moment.
func (s *Server) Stats() Stats {
	a := s.acceptor.Stats()
	return Stats{
		Connections: a.Connections,
		Served:      a.Served,
		Denied:      a.Denied,
		AtLimit:     a.AtLimit,
		Broken:      a.Broken,
		Memory:      s.budget.Used(),
		MemoryLimit: s.budget.Limit(),
	}
}

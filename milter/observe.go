package milter

import (
	"github.com/linkmilter/linkmilter/internal/acceptor"
	"github.com/linkmilter/linkmilter/internal/outcome"
)

// An Event is what became of one message.
type Event = outcome.Event

// Stats are numbers about a running [Server].
type Stats = acceptor.Stats

// Stats returns the numbers of this moment.
func (s *Server) Stats() Stats { return s.acceptor.Stats() }

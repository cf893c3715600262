package adminpage

import (
	"sync"
	"time"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// keptMinutes is how far back the charts go.
const keptMinutes = 60

// A minute has the counts of one minute.
type minute struct {
	at       int64 // minutes since 1970
	messages int
	links    int
	flagged  int
	edited   int
	slowest  time.Duration
}

// minutes count messages by the minute. Several goroutines may use it.
type minutes struct {
	mu      sync.Mutex
	counts  [keptMinutes]minute
	actions map[string]int // since the start
	reasons map[string]int // why messages were not edited, since the start
}

// maxReasons bounds the reasons; there are fewer codes.
const maxReasons = 300

func (m *minutes) add(e *mailserver.Event, isFlagged bool, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.actions == nil {
		m.actions, m.reasons = make(map[string]int), make(map[string]int)
	}
	at := now.Unix() / 60
	c := &m.counts[at%keptMinutes]
	if c.at != at {
		*c = minute{at: at}
	}
	c.messages++
	c.links += len(e.Report.Links)
	if isFlagged {
		c.flagged++
	}
	if e.Edited {
		c.edited++
	} else if reason := string(e.Report.NotDone); reason != "" && (len(m.reasons) < maxReasons || m.reasons[reason] > 0) {
		m.reasons[reason]++
	}
	c.slowest = max(c.slowest, e.Duration)
	if e.Action != rule.ActionNone {
		m.actions[e.Action.String()]++
	}
}

// last returns the counts of the last minutes, the oldest first. Minutes without
// messages are zero.
func (m *minutes) last(now time.Time) []minute {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := now.Unix() / 60
	list := make([]minute, keptMinutes)
	for i := range list {
		wanted := at - keptMinutes + 1 + int64(i)
		if c := m.counts[wanted%keptMinutes]; c.at == wanted {
			list[i] = c
		}
		list[i].at = wanted
	}
	return list
}

// totals returns copies of the counts since the start.
func (m *minutes) totals() (actions, reasons map[string]int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	actions, reasons = make(map[string]int, len(m.actions)), make(map[string]int, len(m.reasons))
	for k, n := range m.actions {
		actions[k] = n
	}
	for k, n := range m.reasons {
		reasons[k] = n
	}
	return actions, reasons
}

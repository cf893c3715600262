package adminpage

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/printable"
)

type nowPage struct {
	frame
	Since    string
	Charts   []chart
	Actions  []count
	Reasons  []count
	Rules    []Rule
	Names    string
	NotReady string
	Lost     uint64 // messages that the history failed to keep
}

// A count is a name, with how often it occurred.
type count struct {
	Name string
	N    int
}

// A chart is a row of bars, one for each minute.
type chart struct {
	Caption string
	Bars    []bar
}

// A bar is a minute in a chart, in the units of its SVG, which is 60 wide and 30 high.
type bar struct {
	X, Y, Height int
	Title        string
}

const chartHeight = 30

func (p *Page) serveNow(w http.ResponseWriter, r *http.Request) {
	last := p.minutes.last(p.now())
	actions, reasons := p.minutes.totals()
	data := nowPage{
		frame: p.refreshing(w, r, "Now", true), Since: p.started.Format("2006-01-02 15:04"),
		Charts: []chart{
			newChart("Messages", last, func(m minute) int { return m.messages }),
			newChart("Links", last, func(m minute) int { return m.links }),
			newChart("Flagged messages", last, func(m minute) int { return m.flagged }),
			newChart("Edited messages", last, func(m minute) int { return m.edited }),
			slowestChart(last),
		},
		Actions: sortedCounts(actions), Reasons: sortedCounts(reasons), Rules: p.options.Rules(), Names: p.options.Names(),
		Lost: p.options.History.Lost(),
	}
	if err := p.options.Ready(); err != nil {
		data.NotReady = err.Error()
	}
	p.render(w, "now.html", data)
}

// newChart returns the chart of a count.
func newChart(title string, last []minute, value func(minute) int) chart {
	sum, highest := 0, 0
	for _, m := range last {
		sum += value(m)
		highest = max(highest, value(m))
	}
	caption := title + ": " + printable.Number(sum)
	if highest > 0 {
		caption += ", at most " + printable.Number(highest) + " a minute"
	}
	return chart{caption, barsOf(last, highest, value)}
}

// slowestChart returns the chart of the longest time that a message took in each minute.
func slowestChart(last []minute) chart {
	value := func(m minute) int { return int(m.slowest.Milliseconds()) }
	highest := 0
	for _, m := range last {
		highest = max(highest, value(m))
	}
	return chart{"Slowest message: " + printable.Number(highest) + " ms", barsOf(last, highest, value)}
}

func barsOf(last []minute, highest int, value func(minute) int) []bar {
	var bars []bar
	for i, m := range last {
		n := value(m)
		if n == 0 {
			continue
		}
		height := max(1, n*chartHeight/highest)
		at := time.Unix(m.at*60, 0).Format("15:04")
		bars = append(bars, bar{i, chartHeight - height, height, at + ": " + printable.Number(n)})
	}
	return bars
}

// sortedCounts returns counts, the most frequent first.
func sortedCounts(counts map[string]int) []count {
	var list []count
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, count{name, counts[name]})
	}
	slices.SortStableFunc(list, func(a, b count) int { return cmp.Compare(b.N, a.N) })
	return list
}

// keptMinutes is how far back the charts go.
const keptMinutes = 60

// A minute has the counts of one minute.
type minute struct {
	at       int64 // minutes since 1970
	messages int
	links    int
	flagged  int
	edited   int
	unheld   int // could not be put into quarantine
	slowest  time.Duration
}

// minutes count messages by the minute. Several goroutines may use it.
type minutes struct {
	mu      sync.Mutex
	counts  [keptMinutes]minute
	actions map[string]int // how often each action was taken, since the start
	reasons map[string]int // why messages were not edited, since the start
}

// maxReasons bounds the number of different reasons; there are fewer codes.
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
	if e.ActionReason == "quarantine-failed" {
		c.unheld++
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

// unheld returns how many messages of the last hour could not be put into quarantine.
func (m *minutes) unheld(now time.Time) (n int) {
	for _, c := range m.last(now) {
		n += c.unheld
	}
	return n
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

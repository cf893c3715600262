package adminpage

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/linkmilter/linkmilter/internal/history"
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
	History  history.State
	Lost     uint64 // messages that the history lacks
}

// A count is a name with how often it came.
type count struct {
	Name string
	N    int
}

// A chart is a row of bars, one for each minute.
type chart struct {
	Caption string
	Bars    []bar
}

// A bar is a minute in a chart, in the units of its SVG: 60 wide, 30 high.
type bar struct {
	X, Y, Height int
	Title        string
}

const chartHeight = 30

func (p *Page) serveNow(w http.ResponseWriter, _ *http.Request) {
	last := p.minutes.last(p.now())
	actions, reasons := p.minutes.totals()
	data := nowPage{
		frame: p.frame("Now"), Since: p.started.Format("2006-01-02 15:04"),
		Charts: []chart{
			newChart("Messages", last, func(m minute) int { return m.messages }),
			newChart("Links", last, func(m minute) int { return m.links }),
			newChart("Flagged messages", last, func(m minute) int { return m.flagged }),
			newChart("Edited messages", last, func(m minute) int { return m.edited }),
			slowestChart(last),
		},
		Actions: sortedCounts(actions), Reasons: sortedCounts(reasons), Rules: p.options.Rules(), Names: p.options.Names(),
		History: p.options.History.State(), Lost: p.options.History.Lost(),
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

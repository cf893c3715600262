package adminpage

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"time"
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
}

// A count is a name with how often it came.
type count struct {
	Name string
	N    int
}

// A chart is a row of bars, one for each minute.
type chart struct {
	Title   string
	Sum     int
	Highest int
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
			newChart("Slowest message, in milliseconds", last, func(m minute) int { return int(m.slowest.Milliseconds()) }),
		},
		Actions: sortedCounts(actions), Reasons: sortedCounts(reasons), Rules: p.options.Rules(), Names: p.options.Names(),
	}
	if err := p.options.Ready(); err != nil {
		data.NotReady = err.Error()
	}
	p.render(w, "now.html", data)
}

func newChart(title string, last []minute, value func(minute) int) chart {
	c := chart{Title: title}
	for _, m := range last {
		c.Sum += value(m)
		c.Highest = max(c.Highest, value(m))
	}
	for i, m := range last {
		height := 0
		if n := value(m); n > 0 {
			height = max(1, n*chartHeight/c.Highest)
		}
		at := time.Unix(m.at*60, 0).Format("15:04")
		c.Bars = append(c.Bars, bar{i, chartHeight - height, height, at + ": " + number(value(m))})
	}
	return c
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

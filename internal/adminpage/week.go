package adminpage

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

const (
	// maxTop is how many names, senders and recipients a summary lists.
	maxTop = 10
	// maxDays is how far back a summary goes.
	maxDays = 31
	// summaryTime is how long a summary serves further requests.
	summaryTime = time.Minute
	// maxTallied bounds the distinct texts that are counted: a sender may have a new name for each mail.
	maxTallied = 50_000
)

type weekPage struct {
	frame
	*summary
	Where    history.State
	Problem  bool
	NoSender bool // the history has no addresses
}

// A summary has the flagged messages of some days.
type summary struct {
	Days                                 int
	All                                  int
	Cut                                  bool // there are more messages than could be read in time
	Actions                              []string
	Rows                                 []day // the newest first
	Names, Senders, Recipients, Findings []top
}

// A day has the flagged messages of a day.
type day struct {
	Date         time.Time
	Name         string
	Query        string // address of its messages
	All          int
	High, Medium int
	Edited       int
	ByAction     []int // as summary.Actions
	Left         int   // in the chart, whose bars have a width of 1
	HighBar      bar
	MediumBar    bar
	actions      map[string]int
}

// A top is a text with how many flagged messages have it.
type top struct {
	Name  string
	N     int
	High  int
	Query string // address of these messages
}

// summaries keep the last summary for a moment.
type summaries struct {
	mu   sync.Mutex
	at   time.Time
	last *summary
}

func (p *Page) serveWeek(w http.ResponseWriter, r *http.Request) {
	days := 7
	if n, err := strconv.Atoi(r.URL.Query().Get("days")); err == nil && n > 0 {
		days = min(n, maxDays)
	}
	data := weekPage{frame: p.refreshing(w, r, "Week", true), Where: p.options.History.State()}
	s, err := p.summaryOf(r.Context(), days)
	if err != nil {
		data.Problem, s = true, &summary{Days: days}
	}
	data.summary, data.NoSender = s, len(s.Senders)+len(s.Recipients) == 0 && s.All > 0
	p.render(w, "week.html", data)
}

// summaryOf returns the summary of the last days, which one request at a time makes.
func (p *Page) summaryOf(ctx context.Context, days int) (*summary, error) {
	p.summaries.mu.Lock()
	defer p.summaries.mu.Unlock()
	now := p.now()
	if last := p.summaries.last; last != nil && last.Days == days && now.Sub(p.summaries.at) < summaryTime {
		return last, nil
	}
	ctx, cancel := context.WithTimeout(ctx, findTime)
	defer cancel()
	s, err := p.summarize(ctx, days, now)
	if err == nil {
		p.summaries.at, p.summaries.last = now, s
	}
	return s, err
}

// summarize reads the messages of the last days.
func (p *Page) summarize(ctx context.Context, days int, now time.Time) (*summary, error) {
	s := &summary{Days: days}
	now = now.Local()
	first := time.Date(now.Year(), now.Month(), now.Day()-days+1, 0, 0, 0, 0, now.Location())
	for i := range days {
		date := first.AddDate(0, 0, i)
		s.Rows = append(s.Rows, day{Date: date, Name: date.Format("Mon 2 Jan"), Query: between(date, date.AddDate(0, 0, 1)), Left: i, actions: map[string]int{}})
	}
	names, senders, recipients, codes := tally{}, tally{}, tally{}, tally{}
	at := days - 1 // messages come from the newest on
	for m, err := range p.options.History.All(ctx, history.Query{From: first}) {
		if err != nil && ctx.Err() != nil && s.All > 0 {
			s.Cut = true
			break
		}
		if err != nil {
			return nil, err
		}
		for at > 0 && m.Time.Before(s.Rows[at].Date) {
			at--
		}
		s.Rows[at].add(&m)
		s.All++
		isHigh := m.Worst >= policy.SeverityHigh
		senders.add(isHigh, m.Sender)
		recipients.add(isHigh, m.Recipients...)
		names.add(isHigh, imitated(&m)...)
		for _, code := range m.Codes() {
			codes.add(isHigh, string(code))
		}
	}
	s.setActions()
	s.setBars()
	slices.Reverse(s.Rows)
	from := first.Format("2006-01-02T15:04")
	s.Names = names.top("q", from, byCount)
	s.Senders = senders.top("q", from, byHigh)
	s.Recipients = recipients.top("q", from, byCount)
	s.Findings = codes.top("code", from, byCount)
	return s, nil
}

// between returns the address of the messages between two times.
func between(from, to time.Time) string {
	const layout = "2006-01-02T15:04"
	return "/findings?" + url.Values{"from": {from.Format(layout)}, "to": {to.Format(layout)}}.Encode()
}

func (d *day) add(m *history.Message) {
	d.All++
	if m.Worst >= policy.SeverityHigh {
		d.High++
	} else {
		d.Medium++
	}
	if m.Edited {
		d.Edited++
	}
	d.actions[m.Action]++
}

// setActions sets the columns of the actions that some message had.
func (s *summary) setActions() {
	for _, action := range actions {
		if slices.ContainsFunc(s.Rows, func(d day) bool { return d.actions[action] > 0 }) {
			s.Actions = append(s.Actions, action)
		}
	}
	for i := range s.Rows {
		for _, action := range s.Actions {
			s.Rows[i].ByAction = append(s.Rows[i].ByAction, s.Rows[i].actions[action])
		}
	}
}

// setBars sets the bars of the chart: medium on top of high.
func (s *summary) setBars() {
	highest := 1
	for _, d := range s.Rows {
		highest = max(highest, d.All)
	}
	for i := range s.Rows {
		d := &s.Rows[i]
		high := d.High * chartHeight / highest
		both := d.All * chartHeight / highest
		if d.All > 0 {
			both = max(both, 1)
		}
		d.HighBar = bar{d.Left, chartHeight - high, high, d.Name + ": " + printable.Number(d.High) + " high"}
		d.MediumBar = bar{d.Left, chartHeight - both, both - high, d.Name + ": " + printable.Number(d.Medium) + " medium"}
	}
}

// imitated returns the names that a message imitates, each once.
func imitated(m *history.Message) (names []string) {
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, l := range m.Links {
		add(l.LooksLike)
	}
	for _, f := range m.Findings {
		add(report.Imitated(f))
		if c, ok := report.ClaimOf(f); ok && c.Said != "" {
			add(f.Label)
		}
	}
	return names
}

// A tally counts texts.
type tally map[string]*top

// add counts texts of a message, each once.
func (t tally) add(isHigh bool, texts ...string) {
	for i, text := range texts {
		if text == "" || slices.Contains(texts[:i], text) {
			continue
		}
		found := t[text]
		if found == nil {
			if len(t) >= maxTallied {
				continue
			}
			found = &top{Name: text}
			t[text] = found
		}
		found.N++
		if isHigh {
			found.High++
		}
	}
}

// top returns the texts with the most messages, and addresses that search for them by a parameter.
func (t tally) top(key, from string, order func(a, b top) int) (all []top) {
	for _, name := range slices.Sorted(maps.Keys(t)) {
		all = append(all, *t[name])
	}
	slices.SortStableFunc(all, order)
	all = all[:min(len(all), maxTop)]
	for i := range all {
		all[i].Query = "/findings?" + url.Values{key: {all[i].Name}, "from": {from}}.Encode()
	}
	return all
}

func byCount(a, b top) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(b.High, a.High)) }
func byHigh(a, b top) int  { return cmp.Or(cmp.Compare(b.High, a.High), cmp.Compare(b.N, a.N)) }

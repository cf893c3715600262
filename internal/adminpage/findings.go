package adminpage

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/policy"
)

const (
	// perPage is how many messages a page lists. Exports have all of them.
	perPage = 50
	// counted is the number at which a page stops to count messages.
	counted = 1000
	// findTime is how long a page may search the history.
	findTime = 10 * time.Second
)

type findingsPage struct {
	frame
	Chosen       map[string]string // the values of the form
	Severities   []policy.Severity
	Codes        []string
	Rules        []string
	Actions      []string
	Messages     []row
	Fates        []count
	Allow        allowance // lines for what is marked wrong
	All          string    // how many messages the query chooses
	Where        history.State
	Newer, Older string // addresses of the pages before and after this one
	CSV, JSON    string // addresses of the exports
}

func (p *Page) serveFindings(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	q := queryOf(values)
	ctx, cancel := context.WithTimeout(r.Context(), findTime)
	defer cancel()
	list, err := p.options.History.Find(ctx, &q, perPage+1)
	all := q
	all.Before, all.After = 0, 0
	n, errCount := p.options.History.Count(ctx, &all, counted+1)
	if err != nil || errCount != nil {
		p.notRead(w)
		return
	}
	data := findingsPage{
		frame: p.refreshing(w, r, "Findings", false), Chosen: map[string]string{}, Severities: severities, Codes: codes(), Actions: actions,
		All: countText(n), Where: p.options.History.State(), CSV: "/findings.csv?" + choiceOf(values), JSON: "/findings.json?" + choiceOf(values),
	}
	for _, key := range choiceKeys {
		data.Chosen[key] = history.Bounded(values.Get(key))
	}
	for _, inForce := range p.options.Rules() {
		data.Rules = append(data.Rules, inForce.Name)
	}
	list = data.setPages(list, q, values)
	data.Messages, data.Fates = p.rowsOf(list)
	if q.Mark == history.MarkWrong {
		data.Allow = newAllowance(p.options.Allow(), onlyWrong(list)...)
	}
	p.render(w, "findings.html", data)
}

// setPages returns the messages of the page, and sets the addresses of the pages beside it. If there
// are more messages than fit on a page, list has one more than fits.
func (d *findingsPage) setPages(list []history.Message, q history.Query, values url.Values) []history.Message {
	rising := q.After > 0 && q.Before == 0
	more := len(list) > perPage
	list = list[:min(len(list), perPage)]
	if rising {
		slices.Reverse(list)
	}
	if len(list) == 0 {
		return list
	}
	if rising && more || q.Before > 0 {
		d.Newer = "/findings?" + choiceOf(values, "after", list[0].ID.String())
	}
	if !rising && more || rising {
		d.Older = "/findings?" + choiceOf(values, "before", list[len(list)-1].ID.String())
	}
	return list
}

// countText returns a number for people; counting stops at counted.
func countText(n int) string {
	if n > counted {
		return "More than " + printable.Number(counted)
	}
	return printable.Number(n)
}

// notRead answers that the history cannot be read now.
func (p *Page) notRead(w http.ResponseWriter) {
	text := "the history could not be read in time"
	if state := p.options.History.State(); state.Problem != nil {
		text = fmt.Sprintf("the history could not be read: %v: %s", state.Problem, state.Advice)
	}
	http.Error(w, history.Bounded(text), http.StatusServiceUnavailable)
}

// severities are the severities that users of the page can choose.
var severities = []policy.Severity{policy.SeverityMedium, policy.SeverityHigh}

// actions are the actions that users of the page can choose.
var actions = actionNames()

func actionNames() []string {
	var names []string
	for action := rule.ActionNone; action <= rule.ActionReject; action++ {
		names = append(names, action.String())
	}
	return names
}

// codes returns the codes that the page proposes.
func codes() []string {
	var names []string
	for code := range policy.Codes() {
		names = append(names, string(code))
	}
	slices.Sort(names)
	return names
}

// choiceKeys are the parameters of a request that choose messages.
var choiceKeys = []string{"q", "code", "severity", "host", "rule", "action", "mark", "from", "to"}

// queryOf reads the query of a request. It ignores values that it does not know.
func queryOf(values url.Values) history.Query {
	q := history.Query{
		Text: values.Get("q"), Code: policy.Code(strings.TrimSpace(values.Get("code"))), Host: values.Get("host"),
		Rule: values.Get("rule"), Action: values.Get("action"), Mark: values.Get("mark"),
		From: timeOf(values.Get("from")), To: timeOf(values.Get("to")),
	}
	if q.Severity.UnmarshalText([]byte(values.Get("severity"))) != nil {
		q.Severity = policy.SeverityNone
	}
	if q.Before.UnmarshalText([]byte(values.Get("before"))) != nil {
		q.Before = 0
	}
	if q.After.UnmarshalText([]byte(values.Get("after"))) != nil {
		q.After = 0
	}
	return q
}

// timeOf reads a time as browsers send it, in this machine's time zone, or a time with a zone. It
// returns the zero time for anything else.
func timeOf(text string) time.Time {
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			return t
		}
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return t
}

// choiceOf returns the query string with the parameters that choose messages, and with more.
func choiceOf(values url.Values, more ...string) string {
	chosen := url.Values{}
	for _, key := range choiceKeys {
		if v := values.Get(key); v != "" {
			chosen.Set(key, v)
		}
	}
	for i := 0; i+1 < len(more); i += 2 {
		chosen.Set(more[i], more[i+1])
	}
	return chosen.Encode()
}

package adminpage

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/linkmilter/linkmilter/internal/dnslist"
	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/internal/lists"
)

type listsPage struct {
	frame
	Lists []listState
	DNS   []dnsState
}

// A dnsState is the state of a block list in the DNS. Results are the numbers of dnsResults.
type dnsState struct {
	Name    string
	Results []int
	Paused  bool
}

// dnsResults are the columns of the page.
var dnsResults = []dnslist.Result{dnslist.ResultListed, dnslist.ResultClean, dnslist.ResultKept, dnslist.ResultRefused, dnslist.ResultFailed}

// A listState is the state of a list, with the reasons why some of its lines are not used.
type listState struct {
	lists.State
	Found int // links that it had since the start
	Whys  []count
}

type receivedPage struct {
	frame
	Days     int
	Received []receivedRow
	More     bool // there are more messages, or the time was over
	Problem  string
}

// A receivedRow is a message that came before a list had its link, with its fate.
type receivedRow struct {
	history.Received
	Fate fate
}

const (
	maxReceived  = 200
	receivedTime = 10 * time.Second // how long the search may take
)

// serveReceived shows who received, earlier, a link that a list has now.
func (p *Page) serveReceived(w http.ResponseWriter, r *http.Request) {
	data := receivedPage{frame: p.frame("Received before it was listed"), Days: 7}
	if n, err := strconv.Atoi(r.FormValue("days")); err == nil && n > 0 && n <= 3650 {
		data.Days = n
	}
	ctx, cancel := context.WithTimeout(r.Context(), receivedTime)
	defer cancel()
	if p.options.Listed != nil {
		for found, err := range history.LookBack(p.options.History.Since(ctx, p.now().AddDate(0, 0, -data.Days)), p.options.Listed) {
			if err != nil && ctx.Err() == nil {
				data.Problem = err.Error()
				break
			}
			if data.More = err != nil || len(data.Received) == maxReceived; data.More {
				break
			}
			if !found.Then {
				data.Received = append(data.Received, receivedRow{found, p.fateOf(&found.Message)})
			}
		}
	}
	p.render(w, "received.html", data)
}

func (p *Page) serveLists(w http.ResponseWriter, _ *http.Request) {
	data := listsPage{frame: p.frame("Lists")}
	if p.options.Lists != nil {
		for _, s := range p.options.Lists() {
			state := listState{State: s, Found: int(s.Hits)}
			for _, why := range slices.Sorted(maps.Keys(s.Unread)) {
				state.Whys = append(state.Whys, count{why, s.Unread[why]})
			}
			slices.SortStableFunc(state.Whys, func(a, b count) int { return cmp.Compare(b.N, a.N) })
			data.Lists = append(data.Lists, state)
		}
	}
	if p.options.DNSLists != nil {
		for _, s := range p.options.DNSLists() {
			state := dnsState{Name: s.Name, Paused: s.Paused}
			for _, result := range dnsResults {
				state.Results = append(state.Results, int(s.Counts[result]))
			}
			data.DNS = append(data.DNS, state)
		}
	}
	p.render(w, "lists.html", data)
}

package adminpage

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/policy"

	"github.com/linkmilter/linkmilter/internal/printable"
)

// perPage is how many messages a page lists; exports have all.
const perPage = 50

// queryOf reads a query of the form. Values that it does not know choose all.
func queryOf(r *http.Request) (q query, page int) {
	values := r.URL.Query()
	q.text = strings.ToLower(strings.TrimSpace(values.Get("q")))
	q.code = policy.Code(values.Get("code"))
	if q.worst.UnmarshalText([]byte(values.Get("severity"))) != nil {
		q.worst = policy.SeverityNone
	}
	page, err := strconv.Atoi(values.Get("page"))
	if err != nil || page < 1 {
		page = 1
	}
	return q, page
}

type findingsPage struct {
	frame
	Query          string
	Code           string
	Severity       string
	Severities     []policy.Severity
	Messages       []flagged
	All, Page      int
	Newer, Older   string // addresses of the pages beside this one
	Export         string // the query of the exports
	Kept, KeptMost int
}

func (p *Page) serveFindings(w http.ResponseWriter, r *http.Request) {
	q, page := queryOf(r)
	list, all := p.flagged.find(q, (page-1)*perPage, perPage)
	values := r.URL.Query()
	data := findingsPage{
		frame: p.frame("Findings"), Query: kept(values.Get("q")), Code: kept(string(q.code)), Severities: severities,
		Messages: list, All: all, Page: page, KeptMost: p.options.Keep, Export: choice(values),
	}
	if q.worst != policy.SeverityNone {
		data.Severity = q.worst.String()
	}
	at := func(page int) string {
		values := url.Values{}
		for _, key := range []string{"q", "code", "severity"} {
			if v := r.URL.Query().Get(key); v != "" {
				values.Set(key, v)
			}
		}
		values.Set("page", strconv.Itoa(page))
		return "/findings?" + values.Encode()
	}
	if page > 1 {
		data.Newer = at(page - 1)
	}
	if page*perPage < all {
		data.Older = at(page + 1)
	}
	p.render(w, "findings.html", data)
}

// choice returns the part of a query that chooses messages.
func choice(values url.Values) string {
	chosen := url.Values{}
	for _, key := range []string{"q", "code", "severity"} {
		if v := values.Get(key); v != "" {
			chosen.Set(key, v)
		}
	}
	return chosen.Encode()
}

type findingPage struct {
	frame
	Message flagged
	Allow   string // lines that allow the hosts
}

func (p *Page) serveFinding(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseUint(r.PathValue("id"), 10, 64)
	f, ok := p.flagged.get(id)
	if err != nil || !ok {
		http.Error(w, "no such message: it is older than those that are kept", http.StatusNotFound)
		return
	}
	p.render(w, "finding.html", findingPage{p.frame("Message " + f.QueueID), f, allowLines(f.Links)})
}

// allowLines returns the lines of a configuration that allow the hosts of links.
func allowLines(links []flaggedLink) string {
	var hosts []string
	known := map[string]bool{}
	for _, l := range links {
		if l.ASCIIHost != "" && !known[l.ASCIIHost] {
			known[l.ASCIIHost] = true
			hosts = append(hosts, strconv.Quote(l.ASCIIHost))
		}
	}
	if len(hosts) == 0 {
		return ""
	}
	return "[policy]\nallow = [" + strings.Join(hosts, ", ") + "]\n"
}

// exported returns all messages that a request chooses.
func (p *Page) exported(r *http.Request) []flagged {
	q, _ := queryOf(r)
	list, _ := p.flagged.find(q, 0, p.options.Keep)
	return list
}

func (p *Page) serveJSON(w http.ResponseWriter, r *http.Request) {
	list := p.exported(r)
	if list == nil {
		list = []flagged{}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(list) // the client is gone otherwise
}

func (p *Page) serveCSV(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="findings.csv"`)
	out := csv.NewWriter(w)
	_ = out.Write([]string{"time", "queue_id", "message_id", "client", "sender", "recipients", "rule", "action", "worst", "text", "ascii_host", "looks_like", "code", "severity", "detail"})
	for _, f := range p.exported(r) {
		for _, l := range f.Links {
			for _, finding := range l.Findings {
				line := []string{
					f.Time.Format(time.RFC3339), f.QueueID, f.MessageID, f.Client, f.Sender, strings.Join(f.Recipients, " "), f.Rule, f.Action, f.Worst.String(),
					l.Text, l.ASCIIHost, l.LooksLike, string(finding.Code), finding.Severity.String(), finding.Detail,
				}
				for i, value := range line {
					line[i] = printable.Cell(value)
				}
				_ = out.Write(line) // fails only where the client is gone
			}
		}
	}
	out.Flush()
}

// severities are those that the pages can ask for.
var severities = []policy.Severity{policy.SeverityMedium, policy.SeverityHigh}

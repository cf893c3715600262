package adminpage

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/rendering"
	"github.com/linkmilter/linkmilter/internal/report"
)

// maxTried bounds in bytes the message that a user tries.
const maxTried = 1 << 20

type tryPage struct {
	frame
	Message, From, To, Client string
	LoggedIn                  bool
	Problem                   string
	Tried                     bool
	Steps                     []step
	Result                    string
	Action                    string
	Because                   string
	Links                     []triedLink
	Findings                  []string
	Unseen                    []triedUnseen
	Diff                      []diffLine
	Before, After             string // documents for frames in which nothing runs or loads
}

// A step says what a rule had to do with the message.
type step struct{ Rule, Outcome string }

type triedLink struct {
	history.Link
	Display string
}

// triedUnseen is a text at a place of the message that programs read and people do not see. Says is
// escaped.
type triedUnseen struct{ Part, Place, Kind, Says string }

// unseenTexts returns the unseen texts of a report, the worst first.
func unseenTexts(r *report.Report) (all []triedUnseen) {
	sorted := slices.Clone(r.Unseen)
	slices.SortStableFunc(sorted, func(a, b report.Unseen) int { return int(b.Severity) - int(a.Severity) })
	for _, u := range sorted {
		all = append(all, triedUnseen{u.Part, fmt.Sprintf("%d–%d", u.Start, u.End), u.Kind, history.Bounded(printable.Text(u.Says))})
	}
	return all
}

// A diffLine is a line of a diff.
type diffLine struct{ Class, Text string }

func (p *Page) serveTry(w http.ResponseWriter, _ *http.Request) {
	p.render(w, "try.html", tryPage{frame: p.frame("Try it"), From: "anna@example.net", To: "bob@example.com", Client: "192.0.2.1"})
}

// serveTried judges the pasted text as the service would. It keeps nothing.
func (p *Page) serveTried(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxTried+64<<10)
	data := tryPage{frame: p.frame("Try it")}
	if err := r.ParseForm(); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		data.Problem = fmt.Sprintf("The message could not be read: %s. It may have %d bytes at most.", err, maxTried)
		p.render(w, "try.html", data)
		return
	}
	data.Message, data.From, data.To = r.PostForm.Get("message"), history.Bounded(r.PostForm.Get("from")), history.Bounded(r.PostForm.Get("to"))
	data.Client, data.LoggedIn = history.Bounded(r.PostForm.Get("client")), r.PostForm.Get("auth") != ""
	env := envelope.Envelope{Sender: strings.Trim(data.From, "<> "), Authenticated: data.LoggedIn}
	for _, to := range strings.FieldsFunc(data.To, func(r rune) bool { return r == ',' || r == ' ' }) {
		env.Recipients = append(env.Recipients, strings.Trim(to, "<>"))
	}
	if data.Client != "" {
		var err error
		if env.Client, err = netip.ParseAddr(strings.TrimSpace(data.Client)); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			data.Problem = "The client is not an IP address, such as 192.0.2.1."
			p.render(w, "try.html", data)
			return
		}
	}
	p.try(r, env, &data)
	p.render(w, "try.html", data)
}

func (p *Page) try(r *http.Request, env envelope.Envelope, data *tryPage) {
	raw := []byte(messageOf(data.Message))
	f := p.options.Filter()
	for name, key := range f.Unmet(env, raw) {
		outcome := "decides"
		if key != "" {
			outcome = "does not match by its condition " + key
		}
		data.Steps = append(data.Steps, step{name, outcome})
	}
	result := f.Message(r.Context(), env, raw)
	data.Tried, data.Result = true, result.Report.String()
	data.Action, data.Because = result.Report.Action.String(), result.Report.Because
	for i := range result.Report.Links {
		found := &result.Report.Links[i]
		data.Links = append(data.Links, triedLink{history.NewLink(found), history.Bounded(found.Display)})
	}
	data.Findings, data.Unseen = findingTexts(&result.Report), unseenTexts(&result.Report)
	data.Before, data.After = string(rendering.Plain(raw)), string(rendering.Plain(result.Message(raw)))
	for line := range strings.Lines(rendering.Diff("message", raw, result.Message(raw))) {
		data.Diff = append(data.Diff, newDiffLine(strings.TrimSuffix(line, "\n")))
	}
}

// messageOf returns the pasted text as a message. A text without a header gets one.
func messageOf(pasted string) string {
	pasted = strings.ReplaceAll(pasted, "\r\n", "\n")
	head, _, _ := strings.Cut(pasted, "\n")
	if name, _, ok := strings.Cut(head, ":"); ok && name != "" && !strings.ContainsAny(name, " \t/") && !strings.HasPrefix(head, name+"://") && strings.Contains(pasted, "\n\n") {
		return strings.ReplaceAll(pasted, "\n", "\r\n")
	}
	return strings.ReplaceAll("Subject: (pasted text)\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"+pasted, "\n", "\r\n")
}

func findingTexts(r *report.Report) []string {
	var all []string
	for _, f := range r.Findings {
		all = append(all, history.Bounded(fmt.Sprintf("%s: %s %s", f.Severity, f.Code, f.Detail)))
	}
	return all
}

func newDiffLine(line string) diffLine {
	class := ""
	switch {
	case strings.HasPrefix(line, "+"):
		class = "added"
	case strings.HasPrefix(line, "-"):
		class = "removed"
	}
	return diffLine{class, line}
}

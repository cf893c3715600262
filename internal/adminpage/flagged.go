package adminpage

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// Bounds of what is kept of one message, so that hostile mail cannot fill the memory.
const (
	maxLinks      = 20
	maxRecipients = 20
	maxText       = 300 // bytes
)

// A flagged message is what the pages keep of a message with a finding of medium or
// above.
type flagged struct {
	ID         uint64          `json:"id"`
	Time       time.Time       `json:"time"`
	QueueID    string          `json:"queue_id"`
	MessageID  string          `json:"message_id"`
	Client     string          `json:"client"`
	Sender     string          `json:"sender"`
	Recipients []string        `json:"recipients"`
	Rule       string          `json:"rule"`
	Action     string          `json:"action"`
	Because    string          `json:"because"`
	NotDone    string          `json:"action_not_done"`
	Edited     bool            `json:"edited"`
	Worst      policy.Severity `json:"worst"`
	Links      []flaggedLink   `json:"links"`
	// Findings are those about the message itself.
	Findings []policy.Finding `json:"findings"`

	search string // see searched
}

// flaggedLink is a link with findings.
type flaggedLink struct {
	Part        string           `json:"part"`
	Text        string           `json:"text"`
	ASCIIHost   string           `json:"ascii_host"`
	UnicodeHost string           `json:"unicode_host"`
	LooksLike   string           `json:"looks_like"`
	Findings    []policy.Finding `json:"findings"`
}

// newFlagged returns what is kept of a message, and whether anything is.
func newFlagged(e *mailserver.Event, now time.Time) (flagged, bool) {
	worst := e.Report.Worst()
	if worst < policy.SeverityMedium {
		return flagged{}, false
	}
	f := flagged{
		Time: now, QueueID: kept(e.QueueID), MessageID: kept(e.Report.Header.MessageID), Rule: e.Report.Rule,
		Action: e.Action.String(), Because: e.Report.Because, NotDone: string(e.ActionReason), Edited: e.Edited, Worst: worst,
	}
	for _, finding := range e.Report.Findings {
		f.Findings = append(f.Findings, keptFinding(finding))
	}
	for i := range e.Report.Links {
		if found := &e.Report.Links[i]; found.Verdict.Worst() >= policy.SeverityMedium && len(f.Links) < maxLinks {
			f.Links = append(f.Links, newFlaggedLink(found))
		}
	}
	if env := e.Envelope; env != nil {
		if env.Client.IsValid() {
			f.Client = env.Client.String()
		}
		f.Sender = kept(e.Details.Address(env.Sender))
		for _, recipient := range env.Recipients[:min(len(env.Recipients), maxRecipients)] {
			if address := kept(e.Details.Address(recipient)); address != "" && !slices.Contains(f.Recipients, address) {
				f.Recipients = append(f.Recipients, address)
			}
		}
	}
	f.search = f.searched()
	return f, true
}

func newFlaggedLink(found *report.Found) flaggedLink {
	l := flaggedLink{
		Part: found.Part, Text: kept(found.Link.Text),
		ASCIIHost: kept(found.Link.ASCIIHost()), UnicodeHost: kept(found.Link.UnicodeHost()),
	}
	for _, finding := range found.Verdict.Findings {
		l.Findings = append(l.Findings, keptFinding(finding))
		if l.LooksLike == "" {
			l.LooksLike = strings.Clone(report.Imitated(finding))
		}
	}
	return l
}

func keptFinding(f policy.Finding) policy.Finding {
	f.Label, f.Detail = kept(f.Label), kept(f.Detail)
	return f
}

// kept returns a text that does not hold the memory of its message, bounded and without
// controls.
func kept(s string) string {
	if len(s) > maxText {
		s = s[:maxText] + "…"
	}
	return strings.Clone(printable.Text(s))
}

// searched returns the text of all fields in lower case, for searches.
func (f *flagged) searched() string {
	texts := append([]string{f.QueueID, f.MessageID, f.Client, f.Sender, f.Rule, f.Action}, f.Recipients...)
	for _, l := range f.Links {
		texts = append(texts, l.Text, l.ASCIIHost, l.UnicodeHost, l.LooksLike)
	}
	return strings.ToLower(strings.Join(texts, "\n"))
}

// has reports whether the message has a finding with the code.
func (f *flagged) has(code policy.Code) bool {
	is := func(f policy.Finding) bool { return f.Code == code }
	return slices.ContainsFunc(f.Findings, is) || slices.ContainsFunc(f.Links, func(l flaggedLink) bool { return slices.ContainsFunc(l.Findings, is) })
}

// A ring keeps the newest flagged messages. Several goroutines may use it.
type ring struct {
	mu   sync.RWMutex
	most int
	next uint64 // id of the next one
	list []flagged
}

// add keeps a message in place of the oldest one.
func (r *ring) add(f flagged) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.most == 0 {
		return
	}
	f.ID = r.next
	if len(r.list) < r.most {
		r.list = append(r.list, f)
	} else {
		r.list[r.next%uint64(r.most)] = f
	}
	r.next++
}

// A query chooses flagged messages.
type query struct {
	text  string // in any field, in lower case; empty: all
	code  policy.Code
	worst policy.Severity // at least
}

// find returns the messages that a query chooses, the newest first, without the first
// skip and at most most; and how many it chooses.
func (r *ring) find(q query, skip, most int) (list []flagged, all int) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for i := range uint64(len(r.list)) {
		f := &r.list[(r.next-1-i)%uint64(r.most)]
		if f.Worst < q.worst || q.code != "" && !f.has(q.code) || !strings.Contains(f.search, q.text) {
			continue
		}
		if all >= skip && len(list) < most {
			list = append(list, *f)
		}
		all++
	}
	return list, all
}

// get returns the message with an id, if it is still kept.
func (r *ring) get(id uint64) (flagged, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.most == 0 || id >= r.next || r.next-id > uint64(len(r.list)) {
		return flagged{}, false
	}
	return r.list[id%uint64(r.most)], true
}

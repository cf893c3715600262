package adminpage

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/policy"
)

// A fate is what became of a message, in plain words.
type fate struct {
	Words string // a sentence
	Kind  string // how a summary counts it
	Held  string // address of the message in quarantine; "": it is not there
}

// A row is a message with its fate.
type row struct {
	history.Message
	Fate fate
}

// Distinct returns the findings, each once: From and envelope, or two links, may have the same.
func (r row) Distinct() (all []policy.Finding) {
	var found []policy.Finding
	for _, l := range r.Links {
		found = append(found, l.Findings...)
	}
	known := make(map[policy.Finding]bool)
	for _, f := range append(found, r.Findings...) {
		key := policy.Finding{Code: f.Code, Severity: f.Severity, Detail: f.Detail}
		if !known[key] {
			known[key] = true
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b policy.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return all
}

// wanted says what an action would have done, by its name.
var wanted = map[string]string{
	"tag": "given it a tag", "quarantine": "put it into quarantine", "tempfail": "put it off", "discard": "dropped it", "reject": "refused it",
}

// notDone says what became of a message whose action was not done, by the reason.
var notDone = map[string]string{
	"no-quarantine":     "Delivered with a tag: no quarantine is configured",
	"quarantine-failed": "Put off: it could not be written into quarantine, and the sender's server tries again",
	"not-granted":       "Delivered as it came: the mail server did not grant the right to the action",
	"odd-header":        "Delivered as it came: its header could not be changed safely",
}

// fateOf returns what became of a message.
func (p *Page) fateOf(m *history.Message) fate {
	f := p.actionOf(m)
	if m.Because != "" {
		f.Words += ", because of " + m.Because
	}
	f.Words += "."
	if m.Edited {
		f.Words += " Its links were edited."
	}
	return f
}

// actionOf says what the action did, without a full stop.
func (p *Page) actionOf(m *history.Message) fate {
	switch {
	case m.Trial != "" && wanted[m.Trial] != "":
		return fate{Words: "Delivered as it came: the rule is on trial and would have " + wanted[m.Trial], Kind: "delivered as they came"}
	case m.NotDone != "" && notDone[m.NotDone] != "":
		return fate{Words: notDone[m.NotDone], Kind: "with an action that was not done"}
	case m.NotDone != "":
		return fate{Words: fmt.Sprintf("Delivered, but the action was not done (%s)", m.NotDone), Kind: "with an action that was not done"}
	}
	switch m.Action {
	case "tag":
		return fate{Words: "Delivered with a tag", Kind: "delivered with a tag"}
	case "quarantine":
		return p.quarantineFate(m)
	case "tempfail":
		return fate{Words: "Put off: the sender's server was asked to try again later", Kind: "put off"}
	case "discard":
		return fate{Words: "Dropped: nobody got it, and its sender was not told", Kind: "dropped"}
	case "reject":
		return fate{Words: "Refused: nobody got it, and the sender's server was told", Kind: "refused"}
	}
	return fate{Words: "Delivered without a tag", Kind: "delivered without a tag"}
}

// quarantineFate says where a message is that went into quarantine.
func (p *Page) quarantineFate(m *history.Message) fate {
	if h, ok := p.where.of(p, m); ok {
		return fate{Words: "In quarantine now", Kind: "in quarantine now", Held: heldAt(h.Name)}
	}
	switch {
	case m.Later != "":
		return fate{Words: "Put into quarantine, then " + m.Later, Kind: "no longer in quarantine"}
	case p.options.Quarantine != nil:
		return fate{Words: "Put into quarantine, and no longer in this folder: released, deleted, expired, or held by the mail server", Kind: "no longer in quarantine"}
	}
	return fate{Words: "Put into quarantine", Kind: "put into quarantine"}
}

// rowsOf returns messages with their fates, and how many have each.
func (p *Page) rowsOf(list []history.Message) (rows []row, fates []count) {
	counts := make(map[string]int)
	for i := range list {
		r := row{list[i], p.fateOf(&list[i])}
		counts[r.Fate.Kind]++
		rows = append(rows, r)
	}
	return rows, sortedCounts(counts)
}

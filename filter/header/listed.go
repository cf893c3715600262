package header

import (
	"cmp"
	"slices"

	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// A finding is one that the header lists.
type finding struct {
	policy.Finding
	part string // "" for the texts of the message
	host string
}

// listed returns the findings of a report as the header lists them: the worst first,
// each code once a host. It does not say which text holds a link, so that filtering a
// message again finds the same wherever the link is then.
func listed(r *report.Report) []finding {
	type key struct {
		code policy.Code
		host string
	}
	var all []finding
	known := make(map[key]int)
	add := func(f policy.Finding, host, part string) {
		e := finding{Finding: f, part: part, host: host}
		k := key{f.Code, host}
		if i, ok := known[k]; !ok {
			known[k] = len(all)
			all = append(all, e)
		} else if f.Severity > all[i].Severity {
			e.part = all[i].part
			all[i] = e
		}
	}
	for _, f := range r.Findings {
		add(f, "", "")
	}
	for i := range r.Links {
		l := &r.Links[i]
		if len(l.Verdict.Findings) == 0 || l.Repaired {
			continue
		}
		host := cmp.Or(l.Link.ASCIIHost(), l.Link.Components().Host)
		part := ""
		if l.Place == report.PlaceHeader || l.Place == report.PlaceEnvelope {
			part = l.Part
		}
		for _, f := range l.Verdict.Findings {
			add(f, host, part)
		}
	}
	slices.SortStableFunc(all, func(a, b finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return all
}

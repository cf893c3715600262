package filter

import (
	"slices"

	"github.com/linkmilter/linkmilter/filter/header"
	"github.com/linkmilter/linkmilter/filter/rule"
)

// report says what was found in a message and what its rule makes of it.
func report(r *reading, u *rule.Rule, e *edit, v *verdict) Report {
	parts := slices.Clone(r.parts)
	for i, reason := range e.notDone {
		parts[i].Edited, parts[i].NotDone = reason == "", reason
	}
	links := r.links
	if e.defanged != nil {
		links = slices.Clone(links)
		copy(links[e.first:], e.defanged)
	}
	return Report{
		Rule: u.Name, Outcome: r.outcome, Reasons: r.reasons, Parts: parts, Links: links,
		Edited: e.planned(), NotDone: e.reason, OptedOut: e.optedOut,
		Findings: v.findings, Action: v.action, Because: v.because,
	}
}

// addHeader says what is done to the header.
func (r *Report) addHeader(h *header.Edits) {
	r.Forged, r.Tagged = h.Forged, h.Tagged
	if h.Covered {
		r.HeaderNotDone = ReasonFieldSigned
	}
	if h.Breaks {
		r.HeaderNote = ReasonFieldSigned
	}
}

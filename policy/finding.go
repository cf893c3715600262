package policy

// A Finding is one thing that is wrong with a link.
type Finding struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	// Label is what the finding is about: a label of the host as U-label, a
	// word, character or escape of the path. It comes from the message, so it may hold anything
	// that a message can hold.
	Label string `json:"label"`
	// Detail says in English what was found. It is printable ASCII.
	Detail string `json:"detail"`
}

// A Verdict is what a Judge says about one link. The zero value is the safe
// one: nothing is known, and the host is not to be displayed in Unicode.
type Verdict struct {
	Findings []Finding
	// DisplayUnicode reports that the host may be displayed with U-labels:
	// no finding about the host is of SeverityMedium or above.
	DisplayUnicode bool
}

// Worst returns the highest severity of the findings, SeverityNone where
// there is none.
func (v Verdict) Worst() Severity {
	worst := SeverityNone
	for _, f := range v.Findings {
		worst = max(worst, f.Severity)
	}
	return worst
}

package record

import "github.com/linkmilter/linkmilter/internal/report"

// A Decision is what the rules do with a message.
type Decision struct {
	Rule    string `json:"rule"`
	Action  string `json:"action"`
	Because string `json:"because"`
	Edited  bool   `json:"edited"`
	NotDone string `json:"not_done"`
	DryRun  bool   `json:"dry_run"`
}

// DecisionOf returns the decision about the message of a report.
func DecisionOf(r *report.Report) Decision {
	return Decision{r.Rule, r.Action.String(), r.Because, r.Edited, string(r.NotDone), r.DryRun}
}

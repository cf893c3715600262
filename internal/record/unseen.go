package record

import (
	"fmt"

	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// KindUnseen is the kind of a record about a text that programs read and people do not see. Its
// field text has what a program may read there.
const KindUnseen = "unseen"

// AppendUnseen appends a record for each unseen text of a message, unless the finding about them is
// turned off.
func AppendUnseen(all []Record, file string, r *report.Report) []Record {
	found := policy.Finding{}
	for _, f := range r.Findings {
		if f.Code == report.CodeUnseen {
			found = f
		}
	}
	if found.Code == "" {
		return all
	}
	worst := policy.SeverityNone
	for i := range r.Unseen {
		worst = max(worst, r.Unseen[i].Severity)
	}
	for i := range r.Unseen {
		u := &r.Unseen[i]
		f := policy.Finding{Code: report.CodeUnseen, Severity: u.Severity, Detail: u.Kind}
		if u.Count > 0 {
			f.Detail = fmt.Sprintf("%s, %d characters", u.Kind, u.Count)
		}
		if u.Severity == worst {
			f.Severity = found.Severity // the configured severity
		}
		all = append(all, Record{File: file, Part: u.Part, Offset: u.Start, Length: u.End - u.Start, Kind: KindUnseen, Text: u.Says, Findings: []policy.Finding{f}})
	}
	return all
}

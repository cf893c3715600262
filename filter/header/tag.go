package header

import (
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// The header fields that list the findings. Their values are structured (RFC
// 9651): the id of the filter that wrote them, as in RFC 8601, and parameters.
const (
	fieldSummary = report.FieldSummary    // one field about the message
	fieldFinding = "X-Linkmilter-Finding" // one field for each of the worst findings
)

// Bounds of the edits of a header.
const (
	// MaxEdits is the largest number of header edits of a message. Postfix takes seconds to delete
	// thousands of fields.
	MaxEdits = 64
	// MaxOther is the largest number of header edits apart from the tags. Room for all tags stays free,
	// so that filtering a message twice gives the same tags.
	MaxOther = MaxEdits - 1 - maxFindings

	maxFindings = 10
	maxText     = 120 // bytes of UTF-8 of a text of the message that a field quotes
)

// tags returns the fields that list the findings of a report, or none if its action asks for none.
// notEdited is why a requested edit was not made, or "". kept is how many fields stay that claim the id
// of this filter.
func tags(r *report.Report, id, node string, notEdited report.Reason, kept int) []mime.HeaderEdit {
	if r.Action < rule.ActionTag {
		return nil
	}
	findings := listed(r)
	edits := []mime.HeaderEdit{{Op: mime.OpAdd, Name: fieldSummary, Value: summary(r, id, node, findings, notEdited, kept)}}
	for i := range findings[:min(len(findings), maxFindings)] {
		edits = append(edits, mime.HeaderEdit{Op: mime.OpAdd, Name: fieldFinding, Value: findings[i].value(id)})
	}
	return edits
}

// summary returns the value of fieldSummary. It is the same if the message is filtered again on the
// same machine.
func summary(r *report.Report, id, node string, findings []finding, notEdited report.Reason, kept int) string {
	worst := policy.SeverityNone
	if len(findings) > 0 {
		worst = findings[0].Severity
	}
	b := newStructured(id)
	b.token("action", r.Action.String())
	b.token("worst", worst.String())
	b.integer("findings", len(findings))
	b.token("outcome", r.Outcome.String())
	if len(r.Reasons) > 0 {
		b.token("reason", string(r.Reasons[0]))
	}
	if notEdited != "" {
		b.token("not-edited", string(notEdited))
	}
	if kept > 0 {
		b.integer("forged", kept)
	}
	b.token("rule", r.Rule)
	if node != "" {
		b.token("node", node)
	}
	return b.String()
}

// value returns the value of the fieldFinding about f. Empty texts are left out.
func (f *finding) value(id string) string {
	b := newStructured(id)
	b.token("code", string(f.Code))
	b.token("severity", f.Severity.String())
	for _, text := range []struct{ name, value string }{{"part", f.part}, {"host", f.host}, {"label", f.Label}, {"detail", f.Detail}} {
		if text.value != "" {
			b.text(text.name, shortened(text.value))
		}
	}
	return b.String()
}

// shortened cuts a text for a field, between code points.
func shortened(s string) string {
	if len(s) <= maxText {
		return s
	}
	end := maxText
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

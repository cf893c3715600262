package header

import (
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// The header fields that list the findings. Their values are structured (RFC
// 9651): the id of the filter that wrote them, as in RFC 8601, and parameters.
const (
	FieldSummary = "X-Linkmilter"         // one about the message
	fieldFinding = "X-Linkmilter-Finding" // one for each of the worst findings
)

// Bounds of the edits of a header.
const (
	// MaxEdits is the number of header edits that a message gets at most. Deleting
	// thousands of fields takes Postfix seconds.
	MaxEdits = 64
	// MaxOther is the number of header edits beside the tags. Room for all tags stays
	// free, so that filtering a message again gives the same tags.
	MaxOther = MaxEdits - 1 - maxFindings

	maxFindings = 10
	maxText     = 120 // bytes of UTF-8 of a text from the message in a field
)

// A Listing is what the fields say about a message. Every value stays the same when
// the message is filtered again.
type Listing struct {
	Action    string
	Outcome   string // how much was read
	Reason    string // why not all of it was read; "" is left out
	NotEdited string // why a requested edit was not made; "" is left out
	Rule      string
	Findings  []Finding // the worst first
}

// A Finding is the value of one fieldFinding. Empty texts are left out.
type Finding struct {
	policy.Finding
	Part string // "" for the texts of the message
	Host string
}

// tags returns the fields that list the findings, none for nil. kept is the number of
// fields that claim the id of this filter and stay.
func (l *Listing) tags(id string, kept int) []mime.HeaderEdit {
	if l == nil {
		return nil
	}
	edits := []mime.HeaderEdit{{Op: mime.OpAdd, Name: FieldSummary, Value: l.summary(id, kept)}}
	for _, f := range l.Findings[:min(len(l.Findings), maxFindings)] {
		edits = append(edits, mime.HeaderEdit{Op: mime.OpAdd, Name: fieldFinding, Value: f.value(id)})
	}
	return edits
}

// summary returns the value of FieldSummary.
func (l *Listing) summary(id string, kept int) string {
	worst := policy.SeverityNone
	if len(l.Findings) > 0 {
		worst = l.Findings[0].Severity
	}
	b := newStructured(id)
	b.token("action", l.Action)
	b.token("worst", worst.String())
	b.integer("findings", len(l.Findings))
	b.token("outcome", l.Outcome)
	if l.Reason != "" {
		b.token("reason", l.Reason)
	}
	if l.NotEdited != "" {
		b.token("not-edited", l.NotEdited)
	}
	if kept > 0 {
		b.integer("forged", kept)
	}
	b.token("rule", l.Rule)
	return b.String()
}

// value returns the value of the field.
func (f Finding) value(id string) string {
	b := newStructured(id)
	b.token("code", string(f.Code))
	b.token("severity", f.Severity.String())
	for _, text := range []struct{ name, value string }{{"part", f.Part}, {"host", f.Host}, {"label", f.Label}, {"detail", f.Detail}} {
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

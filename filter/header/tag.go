package header

import (
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/mime"
)

// The header fields that list the findings. Their values are structured (RFC
// 9651): the id of the filter that wrote them, as in RFC 8601, and parameters.
const (
	FieldSummary = "X-Linkmilter"         // one about the message
	FieldFinding = "X-Linkmilter-Finding" // one for each of the worst findings
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

// A Summary is the value of FieldSummary. Every value stays the same when the
// message is filtered again.
type Summary struct {
	ID        string // of this filter
	Action    string
	Worst     string // severity
	Findings  int    // their number
	Outcome   string // how much was read
	Reason    string // why not all of it was read; "" is left out
	NotEdited string // why a requested edit was not made; "" is left out
	Rule      string
}

// A Finding is the value of a FieldFinding. Empty texts are left out.
type Finding struct {
	Code, Severity            string
	Part, Host, Label, Detail string
}

// Tags returns the fields that list the findings, the worst first. forged is the
// number of fields that claim the id of this filter and stay.
func Tags(s Summary, findings []Finding, forged int) []mime.HeaderEdit {
	edits := []mime.HeaderEdit{{Op: mime.OpAdd, Name: FieldSummary, Value: s.value(forged)}}
	for _, f := range findings[:min(len(findings), maxFindings)] {
		edits = append(edits, mime.HeaderEdit{Op: mime.OpAdd, Name: FieldFinding, Value: f.value(s.ID)})
	}
	return edits
}

// value returns the value of the field.
func (s Summary) value(forged int) string {
	b := newStructured(s.ID)
	b.token("action", s.Action)
	b.token("worst", s.Worst)
	b.integer("findings", s.Findings)
	b.token("outcome", s.Outcome)
	if s.Reason != "" {
		b.token("reason", s.Reason)
	}
	if s.NotEdited != "" {
		b.token("not-edited", s.NotEdited)
	}
	if forged > 0 {
		b.integer("forged", forged)
	}
	b.token("rule", s.Rule)
	return b.String()
}

// value returns the value of the field.
func (f Finding) value(id string) string {
	b := newStructured(id)
	b.token("code", f.Code)
	b.token("severity", f.Severity)
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

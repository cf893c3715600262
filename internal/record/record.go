package record

import (
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// A Record is one link, or something about the message itself ([OfMessage]). Part names
// the place as in [report.Found]; offset and length are in bytes of the text there, in
// UTF-8.
type Record struct {
	File        string           `json:"file"`
	Part        string           `json:"part"`
	Offset      int              `json:"offset"`
	Length      int              `json:"length"`
	Kind        string           `json:"kind"`
	Text        string           `json:"text"`
	Href        string           `json:"href"`
	Display     string           `json:"display"`
	ASCIIHost   string           `json:"ascii_host"`
	UnicodeHost string           `json:"unicode_host"`
	Findings    []policy.Finding `json:"findings"`
}

// Worst returns the highest severity among the findings.
func (r *Record) Worst() policy.Severity {
	worst := policy.SeverityNone
	for i := range r.Findings {
		worst = max(worst, r.Findings[i].Severity)
	}
	return worst
}

// KindMessage is the kind of a record that is about a message and no link.
const KindMessage = "message"

// New returns the record of a link in a file.
func New(file string, found report.Found) Record {
	findings := found.Verdict.Findings
	if findings == nil {
		findings = []policy.Finding{}
	}
	return Record{
		File:        file,
		Part:        found.Part,
		Offset:      found.Link.Start,
		Length:      found.Link.End - found.Link.Start,
		Kind:        found.Link.Kind.String(),
		Text:        found.Link.Text,
		Href:        found.Href,
		Display:     found.Display,
		ASCIIHost:   found.Link.ASCIIHost(),
		UnicodeHost: found.Link.UnicodeHost(),
		Findings:    findings,
	}
}

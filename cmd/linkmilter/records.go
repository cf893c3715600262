package main

import (
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// record is one link as `scan --format json` prints it, or something about the
// message ([messageRecords]). Part names the place as in [report.Found]; offset
// and length are in bytes of the text there, in UTF-8. The names are
// a contract with other programs.
type record struct {
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

// worst returns the highest severity among the findings.
func (r *record) worst() policy.Severity {
	worst := policy.SeverityNone
	for i := range r.Findings {
		worst = max(worst, r.Findings[i].Severity)
	}
	return worst
}

// kindMessage is the kind of a record that is about a message and no link.
const kindMessage = "message"

func newRecord(file string, found report.Found) record {
	findings := found.Verdict.Findings
	if findings == nil {
		findings = []policy.Finding{}
	}
	return record{
		File:        fileName(file),
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

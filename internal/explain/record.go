package explain

import "github.com/linkmilter/linkmilter/policy"

// A Record is the explanation of one line in JSON. The names are a contract with other
// programs.
type Record struct {
	Input          string    `json:"input"`
	Kind           string    `json:"kind"`
	ASCIIHost      string    `json:"ascii_host"`
	UnicodeHost    string    `json:"unicode_host"`
	Href           string    `json:"href"`
	Display        string    `json:"display"`
	DisplayUnicode bool      `json:"display_unicode"`
	HiddenBy       string    `json:"hidden_by,omitempty"`
	Findings       []Finding `json:"findings"`
}

// A Finding is a finding with the section of the manual about its code.
type Finding struct {
	policy.Finding
	Manual string `json:"manual"`
}

// Project is the URL where the project and its manual are.
const Project = "https://github.com/linkmilter/linkmilter"

// ManualOf returns the URL of the section of the manual about a code.
func ManualOf(code policy.Code) string {
	return Project + "/blob/main/docs/findings.md#" + string(code)
}

// Record returns the explanation as a record.
func (x *Explanation) Record() Record {
	r := Record{
		Input:          x.Input,
		Kind:           x.Kind,
		ASCIIHost:      x.Link.ASCIIHost(),
		UnicodeHost:    x.Link.UnicodeHost(),
		Href:           x.Link.Href(),
		Display:        x.Display,
		DisplayUnicode: x.Verdict.DisplayUnicode,
		HiddenBy:       x.Verdict.HiddenBy.String(),
		Findings:       []Finding{},
	}
	for _, f := range x.Verdict.Findings {
		r.Findings = append(r.Findings, Finding{f, ManualOf(f.Code)})
	}
	return r
}

package main

import (
	"bufio"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/explain"
	"github.com/linkmilter/linkmilter/internal/record"
	"github.com/linkmilter/linkmilter/policy"
)

// The names of the format (SARIF 2.1.0, an OASIS standard).
const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

// sarifListing writes one log in SARIF 2.1.0, with a result for each finding. It
// writes results as they come, and the rules at the end.
type sarifListing struct {
	out   *bufio.Writer
	codes []policy.Code // codes of the results so far
	begun bool
}

func newSARIFListing(out *bufio.Writer) *sarifListing { return &sarifListing{out: out} }

// sarifResult is a result (§3.27).
type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
	Bag       sarifBag        `json:"properties"`
}

type sarifText struct {
	Text string `json:"text"`
}

// sarifLocation is a location (§3.28): the file, and the part of the message. Offsets are in
// properties, because they are in the text of the part and not in the file.
type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
	} `json:"physicalLocation"`
	Logical []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

// sarifBag is a property bag (§3.8).
type sarifBag struct {
	Severity  string `json:"severity"`
	Part      string `json:"part"`
	Offset    int    `json:"offset"`
	Length    int    `json:"length"`
	Kind      string `json:"kind"`
	Text      string `json:"text"`
	ASCIIHost string `json:"ascii_host"`
	Label     string `json:"label"`
	*record.Origin
}

// sarifRule is a reporting descriptor (§3.49).
type sarifRule struct {
	ID      string    `json:"id"`
	Short   sarifText `json:"shortDescription"`
	HelpURI string    `json:"helpUri"`
}

func (l *sarifListing) message(m *scanned) error {
	for i := range m.records {
		r := &m.records[i]
		for _, f := range r.Findings {
			if err := l.result(m, r, f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *sarifListing) result(m *scanned, r *record.Record, f policy.Finding) error {
	result := sarifResult{
		RuleID: string(f.Code), RuleIndex: l.ruleIndex(f.Code), Level: sarifLevel(f.Severity), Message: sarifText{sentence(r, f)},
		Bag: sarifBag{
			Severity: f.Severity.String(), Part: r.Part, Offset: r.Offset, Length: r.Length,
			Kind: r.Kind, Text: r.Text, ASCIIHost: r.ASCIIHost, Label: f.Label,
		},
	}
	if m.isMail {
		result.Bag.Origin = &m.origin
	}
	var at sarifLocation
	at.Physical.Artifact.URI = fileURI(r.File)
	if r.Part != "" {
		at.Logical = []sarifLogical{{r.Part, "messagePart"}}
	}
	result.Locations = []sarifLocation{at}
	return l.write(result)
}

// write writes a result, after the head of the log if it is the first, otherwise after a comma.
func (l *sarifListing) write(result sarifResult) error {
	text, err := marshal(result)
	if err != nil {
		return err
	}
	before := ",\n"
	if !l.begun {
		before = sarifHead
	}
	l.begun = true
	_, err = l.out.WriteString(before + text)
	return err
}

// sarifHead begins a log with one run.
const sarifHead = `{"$schema":"` + sarifSchema + `","version":"` + sarifVersion + `","runs":[{"columnKind":"utf16CodeUnits","results":[` + "\n"

// sarifInvocation is an invocation (§3.20). It says whether everything was read, and what was not.
type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

// sarifNotification is a notification (§3.58).
type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

// end writes the rules, and whether everything was read.
func (l *sarifListing) end(s *summary) error {
	rules := make([]sarifRule, 0, len(l.codes))
	for _, code := range l.codes {
		rules = append(rules, sarifRule{
			string(code),
			sarifText{strings.ReplaceAll(string(code), "-", " ")},
			explain.ManualOf(code),
		})
	}
	tool, err := marshal(map[string]any{"driver": map[string]any{
		"name": "linkmilter", "version": programVersion(), "informationUri": explain.Project, "rules": rules,
	}})
	if err != nil {
		return err
	}
	invocation := sarifInvocation{Successful: !s.interrupted && len(s.failed) == 0}
	for _, line := range errorLines(s.failed) {
		invocation.Notifications = append(invocation.Notifications, sarifNotification{"error", sarifText{line}})
	}
	invocations, err := marshal([]sarifInvocation{invocation})
	if err != nil {
		return err
	}
	before := ""
	if !l.begun {
		before = sarifHead
	}
	_, err = l.out.WriteString(before + "\n]," + `"tool":` + tool + `,"invocations":` + invocations + "}]}\n")
	return err
}

// ruleIndex returns the index of the rule of a code, which it adds if it is new.
func (l *sarifListing) ruleIndex(code policy.Code) int {
	i := slices.Index(l.codes, code)
	if i < 0 {
		i = len(l.codes)
		l.codes = append(l.codes, code)
	}
	return i
}

// sarifLevel returns the level (§3.27.10) of a severity.
func sarifLevel(s policy.Severity) string {
	switch s {
	case policy.SeverityHigh:
		return "error"
	case policy.SeverityMedium:
		return "warning"
	}
	return "note"
}

// sentence returns a sentence for a finding, with the host that it is about.
func sentence(r *record.Record, f policy.Finding) string {
	var parts []string
	if r.ASCIIHost != "" {
		parts = append(parts, r.ASCIIHost+":")
	}
	parts = append(parts, string(f.Code))
	if f.Detail != "" {
		parts = append(parts, "("+f.Detail+")")
	}
	return strings.Join(parts, " ")
}

// fileURI returns a reference (RFC 3986) to a file.
func fileURI(file string) string {
	if filepath.IsAbs(file) {
		return (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
	}
	return (&url.URL{Path: filepath.ToSlash(file)}).String()
}

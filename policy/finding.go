package policy

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Finding is one problem of a link.
type Finding struct {
	// Code is the kind of the problem.
	Code Code `json:"code"`
	// Severity is the configured severity of the code, or else the default.
	Severity Severity `json:"severity"`
	// Label is the part of the link that has the problem, such as a label of the host as
	// U-label, or a word of the path. For a text or display name it is the host that
	// these name, or the whole name. It can hold any bytes, at most 253.
	Label string `json:"label"`
	// Detail describes the problem in English, as a sentence about the label: "looks like
	// paypal.com but is another site". It is printable, and in ASCII but for domains of the operator.
	Detail string `json:"detail"`
}

// A Verdict is the result of Judge.Link. Its zero value does not say that a link is good: it has no
// findings, since nothing was judged, and it forbids to display the host in Unicode.
type Verdict struct {
	Findings []Finding // in the order in which the rules ran
	// DisplayUnicode is true if a reader may see the host with U-labels: each
	// finding about the host is below SeverityMedium, and no DisplayRule hides it.
	DisplayUnicode bool
	// HiddenBy is the rule by which browsers display the host with A-labels although
	// no finding forbids U-labels: the host may be honest.
	HiddenBy DisplayRule
	// HiddenLike is the popular site that the host looks like, in A-labels, if that is why browsers
	// display A-labels; otherwise "".
	HiddenLike string
}

// Worst returns the highest severity of the findings; SeverityNone without
// findings.
func (v Verdict) Worst() Severity {
	worst := SeverityNone
	for _, f := range v.Findings {
		worst = max(worst, f.Severity)
	}
	return worst
}

// A collector collects the findings about one link. Each rule returns a Finding with its default
// severity, SeverityNone if it finds nothing. The collector replaces the default by the configured
// severity.
type collector struct {
	severities map[Code]Severity // the configured severities
	findings   []Finding
	worstHost  Severity // the highest severity of findings about the host
	listed     []Listed // the lines of lists that have the link
	inParts    int      // index of the first finding about path, query and fragment

	popularSite  string // the popular site that the host looks like
	likesPopular bool   // the host looks like a popular site, which hides it
}

// note adds a finding that is not about the host. It returns the configured or default severity, or
// SeverityNone if it adds nothing.
func (c *collector) note(f Finding) Severity {
	if f.Severity == SeverityNone {
		return SeverityNone
	}
	if configured, ok := c.severities[f.Code]; ok {
		f.Severity = configured
	}
	if f.Severity != SeverityNone {
		f.Label = shorten(f.Label)
		c.findings = append(c.findings, f)
	}
	return f.Severity
}

// noteHost adds a finding about the host.
func (c *collector) noteHost(f Finding) {
	if f.Severity != SeverityNone {
		c.worstHost = max(c.worstHost, c.note(f))
	}
}

// has reports whether the link has a finding of the code.
func (c *collector) has(code Code) bool {
	return slices.ContainsFunc(c.findings, func(f Finding) bool { return f.Code == code })
}

// noteOnce adds a finding that is not about the host, unless the link has one of
// the same code that is as bad or worse.
func (c *collector) noteOnce(f Finding) {
	for _, has := range c.findings {
		if has.Code == f.Code && has.Severity >= f.Severity {
			return
		}
	}
	c.note(f)
}

// dropWords drops findings about words of the path, query and fragment if the words belong to the
// host of a URL there. host is that host in U-labels.
func (c *collector) dropWords(host string) {
	kept := slices.DeleteFunc(c.findings[c.inParts:], func(f Finding) bool {
		return (f.Code == CodeLookalike || f.Code == CodeMixedScriptPath) && strings.Contains(host, f.Label)
	})
	c.findings = c.findings[:c.inParts+len(kept)]
}

// maxShown is the length in bytes of the longest label of a finding: the
// longest name of the DNS (RFC 1035 §2.3.4).
const maxShown = 253

// shorten cuts s to maxShown bytes. It does not cut a code point in UTF-8.
func shorten(s string) string {
	if len(s) <= maxShown {
		return s
	}
	end := maxShown
	for end > maxShown-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// finding returns a finding of the variant about the label, with the facts for
// the verbs of its sentence. The finding of nothing has SeverityNone.
func (v variant) finding(label string, facts ...any) Finding {
	r := &table[v]
	f := Finding{Code: r.code, Severity: r.severity, Label: label, Detail: r.text}
	if len(facts) > 0 {
		f.Detail = fmt.Sprintf(r.text, facts...)
	}
	return f
}

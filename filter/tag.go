package filter

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// The header fields that say what was found. Their values are structured (RFC
// 9651): the id of who wrote them, as RFC 8601 has it, and parameters.
const (
	FieldSummary = "X-Linkmilter"         // one about the message
	FieldFinding = "X-Linkmilter-Finding" // one for each of the worst findings
)

// Bounds of what is written to a header.
const (
	// MaxHeaderEdits is how many edits of its header a message gets at most, all
	// together. Deleting thousands of fields takes Postfix seconds.
	MaxHeaderEdits = 64

	maxFindingFields = 10
	// What tags take is kept free by all else, so that a message has the same
	// tags when it is filtered again.
	maxOtherEdits = MaxHeaderEdits - 1 - maxFindingFields
	maxFieldText  = 120 // octets of UTF-8 of a text from the message in a field
)

// A listed is a finding as the header lists it.
type listed struct {
	policy.Finding
	host string // that it is about; empty for findings about the message
	part string // where, unless in a text
}

// listed returns the findings of the report, the worst first, each code once a
// host. Of a text it is not said which one it is, so that filtering a message
// again finds the same whatever part the link then stands in.
func (r *Report) listed() []listed {
	type key struct {
		code policy.Code
		host string
	}
	var all []listed
	known := make(map[key]int)
	add := func(f policy.Finding, host, part string) {
		k := key{f.Code, host}
		if i, ok := known[k]; !ok {
			known[k] = len(all)
			all = append(all, listed{f, host, part})
		} else if f.Severity > all[i].Severity {
			all[i].Finding = f
		}
	}
	for _, f := range r.Findings {
		add(f, "", "")
	}
	for i := range r.Links {
		l := &r.Links[i]
		if len(l.Verdict.Findings) == 0 {
			continue
		}
		host := l.Link.ASCIIHost()
		if host == "" {
			host = l.Link.Components().Host
		}
		part := ""
		if l.Place == PlaceHeader || l.Place == PlaceEnvelope {
			part = l.Part
		}
		for _, f := range l.Verdict.Findings {
			add(f, host, part)
		}
	}
	slices.SortStableFunc(all, func(a, b listed) int { return cmp.Compare(b.Severity, a.Severity) })
	return all
}

// tags returns the fields that say what was found; none where the action does
// not ask for them. forged is how many fields that claim our id are not removed.
func (w *work) tags(forged int) []mime.HeaderEdit {
	if w.report.Action < ActionTag {
		return nil
	}
	findings := w.report.listed()
	edits := []mime.HeaderEdit{{Op: mime.OpAdd, Name: FieldSummary, Value: w.summary(len(findings), forged)}}
	for _, f := range findings[:min(len(findings), maxFindingFields)] {
		edits = append(edits, mime.HeaderEdit{Op: mime.OpAdd, Name: FieldFinding, Value: w.finding(f)})
	}
	return edits
}

// summary is the value of FieldSummary. It holds nothing that is another when
// the message is filtered again.
func (w *work) summary(findings, forged int) string {
	r := &w.report
	s := newStructured(w.filter.id)
	s.token("action", r.Action.String())
	s.token("worst", r.Worst().String())
	s.integer("findings", findings)
	s.token("outcome", r.Outcome.String())
	if len(r.Reasons) > 0 {
		s.token("reason", string(r.Reasons[0]))
	}
	if reason := w.notEditable(); reason != "" {
		s.token("not-edited", string(reason))
	}
	if forged > 0 {
		s.integer("forged", forged)
	}
	s.token("rule", r.Rule)
	return s.String()
}

// finding is the value of a FieldFinding.
func (w *work) finding(f listed) string {
	s := newStructured(w.filter.id)
	s.token("code", string(f.Code))
	s.token("severity", f.Severity.String())
	for _, text := range []struct{ name, value string }{{"part", f.part}, {"host", f.host}, {"label", f.Label}, {"detail", f.Detail}} {
		if text.value != "" {
			s.text(text.name, shortened(text.value))
		}
	}
	return s.String()
}

// shortened cuts a text for a field, between code points.
func shortened(s string) string {
	if len(s) <= maxFieldText {
		return s
	}
	end := maxFieldText
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

package header

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// A finding is a finding as the header lists it.
type finding struct {
	policy.Finding
	part string // "" for the texts of the message
	host string
}

// listed returns the findings of a report as the header lists them: the worst first, and each code once
// for a host. It does not say which text holds a link, so that filtering a message twice lists the
// same.
func listed(r *report.Report) []finding {
	type key struct {
		code policy.Code
		host string
	}
	var all []finding
	known := make(map[key]int)
	add := func(f policy.Finding, host, part string) {
		e := finding{Finding: f, part: part, host: host}
		k := key{f.Code, host}
		if i, ok := known[k]; !ok {
			known[k] = len(all)
			all = append(all, e)
		} else if f.Severity > all[i].Severity {
			e.part = all[i].part
			all[i] = e
		}
	}
	for _, f := range r.Findings {
		add(f, "", "")
	}
	for i := range r.Links {
		l := &r.Links[i]
		if len(l.Verdict.Findings) == 0 || l.Repaired {
			continue
		}
		host := cmp.Or(l.Link.ASCIIHost(), l.Link.Components().Host)
		part := ""
		if l.Place == report.PlaceHeader || l.Place == report.PlaceEnvelope {
			part = l.Part
		}
		for _, f := range l.Verdict.Findings {
			add(f, host, part)
		}
	}
	slices.SortStableFunc(all, func(a, b finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return all
}

// optOutFields returns the indices of the fields called name, and whether one of them asks to leave the
// message alone (UASG 2.2). Any value except "no" does.
func optOutFields(m *mime.Message, name string) (fields []int, asked bool) {
	for i, f := range m.Root.Fields {
		if ascii.EqualFold(f.Name, name) {
			fields = append(fields, i)
			asked = asked || !strings.EqualFold(m.FieldValue(f), "no")
		}
	}
	return fields, asked
}

// ValidateOptOut returns an error for a field name that has another meaning.
func ValidateOptOut(name string) error {
	for _, prefix := range []string{"Content-", "Resent-", "List-", "ARC-"} {
		if ascii.HasPrefixFold(name, prefix) {
			return fmt.Errorf("opt-out field %q: has another meaning (want one such as X-Opt-Out)", name)
		}
	}
	for _, known := range []string{
		"From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Subject", "Date", "Message-ID", "In-Reply-To", "References",
		"MIME-Version", "Received", "Return-Path", "DKIM-Signature", "Authentication-Results", fieldSummary, fieldFinding,
	} {
		if strings.EqualFold(name, known) {
			return fmt.Errorf("opt-out field %q: has another meaning (want one such as X-Opt-Out)", name)
		}
	}
	if name == "" || strings.IndexFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || r == ':' }) >= 0 {
		return fmt.Errorf("opt-out field %q: not a field name", name)
	}
	return nil
}

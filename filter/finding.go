package filter

import (
	"fmt"
	"slices"

	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// A variant is one situation in which the filter reports a code about a message.
type variant uint8

// The variants, in the order of the table.
const (
	forgedFields variant = iota
	malformedForm
	opaqueContent
	partialChosen // an attacker may have chosen the reason
	partial
	unalignedLink
	unreadableChosen
	unreadable
	unseenDeception
	unseenFiller
)

// variants has the code, name, severity and detail of each variant: the codes in the order of
// the documentation, and the worst variant of a code first. Package policy has the table for
// links: it must not know messages, so that other programs can use it.
var variants = [...]struct {
	code     policy.Code
	name     string // unique for the code
	severity policy.Severity
	text     string // the detail: a sentence with verbs of package fmt for the facts
}{
	forgedFields:     {report.CodeForgedField, "fields", policy.SeverityHigh, "%d fields claim to be of this filter"},
	malformedForm:    {report.CodeMalformed, "form", policy.SeverityLow, "the form is not as the standards say, and what programs show was read: %s"},
	opaqueContent:    {report.CodeOpaque, "content", policy.SeverityInfo, "%s"},
	partialChosen:    {report.CodePartial, "chosen", policy.SeverityMedium, "%s"},
	partial:          {report.CodePartial, "honest", policy.SeverityLow, "%s"},
	unalignedLink:    {report.CodeUnalignedLink, "link", policy.SeverityInfo, "a link to %s, in a message from %s"},
	unreadableChosen: {report.CodeUnreadable, "chosen", policy.SeverityMedium, "%s"},
	unreadable:       {report.CodeUnreadable, "honest", policy.SeverityLow, "%s"},
	unseenDeception:  {report.CodeUnseen, "deception", policy.SeverityMedium, "programs read what people do not see: %s (%d in all)"},
	unseenFiller:     {report.CodeUnseen, "filler", policy.SeverityLow, "programs read what people do not see: %s (%d in all)"},
}

// readingVariant returns the variant of CodePartial or CodeUnreadable for reasons.
func readingVariant(code policy.Code, reasons ...report.Reason) variant {
	chosen := slices.ContainsFunc(reasons, isChosen)
	switch {
	case code == report.CodePartial && chosen:
		return partialChosen
	case code == report.CodePartial:
		return partial
	case chosen:
		return unreadableChosen
	}
	return unreadable
}

// MessageSeverities returns the codes of findings about a message, each with the
// default severity of its worst variant.
func MessageSeverities() map[policy.Code]policy.Severity {
	all := make(map[policy.Code]policy.Severity)
	for _, v := range variants {
		all[v.code] = max(all[v.code], v.severity)
	}
	return all
}

// severities are the configured severities of findings about a message.
type severities map[policy.Code]policy.Severity

// of returns the severity of a variant: the configured one, or else the default.
func (s severities) of(v variant) policy.Severity {
	if severity, ok := s[variants[v].code]; ok {
		return severity
	}
	return variants[v].severity
}

// finding returns a finding about a message, with the facts for its sentence.
func (s severities) finding(v variant, facts ...any) policy.Finding {
	return policy.Finding{Code: variants[v].code, Severity: s.of(v), Detail: fmt.Sprintf(variants[v].text, facts...)}
}

// splitSeverities parts configured severities into those of findings about a message
// and those of package policy.
func splitSeverities(configured map[policy.Code]policy.Severity) (message severities, link map[policy.Code]policy.Severity, err error) {
	message, link = make(severities), make(map[policy.Code]policy.Severity)
	defaults := MessageSeverities()
	for code, severity := range configured {
		if _, ok := defaults[code]; !ok {
			link[code] = severity
			continue
		}
		if severity > policy.SeverityHigh {
			return nil, nil, fmt.Errorf("%s: unknown %s", code, severity)
		}
		message[code] = severity
	}
	return message, link, nil
}

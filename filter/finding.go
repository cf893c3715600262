package filter

import (
	"fmt"
	"maps"
	"slices"

	"github.com/linkmilter/linkmilter/policy"
)

// Codes of findings about a message. Those about a link are package policy's.
const (
	CodeUnreadable  policy.Code = "unreadable"   // nothing of the message could be read
	CodePartial     policy.Code = "partial"      // something of the message could not be read
	CodeForgedField policy.Code = "forged-field" // too many fields that claim our id to remove them

	// CodeUnalignedLink is of a message that is known to be from the domain in its
	// From and has a link to another.
	CodeUnalignedLink policy.Code = "unaligned-link"
)

// messageSeverities are the default severities of the findings about a message.
// CodeUnreadable and CodePartial are medium where [Chosen] names the reason.
var messageSeverities = map[policy.Code]policy.Severity{
	CodeUnreadable:  policy.SeverityLow,
	CodePartial:     policy.SeverityLow,
	CodeForgedField: policy.SeverityHigh,

	CodeUnalignedLink: policy.SeverityInfo,
}

// MessageCodes returns the codes of findings about a message, sorted.
func MessageCodes() []policy.Code {
	return slices.Sorted(maps.Keys(messageSeverities))
}

// MessageSeverity returns the default severity of a finding about a message, or
// an error for a code that is none.
func MessageSeverity(c policy.Code) (policy.Severity, error) {
	s, ok := messageSeverities[c]
	if !ok {
		return policy.SeverityNone, fmt.Errorf("unknown code of a finding about a message %q", string(c))
	}
	return s, nil
}

// splitSeverities parts configured severities into those of findings about a
// message and those of package policy.
func splitSeverities(configured map[policy.Code]policy.Severity) (message, link map[policy.Code]policy.Severity, err error) {
	message, link = make(map[policy.Code]policy.Severity), make(map[policy.Code]policy.Severity)
	for code, severity := range configured {
		if _, ok := messageSeverities[code]; !ok {
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

// severity returns the severity of a finding about a message that has these
// reasons, if any: the configured one, or else the default.
func (f *Filter) severity(code policy.Code, reasons ...Reason) policy.Severity {
	if severity, ok := f.severities[code]; ok {
		return severity
	}
	if slices.ContainsFunc(reasons, Chosen) {
		return policy.SeverityMedium
	}
	return messageSeverities[code]
}

// note adds a finding about the message, unless its code is turned off or was
// found before. The reasons are those for which the message was not read.
func (w *work) note(code policy.Code, detail string, reasons ...Reason) {
	severity := w.filter.severity(code, reasons...)
	known := func(f policy.Finding) bool { return f.Code == code }
	if severity == policy.SeverityNone || slices.ContainsFunc(w.report.Findings, known) {
		return
	}
	w.report.Findings = append(w.report.Findings, policy.Finding{Code: code, Severity: severity, Detail: detail})
}

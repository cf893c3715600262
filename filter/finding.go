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

// severities are the configured severities of findings about a message.
type severities map[policy.Code]policy.Severity

// messageSeverities are the default severities of the findings about a message.
// CodeUnreadable and CodePartial are medium where [Chosen] names the reason.
var messageSeverities = severities{
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
// an error for another code.
func MessageSeverity(c policy.Code) (policy.Severity, error) {
	s, ok := messageSeverities[c]
	if !ok {
		return policy.SeverityNone, fmt.Errorf("unknown code of a finding about a message %q", string(c))
	}
	return s, nil
}

// of returns the severity of a finding about a message: the configured one, or else
// the default. reasons say why the message was not read, if the finding is about that.
func (s severities) of(code policy.Code, reasons ...Reason) policy.Severity {
	if severity, ok := s[code]; ok {
		return severity
	}
	if slices.ContainsFunc(reasons, Chosen) {
		return policy.SeverityMedium
	}
	return messageSeverities[code]
}

// splitSeverities parts configured severities into those of findings about a message
// and those of package policy.
func splitSeverities(configured map[policy.Code]policy.Severity) (message severities, link map[policy.Code]policy.Severity, err error) {
	message, link = make(severities), make(map[policy.Code]policy.Severity)
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

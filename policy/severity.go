package policy

import (
	"fmt"
	"slices"
)

// A Severity says how bad a finding is. A greater value is worse.
type Severity uint8

// The severities, in ascending order. A program should not link a host with a
// finding of SeverityMedium or above, nor display it in Unicode.
const (
	SeverityNone   Severity = iota // no finding
	SeverityInfo                   // helps a reader who looks closely
	SeverityLow                    // unusual, and mostly harmless
	SeverityMedium                 // deceptive, or not safe to display
	SeverityHigh                   // very likely made to deceive
)

// severityNames has the name of each severity.
var severityNames = [...]string{"none", "info", "low", "medium", "high"}

// String returns the name of the severity: "none", "info", "low", "medium" or
// "high".
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return fmt.Sprintf("severity %d", uint8(s))
}

// MarshalText returns the name of the severity. The error is always nil.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText sets the severity by its name, which is in lower case. The error
// for another name lists the names.
func (s *Severity) UnmarshalText(text []byte) error {
	i := slices.Index(severityNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown severity %q: none, info, low, medium or high", text)
	}
	*s = Severity(i)
	return nil
}

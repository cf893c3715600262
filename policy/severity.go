package policy

import "fmt"

// A Severity says how bad a finding is. Severities are ordered.
type Severity uint8

// The severities. A host with a finding of SeverityMedium or above is not
// displayed in Unicode and not linked.
const (
	SeverityNone   Severity = iota // no finding
	SeverityInfo                   // worth knowing when looking closely
	SeverityLow                    // unusual, and mostly harmless
	SeverityMedium                 // deceptive, or not safely displayed
	SeverityHigh                   // made to deceive, in all likelihood
)

// severityNames are the names of the severities, by value.
var severityNames = [...]string{"none", "info", "low", "medium", "high"}

// String returns the severity's name: "none", "info", "low", "medium" or
// "high".
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return fmt.Sprintf("severity %d", uint8(s))
}

// ParseSeverity returns the severity with the given name, in lower case.
func ParseSeverity(name string) (Severity, error) {
	for i, n := range severityNames {
		if n == name {
			return Severity(i), nil
		}
	}
	return SeverityNone, fmt.Errorf("unknown severity %q: none, info, low, medium or high", name)
}

// MarshalText returns the severity's name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the severity's name.
func (s *Severity) UnmarshalText(text []byte) error {
	v, err := ParseSeverity(string(text))
	if err != nil {
		return err
	}
	*s = v
	return nil
}

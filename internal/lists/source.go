package lists

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/policy"
)

// A Meaning says what it means for a link to be on a list.
type Meaning string

// The meanings.
const (
	Block Meaning = "block" // the link is flagged
	Allow Meaning = "allow" // the link has no findings
	Watch Meaning = "watch" // the link is only reported
)

// A Source says where a list comes from and what it means.
type Source struct {
	Name     string
	URL      string // https; "": the list is in File
	File     string
	Format   Format // "": found by the content
	Column   string // column of CSV, by its name or its number from 1; "": found by the content
	Match    Match  // "": MatchWritten
	Means    Meaning
	Severity policy.Severity // severity of findings; SeverityNone: high if the list blocks, info if it watches
	Age      time.Duration   // age at which a line no longer counts; 0: never
	Every    time.Duration   // time between two requests; 0: DefaultEvery
	MaxSize  int64           // largest size in bytes; 0: DefaultMaxSize
	Rules    []string        // names of the rules for whose messages the list is; none: all rules
}

// Defaults and bounds of a Source.
const (
	DefaultEvery   = time.Hour
	MinEvery       = 5 * time.Minute
	DefaultMaxSize = 512 << 20
	// lookEvery is the time between two checks of an operator's file.
	lookEvery = 10 * time.Second
	// fetchTime bounds one download.
	fetchTime = 10 * time.Minute
)

const nameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

// ValidateName refuses a name that is not fit for files, logs and metrics.
func ValidateName(name string) error {
	if name == "" || len(name) > 60 || strings.Trim(name, nameChars) != "" {
		return fmt.Errorf("name %q: not valid (want ASCII letters, digits and hyphens, such as openphish)", name)
	}
	return nil
}

// Validate refuses a source that cannot be used. The error begins with the key that has the bad
// value.
func (s *Source) Validate() error {
	if err := ValidateName(s.Name); err != nil {
		return err
	}
	switch {
	case (s.URL == "") == (s.File == ""):
		return fmt.Errorf("list %q: where it comes from is not clear (want url or file)", s.Name)
	case s.Column != "" && s.Format != FormatCSV:
		return fmt.Errorf("column: %q is of no use without CSV (want format = \"csv\")", s.Column)
	case s.Means == Allow && s.Severity != policy.SeverityNone:
		return fmt.Errorf("severity: %q is of no use where a list allows (want means = \"block\" or \"watch\")", s.Severity)
	case s.URL != "" && s.every() < MinEvery:
		return fmt.Errorf("interval: time %q: too short (want at least 5m)", s.Every)
	}
	return nil
}

func (s *Source) every() time.Duration {
	if s.URL == "" {
		return lookEvery
	}
	return cmp.Or(s.Every, DefaultEvery)
}

// stale returns the age of the server's last answer at which the list becomes stale.
func (s *Source) stale() time.Duration { return max(3*s.every(), 24*time.Hour) }

func (s *Source) severity() policy.Severity {
	switch {
	case s.Severity != policy.SeverityNone:
		return s.Severity
	case s.Means == Watch:
		return policy.SeverityInfo
	}
	return policy.SeverityHigh
}

// isFor reports whether the list is for messages of a rule, The name may be those of several rules,
// joined by plus signs; then a list that allows must be for all of them.
func (s *Source) isFor(rule string) bool {
	if len(s.Rules) == 0 {
		return true
	}
	names := strings.Split(rule, "+")
	isMine := func(name string) bool { return slices.Contains(s.Rules, name) }
	if s.Means == Allow {
		return !slices.ContainsFunc(names, func(name string) bool { return !isMine(name) })
	}
	return slices.ContainsFunc(names, isMine)
}

// sameIndex reports whether two sources make the same index of the same lines.
func (s *Source) sameIndex(o *Source) bool {
	return s.URL == o.URL && s.File == o.File && s.Format == o.Format && s.Column == o.Column && s.Match == o.Match && (s.Means == Watch) == (o.Means == Watch)
}

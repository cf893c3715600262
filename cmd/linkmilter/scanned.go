package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/record"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// scanned has what `scan` found in one message, or in a piece of a plain text.
type scanned struct {
	file    string
	size    int // in bytes
	isMail  bool
	origin  record.Origin   // of a message with records
	date    time.Time       // likewise, of the header; zero where it has none that can be read
	latest  time.Time       // the later of date and when a server received it, if it is to be dated
	records []record.Record // about the message itself, then about its links
	outcome report.Outcome
	reasons []report.Reason // why it was not read in full
	links   int             // found, listed or not

	continues bool // it is more of the plain text before
}

// newScanned returns what f finds in a message. A message without records has an origin
// and a date only if it is to be dated, since most messages of an archive need neither.
func newScanned(f *filter.Filter, in input, dated bool) *scanned {
	found := f.Scan(in.raw)
	m := rooms.Get().(*scanned)
	*m = scanned{
		file: fileName(in.name), size: len(in.raw), isMail: true,
		outcome: found.Outcome, reasons: found.Reasons, links: len(found.Links),
		records: record.Append(m.records, fileName(in.name), f, &found),
	}
	if dated || len(m.records) > 0 {
		m.origin, m.date = record.OriginOf(&found.Header), record.DateOf(&found.Header)
	}
	if m.latest = m.date; dated {
		if at := receivedAt(in.raw); at.After(m.date) {
			m.latest = at
		}
	}
	return m
}

// rooms are scanned messages that are used again. In an archive with many links, new ones for
// each message would take a fifth of all memory that is allocated.
var rooms = sync.Pool{New: func() any { return new(scanned) }}

// maxRecordsKept bounds the records that are used again. Few messages have more.
const maxRecordsKept = 64

// free gives up a message that was listed.
func (m *scanned) free() {
	if cap(m.records) > maxRecordsKept {
		m.records = nil
	}
	clear(m.records)
	*m = scanned{records: m.records[:0]}
	rooms.Put(m)
}

// worst returns the highest severity among the findings.
func (m *scanned) worst() policy.Severity {
	worst := policy.SeverityNone
	for i := range m.records {
		worst = max(worst, m.records[i].Worst())
	}
	return worst
}

// selection says what of the found is listed.
type selection struct {
	since   time.Time
	atLeast policy.Severity
	codes   []policy.Code // empty: all
}

// newSelection reads the flags of a selection; empty ones select all.
func newSelection(minSeverity string, only []string, since string, now time.Time) (s selection, err error) {
	if s.atLeast, err = severityFlag("--min-severity", minSeverity); err != nil {
		return s, err
	}
	for _, name := range only {
		code := policy.Code(strings.TrimSpace(name))
		if !isCode(code) {
			return s, fmt.Errorf("--only %q: unknown code%s", name, similarCode(name))
		}
		s.codes = append(s.codes, code)
	}
	s.since, err = sinceFlag(since, now)
	return s, err
}

// severityFlag reads the value of a flag; "" is [policy.SeverityNone].
func severityFlag(flag, value string) (severity policy.Severity, err error) {
	if value == "" {
		return policy.SeverityNone, nil
	}
	if err := severity.UnmarshalText([]byte(value)); err != nil || severity == policy.SeverityNone {
		return severity, fmt.Errorf("%s %q: unknown (want info, low, medium or high)", flag, value)
	}
	return severity, nil
}

// sinceFlag reads a date, or a time before now in weeks, days or hours. It returns the zero
// time for "".
func sinceFlag(value string, now time.Time) (time.Time, error) {
	if value == "" {
		return time.Time{}, nil
	}
	for unit, days := range map[string]int{"d": 1, "w": 7} {
		if count, ok := strings.CutSuffix(value, unit); ok {
			if n, err := strconv.ParseUint(count, 10, 16); err == nil {
				return now.AddDate(0, 0, -days*int(n)), nil
			}
		}
	}
	if ago, err := time.ParseDuration(value); err == nil && ago >= 0 {
		return now.Add(-ago), nil
	}
	if date, err := time.ParseInLocation(time.DateOnly, value, now.Location()); err == nil {
		return date, nil
	}
	return time.Time{}, fmt.Errorf("--since %q: not a date (want 2026-11-30, 2w, 7d or 12h)", value)
}

// isCode reports whether findings have the code.
func isCode(code policy.Code) bool { return slices.Contains(allCodes(), code) }

// allCodes returns the codes of all findings, in order.
func allCodes() []policy.Code {
	codes := slices.Collect(maps.Keys(filter.MessageSeverities()))
	for code := range policy.Codes() {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return codes
}

// similarCode suggests the codes that begin like a name, or lists all.
func similarCode(name string) string {
	var names, similar []string
	for _, code := range allCodes() {
		names = append(names, string(code))
		if name != "" && strings.Contains(string(code), name) {
			similar = append(similar, string(code))
		}
	}
	if len(similar) > 0 {
		return "; did you mean " + strings.Join(similar, " or ") + "?"
	}
	return " (want " + strings.Join(names, ", ") + ")"
}

// skips reports whether a message is older than wanted. A message without a date that
// can be read is not, nor one that came since then with an old date.
func (s *selection) skips(m *scanned) bool {
	return !s.since.IsZero() && !m.latest.IsZero() && m.latest.Before(s.since)
}

// apply leaves the findings that are wanted, and the links that have one; without a
// wish all links.
func (s *selection) apply(m *scanned) {
	if s.atLeast == policy.SeverityNone && len(s.codes) == 0 {
		return
	}
	m.records = slices.DeleteFunc(m.records, func(r record.Record) bool { return len(s.wanted(r.Findings)) == 0 })
	for i := range m.records {
		m.records[i].Findings = s.wanted(m.records[i].Findings)
	}
}

func (s *selection) wanted(findings []policy.Finding) []policy.Finding {
	var wanted []policy.Finding
	for _, f := range findings {
		if f.Severity >= s.atLeast && (len(s.codes) == 0 || slices.Contains(s.codes, f.Code)) {
			wanted = append(wanted, f)
		}
	}
	return wanted
}

package main

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// summaryListing writes only the summary.
type summaryListing struct {
	out   *bufio.Writer
	paint paint
}

func (summaryListing) message(*scanned) error { return nil }

func (l summaryListing) end(s *summary) error {
	_, err := l.out.WriteString(s.text(l.paint))
	return err
}

// A summary counts what `scan` read and found.
type summary struct {
	messages    int // number of messages that were scanned, or of texts
	links       int
	skipped     int // messages that were too old
	aside       int // files in folders that hold no message
	interrupted bool
	failed      []error // inputs that could not be opened, or not read to their end
	findings    map[findingKind]*findingCount
	known       map[findingKind]bool // kinds of findings in the current message
	worst       []worstMessage

	unread  int // messages that were not read in full
	reasons map[report.Reason]int
}

// A findingKind is a code with a severity, because findings of one code may have different
// severities.
type findingKind struct {
	severity policy.Severity
	code     policy.Code
}

// A worstMessage is a message with its worst finding.
type worstMessage struct {
	severity   policy.Severity
	file, name string
	finding    string // host and detail of the finding
}

// findingCount counts the findings of a kind, and the messages that have them.
type findingCount struct{ findings, messages int }

// maxWorst is how many messages the summary names.
const maxWorst = 5

func newSummary() *summary {
	return &summary{findings: make(map[findingKind]*findingCount), known: make(map[findingKind]bool), reasons: make(map[report.Reason]int)}
}

// add counts a message. Its records are the listed ones.
func (s *summary) add(m *scanned) {
	if !m.continues {
		s.messages++
		clear(s.known)
	}
	s.links += m.links
	if m.isMail && m.outcome != report.OutcomeComplete {
		s.unread++
		for _, reason := range m.reasons {
			s.reasons[reason]++
		}
	}
	worst := worstMessage{file: m.file, name: m.origin.Subject}
	if worst.name == "" {
		worst.name = m.origin.From
	}
	for i := range m.records {
		for _, f := range m.records[i].Findings {
			kind := findingKind{f.Severity, f.Code}
			count := s.findings[kind]
			if count == nil {
				count = new(findingCount)
				s.findings[kind] = count
			}
			count.findings++
			if !s.known[kind] {
				s.known[kind] = true
				count.messages++
			}
			if f.Severity > worst.severity {
				worst.severity, worst.finding = f.Severity, strings.TrimPrefix(m.records[i].ASCIIHost+": "+f.Detail, ": ")
			}
		}
	}
	s.rank(worst)
}

// rank keeps a message if it is one of the worst. Of equally bad ones, it keeps the first.
func (s *summary) rank(m worstMessage) {
	if m.severity < policy.SeverityMedium {
		return
	}
	// A text may come in parts. Only the worst of them counts.
	if i := slices.IndexFunc(s.worst, func(w worstMessage) bool { return w.file == m.file }); i >= 0 {
		if s.worst[i].severity >= m.severity {
			return
		}
		s.worst = slices.Delete(s.worst, i, i+1)
	}
	at := len(s.worst)
	for at > 0 && s.worst[at-1].severity < m.severity {
		at--
	}
	if at < maxWorst {
		s.worst = slices.Insert(s.worst, at, m)
		s.worst = s.worst[:min(len(s.worst), maxWorst)]
	}
}

// kinds returns the kinds of findings, the worst first, and of these the most frequent.
func (s *summary) kinds() []findingKind {
	return slices.SortedFunc(maps.Keys(s.findings), func(a, b findingKind) int {
		return cmp.Or(
			cmp.Compare(b.severity, a.severity),
			cmp.Compare(s.findings[b].findings, s.findings[a].findings),
			cmp.Compare(a.code, b.code),
		)
	})
}

// isLong reports whether the summary says more than the listing of one message.
func (s *summary) isLong() bool { return s.messages+s.skipped > 1 || s.aside > 0 || s.interrupted }

// unreadText returns a line about the messages that were not read in full, since these may have
// findings that nobody saw.
func (s *summary) unreadText() string {
	if s.unread == 0 {
		return ""
	}
	var counts []string
	for _, reason := range slices.Sorted(maps.Keys(s.reasons)) {
		counts = append(counts, fmt.Sprintf("%s %d", reason, s.reasons[reason]))
	}
	return fmt.Sprintf("not read in full: messages %d (%s)", s.unread, strings.Join(counts, ", "))
}

// text returns the summary for people.
func (s *summary) text(p paint) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n", counted(s.messages, "message"), counted(s.links, "link"))
	if s.skipped > 0 {
		fmt.Fprintf(&b, "left out as older: %s\n", counted(s.skipped, "message"))
	}
	if s.aside > 0 {
		fmt.Fprintf(&b, "passed over as no messages: %s\n", counted(s.aside, "file"))
	}
	if unread := s.unreadText(); unread != "" {
		b.WriteString(unread + "\n")
	}
	if len(s.failed) > 0 {
		fmt.Fprintf(&b, "could not be read: %s\n", counted(len(s.failed), "path"))
	}
	if s.interrupted {
		b.WriteString("interrupted: the rest was not read\n")
	}
	if len(s.findings) == 0 {
		b.WriteString(p.text(styleGood, "no findings") + "\n")
		return b.String()
	}
	head := []string{"severity", "code", "findings", "messages"}
	rows := [][]cell{headRow(p, head...)}
	for _, kind := range s.kinds() {
		style, count := severityStyle(kind.severity), s.findings[kind]
		rows = append(rows, []cell{
			{kind.severity.String(), p.text(style, kind.severity.String())},
			{string(kind.code), p.text(style, string(kind.code))},
			numberCell(count.findings, head[2]),
			numberCell(count.messages, head[3]),
		})
	}
	b.WriteString("\n" + columns("  ", rows))
	if len(s.worst) > 0 {
		b.WriteString("\nworst messages\n" + columns("  ", s.worstRows(p)))
	}
	return b.String()
}

// worstRows returns the table of the worst messages.
func (s *summary) worstRows(p paint) [][]cell {
	var rows [][]cell
	for _, m := range s.worst {
		rows = append(rows, []cell{
			{m.severity.String(), p.text(severityStyle(m.severity), m.severity.String())},
			p.cell(m.file), p.cell(shortText(m.name, 40)), p.cell(shortText(m.finding, 70)),
		})
	}
	return rows
}

// shortText cuts a text after n code points.
func shortText(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i] + "…"
		}
		n--
	}
	return s
}

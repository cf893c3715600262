package main

import (
	"bufio"
	_ "embed"
	"html/template"
	"time"

	"github.com/linkmilter/linkmilter/internal/bidi"
	"github.com/linkmilter/linkmilter/internal/printable"
)

// maxHTMLMessages bounds the messages of a report in HTML, and so its memory.
const maxHTMLMessages = 5000

// htmlListing writes one HTML file without outside resources: the summary, then the messages with
// findings. The report has no links that open.
type htmlListing struct {
	out      *bufio.Writer
	messages []htmlMessage
	leftOut  int // number of messages beyond the bound
}

func newHTMLListing(out *bufio.Writer) *htmlListing { return &htmlListing{out: out} }

// htmlMessage is a message in the report.
type htmlMessage struct {
	Title, From, Date, MessageID, File string
	Rows                               []htmlRow
}

// htmlRow is a link with findings in the report.
type htmlRow struct {
	Part     string
	Text     []htmlPiece // text of the link; empty for a finding about the message
	Host     string
	Findings []htmlFinding
}

// htmlPiece is a piece of a link. Isolated is set if it must not reorder the other pieces.
type htmlPiece struct {
	Text     string
	Isolated bool
}

type htmlFinding struct{ Severity, Code, Detail string }

// Longer texts are cut in the report. JSON has them in full.
const (
	maxHTMLTitle = 200
	maxHTMLLink  = 300
)

// htmlRows returns a row for each link or place with findings.
func htmlRows(m *scanned) []htmlRow {
	var rows []htmlRow
	for i := range m.records {
		r := &m.records[i]
		if len(r.Findings) == 0 {
			continue
		}
		row := htmlRow{Part: r.Part}
		if r.Text != r.ASCIIHost {
			row.Host = r.ASCIIHost
		}
		for piece, isolated := range bidi.Segments(shortText(printable.Text(r.Text), maxHTMLLink)) {
			row.Text = append(row.Text, htmlPiece{piece, isolated})
		}
		for _, f := range r.Findings {
			row.Findings = append(row.Findings, htmlFinding{f.Severity.String(), string(f.Code), printable.Text(f.Detail)})
		}
		rows = append(rows, row)
	}
	return rows
}

// htmlPage is the whole report.
type htmlPage struct {
	Made                    string // when the report was made
	Counts, Skipped, Unread string
	Aside                   string // how many files hold no message
	Interrupted             bool
	Failed                  []string // errors
	Kinds                   []htmlKind
	Messages                []htmlMessage
	LeftOut                 string
}

type htmlKind struct {
	Severity, Code, Findings, Messages string
}

//go:embed listing.html
var htmlReport string

var htmlTemplate = template.Must(template.New("listing.html").Parse(htmlReport))

func (l *htmlListing) message(m *scanned) error {
	shown := printable.Text
	rows := htmlRows(m)
	switch {
	case len(rows) == 0:
		return nil
	case m.continues && l.addRows(m.file, rows):
		return nil
	case len(l.messages) == maxHTMLMessages:
		l.leftOut++
		return nil
	}
	title := m.origin.Subject
	if title == "" {
		title = "(no subject)"
	}
	if !m.isMail {
		title = m.file
	}
	l.messages = append(l.messages, htmlMessage{
		shortText(shown(title), maxHTMLTitle), shortText(shown(m.origin.From), maxHTMLTitle), shown(m.origin.Date), shown(m.origin.MessageID), shown(m.file), rows,
	})
	return nil
}

// madeAt returns the time at which a report was made, with its time zone, for readers in other
// zones.
func madeAt(t time.Time) string { return t.Format(dayAndTime + " -0700") }

// addRows adds rows to the last text in the report, up to a bound. It returns false if that text is
// of another file.
func (l *htmlListing) addRows(file string, rows []htmlRow) bool {
	n := len(l.messages)
	if n == 0 || l.messages[n-1].File != printable.Text(file) {
		return false
	}
	if last := &l.messages[n-1]; len(last.Rows) < maxListed {
		last.Rows = append(last.Rows, rows...)
	} else {
		l.leftOut++
	}
	return true
}

func (l *htmlListing) end(s *summary) error {
	page := htmlPage{
		Made:        madeAt(time.Now()),
		Counts:      counted(s.messages, "message") + ", " + counted(s.links, "link"),
		Unread:      s.unreadText(),
		Interrupted: s.interrupted,
		Failed:      errorLines(s.failed),
		Messages:    l.messages,
	}
	if s.skipped > 0 {
		page.Skipped = counted(s.skipped, "message")
	}
	if s.aside > 0 {
		page.Aside = counted(s.aside, "file")
	}
	if l.leftOut > 0 {
		page.LeftOut = counted(l.leftOut, "message")
	}
	for _, kind := range s.kinds() {
		count := s.findings[kind]
		page.Kinds = append(page.Kinds, htmlKind{kind.severity.String(), string(kind.code), printable.Number(count.findings), printable.Number(count.messages)})
	}
	return htmlTemplate.Execute(l.out, page)
}

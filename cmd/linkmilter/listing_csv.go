package main

import (
	"bufio"
	"encoding/csv"
	"io"
	"strconv"

	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/policy"
)

// csvListing writes a line (RFC 4180) for each finding, and for each link without one.
type csvListing struct {
	out      *csv.Writer
	terminal bool
	begun    bool
}

// csvColumns are the names in the first line.
var csvColumns = []string{
	"file", "message_id", "date", "from", "subject", "part", "offset", "length", "kind", "text", "href",
	"display", "ascii_host", "unicode_host", "severity", "code", "label", "detail",
}

func newCSVListing(out *bufio.Writer, w io.Writer) *csvListing {
	return &csvListing{out: csv.NewWriter(out), terminal: isTerminal(w)}
}

func (l *csvListing) message(m *scanned) error {
	if err := l.begin(); err != nil {
		return err
	}
	for i := range m.records {
		r := &m.records[i]
		findings := r.Findings
		if len(findings) == 0 {
			findings = []policy.Finding{{}}
		}
		for _, f := range findings {
			severity := ""
			if f.Severity != policy.SeverityNone {
				severity = f.Severity.String()
			}
			if err := l.line(
				r.File, m.origin.MessageID, m.origin.Date, m.origin.From, m.origin.Subject, r.Part,
				strconv.Itoa(r.Offset), strconv.Itoa(r.Length), r.Kind, r.Text, r.Href,
				r.Display, r.ASCIIHost, r.UnicodeHost, severity, string(f.Code), f.Label, f.Detail,
			); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *csvListing) begin() error {
	if l.begun {
		return nil
	}
	l.begun = true
	return l.out.Write(csvColumns)
}

// line writes values that are text for a spreadsheet.
func (l *csvListing) line(values ...string) error {
	for i, v := range values {
		v = printable.Cell(v)
		if l.terminal {
			v = printable.Text(v)
		}
		values[i] = v
	}
	return l.out.Write(values)
}

func (l *csvListing) end(*summary) error {
	if err := l.begin(); err != nil {
		return err
	}
	l.out.Flush()
	return l.out.Error()
}

package main

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/record"
	"github.com/linkmilter/linkmilter/policy"
)

// table writes for people: a heading for each message and each of its parts, and a
// line for each link, since links are too long for columns.
type table struct {
	out   *bufio.Writer
	paint paint
	shown func(string) string // makes text of a message safe for the output
	link  func(string) string // likewise, for a link
	file  string              // file in the last heading
	part  string              // part in the last heading
	text  bytes.Buffer        // text of the current message
}

func newTable(out *bufio.Writer, w io.Writer) *table {
	t := &table{out: out, paint: newPaint(w), shown: printable.Text, link: printable.Text}
	if isTerminal(w) {
		t.link = func(s string) string { return isolatedLink(printable.Text(s)) }
		t.shown = func(s string) string { return isolated(printable.Text(s)) }
	}
	return t
}

func (t *table) message(m *scanned) error {
	b := &t.text
	b.Reset()
	for i := range m.records {
		r := &m.records[i]
		if r.File != t.file {
			t.heading(b, m)
		}
		if r.File != t.file || r.Part != t.part {
			t.place(b, r.Part)
		}
		t.file, t.part = r.File, r.Part
		t.record(b, r)
	}
	_, err := t.out.Write(b.Bytes())
	return err
}

func (t *table) end(*summary) error { return nil }

// heading writes the file of a message, its subject and its sender.
func (t *table) heading(b *bytes.Buffer, m *scanned) {
	if t.file != "" {
		b.WriteByte('\n')
	}
	b.WriteString(t.paint.text(styleStrong, t.shown(m.file)))
	if m.origin.Subject != "" {
		b.WriteString("  " + t.shown(m.origin.Subject))
	}
	b.WriteByte('\n')
	var facts []string
	if m.origin.From != "" {
		facts = append(facts, "from "+t.shown(m.origin.From))
	}
	if !m.date.IsZero() {
		facts = append(facts, m.date.Format(dayAndTime))
	}
	if len(facts) > 0 {
		b.WriteString("  " + t.paint.text(styleDim, strings.Join(facts, ", ")) + "\n")
	}
}

// place writes the heading with the place of the next links.
func (t *table) place(b *bytes.Buffer, part string) {
	switch {
	case strings.Contains(part, ":"): // "header:From" and the like
		b.WriteString("  " + t.paint.text(styleDim, part) + "\n")
	case part != "":
		b.WriteString("  " + t.paint.text(styleDim, "part "+part) + "\n")
	}
}

// The widths of the columns before a link, and the indent of a line about it.
const (
	offsetWidth = 8
	kindWidth   = 7
	padding     = "                   "
)

func (t *table) record(b *bytes.Buffer, r *record.Record) {
	if r.Kind != record.KindMessage {
		offset := strconv.Itoa(r.Offset)
		b.WriteString(padding[:max(0, offsetWidth-len(offset))] + offset + "  " + r.Kind + padding[:max(0, kindWidth-len(r.Kind))] + "  ")
		b.WriteString(t.paint.text(severityStyleOf(r), t.link(r.Text)) + "\n")
	}
	if r.Display != r.Text && r.Display != "" {
		b.WriteString(padding + "→ " + t.link(r.Display) + "\n")
	}
	for _, f := range r.Findings {
		b.WriteString(padding + t.paint.text(severityStyle(f.Severity), f.Severity.String()+": "+string(f.Code)))
		if f.Detail != "" {
			b.WriteString(" (" + t.shown(f.Detail) + ")")
		}
		b.WriteByte('\n')
	}
}

// severityStyleOf returns the colour of a link, which is that of its worst finding.
func severityStyleOf(r *record.Record) string {
	if worst := r.Worst(); worst >= policy.SeverityLow {
		return severityStyle(worst)
	}
	return ""
}

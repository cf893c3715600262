package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// record is one link as `scan --format json` prints it, or something about the
// message ([messageRecords]). Part names the place as in [report.Found]; offset
// and length are in bytes of the text there, in UTF-8. The names are
// a contract with other programs.
type record struct {
	File        string           `json:"file"`
	Part        string           `json:"part"`
	Offset      int              `json:"offset"`
	Length      int              `json:"length"`
	Kind        string           `json:"kind"`
	Text        string           `json:"text"`
	Href        string           `json:"href"`
	Display     string           `json:"display"`
	ASCIIHost   string           `json:"ascii_host"`
	UnicodeHost string           `json:"unicode_host"`
	Findings    []policy.Finding `json:"findings"`
}

// kindMessage is the kind of a record that is about a message and no link.
const kindMessage = "message"

func newRecord(file string, found report.Found) record {
	findings := found.Verdict.Findings
	if findings == nil {
		findings = []policy.Finding{}
	}
	return record{
		File:        fileName(file),
		Part:        found.Part,
		Offset:      found.Link.Start,
		Length:      found.Link.End - found.Link.Start,
		Kind:        found.Link.Kind.String(),
		Text:        found.Link.Text,
		Href:        found.Href,
		Display:     found.Display,
		ASCIIHost:   found.Link.ASCIIHost(),
		UnicodeHost: found.Link.UnicodeHost(),
		Findings:    findings,
	}
}

// recordWriter prints records in one format.
type recordWriter interface {
	record(record) error
}

// jsonWriter prints objects, one a line; on a terminal, controls in them are
// escaped.
type jsonWriter struct {
	out      *bufio.Writer
	terminal bool
}

func newJSONWriter(w *bufio.Writer) jsonWriter { return jsonWriter{out: w} }

func (w jsonWriter) record(r record) error { return w.encode(r) }

func (w jsonWriter) encode(object any) error {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(object); err != nil {
		return err
	}
	line := b.String()
	if w.terminal {
		line = printable.JSON(line)
	}
	_, err := w.out.WriteString(line)
	return err
}

// tableWriter prints a line per link under a line per part: links are too long
// for columns that line up.
type tableWriter struct {
	out  *bufio.Writer
	file string
	part string
}

func newTableWriter(w *bufio.Writer) *tableWriter { return &tableWriter{out: w} }

func (w *tableWriter) record(r record) error {
	var b strings.Builder
	if r.File != w.file || r.Part != w.part {
		w.file, w.part = r.File, r.Part
		b.WriteString(printable.Text(r.File))
		switch {
		case strings.Contains(r.Part, ":"): // "header:From" and the like
			b.WriteString(", " + r.Part)
		case r.Part != "":
			b.WriteString(", part " + r.Part)
		}
		b.WriteByte('\n')
	}
	if r.Kind != kindMessage {
		fmt.Fprintf(&b, "%8d  %-7s  %s\n", r.Offset, r.Kind, printable.Text(r.Text))
	}
	if r.Display != r.Text && r.Display != "" {
		fmt.Fprintf(&b, "%8s  %-7s  → %s\n", "", "", printable.Text(r.Display))
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%8s  %-7s  %s: %s", "", "", f.Severity, f.Code)
		if f.Detail != "" {
			b.WriteString(" (" + printable.Text(f.Detail) + ")")
		}
		b.WriteByte('\n')
	}
	_, err := w.out.WriteString(b.String())
	return err
}

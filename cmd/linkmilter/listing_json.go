package main

import (
	"bufio"
	"encoding/json"
	"strings"

	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/record"
)

// jsonListing writes an object for each record, one on each line.
type jsonListing struct{ jsonWriter }

func (l jsonListing) message(m *scanned) error {
	var from *record.Origin
	if m.isMail && len(m.records) > 0 {
		from = &m.origin
	}
	for _, r := range m.records {
		if err := l.encode(record.InMessage{Record: r, Origin: from}); err != nil {
			return err
		}
	}
	return nil
}

func (l jsonListing) end(*summary) error { return nil }

// jsonWriter prints objects, one on each line. On a terminal it escapes control characters in them.
type jsonWriter struct {
	out      *bufio.Writer
	terminal bool
}

func newJSONWriter(w *bufio.Writer) jsonWriter { return jsonWriter{out: w} }

func (w jsonWriter) encode(object any) error {
	line, err := marshal(object)
	if err != nil {
		return err
	}
	line += "\n"
	if w.terminal {
		line = printable.JSON(line)
	}
	_, err = w.out.WriteString(line)
	return err
}

// marshal returns an object in JSON, without escapes for HTML.
func marshal(object any) (string, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(object)
	return strings.TrimSuffix(b.String(), "\n"), err
}

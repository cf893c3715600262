package main

import (
	"bufio"
	"encoding/json"
	"strings"

	"github.com/linkmilter/linkmilter/internal/printable"
)

// jsonWriter prints objects, one a line; on a terminal, controls in them are
// escaped.
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

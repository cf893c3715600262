package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/mime"
)

// diffOf returns a unified diff of two messages as people read them: header fields and
// texts are decoded, so that a transfer encoding hides nothing. It is empty where they
// do not differ.
func diffOf(name string, before, after []byte, p paint) string {
	if string(before) == string(after) {
		return ""
	}
	text := udiff.Unified(name, name+" (edited)", readableForm(before), readableForm(after))
	if text == "" {
		text = "the messages differ only in how they are encoded\n"
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		b.WriteString(p.text(diffStyle(line), line) + "\n")
	}
	return b.String()
}

// diffStyle is the colour of a line of a unified diff.
func diffStyle(line string) string {
	switch {
	case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
		return styleStrong
	case strings.HasPrefix(line, "@@"):
		return styleHint
	case strings.HasPrefix(line, "-"):
		return styleBad
	case strings.HasPrefix(line, "+"):
		return styleGood
	}
	return ""
}

// readableForm returns a message as lines that people can read: the fields, and each
// part under a heading.
func readableForm(raw []byte) string {
	m := mime.Parse(context.Background(), raw, mime.DefaultLimits())
	var b strings.Builder
	for _, f := range m.Root.Fields {
		fmt.Fprintf(&b, "%s: %s\n", printable.Text(f.Name), printable.Text(m.DecodedValue(f)))
	}
	for leaf := range m.Leaves() {
		fmt.Fprintf(&b, "\n[part %s, %s]\n", leaf.Number, printable.Text(leaf.MediaType))
		if !strings.HasPrefix(leaf.MediaType, "text/") {
			fmt.Fprintf(&b, "%d bytes\n", len(m.Body(leaf)))
			continue
		}
		text, err := m.Text(leaf)
		if err != nil {
			fmt.Fprintf(&b, "%s\n", err)
			continue
		}
		text = strings.ReplaceAll(text, "\r\n", "\n")
		b.WriteString(printable.Lines(strings.TrimSuffix(text, "\n")) + "\n")
	}
	return b.String()
}

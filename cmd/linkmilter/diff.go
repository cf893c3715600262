package main

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/rendering"
)

// diffOf returns a diff of two messages in colours. On a terminal the sign of a line stays on the
// left, even if the line has right-to-left text.
func diffOf(name string, before, after []byte, p paint) string {
	var b strings.Builder
	for line := range strings.Lines(rendering.Diff(name, before, after)) {
		line = strings.TrimSuffix(line, "\n")
		style := diffStyle(line)
		if p.isolates && line != "" {
			sign := 1
			if style == styleStrong {
				sign = len("--- ")
			}
			line = line[:sign] + isolated(line[sign:])
		}
		b.WriteString(p.text(style, line) + "\n")
	}
	return b.String()
}

// diffStyle returns the colour of a line of a unified diff.
func diffStyle(line string) string {
	switch {
	case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
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

// A diffLine is a line of a unified diff with its class in HTML.
type diffLine struct{ Class, Text string }

// diffLines returns the lines of a diff without colours.
func diffLines(diff string) []diffLine {
	classes := map[string]string{styleStrong: "file", styleHint: "where", styleBad: "removed", styleGood: "added", "": "kept"}
	var all []diffLine
	for line := range strings.Lines(diff) {
		line = strings.TrimSuffix(line, "\n")
		all = append(all, diffLine{classes[diffStyle(line)], line})
	}
	return all
}

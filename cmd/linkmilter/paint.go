package main

import (
	"io"
	"os"

	"github.com/linkmilter/linkmilter/policy"
)

// paint makes text fit for a terminal. The zero value does not change text.
type paint struct {
	on       bool // colours
	isolates bool // text of messages is isolated, so that it cannot reorder what is beside it
}

// newPaint returns a paint with colours for a terminal that has them, unless
// NO_COLOR (no-color.org) is set.
func newPaint(w io.Writer) paint {
	terminal := isTerminal(w)
	return paint{terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", terminal}
}

// The styles: SGR parameters of ECMA-48.
const (
	styleStrong = "1"
	styleDim    = "2"
	styleGood   = "32"
	styleBad    = "31"
	styleAlarm  = "1;31"
	styleWarn   = "33"
	styleHint   = "36"
)

func (p paint) text(style, s string) string {
	if !p.on || style == "" || s == "" {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

// severityStyle is the colour of a severity.
func severityStyle(s policy.Severity) string {
	switch s {
	case policy.SeverityHigh:
		return styleAlarm
	case policy.SeverityMedium:
		return styleWarn
	case policy.SeverityLow:
		return styleHint
	}
	return styleDim
}

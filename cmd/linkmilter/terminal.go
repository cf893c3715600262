package main

import (
	"io"
	"os"

	"github.com/linkmilter/linkmilter/internal/printable"
	"golang.org/x/term"
)

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// echo returns the function through which a command writes text of its input to
// w: programs get each byte, a terminal gets nothing that steers it.
func echo(w io.Writer) func(string) string {
	if isTerminal(w) {
		return printable.Lines
	}
	return func(text string) string { return text }
}

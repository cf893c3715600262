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

// echo returns the function that prepares text of the input for w: it escapes
// characters that steer a terminal, and changes nothing for programs.
func echo(w io.Writer) func(string) string {
	if isTerminal(w) {
		return printable.Lines
	}
	return func(text string) string { return text }
}

package main

import "github.com/linkmilter/linkmilter/internal/printable"

// counted returns a number with its noun, in the plural where it needs it.
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return printable.Number(n) + " " + what
}

package mailserver

import "github.com/linkmilter/linkmilter/internal/printable"

// maxLogged bounds the text of a peer in one attribute, in bytes.
const maxLogged = 128

// Safe returns text of a peer for the log: bounded, on one line, with invisible
// characters escaped.
func Safe(s string) string { return safeUpTo(s, maxLogged) }

func safeUpTo(s string, most int) string {
	if len(s) > most {
		s = s[:most] + "..."
	}
	return printable.Text(s)
}

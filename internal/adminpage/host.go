package adminpage

import (
	"fmt"

	"golang.org/x/text/unicode/runenames"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// A codePoint is a character of a host as the page shows it.
type codePoint struct {
	Text  string
	Class string // by script, for its colour
	Name  string // U+0430 CYRILLIC SMALL LETTER A, Cyrillic
}

// codePointsOf returns the characters of a host in Unicode.
func codePointsOf(host string) []codePoint {
	var all []codePoint
	for _, r := range host {
		script := ucd.ScriptOf(r)
		all = append(all, codePoint{string(r), classOf(r, script), fmt.Sprintf("U+%04X %s, %s", r, runenames.Name(r), script)})
	}
	return all
}

// classOf returns the class of a character: ASCII, a script that is often mistaken for
// Latin, or another.
func classOf(r rune, script ucd.Script) string {
	switch {
	case r < 0x80:
		return "ascii"
	case script == ucd.ScriptLatn:
		return "latin"
	case script == ucd.ScriptCyrl:
		return "cyrillic"
	case script == ucd.ScriptGrek:
		return "greek"
	}
	return "other"
}

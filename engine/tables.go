package engine

import (
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// TablesAgree reports whether the tables of the Go release and of the libraries in
// this program have the same Unicode version as those of package ucd. If they are
// older, hosts map differently and some valid ones are refused; then callers should
// not change a link whose host is not ASCII.
func TablesAgree() bool {
	return unicode.Version == ucd.UnicodeVersion &&
		idna.UnicodeVersion == ucd.UnicodeVersion &&
		norm.Version == ucd.UnicodeVersion
}

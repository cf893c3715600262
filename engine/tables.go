package engine

import (
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// TablesAgree reports whether the tables of the Go release and of the libraries in
// this program have the Unicode version that detection expects of hosts. If they are
// older, hosts map differently and some valid ones are refused; then callers should
// not change a link whose host is not ASCII. The links themselves may be of a later
// version of Unicode.
func TablesAgree() bool {
	return unicode.Version == ucd.IDNAVersion &&
		idna.UnicodeVersion == ucd.IDNAVersion &&
		norm.Version == ucd.IDNAVersion
}

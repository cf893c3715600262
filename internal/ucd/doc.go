// Package ucd answers questions about single code points: the properties of
// the Unicode Character Database and of UTS #58, UTS #46 and UTS #39 that the
// other packages of linkmilter need, in one version, [UnicodeVersion]. Only the host
// class is of [IDNAVersion].
//
// The tables are generated from the Unicode data files by `go generate`; nothing is read at run
// time. Package unicode of the standard library follows the Go version and so may know other
// characters: so code that compares or mixes the two must ask engine.TablesAgree.
//
// It knows code points, and the sequences of emoji. It must not know hosts, links or mail.
package ucd

//go:generate go run ./gen

// Package config reads linkmilter's configuration file and turns it into validated
// options for the other packages.
//
// The file is TOML. Reading is strict: it reports all unknown keys, wrong types,
// values out of range and contradictions at once, each with its line and column.
// The Go types of file.go declare each key with a line of help, and default.go has
// the defaults; the example file is generated from them.
package config

// Package config reads linkmilter's configuration file and turns it into the
// validated options of the packages that do the work, and nothing more.
//
// The file is TOML. Reading is strict: unknown keys, wrong types, values out of
// range and contradictions are all reported at once, each with its line and
// column, so that a file can be mended in one go. Every key, its default and
// one line of help stand in the Go types of file.go; the example file is
// generated from them.
package config

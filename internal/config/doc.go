// Package config reads linkmilter's configuration file and turns it into validated
// options for the other packages.
//
// The file is TOML. Reading is strict: it reports all unknown keys, wrong types, values out of
// range and contradictions at once, each with its line and column. The tags of the fields in
// keys.go and in package filter/rule define each key once: its name, its help, its check and its
// default, unless the default belongs to another package. Decoding, config.example.toml and the
// manual come from them.
package config

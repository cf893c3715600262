// Package tables makes docs/reference.md: the keys of the configuration, the
// metrics and the reason codes, from their definitions. Its test fails when the file
// is stale; with -update it writes the file again.
package tables

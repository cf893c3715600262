package tld

import "strings"

// BuiltinNames returns the built-in names for tests.
func BuiltinNames() []string { return strings.Fields(builtinNames) }

package tld

import "strings"

// BuiltinVersion is the version of the list behind Builtin.
const BuiltinVersion = builtinVersion

// BuiltinNames returns the built-in names for tests.
func BuiltinNames() []string { return strings.Fields(builtinNames) }

package filter

import "regexp"

// unshown matches the parameters and comments of enriched text (RFC 1896) and of richtext
// (RFC 1341 §7.1.3).
var unshown = regexp.MustCompile(`(?is)<param>.*?</param>|<comment>.*?</comment>`)

// withoutParameters returns enriched text without what programs do not show of it.
func withoutParameters(source string) string { return unshown.ReplaceAllLiteralString(source, "") }

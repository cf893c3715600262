package htmlpart

import "strings"

// mayShowCounterInHost reports whether a text with counters has one in a word that may be a host.
func mayShowCounterInHost(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if strings.Contains(word, counterMark) && mayNameHost([]byte(strings.Trim(word, ".:/()"))) {
			return true
		}
	}
	return false
}

// withoutCounters returns a text without its counters.
func withoutCounters(text string) string { return strings.ReplaceAll(text, counterMark, "") }

// definesLetters reports whether a declaration of a style of counters makes it show letters, given
// the rules around. Programs may show them in any order.
func definesLetters(d *cssDeclaration, open []string) bool {
	if strings.Contains(strings.ToLower(d.written), "symbols(") {
		return true
	}
	if len(open) == 0 || !strings.HasPrefix(strings.ToLower(open[len(open)-1]), "@counter-style") {
		return false
	}
	switch d.property {
	case "symbols", "additive-symbols", "prefix", "suffix", "pad", "negative":
		return hasLetters(d.value)
	case "system":
		_, style, extends := strings.Cut(strings.ToLower(d.value), "extends")
		return extends && !isNumber(trim(style))
	}
	return false
}

package htmlpart

import (
	"slices"
	"strings"
)

// mayShowCounterInHost reports whether a text with counters has one in a word that may be a host.
func mayShowCounterInHost(text string) bool {
	for word := range strings.FieldsSeq(text) {
		isLetters := strings.Contains(word, counterMark) && mayNameHost([]byte(strings.Trim(word, ".:/()")))
		if isLetters || hasNumberInHost(word) {
			return true
		}
	}
	return false
}

// hasNumberInHost reports whether a word has a counter in digits in the middle of what may be a host, or right
// before the last label of one. Others count what is behind them: "1.Introduction", "1example.com".
func hasNumberInHost(word string) bool {
	before, after, ok := strings.Cut(word, numberMark)
	if !ok {
		return false
	}
	_, label, ok := strings.Cut(strings.ToLower(after), ".")
	label, _, _ = strings.Cut(label, "/")
	return ok && (hasLetters(before) && hasLetters(label) || after[0] == '.' && slices.Contains(ofHosts, label))
}

// withoutCounters returns a text without its counters.
func withoutCounters(text string) string {
	return withoutNumbers(strings.ReplaceAll(text, counterMark, ""))
}

// withoutNumbers returns a text without its counters in digits.
func withoutNumbers(text string) string { return strings.ReplaceAll(text, numberMark, "") }

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

package mime

import "strings"

// RFC 5322 §2.1.1: octets in a line, without its line end.
const (
	preferredLine = 78
	longestLine   = 998
)

// FoldValue returns value folded as it stands behind "name: ": a lineEnd is put
// before white space so that lines hold at most 78 octets where that is
// possible. Unfolding gives value again, without white space around it. The
// error is a [PlanError]: name is no field name, value holds anything but
// visible ASCII, spaces and tabs, or a line would be longer than 998 octets.
func FoldValue(name, value, lineEnd string) (string, error) {
	if name == "" || nameLength(name) != len(name) {
		return "", refused(ReasonInvalidHeader, "field name %q", name)
	}
	value = strings.Trim(value, " \t")
	for i := range len(value) {
		if c := value[i]; c != '\t' && (c < ' ' || c > '~') {
			return "", refused(ReasonInvalidHeader, "%s: octet 0x%02x", name, c)
		}
	}
	var b strings.Builder
	used := len(name) + len(": ")
	for first := true; value != ""; first = false {
		n := nextWord(value)
		word := value[:n]
		value = value[n:]
		if !first && used+n > preferredLine {
			b.WriteString(lineEnd)
			used = 0
		}
		used += n
		if used > longestLine {
			return "", refused(ReasonInvalidHeader, "%s: a line of more than %d octets", name, longestLine)
		}
		b.WriteString(word)
	}
	return b.String(), nil
}

// nextWord returns the length of the next word with the white space before it.
func nextWord(s string) int {
	start := len(s) - len(strings.TrimLeft(s, " \t"))
	if i := strings.IndexAny(s[start:], " \t"); i >= 0 {
		return start + i
	}
	return len(s)
}

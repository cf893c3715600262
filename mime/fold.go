package mime

import "strings"

// foldValue returns value folded for a field that is written "name: value". It inserts
// lineEnd before white space and keeps lines within 78 bytes if possible. Unfolding the
// result gives value again, without white space around it. The error says why it cannot:
// name is not a field name, value has a byte other than visible ASCII, space and tab, or
// a line would be longer than 998 bytes.
func foldValue(name, value, lineEnd string) (string, error) {
	if name == "" || nameLength(name) != len(name) {
		return "", refused(reasonInvalidHeader, "field name %q", name)
	}
	value = strings.Trim(value, " \t")
	if err := visible(name, value); err != nil {
		return "", err
	}
	used := len(name) + len(": ")
	if used+len(value) <= preferredLine {
		return value, nil
	}
	var b strings.Builder
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
			return "", refused(reasonInvalidHeader, "%s: a line of more than %d bytes", name, longestLine)
		}
		b.WriteString(word)
	}
	return b.String(), nil
}

// keepFolds replaces the CRLFs of a folded value by lineEnd. It refuses the same values
// as foldValue, blank lines, and lines that do not begin with white space.
func keepFolds(name, value, lineEnd string) (string, error) {
	if name == "" || nameLength(name) != len(name) {
		return "", refused(reasonInvalidHeader, "field name %q", name)
	}
	used := len(name) + len(": ")
	for line := range strings.SplitSeq(value, "\r\n") {
		if err := visible(name, line); err != nil {
			return "", err
		}
		first := used > 0
		switch {
		case strings.Trim(line, " \t") == "" && value != "", !first && line[0] != ' ' && line[0] != '\t':
			return "", refused(reasonInvalidHeader, "%s: not folded before white space", name)
		case used+len(line) > longestLine:
			return "", refused(reasonInvalidHeader, "%s: a line of more than %d bytes", name, longestLine)
		}
		used = 0
	}
	return strings.ReplaceAll(value, "\r\n", lineEnd), nil
}

// visible refuses a text that holds anything but visible ASCII, spaces and tabs.
func visible(name, text string) error {
	for i := range len(text) {
		if c := text[i]; c != '\t' && (c < ' ' || c > '~') {
			return refused(reasonInvalidHeader, "%s: byte 0x%02x", name, c)
		}
	}
	return nil
}

// nextWord returns the length of the next word with the white space before it.
func nextWord(s string) int {
	n := 0
	for n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	for n < len(s) && s[n] != ' ' && s[n] != '\t' {
		n++
	}
	return n
}

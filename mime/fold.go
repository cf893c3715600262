package mime

import "strings"

// FoldValue returns value folded as it stands behind "name: ": a lineEnd is put
// before white space so that lines hold at most 78 bytes where that is
// possible. Unfolding gives value again, without white space around it. The
// error is a [PlanError]: name is no field name, value holds anything but
// visible ASCII, spaces and tabs, or a line would be longer than 998 bytes.
func FoldValue(name, value, lineEnd string) (string, error) {
	if name == "" || nameLength(name) != len(name) {
		return "", refused(ReasonInvalidHeader, "field name %q", name)
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
			return "", refused(ReasonInvalidHeader, "%s: a line of more than %d bytes", name, longestLine)
		}
		b.WriteString(word)
	}
	return b.String(), nil
}

// keepFolds returns a value that has been folded by CRLF with other line ends. It
// refuses what FoldValue does, and a line that holds nothing but white space or
// does not begin with it.
func keepFolds(name, value, lineEnd string) (string, error) {
	if name == "" || nameLength(name) != len(name) {
		return "", refused(ReasonInvalidHeader, "field name %q", name)
	}
	used := len(name) + len(": ")
	for line := range strings.SplitSeq(value, "\r\n") {
		if err := visible(name, line); err != nil {
			return "", err
		}
		first := used > 0
		switch {
		case strings.Trim(line, " \t") == "" && value != "", !first && line[0] != ' ' && line[0] != '\t':
			return "", refused(ReasonInvalidHeader, "%s: not folded before white space", name)
		case used+len(line) > longestLine:
			return "", refused(ReasonInvalidHeader, "%s: a line of more than %d bytes", name, longestLine)
		}
		used = 0
	}
	return strings.ReplaceAll(value, "\r\n", lineEnd), nil
}

// visible refuses a text that holds anything but visible ASCII, spaces and tabs.
func visible(name, text string) error {
	for i := range len(text) {
		if c := text[i]; c != '\t' && (c < ' ' || c > '~') {
			return refused(ReasonInvalidHeader, "%s: byte 0x%02x", name, c)
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

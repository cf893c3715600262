package htmlpart

import "strings"

// characters returns the value of an entity with its numeric references replaced, as
// they are in a declaration.
func characters(value string) string {
	if !strings.Contains(value, "&#") {
		return value
	}
	var b strings.Builder
	replaceReferences(&b, value, "&#", func(reference string) bool {
		b.WriteString(character(reference))
		return true
	})
	return b.String()
}

// replaceReferences writes a text to b, and calls replace in place of each reference that begins with
// a sign. It ends where that returns false.
func replaceReferences(b *strings.Builder, s, sign string, replace func(reference string) bool) {
	b.Grow(len(s))
	for at := 0; ; {
		i := strings.Index(s[at:], sign)
		if i < 0 {
			b.WriteString(s)
			return
		}
		start := at + i
		at = start + len(sign)
		n := lengthOfName(s[at:])
		if at += n; n == 0 || at == len(s) || s[at] != ';' {
			continue
		}
		at++
		b.WriteString(s[:start])
		if !replace(s[start:at]) {
			return
		}
		s, at = s[at:], 0
	}
}

// lengthOfName returns the length of the name of an entity at the start of s.
func lengthOfName(s string) int {
	for i := range len(s) {
		switch s[i] {
		case ' ', '\t', '\r', '\n', '\f', '"', '\'', '<', '>', '&', '%', ';', '#':
			return i
		}
	}
	return len(s)
}

package htmltoken

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// Attribute is an attribute of a start tag.
type Attribute struct {
	name  string // as written
	value string // without quotes
}

// Name returns the name in lower case.
func (a *Attribute) Name() string { return Lower(a.name) }

// Lower returns the name of a tag or attribute as a tokenizer does: with ASCII letters in lower case,
// and without NUL.
func Lower(name string) string {
	var b []byte
	for i := range len(name) {
		switch c := name[i]; {
		case c == 0:
			return Lower(strings.ReplaceAll(name, "\x00", "\ufffd"))
		case c-'A' < 26:
			if b == nil {
				b = []byte(name)
			}
			b[i] += 'a' - 'A'
		}
	}
	if b == nil {
		return name
	}
	return string(b)
}

// Value returns the value with its character references replaced.
func (a *Attribute) Value() string {
	value := a.value
	if strings.IndexByte(value, '\r') >= 0 || strings.IndexByte(value, 0) >= 0 {
		value = replaced.Replace(value)
	}
	if strings.IndexByte(value, '&') < 0 {
		return value
	}
	return withoutReferences(value)
}

// replaced has what a tokenizer replaces in values beside references.
var replaced = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\ufffd")

// withoutReferences returns a value with its character references replaced (HTML §13.2.5.72).
func withoutReferences(value string) string {
	var b strings.Builder
	b.Grow(len(value))
	for {
		i := strings.IndexByte(value, '&')
		if i < 0 {
			b.WriteString(value)
			return b.String()
		}
		b.WriteString(value[:i])
		value = value[i:]
		n := 1
		for n < len(value) && (ascii.IsAlphanumeric(value[n]) || value[n] == '#' && n == 1) {
			n++
		}
		if n < len(value) && value[n] == ';' {
			n++
		}
		b.WriteString(character(value[:n], value[n:]))
		value = value[n:]
	}
}

// character returns the characters of a reference in a value, or the reference where a
// tokenizer leaves it, given what follows it.
func character(reference, behind string) string {
	switch reference {
	case "&":
		return reference
	case "&amp;":
		return "&"
	}
	text := html.UnescapeString(reference)
	if reference[1] == '#' {
		return text
	}
	// In a text a name may end before other letters, in a value it may not.
	last := text[len(text)-1]
	if reference[len(reference)-1] == ';' && last == ';' && len(text) > 1 ||
		reference[len(reference)-1] != ';' && (ascii.IsAlphanumeric(last) || strings.HasPrefix(behind, "=")) {
		return reference
	}
	return text
}

// Classes of bytes in tags.
const (
	blank  = 1 << iota // white space
	end                // "/" and ">"
	equals             // "="
)

var classes = func() (of [256]uint8) {
	for c := range of {
		switch {
		case strings.IndexByte(" \t\r\n\f", byte(c)) >= 0:
			of[c] = blank
		case c == '/' || c == '>':
			of[c] = end
		case c == '=':
			of[c] = equals
		}
	}
	return of
}()

// skipBlanks returns the offset behind white space.
func skipBlanks(source string, i int) int {
	for i < len(source) && classes[source[i]] == blank {
		i++
	}
	return i
}

// valueAt returns the value behind the name of an attribute, the offset where the tag goes on, -1
// at the end of the source, and the offset behind the value.
func valueAt(source string, at int) (value string, next, last int) {
	i := skipBlanks(source, at)
	switch {
	case i == len(source):
		return "", -1, 0
	case source[i] != '=':
		return "", i, at
	}
	if i = skipBlanks(source, i+1); i == len(source) {
		return "", -1, 0
	}
	switch c := source[i]; c {
	case '>':
		return "", i, at
	case '"', '\'':
		i++
		n := strings.IndexByte(source[i:], c)
		if n < 0 {
			return "", -1, 0
		}
		return source[i : i+n], i + n + 1, i + n
	}
	from := i
	for i < len(source) && classes[source[i]] != blank && source[i] != '>' {
		i++
	}
	return source[from:i], i, i
}

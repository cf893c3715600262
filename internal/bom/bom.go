// Package bom knows the byte order mark (U+FEFF) that some editors put at the
// beginning of a text file.
package bom

import (
	"bytes"
	"strings"
)

// UTF8 is the mark in UTF-8.
const UTF8 = "\uFEFF"

// Cut returns text without the mark of UTF-8 at its beginning, and whether it
// was there.
func Cut[T string | []byte](text T) (rest T, found bool) {
	if strings.HasPrefix(string(text[:min(len(text), len(UTF8))]), UTF8) {
		return text[len(UTF8):], true
	}
	return text, false
}

// IsUTF16 reports whether text begins with the mark of UTF-16, in either byte order.
func IsUTF16(text []byte) bool {
	return bytes.HasPrefix(text, []byte("\xFF\xFE")) || bytes.HasPrefix(text, []byte("\xFE\xFF"))
}

package stream

import (
	"bytes"
	"strings"
)

// BOM is the byte order mark in UTF-8, which some editors write at the start of a text file.
const BOM = "\uFEFF"

// CutBOM returns text without the UTF-8 byte order mark at its start, and reports whether there was
// one.
func CutBOM[T string | []byte](text T) (rest T, found bool) {
	if strings.HasPrefix(string(text[:min(len(text), len(BOM))]), BOM) {
		return text[len(BOM):], true
	}
	return text, false
}

// IsUTF16 reports whether text begins with the mark of UTF-16, in either byte order.
func IsUTF16(text []byte) bool {
	return bytes.HasPrefix(text, []byte("\xFF\xFE")) || bytes.HasPrefix(text, []byte("\xFE\xFF"))
}

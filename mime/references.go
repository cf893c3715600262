package mime

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/charset"
)

// withReferences returns edits of HTML with numeric character references (HTML §13.1.4) in place of new
// characters that the body's charset or transfer encoding cannot hold.
func withReferences(edits []Edit, name, transfer string) []Edit {
	if slices.Contains([]string{"utf-8", "utf-16", "utf-16le", "utf-16be"}, name) && transfer != "7bit" {
		return edits
	}
	r := references{known: make(map[rune]bool), sevenBit: transfer == "7bit", utf8: name == "utf-8"}
	if name != "us-ascii" && !r.utf8 {
		r.encoding = charset.Lookup(name)
	}
	edits = slices.Clone(edits)
	for i := range edits {
		edits[i].New = r.replaced(edits[i].New)
	}
	return edits
}

// references replaces the characters that a body cannot hold.
type references struct {
	encoding encoding.Encoding // nil for US-ASCII and UTF-8
	utf8     bool
	sevenBit bool          // no byte above 127
	known    map[rune]bool // whether the body can hold a character
}

// replaced returns a text with references in place of characters that the body cannot hold.
func (r *references) replaced(text []byte) []byte {
	if ascii.Is(text) {
		return text
	}
	var b strings.Builder
	for _, c := range string(text) {
		if c < utf8.RuneSelf || r.holds(c) {
			b.WriteRune(c)
			continue
		}
		b.WriteString("&#" + strconv.Itoa(int(c)) + ";")
	}
	return []byte(b.String())
}

// holds reports whether the body can hold a character.
func (r *references) holds(c rune) bool {
	held, known := r.known[c]
	if known {
		return held
	}
	encoded, held := []byte(string(c)), r.utf8
	if r.encoding != nil {
		encoded, held = encodeLossless(string(c), r.encoding)
		held = held && isCommon(string(c), r.encoding)
	}
	held = held && (!r.sevenBit || ascii.Is(encoded))
	r.known[c] = held
	return held
}

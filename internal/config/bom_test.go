package config

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
)

// TestMarkInFrontOfAFile: a byte order mark of UTF-8 changes nothing, not even the places of
// problems. The error about a file in UTF-16 names the encoding.
func TestMarkInFrontOfAFile(t *testing.T) {
	for _, document := range []string{"", "[limits]\ntime = \"4s\"\n", "# comment\n", string(Example())} {
		if _, err := Parse("f", []byte("\uFEFF"+document)); err != nil {
			t.Errorf("%.40q: %v", document, err)
		}
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			var wide []byte
			for _, unit := range utf16.Encode([]rune("\uFEFF" + document)) {
				wide = order.AppendUint16(wide, unit)
			}
			if _, err := Parse("f", wide); err == nil || !strings.Contains(err.Error(), "UTF-16") {
				t.Errorf("%.40q in UTF-16: %v", document, err)
			}
		}
	}
	if _, err := Parse("f", []byte("\uFEFFnonsense = 1\n")); err == nil || !strings.HasPrefix(err.Error(), "f:1:1: nonsense") {
		t.Errorf("%v", err)
	}
}

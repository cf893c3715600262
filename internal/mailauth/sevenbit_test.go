package mailauth

import (
	"strings"
	"testing"
)

// TestSevenBit: what arrives as it was sent.
func TestSevenBit(t *testing.T) {
	line := strings.Repeat("x", maxLine)
	tests := []struct {
		name, message string
		want          bool
	}{
		{"plain", plainMessage, true},
		{"LF", strings.ReplaceAll(plainMessage, "\r\n", "\n"), true},
		{"empty", "", true},
		{"no line end", "x", true},
		{"no last line end", "x\r\ny", true},
		{"controls", "x\x01\x7F\t\f\r\n", true},
		{"longest lines", line + "\r\n" + line, true},
		{"longest lines in LF", line + "\n" + line, true},
		{"a longer line", line + "x\r\n", false},
		{"a longer line in LF", line + "x\n", false},
		{"a longer last line", "x\r\n" + line + "x", false},
		{"8-bit", "x\r\n\x80", false},
		{"8-bit in the first eight bytes", "\xff1234567890", false},
		{"8-bit behind them", "1234567890123456\xff", false},
		{"NUL", "x\x00\r\n", false},
		{"bare CR", "x\ry\r\n", false},
		{"bare CR at the end", "x\r\ny\r", false},
		{"bare CR in LF", "x\ry\n", false},
		{"CR CR LF", "x\r\r\n", false},
		{"mixed", "x\r\ny\n", false},
		{"mixed the other way", "x\ny\r\n", false},
		{"only LF", "\n", true},
		{"only CR", "\r", false},
	}
	for _, tt := range tests {
		if got := sevenBit([]byte(tt.message)); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

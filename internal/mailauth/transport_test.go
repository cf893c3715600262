package mailauth

import (
	"errors"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/test/letters"
)

// TestKeepsLines: which lines arrive as they were sent.
func TestKeepsLines(t *testing.T) {
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
		{"8-bit", "x\r\n\x80", true},
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
		if got := keepsLines([]byte(tt.message)); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// TestEightBit: the effect of each choice for eight_bit, on mail in ten languages.
func TestEightBit(t *testing.T) {
	for _, tt := range []struct {
		choice EightBit
		leaves bool
	}{
		{"", false},
		{EightBitSign, false},
		{EightBitConvert, false},
		{EightBitLeave, true},
	} {
		s := newSigner(t, SignerOptions{Keys: []Key{edOption(t)}, EightBit: tt.choice})
		if s.Converts() != (tt.choice == EightBitConvert) {
			t.Errorf("%q: converts %t", tt.choice, s.Converts())
		}
		left := 0
		for _, letter := range letters.All(t, "example.com") {
			eightBit := !ascii.Is(letter.Message)
			if eightBit && tt.leaves {
				if _, err := s.Sign("example.com", letter.Message); !errors.Is(err, ErrFragile) {
					t.Errorf("%q, %s: %v", tt.choice, letter.Name, err)
				}
				left++
				continue
			}
			if message := signed(t, s, "example.com", string(letter.Message)); !verifies(t, s, message, 1) {
				t.Errorf("%q: does not verify: %s\n%s", tt.choice, letter.Name, message)
			}
		}
		if tt.leaves && left < 250 {
			t.Errorf("%d messages are 8-bit", left)
		}
	}
	if _, err := NewSigner(SignerOptions{EightBit: "7bit"}); err == nil || !strings.Contains(err.Error(), `DKIM eight_bit "7bit": unknown (want "sign")`) {
		t.Errorf("an unknown choice: %v", err)
	}
}

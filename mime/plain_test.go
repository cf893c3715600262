package mime

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// TestPlainLines tries each byte at every place of a text.
func TestPlainLines(t *testing.T) {
	isPlain := func(text []byte) bool { return ascii.Lines(text) == len(text) }
	for length := 1; length < 40; length++ {
		for at := range length {
			for c := range 256 {
				text := []byte(strings.Repeat("~ ", 20)[:length])
				text[at] = byte(c)
				if want := onlyASCII(text, "") == nil && checkControls(string(text)) == nil; isPlain(text) != want {
					t.Fatalf("%q: %t, want %t", text, !want, want)
				}
			}
		}
	}
	for text, want := range map[string]bool{"": true, "a\r\nb\r\n": true, "a\r": false, "a\r\rb": false, "\r\n\r\n": true, "abcdefg\r\n": true, "\n\r": false} {
		if isPlain([]byte(text)) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
}

// TestPlainText: a line end that is divided between two pieces is one line end.
func TestPlainText(t *testing.T) {
	body := strings.Repeat("x", 64<<10-1) + "\r\n" + strings.Repeat("x", 70<<10)
	m := Parse(t.Context(), []byte("Content-Type: text/plain\r\n\r\n"+body), Limits{})
	for p := range m.Leaves() {
		text, err := m.Text(p)
		if err != nil || text != body || !m.isPlain(p, "utf-8") {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	}
}

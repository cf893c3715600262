//go:build linux

package e2e

import (
	"strings"
	"testing"
)

// resultLimit is linkmilter's default limit in bytes for an edited message
// (limits.result); postfixLimit is Postfix's for any (message_size_limit).
// Postfix bounces a message that a milter made larger than its limit.
const (
	resultLimit  = 9_000_000
	postfixLimit = 10_240_000
)

// TestSizes sends messages from nothing to Postfix's limit.
func TestSizes(t *testing.T) {
	sized := func(size int) []byte {
		contentType, empty := mixed(linkText, 0)
		overhead := len(compose(contentType, empty))
		contentType, body := mixed(linkText, size-overhead)
		return compose(contentType, body)
	}
	tests := []struct {
		name    string
		message []byte
		edited  bool
	}{
		{"empty body", compose(textPlain, ""), false},
		{"one line end", compose(textPlain, "\r\n"), false},
		{"dots at line starts", compose(textPlain, ".\r\n..\r\n.dot "+typedLink+"\r\n.\r\n"), true},
		{"dot in the last line", compose(textPlain, linkText+"."), true},
		{"a body chunk and a bit", compose(textPlain, linkText+filler(66_000)), true},
		{"attachment of 3 MB", sized(3_000_000), true},
		{"edit stays below the limit for results", sized(resultLimit - 50_000), true},
		{"edit would pass the limit for results", sized(resultLimit - 300), false},
		{"just below Postfix's limit", sized(postfixLimit - 2_000), false},
	}
	onEach(t, func(t *testing.T, kind kind) {
		p := startPair(t, kind)
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				without, with := p.both(t, Envelope{Params: "BODY=8BITMIME"}, test.message)
				if got := edited(without, with); got != test.edited {
					t.Errorf("edited %t, want %t", got, test.edited)
				}
			})
		}
	})
}

// TestLargeText sends a text of 3 MB in one part with one link.
func TestLargeText(t *testing.T) {
	text := linkText + filler(3_000_000)
	onEach(t, func(t *testing.T, kind kind) {
		p := startPair(t, kind)
		_, with := p.both(t, Envelope{Params: "BODY=8BITMIME"}, compose(textPlain, text))
		if got, _ := readAlternative(t, with); strings.TrimSuffix(got, "\n") != strings.TrimSuffix(lf(text), "\n") {
			t.Errorf("text part: %s", firstDifference(lf(text), got))
		}
	})
}

package mailserver

import (
	"errors"
	"strings"
	"testing"
)

// A panic is logged without its text, which may be one of a message.
func TestPanicText(t *testing.T) {
	if got := panicText("secret"); got != "string" {
		t.Errorf("string: %q", got)
	}
	if got := panicText(errors.New("secret")); strings.Contains(got, "secret") {
		t.Errorf("error: %q", got)
	}
}

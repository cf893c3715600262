package rendering

import (
	"encoding/base64"
	"strings"
	"testing"
)

// TestDiff: the diff shows the characters that an encoding hides, but no characters that control a
// terminal.
func TestDiff(t *testing.T) {
	message := func(text string) []byte {
		return []byte("Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" +
			base64.StdEncoding.EncodeToString([]byte(text)) + "\n")
	}
	got := Diff("m", message("a\nhttps://example.com/%C3%A4\n\u202e\n"), message("a\nhttps://example.com/ä\n\u202e\n"))
	for _, want := range []string{"--- m\n+++ m (edited)\n", "-https://example.com/%C3%A4\n+https://example.com/ä\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "\u202e") {
		t.Error("the diff holds a control")
	}
	if got := Diff("m", []byte("Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\n\nb"), []byte("Subject: x\n\nb")); !strings.Contains(got, "-Subject: Grüße\n+Subject: x\n") {
		t.Errorf("fields: %s", got)
	}
	if got := Diff("m", message("a"), message("a")); got != "" {
		t.Errorf("equal messages: %q", got)
	}
	if got := Diff("m", []byte("Subject: a\n\nb"), []byte("Subject: a\r\n\r\nb")); !strings.HasPrefix(got, "the messages differ only") {
		t.Errorf("line ends: %q", got)
	}
}

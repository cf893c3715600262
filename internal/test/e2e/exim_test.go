//go:build linux

package e2e

import "testing"

// TestExim checks the harness itself: Exim delivers what it gets.
func TestExim(t *testing.T) {
	t.Parallel()
	server := StartExim(t, EximConfig{}, Listener{Name: "plain"})
	message := compose(textPlain, linkText)
	got := deliver(t, server, "plain", Envelope{Params: "BODY=8BITMIME"}, message)
	if want := lf(linkText); got.Body != want {
		t.Errorf("body: %s", firstDifference(want, got.Body))
	}
	client := Dial(t, server.Addr("plain"))
	client.Command(250, "MAIL FROM:<%s>", server.NewAddress(t))
	client.Command(550, "RCPT TO:<%s>", Rejected)
}

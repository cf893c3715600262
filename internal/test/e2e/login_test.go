//go:build linux

package e2e

import (
	"encoding/base64"
	"strings"
	"testing"
)

// TestLogin submits mail as a user who logs in: the log names the rule for such clients. A client
// that claims to be the user without a password is a stranger.
func TestLogin(t *testing.T) {
	message := compose(textPlain, linkText)
	onEach(t, func(t *testing.T, kind kind) {
		addr := freeMilter(t)
		p := &pair{
			Server:     kind.start(t, Listener{Name: "plain"}, Listener{Name: "filtered", Milter: addr, Login: true}),
			linkmilter: Serve(t, addr, nil),
		}
		tests := []struct {
			name     string
			password string // "": none is given
			code     int    // of the reply to AUTH
			rule     string
		}{
			{"with the password", Password, 235, "authenticated"},
			{"with another password", "guess", 535, "local"},
			{"not at all", "", 0, "local"},
		}
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				client := Dial(t, p.Addr("filtered"))
				if !strings.Contains(client.Hello, "AUTH") {
					t.Fatalf("no AUTH in %q", client.Hello)
				}
				if test.password != "" {
					client.Command(test.code, "AUTH PLAIN %s", base64.StdEncoding.EncodeToString([]byte("\x00"+User+"\x00"+test.password)))
				}
				// The second message comes without another login.
				for range 2 {
					with, queueID := send(t, client, p.Server, Envelope{Params: "BODY=8BITMIME"}, message)
					readAlternative(t, with)
					p.linkmilter.WaitLog(t, "queue_id="+queueID, "rule="+test.rule)
				}
			})
		}
	})
}

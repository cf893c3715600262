//go:build linux

package e2e

import (
	"strings"
	"testing"
)

// TestClients sends the same message from different kinds of clients. Postfix lets a trusted client
// claim to be another one.
func TestClients(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		xclient string
		edited  bool
		reason  string
	}{
		{"on this machine", "ADDR=127.0.0.1", true, ""},
		{"on this machine, IPv6", "ADDR=IPV6:::1", true, ""},
		{"foreign", "ADDR=203.0.113.9 NAME=client.example", false, "not-asked"},
		{"foreign, authenticated", "ADDR=203.0.113.9 LOGIN=anna", true, ""},
		{"foreign, in the name of this machine", "ADDR=203.0.113.9 NAME=localhost HELO=127.0.0.1", false, "not-asked"},
	}
	p := startPair(t, kind{"postfix", StartPostfix})
	message := compose(textPlain, linkText)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			client := Dial(t, p.Addr("filtered"))
			client.Command(220, "XCLIENT %s", test.xclient)
			client.Command(250, "EHLO client.example")
			with, queueID := send(t, client, p.Server, Envelope{Params: "BODY=8BITMIME"}, message)
			without := deliver(t, p.Server, "plain", Envelope{Params: "BODY=8BITMIME"}, message)
			if got := edited(without, with); got != test.edited {
				t.Errorf("edited %t, want %t", got, test.edited)
			}
			if line := p.linkmilter.WaitLog(t, "queue_id="+queueID); !strings.Contains(line, test.reason) {
				t.Errorf("the log does not say %q: %s", test.reason, line)
			}
		})
	}
}

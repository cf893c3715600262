//go:build linux

package e2e

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestSendmailCommand hands mail to Postfix's sendmail command, for programs of this machine. The
// mail goes through non_smtpd_milters, counts as that of this machine, and is edited.
func TestSendmailCommand(t *testing.T) {
	t.Parallel()
	addr := freeMilter(t)
	server := StartPostfix(t, Listener{Name: "local", Services: fmt.Sprintf(`
pickup        unix n - n 60 1 pickup  -o cleanup_service_name=cleanup-local
cleanup-local unix n - n -  0 cleanup -o non_smtpd_milters=%s -o milter_default_action=tempfail
`, addr)})
	linkmilter := Serve(t, addr, nil)
	from, to := server.NewAddress(t), server.NewAddress(t)
	cmd := server.admin("sendmail", "-i", "-f", from, to)
	cmd.Stdin = bytes.NewReader([]byte(lf(string(compose(textPlain, linkText)))))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("sendmail: %v\n%s", err, out)
	}
	readAlternative(t, SplitDelivered(server.Receive(t, from, to)))
	linkmilter.WaitLog(t, "rule=local", "edited=true")
}

// TestComesBack sends a stranger's message through a content filter on this machine, which hands it
// back to Postfix. Without no_milters, linkmilter would take it for mail of this machine.
func TestComesBack(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, options string
		seen          int // by linkmilter
		edited        bool
	}{
		{"with no_milters", "-o receive_override_options=no_milters", 1, false},
		{"without", "", 2, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			addr, front, back := freeMilter(t), FreePort(t), FreePort(t)
			server := StartPostfix(t,
				Listener{Name: "plain"},
				Listener{Name: "front", Port: front, Services: fmt.Sprintf(`
127.0.0.1:%d inet n - n - - smtpd -o smtpd_milters=%s -o content_filter=smtp:[127.0.0.1]:%d
smtp         unix - - n - - smtp
127.0.0.1:%d inet n - n - - smtpd -o smtpd_milters=%s -o myhostname=back.example.test %s
`, front, addr, back, back, addr, test.options)})
			linkmilter := Serve(t, addr, nil)
			client := Dial(t, server.Addr("front"))
			client.Command(220, "XCLIENT ADDR=203.0.113.9")
			client.Command(250, "EHLO client.example")
			message := compose(textPlain, linkText)
			with, queueID := send(t, client, server, Envelope{Params: "BODY=8BITMIME"}, message)
			linkmilter.WaitLog(t, "queue_id="+queueID, "rule=others", "edited=false")
			if test.edited {
				linkmilter.WaitLog(t, "rule=local", "edited=true")
			}
			_, body := splitMessage(message)
			if got := !strings.HasSuffix(with.Body, body); got != test.edited {
				t.Errorf("edited %t, want %t", got, test.edited)
			}
			if got := strings.Count(linkmilter.Log(), "msg=message "); got != test.seen {
				t.Errorf("linkmilter saw the message %d times, want %d", got, test.seen)
			}
		})
	}
}

//go:build linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// passageRules has a rule with an action for each of some recipients. The Maildir is the
// quarantine.
const passageRules = `
[content_filter]
quarantine = %q

[[rule]]
name = "quarantine"
when.any_recipient = [%q]
on.high = "quarantine"

[[rule]]
name = "reject"
when.any_recipient = [%q]
on.high = "reject"

[[rule]]
name = "defer"
when.any_recipient = [%q]
on.high = "tempfail"

[[rule]]
name = "discard"
when.any_recipient = [%q]
on.high = "discard"
`

// TestPassageActions sends a spoofed link under rules that act on it. Behind a queue, the server
// has already accepted the message when linkmilter refuses it.
func TestPassageActions(t *testing.T) {
	spoofed := compose(textPlain, spoofedText)
	onEachSetup(t, func(t *testing.T, s setup) {
		filter, back := FreePort(t), FreePort(t)
		server := s.start(t, filter, back)
		maildir := filepath.Join(tempDir(t), "quarantine")
		quarantine, reject, tempfail, discard := server.NewAddress(t), server.NewAddress(t), server.NewAddress(t), server.NewAddress(t)
		config := writeConfig(t, fmt.Sprintf(passageRules, maildir, quarantine, reject, tempfail, discard))
		linkmilter := ServeSMTP(t, filter, back, "--config", config)
		from := server.NewAddress(t)
		offer := func(t *testing.T, to string) Reply {
			t.Helper()
			return Dial(t, server.Addr("filtered")).Submit(Envelope{From: from, To: []string{to}, Params: "BODY=8BITMIME"}, spoofed)
		}
		queued := s.name != beforeQueue.name

		t.Run("reject", func(t *testing.T) {
			reply := offer(t, reject)
			told := reply.Text
			if queued {
				client := Dial(t, server.Addr("filtered")) // no other message is held up
				send(t, client, server, Envelope{Params: "BODY=8BITMIME"}, compose(textPlain, linkText))
				told = string(server.Receive(t, "", from))
			}
			if want := "550 5.7.1 Message refused because of its links"; !strings.Contains(told, want) || queued != (reply.Code == 250) {
				t.Errorf("reply %q, the sender was told %q, want %q", reply.Text, told, want)
			}
		})
		t.Run("tempfail", func(t *testing.T) {
			reply := offer(t, tempfail)
			linkmilter.WaitLog(t, "msg=message", "action=tempfail")
			switch {
			case !queued && !strings.HasPrefix(reply.Text, "451 4.7.1 "):
				t.Errorf("reply %q, want 451 4.7.1", reply.Text)
			case queued && (reply.Code != 250 || len(server.Waiting(t)) == 0):
				t.Errorf("reply %q, waiting %q; want one that waits", reply.Text, server.Waiting(t))
			}
		})
		t.Run("discard", func(t *testing.T) {
			if reply := offer(t, discard); reply.Code != 250 {
				t.Errorf("reply %q, want 250", reply.Text)
			}
			linkmilter.WaitLog(t, "msg=message", "action=discard")
		})
		t.Run("quarantine", func(t *testing.T) {
			if reply := offer(t, quarantine); reply.Code != 250 {
				t.Errorf("reply %q, want 250", reply.Text)
			}
			linkmilter.WaitLog(t, "msg=message", "action=quarantine")
			held, err := filepath.Glob(filepath.Join(maildir, "new", "*"))
			if err != nil || len(held) != 1 {
				t.Fatalf("in quarantine: %q (%v), want one message", held, err)
			}
			raw, err := os.ReadFile(held[0])
			if err != nil {
				t.Fatal(err)
			}
			// Released, it arrives, and not through linkmilter.
			released := writeConfig(t, fmt.Sprintf("[content_filter]\nlisten = [\"127.0.0.1:1\"]\nnext_hop = %q\nquarantine = %q\n", localhost(back), maildir))
			list, err := run(Binary(t), "quarantine", "list", "--config", released)
			if err != nil || !strings.Contains(list, "high") || !strings.Contains(list, "1 recipient") || strings.Contains(list, quarantine) {
				t.Errorf("list: %v\n%s", err, list)
			}
			name := filepath.Base(held[0])
			if out, err := run(Binary(t), "quarantine", "release", "--config", released, name); err != nil {
				t.Fatal(err, out)
			}
			got := SplitDelivered(server.Receive(t, "", quarantine))
			if got.Body != lf(spoofedText) {
				t.Errorf("body: %s", firstDifference(lf(spoofedText), got.Body))
			}
			if field, found := got.Field("X-Linkmilter-Quarantined"); found {
				t.Errorf("released with %q", field)
			}
			if left, err := os.ReadDir(maildir); err != nil || len(left) != 3 {
				t.Errorf("left in quarantine: %v, %v", left, err)
			}
			if text := lf(string(raw)); !strings.Contains(text, lf(spoofedText)) || !strings.Contains(text, quarantine) {
				t.Errorf("the message in quarantine lacks its text or its recipient:\n%s", text)
			}
		})
		for _, address := range []string{reject, tempfail, discard} {
			if got := server.Mailbox(t, address); len(got) > 0 {
				t.Errorf("delivered to %s all the same:\n%s", address, got[0])
			}
		}
	})
}

// TestPassageHold has messages in quarantine sent to another address.
func TestPassageHold(t *testing.T) {
	t.Parallel()
	filter, back := FreePort(t), FreePort(t)
	server := afterQueue.start(t, filter, back)
	hold, from, to := server.NewAddress(t), server.NewAddress(t), server.NewAddress(t)
	config := writeConfig(t, fmt.Sprintf("[content_filter]\nhold = %q\n[[rule]]\nname = \"all\"\non.high = \"quarantine\"\n", hold))
	ServeSMTP(t, filter, back, "--config", config)
	Dial(t, server.Addr("filtered")).Send(Envelope{From: from, To: []string{to}, Params: "BODY=8BITMIME"}, compose(textPlain, spoofedText))
	if held := string(server.Receive(t, from, hold)); !strings.Contains(held, lf(spoofedText)) || !strings.Contains(held, to) {
		t.Errorf("what is held lacks the text or the recipient %s:\n%s", to, held)
	}
	if got := server.Mailbox(t, to); len(got) > 0 {
		t.Errorf("delivered all the same:\n%s", got[0])
	}
}

//go:build linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// passageRules give each of some recipients an action. The Maildir is for
// messages in quarantine.
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

// TestPassageActions sends a spoofed link under rules that do something about
// it. Behind a queue the server has taken the message when linkmilter says so.
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
			// Handed back behind linkmilter it arrives.
			to := server.NewAddress(t)
			released, err := Offer(localhost(back), Envelope{From: from, To: []string{to}, Params: "BODY=8BITMIME"}, raw)
			if err != nil || released.Code != 250 {
				t.Fatalf("reply %q (%v), want 250", released.Text, err)
			}
			if got := SplitDelivered(server.Receive(t, "", to)); got.Body != lf(spoofedText) {
				t.Errorf("body: %s", firstDifference(lf(spoofedText), got.Body))
			}
			if text := lf(string(raw)); !strings.Contains(text, lf(spoofedText)) || !strings.Contains(text, quarantine) {
				t.Errorf("the message in quarantine lacks its text or its recipient:\n%s", text)
			}
		})
		for _, address := range []string{quarantine, reject, tempfail, discard} {
			if got := server.Mailbox(t, address); len(got) > 0 {
				t.Errorf("delivered to %s all the same:\n%s", address, got[0])
			}
		}
	})
}

// TestPassageHold has messages in quarantine sent to somebody else.
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

//go:build linux

package e2e

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestEightBit sends 8-bit text, with and without BODY=8BITMIME in the envelope.
func TestEightBit(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		p := startPair(t, kind)
		for _, params := range []string{"", "BODY=8BITMIME"} {
			t.Run("params "+params, func(t *testing.T) {
				_, with := p.both(t, Envelope{Params: params}, compose(textPlain, linkText))
				text, _ := readAlternative(t, with)
				if !strings.Contains(lf(linkText), text) {
					t.Errorf("text part: %s", firstDifference(lf(linkText), text))
				}
			})
		}
	})
}

// TestSMTPUTF8 sends mail with addresses and header fields in UTF-8 (RFC
// 6531). Debian's Sendmail does not speak it.
func TestSMTPUTF8(t *testing.T) {
	t.Parallel()
	p := startPair(t, kind{"postfix", StartPostfix})
	message := compose(textPlain, linkText, "Subject: विषय", "Reply-To: संपर्क <संपर्क@example.test>")
	env := Envelope{From: "प्रेषक@example.test", Params: "BODY=8BITMIME SMTPUTF8"}
	env.To = []string{UTF8Alias(p.NewAddress(t))}
	without := deliver(t, p.Server, "plain", env, message)
	env.To = []string{UTF8Alias(p.NewAddress(t))}
	with := deliver(t, p.Server, "filtered", env, message)
	p.check(t, message, without, with)
	readAlternative(t, with)
	if got, _ := with.Field("Reply-To"); got != "संपर्क <संपर्क@example.test>" {
		t.Errorf("Reply-To arrived as %q", got)
	}
}

// TestNullSender sends messages with an empty sender, like bounces, which linkmilter never edits.
func TestNullSender(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		p := startPair(t, kind)
		message := compose(textPlain, linkText)
		receive := func(listener string) (Delivered, string) {
			client, to := Dial(t, p.Addr(listener)), p.NewAddress(t)
			queueID := client.Send(Envelope{To: []string{to}, Params: "BODY=8BITMIME"}, message)
			return SplitDelivered(p.Receive(t, "", to)), queueID
		}
		without, _ := receive("plain")
		with, queueID := receive("filtered")
		if edited(without, with) {
			t.Errorf("edited: %s", firstDifference(without.Body, with.Body))
		}
		p.linkmilter.WaitLog(t, "queue_id="+queueID, "null-sender")
	})
}

// TestUnixSocket runs linkmilter as an account of its own, at a unix socket in a folder that
// TestUnixSocket runs linkmilter under an account of its own, with a unix socket in a folder whose
// group the socket gets, as the manual says.
func TestUnixSocket(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		dir := filepath.Join(tempDir(t), "run")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		addr := "unix:" + filepath.Join(dir, "milter.sock")
		server := kind.start(t, Listener{Name: "plain"}, Listener{Name: "filtered", Milter: addr})
		uid, gid := accountIDs(t, "nobody")
		if err := cmp.Or(os.Chown(dir, uid, int(server.MilterClient.Gid)), os.Chmod(dir, 0o750|os.ModeSetgid)); err != nil {
			t.Fatal(err)
		}
		p := &pair{Server: server, linkmilter: Serve(t, addr, &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)})}
		for range 2 {
			_, with := p.both(t, Envelope{Params: "BODY=8BITMIME"}, compose(textPlain, linkText))
			readAlternative(t, with)
		}
	})
}

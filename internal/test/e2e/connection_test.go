//go:build linux

package e2e

import (
	"testing"
)

// TestConnections sends several messages on one connection: one message must not influence the
// next. Sendmail tells a milter nothing between messages.
func TestConnections(t *testing.T) {
	var (
		links = compose(textPlain, linkText)
		plain = compose(textPlain, noLink)
		// These fields must have no effect on the next message.
		guarded = compose(textPlain, linkText, "DKIM-Signature: v=1; d=example.test; b=AAAA", "List-Id: <l.example.test>", "Precedence: bulk")
	)
	type step struct {
		message []byte
		edited  bool
		before  []string // commands sent first; each must be accepted
	}
	reset := []string{"MAIL FROM:<r1@example.test>", "RCPT TO:<r2@example.test>", "RSET"}
	tests := []struct {
		name  string
		steps []step
	}{
		{"two, both edited", []step{{message: links, edited: true}, {message: links, edited: true}}},
		{"edited, not edited, edited", []step{{message: links, edited: true}, {message: plain}, {message: links, edited: true}}},
		{"not edited, edited, not edited", []step{{message: plain}, {message: links, edited: true}, {message: plain}}},
		{"guarded by its header, edited", []step{{message: guarded}, {message: links, edited: true}}},
		{"edited, RSET in an envelope, edited", []step{
			{message: links, edited: true},
			{message: links, edited: true, before: reset},
		}},
		{"RSET first and twice, not edited, RSET, edited", []step{
			{message: plain, before: append(reset, "RSET")},
			{message: links, edited: true, before: []string{"RSET"}},
		}},
		{"EHLO again", []step{{message: links, edited: true}, {message: links, edited: true, before: []string{"EHLO again.example"}}}},
	}
	onEach(t, func(t *testing.T, kind kind) {
		p := startPair(t, kind)
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				client, unfiltered := Dial(t, p.Addr("filtered")), Dial(t, p.Addr("plain"))
				for i, step := range test.steps {
					for _, command := range step.before {
						client.Command(250, "%s", command)
					}
					env := Envelope{Params: "BODY=8BITMIME"}
					without, _ := send(t, unfiltered, p.Server, env, step.message)
					with, _ := send(t, client, p.Server, env, step.message)
					p.check(t, step.message, without, with)
					if got := edited(without, with); got != step.edited {
						t.Errorf("message %d: edited %t, want %t", i+1, got, step.edited)
					}
				}
				client.Command(221, "QUIT")
			})
		}
	})
}

// TestRecipients sends to several recipients, and goes on after one was
// rejected.
func TestRecipients(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		p := startPair(t, kind)
		message := compose(textPlain, linkText)

		t.Run("three recipients", func(t *testing.T) {
			env := Envelope{Params: "BODY=8BITMIME", To: []string{p.NewAddress(t), p.NewAddress(t), p.NewAddress(t)}}
			with := deliver(t, p.Server, "filtered", env, message)
			without := deliver(t, p.Server, "plain", Envelope{Params: "BODY=8BITMIME"}, message)
			p.check(t, message, without, with)
			if !edited(without, with) {
				t.Error("not edited")
			}
		})
		t.Run("one of two rejected", func(t *testing.T) {
			client := Dial(t, p.Addr("filtered"))
			from, to := p.NewAddress(t), p.NewAddress(t)
			client.Command(250, "MAIL FROM:<%s> BODY=8BITMIME", from)
			client.Command(550, "RCPT TO:<%s>", Rejected)
			client.Command(250, "RCPT TO:<%s>", to)
			client.Command(354, "DATA")
			client.Write(message)
			client.expect("end of message", 250, client.End())
			readAlternative(t, SplitDelivered(p.Receive(t, from, to)))
		})
		t.Run("only recipient rejected, then a message", func(t *testing.T) {
			client := Dial(t, p.Addr("filtered"))
			client.Command(250, "MAIL FROM:<%s>", p.NewAddress(t))
			client.Command(550, "RCPT TO:<%s>", Rejected)
			client.Command(250, "RSET")
			with, _ := send(t, client, p.Server, Envelope{Params: "BODY=8BITMIME"}, message)
			readAlternative(t, with)
		})
	})
}

package contentfilter

import (
	"fmt"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// LMTP answers for each recipient after the message.
func TestLMTP(t *testing.T) {
	tests := []struct {
		name    string
		in, out bool
		replies map[string]string // of the next hop at the end
		want    []string          // the client gets, b and c were accepted
	}{
		{name: "LMTP to LMTP", in: true, out: true, replies: map[string]string{".0": "250 2.1.5 b Ok", ".1": "452 4.2.2 c over quota"}, want: []string{"250 2.1.5 b Ok\r\n", "452 4.2.2 c over quota\r\n"}},
		{name: "LMTP to LMTP, lost in between", in: true, out: true, replies: map[string]string{".0": "250 2.1.5 b Ok", ".1": "close"}, want: []string{"250 2.1.5 b Ok\r\n", "451 4.4.2 Next hop lost, try again later\r\n"}},
		{name: "LMTP to LMTP, DATA refused", in: true, out: true, replies: map[string]string{"DATA": "451 4.3.0 no"}, want: []string{"451 4.3.0 no\r\n", "451 4.3.0 no\r\n"}},
		{name: "LMTP to SMTP", in: true, replies: map[string]string{".": "250 2.0.0 all"}, want: []string{"250 2.0.0 all\r\n", "250 2.0.0 all\r\n"}},
		{name: "LMTP to SMTP, refused", in: true, replies: map[string]string{".": "550 5.7.1 none"}, want: []string{"550 5.7.1 none\r\n", "550 5.7.1 none\r\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hop := newSink(t)
			hop.lmtp = tt.out
			hop.answer = func(line string) string {
				if strings.Contains(line, "nobody") {
					return "550 5.1.1 nobody"
				}
				return tt.replies[line]
			}
			s := start(t, Options{LMTP: tt.in, NextHop: NextHop{Address: hop.address(), LMTP: tt.out}})
			c := s.dial()
			c.say("EHLO client.example.org", "500")
			c.say("LHLO client.example.org", "250")
			c.say("MAIL FROM:<a@example.org>", "250")
			c.say("RCPT TO:<b@example.net>", "250")
			c.say("RCPT TO:<nobody@example.net>", "550 5.1.1 nobody")
			c.say("RCPT TO:<c@example.net>", "250")
			c.say("DATA", "354")
			c.send("Subject: x\r\n\r\nx\r\n.\r\n")
			for i, want := range tt.want {
				if got := c.reply(); got != want {
					t.Errorf("reply %d %q, want %q", i, got, want)
				}
			}
			c.say("NOOP", "250")
			for _, d := range hop.messages() {
				if !strings.Contains(d.content, " with LMTP id ") {
					t.Errorf("no LMTP in %q", d.content)
				}
			}
		})
	}
}

// TestSMTPToLMTP: LMTP answers for each recipient, and SMTP has one reply. So a message to several
// recipients goes out as several messages: the server accepts one recipient and asks the client to
// send the others later.
func TestSMTPToLMTP(t *testing.T) {
	hop := newSink(t)
	hop.lmtp = true
	hop.answer = func(line string) string {
		if line == ".0" {
			return "452 4.2.2 over quota"
		}
		return ""
	}
	s := start(t, Options{NextHop: NextHop{Address: hop.address(), LMTP: true}})
	c := s.dial()
	if got := c.say("EHLO client.example.org", "250"); !strings.Contains(got, "LIMITS RCPTMAX=1\r\n") {
		t.Errorf("EHLO %q", got)
	}
	c.say("MAIL FROM:<a@example.org>", "250")
	c.say("RCPT TO:<b@example.net>", "250")
	c.say("RCPT TO:<c@example.net>", "452 4.5.3")
	c.say("DATA", "354")
	c.say("Subject: x\r\n\r\nx\r\n.", "452 4.2.2 over quota")
}

func TestTooManyRecipients(t *testing.T) {
	hop := newSink(t)
	s := start(t, Options{NextHop: NextHop{Address: hop.address()}, MaxRecipients: 3})
	c := s.dial()
	c.say("EHLO client.example.org", "250")
	c.say("MAIL FROM:<a@example.org>", "250")
	for i := range 5 {
		want := "250"
		if i >= 3 {
			want = "452 4.5.3"
		}
		c.say(fmt.Sprintf("RCPT TO:<b%d@example.net>", i), want)
	}
	c.say("DATA", "354")
	c.say("Subject: x\r\n\r\nx\r\n.", "250")
	if got := len(hop.one().lines); got != 4 {
		t.Errorf("%d commands", got)
	}
}

// TestRecipientsAreBounded: the number of recipients is limited, since each takes memory.
func TestRecipientsAreBounded(t *testing.T) {
	hop := newSink(t)
	s := start(t, Options{Options: mailserver.Options{Limits: mailserver.Limits{Memory: 1000}}, NextHop: NextHop{Address: hop.address()}})
	c := s.dial()
	c.say("EHLO client.example.org", "250")
	c.say("MAIL FROM:<a@example.org>", "250")
	taken := 0
	for i := range 150 {
		c.send(fmt.Sprintf("RCPT TO:<b%d@example.net>\r\n", i))
		if got := c.reply(); strings.HasPrefix(got, "250") {
			taken++
		} else if !strings.HasPrefix(got, "452 4.5.3") {
			t.Fatalf("reply %q", got)
		}
	}
	if taken < freeRecipients || taken > freeRecipients+20 {
		t.Errorf("%d recipients", taken)
	}
	c.say("RSET", "250")
	if used := s.Stats().Memory; used != 0 {
		t.Errorf("%d bytes are taken", used)
	}
}

package contentfilter

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Replies of the next hop reach the client byte by byte.
func TestRepliesComeBackUnchanged(t *testing.T) {
	tests := []struct{ at, answer string }{
		{"MAIL", "250 2.1.0 Sender fine"},
		{"MAIL", "250"},
		{"MAIL", "450-4.7.1 Greylisted\r\n450-4.7.1 for a while\r\n450 come back"},
		{"MAIL", "550-no\r\n550 5.7.1 really"},
		{"MAIL", "451 4.3.0 Ünïcode"},
		{"RCPT", "251 2.1.5 User not local; will forward"},
		{"RCPT", "252 2.5.2 Cannot verify"},
		{"RCPT", "550 5.1.1 <b@example.net>: No such user"},
		{"RCPT", "452 4.2.2 Mailbox full"},
		{"DATA", "554 5.5.1 No valid recipients"},
		{"DATA", "451-4.3.0 Not\r\n451 4.3.0 now"},
		{".", "250-2.6.0 Taken\r\n250 2.6.0 <id@example.net> [InternalId=5] Queued mail for delivery"},
		{".", "252 taken in a way"},
		{".", "550-5.7.1 Spam\r\n550 5.7.1 https://example.net/why"},
		{".", "451 4.7.1 later"},
		{".", "554"},
	}
	for _, tt := range tests {
		t.Run(tt.at+" "+tt.answer, func(t *testing.T) {
			hop := newSink(t)
			hop.answer = func(line string) string {
				if strings.HasPrefix(line, tt.at) {
					return tt.answer
				}
				return ""
			}
			s := start(t, Options{NextHop: NextHop{Address: hop.address()}})
			c := s.dial()
			c.say("EHLO client.example.org", "250")
			got := ""
			for _, step := range []struct{ at, line string }{
				{"MAIL", "MAIL FROM:<a@example.org>"}, {"RCPT", "RCPT TO:<b@example.net>"}, {"", "DATA"}, {".", "Subject: x\r\n\r\nx\r\n."},
			} {
				c.send(step.line + "\r\n")
				got = c.reply()
				if step.at == tt.at || step.at == "." {
					break
				}
			}
			if got != tt.answer+"\r\n" {
				t.Errorf("reply %q, want %q", got, tt.answer)
			}
			// The connection goes on.
			c.say("RSET", "250")
		})
	}
}

// One recipient that is refused does not keep the others from their mail.
func TestOneRecipientRefused(t *testing.T) {
	hop := newSink(t)
	hop.answer = func(line string) string {
		if strings.Contains(line, "nobody") {
			return "550 5.1.1 nobody"
		}
		return ""
	}
	s := start(t, Options{NextHop: NextHop{Address: hop.address()}})
	c := s.dial()
	// Pipelined, as RFC 2920 has it.
	c.send("EHLO client.example.org\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.net>\r\nRCPT TO:<nobody@example.net>\r\nRCPT TO:<c@example.net>\r\nDATA\r\n")
	for _, want := range []string{"250", "250", "250", "550 5.1.1 nobody\r\n", "250", "354"} {
		c.want(want)
	}
	c.send("Subject: x\r\n\r\nx\r\n.\r\nNOOP\r\nQUIT\r\n")
	for _, want := range []string{"250 2.0.0 Ok: queued", "250", "221"} {
		c.want(want)
	}
	if got := strings.Join(hop.one().lines, "|"); got != "MAIL FROM:<a@example.org>|RCPT TO:<b@example.net>|RCPT TO:<c@example.net>" {
		t.Errorf("delivered to %s", got)
	}
}

// TestAllRecipientsRefused: if all recipients are refused, the server takes no content.
func TestAllRecipientsRefused(t *testing.T) {
	hop := newSink(t)
	hop.answer = func(line string) string {
		if strings.HasPrefix(line, "RCPT") {
			return "550 5.1.1 no"
		}
		return ""
	}
	c := start(t, Options{NextHop: NextHop{Address: hop.address()}}).dial()
	c.say("EHLO client.example.org", "250")
	c.say("MAIL FROM:<a@example.org>", "250")
	c.say("RCPT TO:<b@example.net>", "550 5.1.1 no")
	c.say("DATA", "5")
	c.say("RSET", "250")
}

// TestNextHopIsUsedAgain: several messages use one connection to the next hop, also with a
// cancelled transaction between them.
func TestNextHopIsUsedAgain(t *testing.T) {
	hop := newSink(t)
	s := start(t, Options{NextHop: NextHop{Address: hop.address()}})
	c := s.dial()
	c.say("EHLO client.example.org", "250")
	for i := range 3 {
		c.say("MAIL FROM:<a@example.org>", "250")
		c.say("RCPT TO:<b@example.net>", "250")
		if i == 1 {
			c.say("RSET", "250")
			continue
		}
		c.say("DATA", "354")
		c.say("Subject: x\r\n\r\nx\r\n.", "250")
	}
	if len(hop.messages()) != 2 || hop.connections() != 1 {
		t.Errorf("%d messages over %d connections", len(hop.messages()), hop.connections())
	}
	c.say("QUIT", "221")
}

// TestNextHopIsConnectedAgain: if the next hop closed the connection between messages, the server
// connects again.
func TestNextHopIsConnectedAgain(t *testing.T) {
	for _, way := range []string{"close", "421 4.4.2 sink timeout"} {
		t.Run(way, func(t *testing.T) {
			hop := newSink(t)
			var mails atomic.Int64
			hop.answer = func(line string) string {
				if strings.HasPrefix(line, "MAIL") && mails.Add(1) == 2 {
					return way
				}
				return ""
			}
			s := start(t, Options{NextHop: NextHop{Address: hop.address()}})
			c := s.dial()
			c.data()
			c.say("Subject: x\r\n\r\nx\r\n.", "250")
			c.say("MAIL FROM:<a@example.org>", "250")
			c.say("RCPT TO:<b@example.net>", "250")
			c.say("DATA", "354")
			c.say("Subject: x\r\n\r\nx\r\n.", "250")
			if n := len(hop.messages()); n != 2 {
				t.Errorf("%d messages", n)
			}
		})
	}
}

// 421 of the next hop ends the connection to the client as well.
func TestServiceNotAvailable(t *testing.T) {
	for _, at := range []string{"MAIL", "RCPT", "."} {
		t.Run(at, func(t *testing.T) {
			hop := newSink(t)
			hop.answer = func(line string) string {
				if strings.HasPrefix(line, at) {
					return "421 4.3.2 sink going down"
				}
				return ""
			}
			c := start(t, Options{NextHop: NextHop{Address: hop.address()}}).dial()
			c.say("EHLO client.example.org", "250")
			for _, line := range []string{"MAIL FROM:<a@example.org>", "RCPT TO:<b@example.net>", "DATA", "Subject: x\r\n\r\nx\r\n."} {
				c.send(line + "\r\n")
				if got := c.reply(); strings.HasPrefix(got, "421") {
					if got != "421 4.3.2 sink going down\r\n" {
						t.Errorf("reply %q", got)
					}
					break
				}
			}
			if rest := c.reply(); rest != "" {
				t.Errorf("after 421: %q", rest)
			}
		})
	}
}

// While the next hop is down, everything is a temporary failure, and when it is up
// again the same connection works.
func TestNextHopDown(t *testing.T) {
	hop := newSink(t)
	address := hop.address()
	_ = hop.listener.Close()
	s := start(t, Options{NextHop: NextHop{Address: address, Timeout: time.Second}})
	c := s.dial()
	c.say("EHLO client.example.org", "451 4.4.1")
	c.say("MAIL FROM:<a@example.org>", "451 4.4.1")
	c.say("HELO client.example.org", "250")
	c.say("MAIL FROM:<a@example.org>", "451 4.4.1")
	c.say("QUIT", "221")
	if n := s.Failures(); n != 3 {
		t.Errorf("%d failures counted", n)
	}
}

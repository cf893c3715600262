package contentfilter

import (
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// TestNextHopFails: the next hop may close the connection, be silent or answer nonsense at any
// step. The client then gets a temporary error, and never a 250 for a message that was not taken.
// The next hop gets a message whole or not at all.
func TestNextHopFails(t *testing.T) {
	tests := []struct {
		at     string // the command with the wrong answer; also "greeting" and "content"
		answer string
		want   string // default: 451 4.4
		taken  bool   // the next hop took the message all the same
	}{
		{at: "greeting", answer: "close"},
		{at: "greeting", answer: "hang"},
		{at: "greeting", answer: "SSH-2.0-OpenSSH_9.9"},
		{at: "greeting", answer: "554 5.3.2 go away"},
		{at: "greeting", answer: "250 hello"},
		{at: "greeting", answer: "220 " + strings.Repeat("x", 5000)},
		{at: "greeting", answer: strings.Repeat("220-x\r\n", 20000) + "220 x"},
		{at: "EHLO", answer: "close"},
		{at: "EHLO", answer: "hang"},
		{at: "EHLO", answer: "502 5.5.1 what"},
		{at: "EHLO", answer: "250-a\r\n220 b"},
		{at: "EHLO", answer: "2500 a"},
		{at: "XFORWARD", answer: "close"},
		{at: "XFORWARD", answer: "hang"},
		{at: "MAIL", answer: "close"},
		{at: "MAIL", answer: "hang"},
		{at: "MAIL", answer: "hello"},
		{at: "MAIL", answer: "354 send it"},
		{at: "MAIL", answer: "250 a\r\n250 b"}, // the reply to RCPT would be that to DATA
		{at: "RCPT TO:<b", answer: "close"},
		{at: "RCPT TO:<b", answer: "hang"},
		{at: "RCPT TO:<b", answer: "354 send it"},
		{at: "RCPT TO:<c", answer: "close"},
		{at: "RCPT TO:<c", answer: "250\x00"},
		{at: "RCPT TO:<c", answer: "250 a\r\n354 b\r\n250 c"},
		{at: "DATA", answer: "close"},
		{at: "DATA", answer: "hang"},
		{at: "DATA", answer: "250 taken already"},
		{at: "DATA", answer: "354 go\r\n250 taken already"},
		{at: "DATA", answer: "999 go"},
		{at: "content", answer: "close"},
		{at: "content", answer: "552 5.3.4 Too large", want: "552 5.3.4 Too large"},
		{at: "content", answer: "421 4.3.2 going down", want: "421 4.3.2 going down"},
		{at: "content", answer: "250 taken already"},
		{at: ".", answer: "close", taken: true},
		{at: ".", answer: "hang", taken: true},
		{at: ".", answer: "354 more", taken: true},
		{at: ".", answer: "25", taken: true},
		{at: ".", answer: "250-taken", taken: true},
	}
	for _, tt := range tests {
		answer := tt.answer
		if len(answer) > 40 {
			answer = answer[:40]
		}
		t.Run(tt.at+" "+answer, func(t *testing.T) {
			t.Parallel()
			hop := newSink(t, "XFORWARD NAME ADDR")
			if tt.at == "content" {
				hop.during = tt.answer
			} else {
				hop.answer = func(line string) string {
					if line == "" && tt.at == "greeting" || line != "" && strings.HasPrefix(line, tt.at) {
						return tt.answer
					}
					return ""
				}
			}
			next := NextHop{Address: hop.address()}
			if tt.answer == "hang" || tt.answer == "250-taken" {
				next.Timeout = 300 * time.Millisecond
			}
			c := start(t, Options{NextHop: next}).dial()
			size := 100
			if tt.at == "content" {
				size = 500_000 // more than all buffers in between hold
			}
			text := "Subject: x\r\n\r\n" + strings.Repeat("0123456789abcdef0123456789abcdef\r\n", size)
			last := ""
			for _, line := range []string{
				"EHLO client.example.org", "XFORWARD NAME=a ADDR=192.0.2.1", "MAIL FROM:<a@example.org>", "RCPT TO:<b@example.net>", "RCPT TO:<c@example.net>", "DATA", text + ".",
			} {
				c.send(line + "\r\n")
				if last = c.reply(); last == "" || last[0] == '4' || last[0] == '5' {
					break
				}
			}
			want := tt.want
			if want == "" {
				want = "451 4.4"
			}
			if !strings.HasPrefix(last, want) {
				t.Errorf("reply %q, want %q", last, want)
			}
			for _, d := range hop.messages() {
				if d.message(t) != text {
					t.Error("the next hop took another message")
				}
			}
			if n := len(hop.messages()); n > 0 && !tt.taken {
				t.Errorf("the next hop took %d messages", n)
			}
		})
	}
}

// TestTransactionWithoutNextHop: if the next hop goes away within a transaction, the client gets a
// temporary error at the next step, not only at the end, and can try again at once.
func TestTransactionWithoutNextHop(t *testing.T) {
	hop := newSink(t)
	hop.answer = func(line string) string {
		if line == "RCPT TO:<c@example.net>" {
			return "close"
		}
		return ""
	}
	c := start(t, Options{NextHop: NextHop{Address: hop.address()}}).dial()
	c.say("EHLO client.example.org", "250")
	c.say("MAIL FROM:<a@example.org>", "250")
	c.say("RCPT TO:<b@example.net>", "250")
	c.say("RCPT TO:<c@example.net>", "451 4.4.2")
	c.say("RCPT TO:<d@example.net>", "451 4.4.2")
	c.say("DATA", "354")
	c.say(plain+".", "451 4.4.2")
	if got := c.exchange(plain); !strings.HasPrefix(got, "250") {
		t.Errorf("reply %q", got)
	}
	if got := hop.one().lines; len(got) != 2 {
		t.Errorf("delivered to %q", got)
	}
}

// panicking is a log that panics at one message.
type panicking struct{ slog.Handler }

func (h panicking) Handle(ctx context.Context, r slog.Record) error {
	if r.Message == "next hop" {
		panic("secret")
	}
	return h.Handler.Handle(ctx, r)
}

func (h panicking) WithAttrs(attrs []slog.Attr) slog.Handler {
	return panicking{h.Handler.WithAttrs(attrs)}
}

// A panic ends one connection, wherever it happens.
func TestPanicOutsideTheFilter(t *testing.T) {
	for _, at := range []string{"EHLO", "MAIL", "."} {
		hop := newSink(t)
		hop.answer = func(line string) string {
			if strings.HasPrefix(line, at) {
				return "close"
			}
			return ""
		}
		s := startWith(t, Options{NextHop: NextHop{Address: hop.address()}}, func(h slog.Handler) slog.Handler { return panicking{h} })
		c := s.dial()
		last := ""
		for _, line := range []string{"EHLO client.example.org", "MAIL FROM:<a@example.org>", "RCPT TO:<b@example.net>", "DATA", plain + "."} {
			c.send(line + "\r\n")
			if last = c.reply(); last == "" || last[0] == '4' {
				break
			}
		}
		if !strings.HasPrefix(last, "421 4.") {
			t.Errorf("%s: reply %q", at, last)
		}
		if rest := c.reply(); rest != "" {
			t.Errorf("%s: after it: %q", at, rest)
		}
		waitFor(t, func() bool { return strings.Contains(s.log.String(), "reason=panic") })
		if strings.Contains(s.log.String(), "secret") {
			t.Errorf("%s: text of a panic in the log", at)
		}
		s.dial().say("NOOP", "250")
	}
}

// TestNextHopIsItself: a server whose next hop is itself refuses that at once, and does not use up
// all its connections.
func TestNextHopIsItself(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewServer(Options{Options: mailserver.Options{Filter: passing}, NextHop: NextHop{Address: l.Addr().String()}, Name: "filter.example.org"})
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Serve(l) }()
	defer func() { _ = s.Shutdown(context.Background()) }()
	c := (&running{Server: s, tb: t, address: l.Addr().String()}).dial()
	c.say("EHLO client.example.org", "451 4.4.1")
	if n := s.Stats().Served; n != 2 {
		t.Errorf("%d connections", n)
	}
}

// TestNextHopIsKept: while a client is slow with a message, the server sends commands to the next
// hop, so that it does not time out.
func TestNextHopIsKept(t *testing.T) {
	for _, answer := range []string{"", "close"} {
		hop := newSink(t)
		hop.answer = func(line string) string {
			if line == "NOOP" {
				return answer
			}
			return ""
		}
		s := start(t, Options{NextHop: NextHop{Address: hop.address(), keepAlive: 20 * time.Millisecond}})
		c := s.dial()
		c.data()
		c.send("Subject: x\r\n")
		waitFor(t, func() bool { return slices.Contains(hop.commands(), "NOOP") })
		c.send("\r\nx\r\n.\r\n")
		want := map[string]string{"": "250", "close": "451 4.4.2"}[answer]
		c.want(want)
		c.say("RSET", "250")
		if got := c.exchange(plain); !strings.HasPrefix(got, "250") {
			t.Errorf("reply %q", got)
		}
	}
}

// TestNextHopIsKeptInTheMiddle: the same while a large message is passed on.
func TestNextHopIsKeptInTheMiddle(t *testing.T) {
	hop := newSink(t)
	s := start(t, Options{Options: mailserver.Options{Limits: mailserver.Limits{MaxMessage: 1000}}, NextHop: NextHop{Address: hop.address(), keepAlive: 20 * time.Millisecond}})
	c := s.dial()
	c.data()
	const line = "0123456789abcde\r\n"
	c.send(plain + strings.Repeat(line, 600))
	waitFor(t, func() bool { return hop.received.Load() > 600*int64(len(line)) })
	c.send(".\r\n")
	c.want("250")
	if got := hop.one().message(t); got != plain+strings.Repeat(line, 600) {
		t.Errorf("%d bytes", len(got))
	}
}

// TestClientDrops: if the client goes away before the end of a message, the next hop gets no
// message. After the end, it gets all of it.
func TestClientDrops(t *testing.T) {
	head := "EHLO client.example.org\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.net>\r\nDATA\r\n"
	text := "Subject: x\r\n\r\n" + strings.Repeat("0123456789abcdef0123456789abcdef\r\n", 3000)
	tests := []struct {
		name, sent string
		taken      bool
	}{
		{name: "after connecting"},
		{name: "in a command", sent: "EHLO cli"},
		{name: "after EHLO", sent: head[:25]},
		{name: "in MAIL", sent: head[:40]},
		{name: "after MAIL", sent: head[:52]},
		{name: "after RCPT", sent: head[:len(head)-6]},
		{name: "in DATA", sent: head[:len(head)-3]},
		{name: "after DATA", sent: head},
		{name: "in the header", sent: head + "Subj"},
		{name: "after the header", sent: head + text[:14]},
		{name: "in the body", sent: head + text[:5000]},
		{name: "beyond the limit", sent: head + text[:50_000]},
		{name: "before the dot", sent: head + text},
		{name: "after the dot", sent: head + text + "."},
		{name: "before the last LF", sent: head + text + ".\r"},
		{name: "after the end", sent: head + text + ".\r\n", taken: true},
	}
	for _, tt := range tests {
		for _, way := range []string{"close", "reset", "half"} {
			t.Run(tt.name+", "+way, func(t *testing.T) {
				t.Parallel()
				hop := newSink(t)
				// Beyond 20,000 bytes the message is handed on while it comes.
				s := start(t, Options{Options: mailserver.Options{Limits: mailserver.Limits{MaxMessage: 20_000}}, NextHop: NextHop{Address: hop.address()}})
				c := s.dial()
				c.send(tt.sent)
				tcp := c.Conn.(*net.TCPConn)
				switch way {
				case "half":
					_ = tcp.CloseWrite()
					_, _ = io.Copy(io.Discard, c.in)
				case "reset":
					// What was sent shall arrive before the reset.
					waitFor(t, func() bool {
						return tt.sent == "" || len(hop.commands()) >= strings.Count(tt.sent[:min(len(tt.sent), len(head)-6)], "\r\n")
					})
					_ = tcp.SetLinger(0)
					_ = tcp.Close()
				default:
					_ = tcp.Close()
				}
				waitFor(t, func() bool { return s.Stats().Connections == 0 })
				got := hop.messages()
				for _, d := range got {
					if d.message(t) != text {
						t.Error("the next hop took another message")
					}
				}
				if len(got) > 1 || len(got) == 1 && !tt.taken || tt.taken && way == "half" && len(got) == 0 {
					t.Errorf("the next hop took %d messages", len(got))
				}
			})
		}
	}
}

// waitFor waits until something holds.
func waitFor(tb testing.TB, holds func() bool) {
	tb.Helper()
	for deadline := time.Now().Add(10 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			tb.Fatal("not within 10 s")
		}
	}
}

// TestSlowClients: a client that is silent, or sends byte by byte, is disconnected after the
// timeouts.
func TestSlowClients(t *testing.T) {
	head := "EHLO client.example.org\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.net>\r\nDATA\r\n"
	tests := []struct {
		name, sent, drip string
		want             string // the last reply
	}{
		{name: "silent", want: "421 4.4.2"},
		{name: "command byte by byte", drip: strings.Repeat("x", 100), want: "421 4.4.2"},
		{name: "silent in the transaction", sent: head[:53], want: "421 4.4.2"},
		{name: "silent in the message", sent: head + "Subject: x\r\n", want: "421 4.4.2"},
		{name: "message byte by byte", sent: head, drip: strings.Repeat("x\r\n", 100), want: "421 4.4.2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			hop := newSink(t)
			s := start(t, Options{NextHop: NextHop{Address: hop.address()}, Timeouts: Timeouts{Command: 150 * time.Millisecond, Content: 150 * time.Millisecond, Message: 300 * time.Millisecond}})
			c := s.dial()
			c.send(tt.sent)
			go func() {
				for i := range len(tt.drip) {
					time.Sleep(20 * time.Millisecond)
					if _, err := c.Write([]byte{tt.drip[i]}); err != nil {
						return
					}
				}
			}()
			last := ""
			for {
				got := c.reply()
				if got == "" {
					break
				}
				last = got
			}
			if !strings.HasPrefix(last, tt.want) {
				t.Errorf("last reply %q, want %q", last, tt.want)
			}
			if n := len(hop.messages()); n > 0 {
				t.Errorf("%d messages", n)
			}
		})
	}
}

// TestClientTakesNoReplies: so is a client that reads no replies.
func TestClientTakesNoReplies(t *testing.T) {
	hop := newSink(t)
	s := start(t, Options{NextHop: NextHop{Address: hop.address()}, Timeouts: Timeouts{write: 100 * time.Millisecond}})
	c := s.dial()
	_ = c.Conn.(*net.TCPConn).SetReadBuffer(1 << 10)
	_ = c.SetWriteDeadline(time.Now().Add(time.Minute))
	noops := strings.Repeat("NOOP\r\n", 10_000)
	for range 100 {
		if _, err := io.WriteString(c, noops); err != nil {
			if os.IsTimeout(err) {
				t.Fatal("the connection is still there")
			}
			break
		}
	}
	waitFor(t, func() bool { return s.Stats().Connections == 0 })
}

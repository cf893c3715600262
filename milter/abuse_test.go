package milter

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/test/hostile"
)

// Streams that the tests of this package make themselves.
var (
	frame          = hostile.Frame
	numbers        = hostile.Numbers
	after          = hostile.After
	inMessage      = hostile.InMessage
	optneg         = hostile.Offer()
	afterRecipient = hostile.InMessage()
)

// stream writes raw bytes and reads whatever comes back, until the server
// closes the connection or close is called.
func (p *peer) stream(data []byte) (closed <-chan struct{}) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			if _, err := p.read(); err != nil {
				return
			}
		}
	}()
	// The server may close the connection before it has read everything.
	_, _ = p.conn.Write(data)
	return done
}

func TestMalformedStreams(t *testing.T) {
	for _, test := range hostile.Malformed() {
		t.Run(test.Name, func(t *testing.T) {
			f := &seen{}
			bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
				p := s.dial(t)
				closed := p.stream(test.Bytes)
				if test.Cut {
					synctest.Wait()
					if err := p.conn.Close(); err != nil {
						t.Fatal(err)
					}
				}
				<-closed
				synctest.Wait()
				if got := s.logs.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "reason="+test.Reason) {
					t.Errorf("log %q, want one line with reason=%s", got, test.Reason)
				}
				if got := s.Stats().Broken; len(got) != 1 || got[test.Reason] != 1 {
					t.Errorf("counted %v, want one %s", got, test.Reason)
				}
				if f.messages() != 0 {
					t.Errorf("messages %q", f.raws)
				}
				// The server goes on.
				next := s.connect(t, allActions, allProtocol)
				next.hello()
				next.message(simple(nil, "x"))
			})
		})
	}
}

// TestEarlyEndings: a stream may end at these places, and the log has no line about it.
func TestEarlyEndings(t *testing.T) {
	tests := []struct {
		name   string
		stream []byte
		quit   bool // the server closes the connection
	}{
		{"nothing", nil, false},
		{"after the negotiation", optneg, false},
		{"after connect", after(frame('C', "h\x00U")), false},
		{"after an aborted message", inMessage(frame('L', "Subject\x00 x\x00"), frame('A')), false},
		{"quit after the negotiation", after(frame('Q')), true},
		{"quit in a message", inMessage(frame('N'), frame('B', "x"), frame('Q')), true},
		{"quit with a new connection to follow", after(frame('K')), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, Options{Options: mailserver.Options{Filter: &seen{}}}, func(t *testing.T, s *testServer) {
				p := s.dial(t)
				closed := p.stream(test.stream)
				if !test.quit {
					synctest.Wait()
					if err := p.conn.Close(); err != nil {
						t.Fatal(err)
					}
				}
				<-closed
				synctest.Wait()
				if got := s.logs.String(); got != "" {
					t.Errorf("log %q", got)
				}
			})
		})
	}
}

// TestOutOfOrder: for well-formed packets that make no message, the message goes on unread, and the
// connection goes on.
func TestOutOfOrder(t *testing.T) {
	for _, test := range hostile.Disordered() {
		t.Run(test.Name, func(t *testing.T) {
			f := &seen{}
			bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
				p := s.dial(t)
				accepted := make(chan struct{})
				go func() {
					defer close(accepted)
					for {
						if a, err := p.read(); err != nil || a.code == 'a' {
							return
						}
					}
				}()
				p.write(test.Bytes)
				<-accepted
				synctest.Wait()
				if f.messages() != 0 {
					t.Errorf("messages %q", f.raws)
				}
				if got := s.logs.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "not_done=out-of-order") {
					t.Errorf("log %q", got)
				}
				p.protocol, p.actions = wantedProtocol, allActions
				p.message(simple(nil, "next"))
				if f.messages() != 1 {
					t.Errorf("the next message was not read")
				}
			})
		})
	}
}

// TestTolerated: unusual packets that do no harm are accepted.
func TestTolerated(t *testing.T) {
	f := &seen{}
	bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		p.send('D', "C")                                      // no macros
		p.send('D', "M\x00\x00\x00\x00\x00")                  // empty names
		p.send('D', "Z{x}\x00y\x00{odd}\x00")                 // no such stage, a name without value
		p.send('D', "Mi\x00A\x1b[2J\u202e\x00")               // no queue ID
		p.command(gomilter.OptNoHeloReply, 'H', "a\x00b\x00") // surplus string
		p.send('A')
		p.hello()
		p.macros('M', "i", "A\x1b[2J\u202e\n")
		m := simple([]string{"Subject", " x"}, "y")
		p.message(m)
		if f.raws[0] != m.raw() {
			t.Errorf("raw message %q", f.raws[0])
		}
		synctest.Wait()
		logs := s.logs.String()
		if strings.Count(logs, "\n") != 1 || strings.ContainsAny(logs, "\x1b\u202e") {
			t.Errorf("log %q", logs)
		}
	})
}

// TestTimeouts: a peer that is silent for too long is disconnected. How long that is depends on
// what the server waits for.
func TestTimeouts(t *testing.T) {
	timeouts := Timeouts{Idle: time.Hour, Content: 10 * time.Minute, packet: time.Minute}
	tests := []struct {
		name   string
		stream []byte
		after  time.Duration
	}{
		{"nothing", nil, time.Minute},
		{"half a length", []byte("\x00\x00"), time.Minute},
		{"half a negotiation", optneg[:8], time.Minute},
		{"negotiated", optneg, time.Hour},
		{"half a packet", after([]byte("\x00\x00")), time.Minute},
		{"in the envelope", afterRecipient, time.Hour},
		{"half a recipient", inMessage(frame('R', "<c@example.com>\x00")[:8]), time.Minute},
		{"in the header", inMessage(frame('L', "Subject\x00 x\x00")), 10 * time.Minute},
		{"before the body", inMessage(frame('N')), 10 * time.Minute},
		{"in the body", inMessage(frame('N'), frame('B', "x")), 10 * time.Minute},
		{"half a chunk", inMessage(frame('N'), frame('B', "xyz")[:6]), time.Minute},
		{"after a message", inMessage(frame('N'), frame('E')), time.Hour},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, Options{Options: mailserver.Options{Filter: &seen{}}, Timeouts: timeouts}, func(t *testing.T, s *testServer) {
				start := time.Now()
				<-s.dial(t).stream(test.stream)
				if d := time.Since(start); d != test.after {
					t.Errorf("closed after %v, want %v", d, test.after)
				}
				synctest.Wait()
				if got := s.logs.String(); !strings.Contains(got, "reason=timeout") {
					t.Errorf("log %q", got)
				}
			})
		})
	}
}

// TestSlowPacket: a peer that sends a packet byte by byte is disconnected.
func TestSlowPacket(t *testing.T) {
	bubble(t, Options{Options: mailserver.Options{Filter: &seen{}}, Timeouts: Timeouts{packet: time.Minute}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		start := time.Now()
		for _, b := range frame('H', strings.Repeat("x", 1000)) {
			if _, err := p.conn.Write([]byte{b}); err != nil {
				break
			}
			time.Sleep(7 * time.Second)
		}
		if d := time.Since(start); d > 70*time.Second {
			t.Errorf("closed after %v", d)
		}
	})
}

// TestReplyNotRead: an MTA that does not read its reply is disconnected.
func TestReplyNotRead(t *testing.T) {
	f := filterFunc(func(context.Context, envelope.Envelope, []byte) filter.Result { return filter.Result{} })
	bubble(t, Options{Options: mailserver.Options{Filter: f}, Timeouts: Timeouts{write: time.Minute}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		p.hello()
		m := simple(nil, "x")
		p.begin(m)
		p.content(m)
		p.send('E')
		start := time.Now()
		time.Sleep(time.Minute + time.Second)
		synctest.Wait()
		if got := s.logs.String(); !strings.Contains(got, "reason=write") {
			t.Errorf("log after %v: %q", time.Since(start), got)
		}
		p.expectClosed()
	})
}

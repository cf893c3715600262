package milter

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/filter"
)

// optneg is the first packet of every stream below that gets so far.
var optneg = frame('O', numbers(6, uint32(allActions), uint32(allProtocol)))

// after joins packets behind the negotiation.
func after(packets ...[]byte) []byte {
	stream := optneg
	for _, p := range packets {
		stream = append(stream[:len(stream):len(stream)], p...)
	}
	return stream
}

// envelope is what precedes a header.
var envelope = after(
	frame('D', "Cj\x00mx\x00"), frame('C', "c.example\x004\x30\x39192.0.2.7\x00"),
	frame('H', "c.example\x00"), frame('M', "<a@example.org>\x00"), frame('R', "<b@example.com>\x00"),
)

// inMessage appends packets to a message.
func inMessage(packets ...[]byte) []byte {
	stream := envelope
	for _, p := range packets {
		stream = append(stream[:len(stream):len(stream)], p...)
	}
	return stream
}

// malformedStreams are streams that the server ends for the given reason.
var malformedStreams = []struct {
	name   string
	stream []byte
	reason string
	cut    bool // the peer closes its side afterwards
}{
	{"garbage", []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), "malformed", false},
	{"TLS", []byte("\x16\x03\x01\x02\x00\x01\x00\x01\xfc"), "malformed", false},
	{"zero length first", []byte("\x00\x00\x00\x00"), "malformed", false},
	{"giant length first", []byte("\xff\xff\xff\xffO"), "malformed", false},
	{"length above the limit", after([]byte("\x00\x10\x00\x01B")), "malformed", false},
	{"no negotiation", frame('C', "h\x00U"), "malformed", false},
	{"macros before the negotiation", frame('D', "Cj\x00mx\x00"), "malformed", false},
	{"quit before the negotiation", frame('Q'), "malformed", false},
	{"empty negotiation", frame('O'), "malformed", false},
	{"short negotiation", frame('O', numbers(6, 1)), "malformed", false},
	{"version 1", frame('O', numbers(1, 1, 0)), "version", false},
	{"version 0", frame('O', numbers(0, 1, 0)), "version", false},
	{"negotiated twice", after(optneg), "malformed", false},
	{"zero length", after([]byte("\x00\x00\x00\x00")), "malformed", false},
	{"zero length in a message", inMessage([]byte("\x00\x00\x00\x00")), "malformed", false},
	{"giant length in a body", inMessage(frame('N'), []byte("\x7f\xff\xff\xffB")), "malformed", false},
	{"unknown command", after(frame('X', "x")), "malformed", false},
	{"command NUL", after(frame(0)), "malformed", false},
	{"reply as a command", inMessage(frame('c')), "malformed", false},
	{"lower case", after(frame('m', "<a@example.org>\x00")), "malformed", false},
	{"empty connect", after(frame('C')), "malformed", false},
	{"connect without NUL", after(frame('C', "host")), "malformed", false},
	{"connect without family", after(frame('C', "host\x00")), "malformed", false},
	{"connect with unknown family", after(frame('C', "host\x00Z\x00\x00x\x00")), "malformed", false},
	{"connect without port", after(frame('C', "host\x004\x00")), "malformed", false},
	{"connect with unterminated address", after(frame('C', "host\x004\x00\x19192.0.2.7")), "malformed", false},
	{"empty HELO", after(frame('H')), "malformed", false},
	{"unterminated HELO", after(frame('H', "x")), "malformed", false},
	{"empty MAIL", after(frame('M')), "malformed", false},
	{"unterminated MAIL", after(frame('M', "<a@example.org>\x00SIZE=1")), "malformed", false},
	{"unterminated RCPT", inMessage(frame('R', "<b@example.com>")), "malformed", false},
	{"empty header field", inMessage(frame('L')), "malformed", false},
	{"header field without value", inMessage(frame('L', "Subject\x00")), "malformed", false},
	{"header field without name", inMessage(frame('L', "\x00value\x00")), "malformed", false},
	{"header field of NULs", inMessage(frame('L', "\x00\x00\x00")), "malformed", false},
	{"unterminated header field", inMessage(frame('L', "Subject\x00value")), "malformed", false},
	{"header field with a surplus NUL", inMessage(frame('L', "Subject\x00value\x00\x00")), "malformed", false},
	{"header field with a NUL inside", inMessage(frame('L', "Subject\x00va\x00lue\x00")), "malformed", false},
	{"macros for nothing", after(frame('D')), "malformed", false},
	{"unterminated macro", after(frame('D', "Cj\x00mx")), "malformed", false},

	{"cut in the first length", []byte("\x00\x00"), "truncated", true},
	{"cut in the negotiation", optneg[:9], "truncated", true},
	{"cut after a length", after([]byte("\x00\x00\x00\x05")), "truncated", true},
	{"cut in macros", after(frame('D', "Cj\x00mx\x00")[:7]), "truncated", true},
	{"cut in connect", after(frame('C', "h\x00U")[:6]), "truncated", true},
	{"cut in HELO", after(frame('H', "x\x00")[:6]), "truncated", true},
	{"cut in MAIL", after(frame('M', "<a@example.org>\x00")[:9]), "truncated", true},
	{"cut in RCPT", inMessage(frame('R', "<b@example.com>\x00")[:9]), "truncated", true},
	{"cut in a header field", inMessage(frame('L', "Subject\x00 x\x00")[:9]), "truncated", true},
	{"cut in the end of the header", inMessage(frame('N')[:4]), "truncated", true},
	{"cut in the body", inMessage(frame('N'), frame('B', strings.Repeat("x", 200_000))[:150_000]), "truncated", true},
	{"cut in the end of the body", inMessage(frame('N'), frame('E')[:2]), "truncated", true},
	{"closed after MAIL", inMessage(), "dropped", true},
	{"closed in a header", inMessage(frame('L', "Subject\x00 x\x00")), "dropped", true},
	{"closed after the header", inMessage(frame('N')), "dropped", true},
	{"closed in a body", inMessage(frame('N'), frame('B', "x")), "dropped", true},
}

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
	if len(malformedStreams) < 30 {
		t.Fatal("too few streams")
	}
	for _, test := range malformedStreams {
		t.Run(test.name, func(t *testing.T) {
			f := &seen{}
			bubble(t, Options{Filter: f}, func(t *testing.T, s *testServer) {
				p := s.dial(t)
				closed := p.stream(test.stream)
				if test.cut {
					synctest.Wait()
					if err := p.conn.Close(); err != nil {
						t.Fatal(err)
					}
				}
				<-closed
				synctest.Wait()
				if got := s.logs.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "reason="+test.reason) {
					t.Errorf("log %q, want one line with reason=%s", got, test.reason)
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

// Streams that end where an MTA may end them, and that are worth no line in the
// log.
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
			bubble(t, Options{Filter: &seen{}}, func(t *testing.T, s *testServer) {
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

// Packets that are well formed but make no message: it goes on unread, and so
// does the connection.
func TestOutOfOrder(t *testing.T) {
	header := frame('L', "Subject\x00 x\x00")
	tests := []struct {
		name   string
		stream []byte
	}{
		{"end of message alone", after(frame('E'))},
		{"body alone", after(frame('B', "x"), frame('E'))},
		{"header alone", after(header, frame('N'), frame('B', "x"), frame('E'))},
		{"recipient before sender", after(frame('R', "<b@example.com>\x00"), header, frame('N'), frame('E'))},
		{"body before the header", inMessage(frame('B', "x"), header, frame('N'), frame('E'))},
		{"body without the end of the header", inMessage(header, frame('B', "x"), frame('E'))},
		{"no end of the header", inMessage(header, frame('E'))},
		{"header after the body", inMessage(header, frame('N'), frame('B', "x"), header, frame('E'))},
		{"recipient after the header", inMessage(header, frame('R', "<c@example.com>\x00"), frame('N'), frame('E'))},
		{"header ended twice", inMessage(header, frame('N'), frame('N'), frame('E'))},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := &seen{}
			bubble(t, Options{Filter: f}, func(t *testing.T, s *testServer) {
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
				p.write(test.stream)
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

// Odd packets that are harmless.
func TestTolerated(t *testing.T) {
	f := &seen{}
	bubble(t, Options{Filter: f}, func(t *testing.T, s *testServer) {
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

// Whoever is silent for too long is disconnected; how long that is depends on
// what is awaited.
func TestTimeouts(t *testing.T) {
	timeouts := Timeouts{Idle: time.Hour, Content: 10 * time.Minute, Packet: time.Minute}
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
		{"in the envelope", envelope, time.Hour},
		{"half a recipient", inMessage(frame('R', "<c@example.com>\x00")[:8]), time.Minute},
		{"in the header", inMessage(frame('L', "Subject\x00 x\x00")), 10 * time.Minute},
		{"before the body", inMessage(frame('N')), 10 * time.Minute},
		{"in the body", inMessage(frame('N'), frame('B', "x")), 10 * time.Minute},
		{"half a chunk", inMessage(frame('N'), frame('B', "xyz")[:6]), time.Minute},
		{"after a message", inMessage(frame('N'), frame('E')), time.Hour},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, Options{Filter: &seen{}, Timeouts: timeouts}, func(t *testing.T, s *testServer) {
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

// A packet may not be drawn out byte by byte.
func TestSlowPacket(t *testing.T) {
	bubble(t, Options{Filter: &seen{}, Timeouts: Timeouts{Packet: time.Minute}}, func(t *testing.T, s *testServer) {
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

// An MTA that does not take its reply is disconnected as well.
func TestReplyNotRead(t *testing.T) {
	f := filterFunc(func(context.Context, filter.Envelope, []byte) filter.Result { return filter.Result{} })
	bubble(t, Options{Filter: f, Timeouts: Timeouts{Write: time.Minute}}, func(t *testing.T, s *testServer) {
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

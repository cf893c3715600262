package milter

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/mime"
)

// misbehaving is a filter that behaves as the subject of the message says.
type misbehaving struct{}

func (misbehaving) Message(ctx context.Context, _ envelope.Envelope, raw []byte) filter.Result {
	subject, _, _ := strings.Cut(strings.TrimPrefix(string(raw), "Subject: "), "\r\n")
	switch subject {
	case "panic":
		panic("secret text of the message")
	case "index":
		var none []byte
		_ = none[len(raw)]
	case "deaf":
		time.Sleep(time.Minute)
	case "late":
		<-ctx.Done()
		time.Sleep(150 * time.Millisecond)
	case "late panic":
		time.Sleep(time.Minute)
		panic("secret text of the message")
	case "no body":
		return filter.Result{Plan: newBody("").Plan, Edited: nil, BodyStart: 17}
	}
	return newBody("edited")
}

// TestFilterFails: whatever the filter does, the MTA gets a reply when the filter returns, the log
// says what was wrong, and the next message is treated as usual. If a filter ignores its deadline,
// the message waits, and the result counts.
func TestFilterFails(t *testing.T) {
	tests := []struct {
		subject string
		want    string        // replies
		log     string        // what the log says
		after   time.Duration // when the reply comes
	}{
		{"fine", "ba", "edited=true", 0},
		{"panic", "a", "not_done=panic", 0},
		{"index", "a", "index out of range", 0},
		{"no body", "a", "not_done=panic", 0},
		{"deaf", "ba", "level=WARN msg=\"filter overran its deadline\" listener=pipe:test queue_id=\"\" limit=5s overrun=55s", time.Minute},
		{"late", "ba", "edited=true", 5150 * time.Millisecond},
		{"late panic", "a", "not_done=panic", time.Minute},
	}
	for _, test := range tests {
		for _, offer := range offers {
			t.Run(test.subject+", "+offer.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := startServer(t, Options{Options: mailserver.Options{Filter: misbehaving{}}})
					p := s.connect(t, offer.actions, offer.protocol)
					p.hello()
					start := time.Now()
					if got := codes(p.message(simple([]string{"Subject", " " + test.subject}, "body"))); got != test.want {
						t.Errorf("replies %q, want %q", got, test.want)
					}
					if d := time.Since(start); d != test.after {
						t.Errorf("reply after %v, want %v", d, test.after)
					}
					synctest.Wait()
					if got := s.logs.String(); !strings.Contains(got, test.log) || strings.Contains(got, "secret") {
						t.Errorf("log %q, want %s", got, test.log)
					}
					if got := codes(p.message(simple([]string{"Subject", " fine"}, "body"))); got != "ba" {
						t.Errorf("replies to the next message %q", got)
					}
					overruns := uint64(0)
					if test.after == time.Minute {
						overruns = 1
					}
					if stats := s.Stats(); stats.Memory != 0 || stats.Overruns != overruns {
						t.Errorf("%+v", stats)
					}
					if warned := strings.Contains(s.logs.String(), "overran"); warned != (overruns > 0) {
						t.Errorf("log %q", s.logs.String())
					}
				})
			})
		}
	}
}

// TestSlowFilter: a slow filter delays each of its messages. The connection goes on with the same
// envelope.
func TestSlowFilter(t *testing.T) {
	kept := &seen{result: newBody("edited")}
	f := filterFunc(func(ctx context.Context, env envelope.Envelope, raw []byte) filter.Result {
		if strings.Contains(string(raw), "slow") {
			time.Sleep(time.Minute)
		}
		return kept.Message(ctx, env, raw)
	})
	bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		p.hello()
		slow, fine := simple([]string{"Subject", " slow"}, "body"), simple([]string{"Subject", " fine"}, "body")
		for range 3 {
			for _, m := range []mail{slow, fine} {
				if got := codes(p.message(m)); got != "ba" {
					t.Errorf("replies %q", got)
				}
			}
		}
		p.send('Q')
		p.expectClosed()
		for _, env := range kept.envs {
			if env.Client != netip.MustParseAddr("192.0.2.7") || env.Daemon != "smtpd" {
				t.Errorf("envelope %+v", env)
			}
		}
		if got := strings.Count(s.logs.String(), "msg=message"); got != 6 || s.Stats().Overruns != 3 {
			t.Errorf("%d messages in the log, %d overruns", got, s.Stats().Overruns)
		}
		if strings.Contains(s.logs.String(), "connection closed") {
			t.Errorf("log %q", s.logs.String())
		}
	})
}

// TestShutdownWithSlowFilter: a shutdown waits for the filter. When its time is over, it cuts the
// connection, and a filter that honours its context ends.
func TestShutdownWithSlowFilter(t *testing.T) {
	for _, patience := range []time.Duration{time.Second, time.Hour} {
		ended := time.Duration(0)
		f := filterFunc(func(ctx context.Context, _ envelope.Envelope, _ []byte) filter.Result {
			start := time.Now()
			<-ctx.Done()
			ended = time.Since(start)
			return newBody("edited")
		})
		bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
			p := s.connect(t, allActions, allProtocol)
			m := simple(nil, "body")
			p.begin(m)
			p.content(m)
			p.send('E')
			synctest.Wait()
			start := time.Now()
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			done := make(chan error, 1)
			go func() { done <- s.Shutdown(ctx) }()
			if patience > time.Minute {
				p.expect('b')
				p.expect('a')
			}
			p.expectClosed()
			want := min(patience, 5*time.Second)
			if err := <-done; (err != nil) != (patience == time.Second) || time.Since(start) != want {
				t.Errorf("shut down after %v: %v", time.Since(start), err)
			}
			synctest.Wait()
			if ended != want {
				t.Errorf("the filter ended after %v", ended)
			}
		})
	}
}

// TestTooLarge: of a message or header above a limit, the filter gets the part below it, and its
// result does not replace the body. If the MTA can skip the rest, the server asks for that.
func TestTooLarge(t *testing.T) {
	const limit = 100_000
	fields := []string{"Subject", " x"}
	head := len("Subject: x\r\n\r\n")
	tests := []struct {
		name   string
		mail   mail
		read   int // bytes
		edited bool
	}{
		{"at the limit", simple(fields, strings.Repeat("x", limit-head)), limit, true},
		{"above the limit", simple(fields, strings.Repeat("x", limit-head+1)), limit, false},
		{"far above", simple(fields, strings.Repeat("x", 10*limit)), limit, false},
		{"header alone", simple([]string{"Subject", strings.Repeat("x", limit)}, "x"), len("\r\nx"), false},
		{"many fields", simple(strings.Split(strings.Repeat("X,", 2*limit/5), ","), "x"), limit, false},
	}
	for _, test := range tests {
		for _, offer := range offers {
			t.Run(test.name+", "+offer.name, func(t *testing.T) {
				f := &seen{result: newBody("new")}
				bubble(t, Options{Options: mailserver.Options{Filter: f, Limits: mailserver.Limits{MaxMessage: limit}}}, func(t *testing.T, s *testServer) {
					p := s.connect(t, offer.actions, offer.protocol)
					p.hello()
					m := test.mail
					m.chunk = 5000
					want, log := "a", "not_done=too-large"
					if test.edited {
						want, log = "ba", "edited=true"
					}
					if got := codes(p.message(m)); got != want {
						t.Errorf("replies %q, want %q", got, want)
					}
					if (f.messages() == 1) != (test.read > 0) {
						t.Errorf("%d messages", f.messages())
					}
					if test.read > 0 && (len(f.raws[0]) > test.read || len(f.raws[0]) < test.read-len("X:X\r\n") || f.envs[0].Truncated == test.edited) {
						t.Errorf("%d bytes, truncated %v", len(f.raws[0]), f.envs[0].Truncated)
					}
					if used := s.Stats().Memory; used != 0 {
						t.Errorf("%d bytes of the budget in use", used)
					}
					if got := codes(p.message(simple(fields, "small"))); got != "ba" {
						t.Errorf("replies to the next message %q", got)
					}
					synctest.Wait()
					if got := s.logs.String(); !strings.Contains(got, log) {
						t.Errorf("log %q", got)
					}
				})
			})
		}
	}
}

// TestSkip: if an MTA waits for replies to body chunks, the server asks it to skip the chunks that
// it does not read, if the MTA knows how.
func TestSkip(t *testing.T) {
	for _, skip := range []gomilter.OptProtocol{0, gomilter.OptSkip} {
		bubble(t, Options{Options: mailserver.Options{Filter: &seen{}, Limits: mailserver.Limits{MaxMessage: 1000}}}, func(t *testing.T, s *testServer) {
			p := s.connect(t, allActions, skip)
			m := simple(nil, "")
			p.begin(m)
			p.content(m)
			p.send('B', strings.Repeat("x", 900))
			if code := p.bodyReply(); code != 'c' {
				t.Errorf("reply %q", code)
			}
			p.send('B', strings.Repeat("x", 900))
			if code := p.bodyReply(); (code == 's') != (skip != 0) {
				t.Errorf("reply %q with skip %x", code, skip)
			}
			p.end(m)
		})
	}
}

// TestMemory: if the memory of all sessions is used up, the filter judges the beginning of further
// messages. The messages that use the memory are not affected.
func TestMemory(t *testing.T) {
	f := &seen{result: newBody("new")}
	const memory = 760_000
	bubble(t, Options{Options: mailserver.Options{Filter: f, Limits: mailserver.Limits{Memory: memory}}}, func(t *testing.T, s *testServer) {
		large := simple([]string{"Subject", " large"}, strings.Repeat("x", 250_000))
		var first, other, third *peer
		for _, p := range []**peer{&third, &other, &first} {
			*p = s.connect(t, allActions, allProtocol)
			(*p).begin(large)
			(*p).content(large)
			synctest.Wait()
		}

		second := s.connect(t, allActions, allProtocol)
		second.hello()
		if got := codes(second.message(large)); got != "a" {
			t.Errorf("replies to the second message %q", got)
		}
		synctest.Wait()
		if got := s.logs.String(); f.messages() != 1 || !f.envs[0].Truncated || !strings.Contains(got, "not_done=memory") {
			t.Errorf("%d messages, log %q", f.messages(), got)
		}
		if got := codes(second.message(simple(nil, "small"))); got != "ba" {
			t.Errorf("replies to a small message %q", got)
		}
		if got := codes(other.end(large)); got != "ba" {
			t.Errorf("replies to another message %q", got)
		}
		if got := codes(first.end(large)); got != "ba" {
			t.Errorf("replies to the first message %q", got)
		}
		if got := codes(second.message(large)); got != "ba" {
			t.Errorf("replies to the second message sent again %q", got)
		}
	})
}

// TestMemoryOfSmallPieces: very small chunks, fields and recipients take more memory than their
// text, and the budget counts that.
func TestMemoryOfSmallPieces(t *testing.T) {
	bubble(t, Options{Options: mailserver.Options{Filter: &seen{}, Limits: mailserver.Limits{Memory: 300_000}}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		p.send('M', "<>\x00")
		for range 10_000 {
			p.send('R', "<b>\x00")
		}
		for range 10_000 {
			p.send('L', "X\x00\x00")
		}
		p.send('N')
		p.expect('c')
		p.send('E')
		p.expect('a')
		synctest.Wait()
		if got := s.logs.String(); !strings.Contains(got, "not_done=memory") {
			t.Errorf("log %q", got)
		}
	})
}

// TestCallbackPanics: a panic in the callbacks of this package has the same effect on a message as
// one in the filter.
func TestCallbackPanics(t *testing.T) {
	bubble(t, Options{Options: mailserver.Options{Filter: &seen{}}}, func(t *testing.T, s *testServer) {
		// Without a connection every callback panics sooner or later.
		session := newSession(s.Server.Server, nil, grant{}, envelope.Envelope{}, s.Log())
		if resp, err := session.MailFrom("a@example.org", nil); resp != gomilter.RespContinue || err != nil {
			t.Errorf("%v, %v", resp, err)
		}
		if session.message.unread != mailserver.ReasonPanic {
			t.Errorf("unread for %q", session.message.unread)
		}
		if resp, err := session.Body(nil); resp != gomilter.RespAccept || err != nil {
			t.Errorf("%v, %v", resp, err)
		}
		if got := s.logs.String(); !strings.Contains(got, "not_done=panic") {
			t.Errorf("log %q", got)
		}
	})
}

// TestPanicWhileWriting: if a panic happens when half of the reply is written, the connection ends,
// so that the MTA takes its default action and does not accept the half.
func TestPanicWhileWriting(t *testing.T) {
	result := filter.Result{HeaderEdits: []mime.HeaderEdit{{Op: mime.OpAdd, Name: "X-A", Value: "1"}}}
	bubble(t, Options{Options: mailserver.Options{Filter: &seen{result: result}}}, func(t *testing.T, s *testServer) {
		c := &conn{}
		session := newSession(s.Server.Server, c, grant{actions: allActions}, envelope.Envelope{}, s.Log())
		session.begin()
		session.message.endHeader()
		// Without a link, writing panics.
		if resp, err := session.Body(nil); resp != nil || err != nil {
			t.Errorf("%v, %v", resp, err)
		}
		if !mailserver.Failed(c.failure) {
			t.Error("the connection goes on")
		}
	})
}

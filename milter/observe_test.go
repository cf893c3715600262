package milter

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/logging"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/report"
)

// observed keeps the events of a server.
type observed struct{ events []mailserver.Event }

func (o *observed) observe(e *mailserver.Event) { o.events = append(o.events, *e) }

func TestObserve(t *testing.T) {
	var o observed
	f := &seen{result: newBody("new")}
	f.result.Report.Rule = "mine"
	f.result.Report.Outcome = report.OutcomeComplete
	bubble(t, Options{Options: mailserver.Options{Filter: f, Observe: o.observe, Limits: mailserver.Limits{MaxMessage: 1000}}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		p.hello()
		small := simple(nil, "small")
		p.message(small)
		p.message(simple(nil, strings.Repeat("x", 2000)))
		f.result = filter.Result{Action: rule.ActionReject}
		p.message(small)
		f.result = filter.Result{Action: rule.ActionQuarantine}
		without := s.connect(t, 0, allProtocol) // no right to quarantine
		without.hello()
		without.message(small)
		synctest.Wait()

		if len(o.events) != 4 {
			t.Fatalf("%d events", len(o.events))
		}
		edited, large, rejected, kept := o.events[0], o.events[1], o.events[2], o.events[3]
		if !edited.Edited || edited.Report.Rule != "mine" || edited.Reason != "" || edited.Size != int64(len(small.raw())) {
			t.Errorf("edited: %+v", edited)
		}
		if large.Reason != mailserver.ReasonTooLarge || large.Size != 2002 || large.Edited {
			t.Errorf("large: %+v", large)
		}
		if rejected.Action != rule.ActionReject || rejected.ActionReason != "" {
			t.Errorf("rejected: %+v", rejected)
		}
		if kept.Action != rule.ActionNone || kept.ActionReason != reasonNotGranted {
			t.Errorf("not quarantined: %+v", kept)
		}
		if got := s.Stats(); got.Connections != 2 || got.Served != 2 || got.Memory != 0 || got.MemoryLimit != mailserver.DefaultMemory {
			t.Errorf("stats %+v", got)
		}
	})
}

// TestObserveOverrun: a message for which the filter is late makes one event, when the filter
// returns.
func TestObserveOverrun(t *testing.T) {
	var o observed
	f := filterFunc(func(context.Context, envelope.Envelope, []byte) filter.Result {
		time.Sleep(time.Hour)
		return filter.Result{Report: report.Report{Outcome: report.OutcomeComplete}}
	})
	bubble(t, Options{Options: mailserver.Options{Filter: f, Observe: o.observe}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		p.hello()
		p.message(simple(nil, "text"))
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if len(o.events) != 1 || o.events[0].Reason != "" || o.events[0].Duration != time.Hour || o.events[0].Report.Outcome != report.OutcomeComplete {
			t.Errorf("%+v", o.events)
		}
	})
}

// An observer that panics costs no message.
func TestObserverPanics(t *testing.T) {
	bubble(t, Options{Options: mailserver.Options{Filter: &seen{result: newBody("new")}, Observe: func(*mailserver.Event) { panic("no") }}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		p.hello()
		for range 2 {
			if got := codes(p.message(simple(nil, "text"))); got != "ba" {
				t.Errorf("replies %q", got)
			}
		}
		synctest.Wait()
		if got := s.logs.String(); strings.Count(got, "msg=panic") != 2 {
			t.Errorf("log %q", got)
		}
	})
}

// TestLogNamesFindingsAndHosts: the line of a message has the findings, and hosts in a form that
// cannot deceive, but never the text of a link.
func TestLogNamesFindingsAndHosts(t *testing.T) {
	bubble(t, Options{Options: mailserver.Options{Filter: realFilter(t)}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		p.hello()
		p.message(simple([]string{"Content-Type", " text/plain; charset=utf-8", "Content-Transfer-Encoding", " 8bit"}, "see https://www.раypal.com/secret and https://www.раypal.com/other\r\n"))
		synctest.Wait()
		got := s.logs.String()
		if !strings.Contains(got, "hosts=[www.xn--ypal-43d9g.com]") || !strings.Contains(got, `findings="[mixed-script lookalike]"`) || strings.Contains(got, "secret") {
			t.Errorf("log %q", got)
		}
	})
}

// TestLogIsSafe: no text of a message or peer reaches the log unescaped, in any format.
func TestLogIsSafe(t *testing.T) {
	const foul = "\x1b[2J\u202e\u200b\r\n<0>msg=forged"
	for _, format := range []logging.Format{logging.Text, logging.JSON, logging.Journal} {
		t.Run(string(format), func(t *testing.T) {
			var logged syncBuffer
			log, err := logging.New(&logged, format, slog.LevelDebug)
			if err != nil {
				t.Fatal(err)
			}
			bubble(t, Options{Options: mailserver.Options{Filter: realFilter(t), Log: log}}, func(t *testing.T, s *testServer) {
				p := s.connect(t, allActions, allProtocol)
				p.hello()
				p.macros('M', "i", "Q"+foul)
				m := simple([]string{
					"Subject", " https://a" + foul, "From", " <a@раypal.com\u202e\u200b>", "Content-Type", " text/plain; charset=\"" + "\x1b\u202e" + "\"",
				}, "https://раypal.com/ https://x\u202ey.example/ http://a\u200b.example http://u"+foul+"@раypal.com\r\n")
				m.from = "<" + foul + ">"
				p.message(m)
				p.write(frame('X', foul))
				p.expectClosed()
				synctest.Wait()
			})
			text := logged.String()
			if strings.Count(text, "\n") != 2 || strings.ContainsAny(text, "\x1b\r\u202e\u200b") || strings.Contains(text, "раypal") {
				t.Errorf("log %q", text)
			}
			if !strings.Contains(text, "xn--ypal") {
				t.Errorf("no host in the log: %q", text)
			}
		})
	}
}

// TestSetLimits: changed limits apply to open connections, too.
func TestSetLimits(t *testing.T) {
	f := &seen{}
	bubble(t, Options{Options: mailserver.Options{Filter: f, Limits: mailserver.Limits{MaxMessage: 500}}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		p.hello()
		m := simple(nil, strings.Repeat("x", 1000))
		p.message(m)
		if !f.envs[0].Truncated {
			t.Fatal("the whole message was read")
		}
		if err := s.SetLimits(mailserver.Limits{MaxMessage: 5000}); err != nil {
			t.Fatal(err)
		}
		p.message(m)
		if f.envs[1].Truncated {
			t.Fatal("the message was truncated with a higher limit")
		}
		if err := s.SetLimits(mailserver.Limits{Memory: 100}); err != nil {
			t.Fatal(err)
		}
		p.message(simple(nil, strings.Repeat("x", 2*freeRoom)))
		if n := f.messages(); n != 3 || !f.envs[2].Truncated {
			t.Fatalf("%d messages read, with little memory a whole one", n)
		}
		if err := s.SetLimits(mailserver.Limits{Time: -1}); err == nil {
			t.Error("a negative limit was accepted")
		}
		if got := s.Stats().MemoryLimit; got != 100 {
			t.Errorf("after an error the limit is %d", got)
		}
	})
}

func TestProbe(t *testing.T) {
	t.Run("running", func(t *testing.T) {
		bubble(t, Options{Options: mailserver.Options{Filter: &seen{}, MaxConnections: 1}}, func(t *testing.T, s *testServer) {
			s.connect(t, allActions, allProtocol) // all places are taken
			if err := s.Probe(t.Context()); err != nil {
				t.Error(err)
			}
			synctest.Wait()
			if got := s.logs.String(); strings.Contains(got, "connection closed") {
				t.Errorf("log %q", got)
			}
		})
	})
	t.Run("stopped", func(t *testing.T) {
		bubble(t, Options{Options: mailserver.Options{Filter: &seen{}}}, func(t *testing.T, s *testServer) {
			if err := s.Shutdown(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := s.Probe(t.Context()); !errors.Is(err, mailserver.ErrServerClosed) {
				t.Errorf("error %v", err)
			}
		})
	})
	t.Run("no time", func(t *testing.T) {
		bubble(t, Options{Options: mailserver.Options{Filter: &seen{}}}, func(t *testing.T, s *testServer) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := s.Probe(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
		})
	})
}

// addressed is a connection from an address.
type addressed struct {
	net.Conn
	from net.Addr
}

func (c addressed) RemoteAddr() net.Addr { return c.from }

// TCP clients are served from this machine and from the networks that are
// allowed.
func TestAllow(t *testing.T) {
	tests := []struct {
		from    string
		allowed bool
	}{
		{"127.0.0.1", true},
		{"127.9.9.9", true},
		{"::1", true},
		{"::ffff:127.0.0.1", true},
		{"10.1.2.3", true},
		{"::ffff:10.1.2.3", true},
		{"fd00::1", true},
		{"fe80::1%eth0", true},
		{"11.1.2.3", false},
		{"::ffff:11.1.2.3", false},
		{"2001:db8::1", false},
	}
	options := Options{Options: mailserver.Options{Filter: &seen{}}}
	for _, network := range []string{"10.0.0.0/8", "fd00::/8", "fe80::/10"} {
		options.Allow = append(options.Allow, netip.MustParsePrefix(network))
	}
	for _, tt := range tests {
		t.Run(tt.from, func(t *testing.T) {
			bubble(t, options, func(t *testing.T, s *testServer) {
				ours, theirs := net.Pipe()
				defer ours.Close()
				s.listener.conns <- addressed{theirs, net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(tt.from), 25))}
				synctest.Wait()
				if got := s.Stats(); got.Served == 1 != tt.allowed || got.Denied == 0 != tt.allowed {
					t.Errorf("stats %+v", got)
				}
				if got := s.logs.String(); strings.Contains(got, "reason=not-allowed") == tt.allowed {
					t.Errorf("log %q", got)
				}
			})
		})
	}
}

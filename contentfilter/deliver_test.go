package contentfilter

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/mime"
)

// realFilter is the filter without a configuration.
func realFilter(tb testing.TB, options filter.Options) *filter.Filter {
	tb.Helper()
	f, err := filter.New(options)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// exchange sends a message to one recipient, and returns the reply to it.
func (c *client) exchange(content string) string {
	c.tb.Helper()
	c.say("MAIL FROM:<a@example.org>", "250")
	c.say("RCPT TO:<b@example.net>", "250")
	c.say("DATA", "354")
	c.send(strings.ReplaceAll("\r\n"+content, "\r\n.", "\r\n..")[2:] + ".\r\n")
	return c.reply()
}

// TestSamples: the sample messages become byte for byte what the filter makes of them, for each
// kind of edit.
func TestSamples(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(env.Root(t), "testdata", "messages", "*.eml"))
	if err != nil {
		t.Fatal(err)
	}
	tagging := rule.Rule{
		Name: "all", HTML: rule.HTMLNeeded, Flagged: rule.FlaggedDefang,
		On: rule.On{Info: rule.ActionTag, Unreadable: rule.ActionTag, Partial: rule.ActionTag},
	}
	for name, f := range map[string]*filter.Filter{
		"built-in rules": realFilter(t, filter.Options{ID: "mx.example.org"}),
		"tags":           realFilter(t, filter.Options{ID: "mx.example.org", Rules: []rule.Rule{tagging}}),
	} {
		t.Run(name, func(t *testing.T) {
			hop := newSink(t)
			s := start(t, Options{Options: mailserver.Options{Filter: f}, NextHop: NextHop{Address: hop.address()}, PassBareLineEnds: true})
			c := s.dial()
			c.say("EHLO client.example.org", "250")
			sent, edited := 0, 0
			for _, path := range paths {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				raw := string(data)
				if !strings.HasSuffix(raw, "\r\n") {
					raw += "\r\n"
				}
				want := f.Message(context.Background(), envelope.Envelope{Sender: "a@example.org", Recipients: []string{"b@example.net"}, Client: loopback}, []byte(raw))
				c.say("XFORWARD ADDR=127.0.0.1", "250")
				if got := c.exchange(raw); !strings.HasPrefix(got, "250") {
					t.Errorf("%s: %q", filepath.Base(path), got)
					continue
				}
				sent++
				if want.Edited != nil {
					edited++
				}
				all := hop.messages()
				got := all[len(all)-1].message(t)
				if expected := string(want.Message([]byte(raw))); got != expected && got != expected+"\r\n" {
					t.Errorf("%s: delivered %d bytes, the filter wrote %d", filepath.Base(path), len(got), len(expected))
				}
			}
			t.Logf("%d messages, %d of them edited", sent, edited)
			if edited < 20 || edited*10 < sent*3 {
				t.Errorf("only %d of %d messages were edited", edited, sent)
			}
		})
	}
}

// acting returns a filter whose result has an action and tags.
func acting(action rule.Action) filterFunc {
	return func(_ context.Context, env envelope.Envelope, raw []byte) filter.Result {
		edits := []mime.HeaderEdit{{Op: mime.OpAdd, Name: "X-Linkmilter", Value: "here"}}
		r := filter.Result{HeaderEdits: edits, Action: action, Report: report.Report{Action: action}}
		if !env.Truncated {
			r.Edited, r.BodyStart, _ = mime.Parse(context.Background(), raw, mime.Limits{}).Apply(mime.Plan{Header: edits})
		}
		return r
	}
}

const (
	plain  = "Subject: x\r\n\r\nx\r\n"
	tagged = "Subject: x\r\nX-Linkmilter: here\r\n\r\nx\r\n"
)

// TestActions: the server does what the filter asks for, both for messages that it reads whole and
// for those of which the filter saw the beginning.
func TestActions(t *testing.T) {
	rest := strings.Repeat("0123456789abcde\r\n", 5000)
	tests := []struct {
		action rule.Action
		reply  string
		taken  bool
	}{
		{rule.ActionNone, "250 2.0.0 Ok: queued as ABC\r\n", true},
		{rule.ActionTag, "250 2.0.0 Ok: queued as ABC\r\n", true},
		{rule.ActionReject, "550 5.7.1 Message refused because of its links\r\n", false},
		{rule.ActionTempFail, "451 4.7.1 Message not accepted now, try again later\r\n", false},
		{rule.ActionDiscard, "250 2.0.0 Ok: ", false},
		{rule.ActionQuarantine, "250 2.0.0 Ok: queued as ABC\r\n", true}, // none is configured
	}
	for _, tt := range tests {
		for _, size := range []string{"whole", "beginning"} {
			t.Run(tt.action.String()+" "+size, func(t *testing.T) {
				hop := newSink(t)
				var events []mailserver.Event
				options := Options{Options: mailserver.Options{Filter: acting(tt.action), Observe: func(e *mailserver.Event) { events = append(events, *e) }}, NextHop: NextHop{Address: hop.address()}}
				text, want := plain, tagged
				if size == "beginning" {
					options.Limits.MaxMessage = 10_000
					text, want = plain+rest, tagged+rest
				}
				s := start(t, options)
				c := s.dial()
				c.say("EHLO client.example.org", "250")
				for range 2 { // The connection goes on after it.
					if got := c.exchange(text); !strings.HasPrefix(got, tt.reply) {
						t.Errorf("reply %q", got)
					}
				}
				all := hop.messages()
				if tt.taken != (len(all) == 2) || !tt.taken && len(all) > 0 {
					t.Fatalf("%d messages", len(all))
				}
				for _, d := range all {
					if got := d.message(t); got != want {
						t.Errorf("delivered %d bytes, want %d", len(got), len(want))
					}
				}
				e := events[0]
				action, why := tt.action, mailserver.Reason("")
				if tt.action == rule.ActionQuarantine {
					action, why = rule.ActionNone, reasonNoQuarantine
				}
				if e.Action != action || e.ActionReason != why || e.Tagged != tt.taken || e.Size != int64(len(text)) {
					t.Errorf("event %+v", e)
				}
			})
		}
	}
}

// TestFilterFails: if the filter panics, the original goes on. If it ignores its deadline, the
// message waits, and the result counts.
func TestFilterFails(t *testing.T) {
	for name, f := range map[string]filterFunc{
		"panic": func(context.Context, envelope.Envelope, []byte) filter.Result { panic("secret") },
		"deaf": func(context.Context, envelope.Envelope, []byte) filter.Result {
			time.Sleep(500 * time.Millisecond)
			return filter.Result{Action: rule.ActionReject}
		},
		"runtime error": func(_ context.Context, _ envelope.Envelope, raw []byte) filter.Result {
			_ = raw[len(raw)]
			return filter.Result{}
		},
	} {
		t.Run(name, func(t *testing.T) {
			hop := newSink(t)
			var events []mailserver.Event
			var limits mailserver.Limits
			reply, want := "250 2.0.0 Ok: queued", mailserver.ReasonPanic
			if name == "deaf" {
				limits.Time = 50 * time.Millisecond
				reply, want = "550 5.7.1", ""
			}
			s := start(t, Options{
				Options: mailserver.Options{Filter: f, Limits: limits, Observe: func(e *mailserver.Event) { events = append(events, *e); panic("observer") }},
				NextHop: NextHop{Address: hop.address()},
			})
			c := s.dial()
			c.say("EHLO client.example.org", "250")
			for range 2 {
				if got := c.exchange(plain); !strings.HasPrefix(got, reply) {
					t.Errorf("reply %q", got)
				}
			}
			overruns := strings.Count(s.log.String(), "level=WARN msg=\"filter overran its deadline\"")
			if n := s.Stats().Overruns; n != uint64(overruns) || (n == 2) != (name == "deaf") {
				t.Errorf("%d overruns, %d in the log", n, overruns)
			}
			for _, d := range hop.messages() {
				if d.message(t) != plain {
					t.Errorf("%q", d.message(t))
				}
			}
			for _, e := range events {
				if e.Reason != want {
					t.Errorf("%+v", e)
				}
			}
			if strings.Contains(s.log.String(), "secret") {
				t.Error("text of a panic in the log")
			}
			waitFor(t, func() bool { return s.Stats().Memory == 0 })
		})
	}
}

// Of a message that does not fit into memory the beginning is judged.
func TestMemoryIsBounded(t *testing.T) {
	hop := newSink(t)
	var events []mailserver.Event
	var most int64
	action := rule.ActionReject
	var s *running
	s = start(t, Options{
		Options: mailserver.Options{Limits: mailserver.Limits{Memory: 200_000}, Observe: func(e *mailserver.Event) { events = append(events, *e) }, Filter: filterFunc(func(context.Context, envelope.Envelope, []byte) filter.Result {
			most = max(most, s.Stats().Memory)
			return filter.Result{Action: action}
		})},
		NextHop: NextHop{Address: hop.address()},
	})
	c := s.dial()
	c.say("EHLO client.example.org", "250")
	large := smallHeader + strings.Repeat(".123456789abcde\r\n", 50_000)
	if got := c.exchange(large); !strings.HasPrefix(got, "550 5.7.1") {
		t.Errorf("reply %q", got)
	}
	if got := c.exchange(plain); !strings.HasPrefix(got, "550 5.7.1") {
		t.Errorf("reply %q", got)
	}
	if events[0].Reason != mailserver.ReasonMemory || events[0].Size != int64(len(large)) || events[1].Reason != "" {
		t.Errorf("events %+v", events)
	}
	if most == 0 || most > 200_000 {
		t.Errorf("%d bytes were taken", most)
	}
	// With none at all.
	if err := s.SetLimits(mailserver.Limits{Memory: 1}); err != nil {
		t.Fatal(err)
	}
	action = rule.ActionTag
	if got := c.exchange(large); !strings.HasPrefix(got, "250") {
		t.Errorf("reply %q", got)
	}
	if got := hop.one().message(t); got != large {
		t.Error("another message")
	}
}

// TestManyLargeMessages: messages that together do not fit into memory arrive, each as it was sent.
func TestManyLargeMessages(t *testing.T) {
	const limit = 4 << 20
	hop := newSink(t)
	var unread atomic.Int64
	s := start(t, Options{
		Options: mailserver.Options{Limits: mailserver.Limits{Memory: limit}, Observe: func(e *mailserver.Event) {
			if e.Reason == mailserver.ReasonMemory {
				unread.Add(1)
			}
		}},
		NextHop: NextHop{Address: hop.address()},
	})
	text := func(i int) string {
		return fmt.Sprintf("Subject: %d\r\n\r\n", i) + strings.Repeat(fmt.Sprintf(".%09d\r\n", i), 100_000)
	}
	var sending sync.WaitGroup
	for i := range 10 {
		sending.Go(func() {
			c := s.dial()
			c.say("EHLO client.example.org", "250")
			if got := c.exchange(text(i)); !strings.HasPrefix(got, "250") {
				t.Errorf("reply %q", got)
			}
			if used := s.Stats().Memory; used > limit {
				t.Errorf("%d bytes are taken", used)
			}
		})
	}
	sending.Wait()
	came := map[string]bool{}
	for _, d := range hop.messages() {
		came[d.message(t)] = true
	}
	for i := range 10 {
		if !came[text(i)] {
			t.Errorf("message %d did not arrive as it was sent", i)
		}
	}
	if n := unread.Load(); n == 0 || len(hop.messages()) != 10 {
		t.Errorf("%d messages, %d of them unread", len(hop.messages()), n)
	}
}

// TestTagsOfLargeHeaders: a message gets its tag even if its header is too large to be read.
func TestTagsOfLargeHeaders(t *testing.T) {
	edits := []mime.HeaderEdit{{Op: mime.OpAdd, Name: "X-A", Value: "1"}, {Op: mime.OpDelete, Field: 0}, {Op: mime.OpInsert, Name: "X-B", Value: "2"}}
	long := strings.Repeat("X-Long: 0123456789\r\n", maxHeader/20+1)
	for text, want := range map[string]string{
		"Subject: x\r\n\r\nbody":         "X-B: 2\r\nX-A: 1\r\n\r\nbody",
		long + "\r\nbody":                "X-B: 2\r\nX-A: 1\r\n" + long + "\r\nbody",
		long:                             "X-B: 2\r\nX-A: 1\r\n" + long,
		"Subject: x\r\nNo end of header": "X-B: 2\r\nX-A: 1\r\nSubject: x\r\nNo end of header",
	} {
		if got, ok := editHeader([]byte(text), edits); !ok || string(got) != want {
			t.Errorf("%.60q becomes %.60q", text, got)
		}
	}
	if got, ok := editHeader([]byte("\r\nbody"), edits); ok || string(got) != "\r\nbody" {
		t.Errorf("a deletion of nothing: %q", got)
	}
}

// TestRefusedInTheMiddle: a large message is passed on while it arrives. If a later part makes it
// invalid, it is still not delivered.
func TestRefusedInTheMiddle(t *testing.T) {
	tests := []struct {
		name, tail, reply string
	}{
		{"bare line end", "x\ny\r\n", "550 5.6.0"},
		{"too large", strings.Repeat("x\r\n", 20_000), "552 5.3.4"},
		{"nothing", "x\r\n", "250"},
	}
	for _, quarantine := range []bool{false, true} {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				hop := newSink(t)
				options := Options{Options: mailserver.Options{Limits: mailserver.Limits{MaxMessage: 10_000}}, NextHop: NextHop{Address: hop.address()}, MaxSize: 60_000}
				if quarantine {
					options.Filter = acting(rule.ActionQuarantine)
					options.Quarantine.Maildir = t.TempDir()
				}
				s := start(t, options)
				c := s.dial()
				c.say("EHLO client.example.org", "250")
				text := smallHeader + strings.Repeat("0123456789abcde\r\n", 2_000) + tt.tail
				if got := c.exchange(text); !strings.HasPrefix(got, tt.reply) {
					t.Errorf("reply %q", got)
				}
				kept, _ := filepath.Glob(filepath.Join(options.Quarantine.Maildir, "*", "*"))
				if n := len(hop.messages()) + len(kept); n != strings.Count(tt.reply, "250") {
					t.Errorf("%d messages", n)
				}
				// The next message finds everything in order.
				if got := c.exchange(plain); !strings.HasPrefix(got, "250") {
					t.Errorf("reply %q", got)
				}
			})
		}
	}
}

// TestEditTooLargeForNextHop: if the next hop would refuse the message for the size of the edit, it
// gets the message without it.
func TestEditTooLargeForNextHop(t *testing.T) {
	grow := filterFunc(func(_ context.Context, _ envelope.Envelope, raw []byte) filter.Result {
		edited := append(append([]byte(nil), raw...), strings.Repeat("y\r\n", 1000)...)
		return filter.Result{Edited: edited, Plan: mime.Plan{Body: []mime.Edit{{New: []byte("y")}}}}
	})
	hop := newSink(t, "SIZE 3000")
	var events []mailserver.Event
	s := start(t, Options{Options: mailserver.Options{Filter: grow, Observe: func(e *mailserver.Event) { events = append(events, *e) }}, NextHop: NextHop{Address: hop.address()}})
	c := s.dial()
	c.say("EHLO client.example.org", "250")
	if got := c.exchange(plain); !strings.HasPrefix(got, "250") {
		t.Errorf("reply %q", got)
	}
	if got := hop.one().message(t); got != plain {
		t.Errorf("%d bytes", len(got))
	}
	if e := events[0]; e.Edited || e.Reason != mailserver.ReasonTooLarge {
		t.Errorf("event %+v", e)
	}
}

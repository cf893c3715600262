package mailserver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
)

// filterFunc is a Filter.
type filterFunc func(ctx context.Context, env envelope.Envelope, raw []byte) filter.Result

func (f filterFunc) Message(ctx context.Context, env envelope.Envelope, raw []byte) filter.Result {
	return f(ctx, env, raw)
}

// newServer returns a server that logs to text and serves connections with open.
func newServer(tb testing.TB, o Options, text *bytes.Buffer, open func(Socket) *Conn) *Server {
	tb.Helper()
	o.Log = slog.New(slog.NewTextHandler(text, nil))
	s, err := New("test", o, 2, open)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// The filter's context has the deadline of limits.time and ends with it, or when the
// server gives up. A filter that returns within 200 ms after that is in time; a later
// one is logged and counted, and its result counts all the same.
func TestFilterDeadline(t *testing.T) {
	for _, limit := range []time.Duration{time.Millisecond, time.Second, 5 * time.Second, time.Hour} {
		for _, after := range []time.Duration{-limit / 2, 0, decisionTime, decisionTime + 1, time.Hour} {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				start := time.Now()
				s := newServer(t, Options{Limits: Limits{Time: limit}, Filter: filterFunc(func(ctx context.Context, _ envelope.Envelope, _ []byte) filter.Result {
					if deadline, ok := ctx.Deadline(); !ok || !deadline.Equal(start.Add(limit)) {
						t.Errorf("limit %v: deadline after %v", limit, deadline.Sub(start))
					}
					if after < 0 {
						time.Sleep(limit + after)
						return filter.Result{BodyStart: 7}
					}
					<-ctx.Done()
					if d := time.Since(start); d != limit || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
						t.Errorf("limit %v: context ended after %v: %v", limit, d, ctx.Err())
					}
					time.Sleep(after)
					return filter.Result{BodyStart: 7}
				})}, &log, nil)
				r := &Record{QueueID: "4Xq1", Start: time.Now()}
				s.Decide(t.Context(), r, s.Log(), envelope.Envelope{}, nil)
				late := after > decisionTime
				if (s.Stats().Overruns == 1) != late || strings.Contains(log.String(), "filter overran its deadline") != late {
					t.Errorf("limit %v, %v after it: %d overruns, log %q", limit, after, s.Stats().Overruns, log.String())
				}
				if r.Result.BodyStart != 7 || r.Reason != "" {
					t.Errorf("limit %v, %v after it: %+v", limit, after, r)
				}
			})
		}
	}
}

// TestFilterPanics: a panic gives a reason, both in time and late, and no result of the filter.
func TestFilterPanics(t *testing.T) {
	for _, sleep := range []time.Duration{0, time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			s := newServer(t, Options{Filter: filterFunc(func(context.Context, envelope.Envelope, []byte) filter.Result {
				time.Sleep(sleep)
				panic("secret")
			})}, &log, nil)
			r := &Record{Start: time.Now(), Result: filter.Result{BodyStart: 7}}
			s.Decide(t.Context(), r, s.Log(), envelope.Envelope{}, nil)
			if r.Reason != ReasonPanic || r.Result.BodyStart != 0 || strings.Contains(log.String(), "secret") || (s.Stats().Overruns == 1) != (sleep > 0) {
				t.Errorf("%+v, log %q", r, log.String())
			}
		})
	}
}

// endingConn returns a connection that ends with an error, or panics.
func endingConn(socket net.Conn, err error, panics bool) *Conn {
	return &Conn{
		Serve: func() error {
			defer socket.Close()
			if panics {
				panic("secret")
			}
			return err
		},
		Drain: func() {},
		Cut:   func() { _ = socket.Close() },
	}
}

// Each way to end a connection has its line in the log and its count, or none.
func TestConnectionEnds(t *testing.T) {
	for name, tt := range map[string]struct {
		err    error
		panics bool
		broken string // reason; "": in order
		log    string
	}{
		"nil":       {},
		"EOF":       {err: io.EOF},
		"failure":   {err: &Failure{Code: "malformed", Detail: "x\x1b", Client: "192.0.2.1:25"}, broken: "malformed", log: `reason=malformed detail=x\u{001B} client=192.0.2.1:25`},
		"cause":     {err: &Failure{Code: "write", Err: io.ErrShortWrite}, broken: "write", log: `reason=write error="short write"`},
		"any error": {err: io.ErrUnexpectedEOF, broken: "read", log: `reason=read error="unexpected EOF"`},
		"panic":     {panics: true, broken: "panic", log: "reason=panic panic=string"},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			pass := filterFunc(func(context.Context, envelope.Envelope, []byte) filter.Result { return filter.Result{} })
			s := newServer(t, Options{Filter: pass}, &log, func(socket Socket) *Conn { return endingConn(socket.Conn, tt.err, tt.panics) })
			if err := s.Probe(t.Context(), func(c net.Conn) error {
				_, err := io.ReadAll(c)
				return err
			}); err != nil {
				t.Error(err)
			}
			stats := s.Stats()
			if stats.Connections != 0 || len(stats.Broken) != min(len(tt.broken), 1) || tt.broken != "" && stats.Broken[tt.broken] != 1 {
				t.Errorf("%+v", stats)
			}
			if got := log.String(); strings.Contains(got, "connection closed") != (tt.broken != "") || !strings.Contains(got, tt.log) || strings.Contains(got, "secret") {
				t.Errorf("log %q", got)
			}
		})
	}
}

// TestBusy: while the server drains, a connection ends when it has no open message, and begins no
// other.
func TestBusy(t *testing.T) {
	var idle Busy
	woken := 0
	if !idle.Wait(func() {}) || !idle.Begin() || !idle.Begin() || !idle.End() {
		t.Error("a connection that goes on ends")
	}
	idle.Drain(func() { woken++ })
	if woken != 1 || idle.Wait(func() {}) || idle.Begin() || idle.End() || !idle.Draining() {
		t.Errorf("an idle connection goes on; woken %d times", woken)
	}
	var busy Busy
	busy.Begin()
	busy.Drain(func() { woken++ })
	if woken != 1 || !busy.Wait(func() {}) || !busy.Begin() {
		t.Error("a connection ends within a message")
	}
	if busy.End() || busy.Begin() || busy.Wait(func() {}) {
		t.Error("a connection goes on after its message")
	}
}

// TestDefaults: without MaxConnections, the default of the protocol applies.
func TestDefaults(t *testing.T) {
	pass := filterFunc(func(context.Context, envelope.Envelope, []byte) filter.Result { return filter.Result{} })
	for given, want := range map[int]int{0: 2, 1: 1, 9: 9} {
		s, err := New("test", Options{Filter: pass, MaxConnections: given}, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := cap(s.acceptor.slots); got != want {
			t.Errorf("%d connections given: %d", given, got)
		}
	}
	for name, o := range map[string]Options{"filter": {}, "connections": {Filter: pass, MaxConnections: -1}, "limits": {Filter: pass, Limits: Limits{Time: -1}}} {
		if _, err := New("test", o, 2, nil); err == nil || !strings.HasPrefix(err.Error(), "test: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWithScheme: the content filter accepts any form of address of the milter, and also host:port.
func TestWithScheme(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:10025": "inet:127.0.0.1:10025", "mx.example.com:25": "inet:mx.example.com:25", "[::1]:25": "inet:[::1]:25",
		"inet:25@127.0.0.1": "inet:25@127.0.0.1", "INET6:[::1]:25": "INET6:[::1]:25", "unix:/run/x": "unix:/run/x", "local:/x": "local:/x", "/run/x": "/run/x", "": "inet:",
	} {
		if got := WithScheme(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}

// TestWaitCountsAsTime: a message that waited for memory has the rest of the time for
// TestWaitCountsAsTime: for a message that waited for memory, the filter has only the rest of the
// time, so the mail server waits no longer than the limit.
func TestWaitCountsAsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 4 * time.Second
		var ends time.Time
		s := newServer(t, Options{Limits: Limits{Time: limit, Memory: 8 << 20}, Filter: filterFunc(func(ctx context.Context, _ envelope.Envelope, _ []byte) filter.Result {
			ends, _ = ctx.Deadline()
			return filter.Result{}
		})}, new(bytes.Buffer), nil)
		_, end := s.Work(1 << 20)
		defer end()
		r := &Record{Start: time.Now()}
		granted, endSecond := s.Work(1 << 20)
		defer endSecond()
		if waited := time.Since(r.Start); waited != limit*3/4 || granted != leastWork {
			t.Errorf("waited %s for %d bytes", waited, granted)
		}
		s.Decide(t.Context(), r, slog.New(slog.DiscardHandler), envelope.Envelope{}, nil)
		if !ends.Equal(r.Start.Add(limit)) {
			t.Errorf("the work ends %s after the message came", ends.Sub(r.Start))
		}
	})
}

// TestLinksCountAsWork: short messages with many links also share the memory.
func TestLinksCountAsWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		none := filterFunc(func(context.Context, envelope.Envelope, []byte) filter.Result { return filter.Result{} })
		s := newServer(t, Options{Filter: none}, new(bytes.Buffer), nil)
		const size = 60 << 10 // 12,000 links of five bytes, of which a report takes 10,000
		start := time.Now()
		for n := int64(1); ; n++ {
			granted, end := s.Work(size)
			defer end()
			if time.Since(start) > 0 {
				break // it waited
			}
			if granted != size || n*10_000<<10 > DefaultMemory {
				t.Fatalf("%d messages at a time, the last with %d bytes", n, granted)
			}
		}
	})
}

package milter

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

func TestOptions(t *testing.T) {
	f := &seen{}
	for name, o := range map[string]Options{
		"no filter":              {},
		"negative size":          {Options: mailserver.Options{Filter: f, Limits: mailserver.Limits{MaxMessage: -1}}},
		"negative memory":        {Options: mailserver.Options{Filter: f, Limits: mailserver.Limits{Memory: -1}}},
		"negative connections":   {Options: mailserver.Options{Filter: f, MaxConnections: -1}},
		"negative deadline":      {Options: mailserver.Options{Filter: f, Limits: mailserver.Limits{Time: -1}}},
		"negative idle deadline": {Options: mailserver.Options{Filter: f}, Timeouts: Timeouts{Idle: -1}},
	} {
		if _, err := NewServer(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	s, err := NewServer(Options{Options: mailserver.Options{Filter: f}})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Budget().Limits(); got != (mailserver.Limits{MaxMessage: 25 << 20, Memory: mailserver.DefaultMemory, Time: 5 * time.Second}) {
		t.Errorf("limits %+v", got)
	}
	if s.timeouts != (Timeouts{}).withDefaults() || s.Log() == nil {
		t.Errorf("defaults %+v", s.timeouts)
	}
}

// Connections above the limit wait until others end.
func TestConnectionLimit(t *testing.T) {
	bubble(t, Options{Options: mailserver.Options{Filter: &seen{}, MaxConnections: 2}}, func(t *testing.T, s *testServer) {
		first := s.connect(t, allActions, allProtocol)
		s.connect(t, allActions, allProtocol)

		var third net.Conn
		accepted := false
		go func() {
			third = s.listener.dial()
			accepted = true
		}()
		synctest.Wait()
		if accepted {
			t.Fatal("a third connection was accepted")
		}
		if got := s.logs.String(); strings.Count(got, "connection limit reached") != 1 {
			t.Errorf("log %q", got)
		}
		first.send('Q')
		first.expectClosed()
		synctest.Wait()
		if !accepted {
			t.Fatal("the third connection still waits")
		}
		p := &peer{tb: t, conn: third}
		p.negotiate(6, allActions, allProtocol)
		if err := third.Close(); err != nil {
			t.Error(err)
		}
	})
}

// A server at its limit can be shut down.
func TestShutdownAtConnectionLimit(t *testing.T) {
	bubble(t, Options{Options: mailserver.Options{Filter: &seen{}, MaxConnections: 1}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		synctest.Wait()
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		p.expectClosed()
	})
}

// Shutdown lets open messages end, closes idle connections and
// those that would begin another message, and refuses new ones.
func TestShutdownDrains(t *testing.T) {
	for _, offer := range offers {
		t.Run(offer.name, func(t *testing.T) {
			f := &seen{result: newBody("new")}
			bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
				m := simple([]string{"Subject", " x"}, "body")
				idle := s.connect(t, offer.actions, offer.protocol)
				greeted := s.connect(t, offer.actions, offer.protocol)
				greeted.hello()
				early := s.connect(t, offer.actions, offer.protocol)
				early.hello()
				early.begin(m)
				late := s.connect(t, offer.actions, offer.protocol)
				late.hello()
				late.message(m)
				late.begin(m)
				late.content(m)
				synctest.Wait()

				done := make(chan error, 1)
				go func() { done <- s.Shutdown(context.Background()) }()
				synctest.Wait()
				select {
				case err := <-done:
					t.Fatalf("shut down with messages open: %v", err)
				default:
				}
				idle.expectClosed()
				greeted.expectClosed()
				early.content(m)
				for _, p := range []*peer{early, late} {
					if got := codes(p.end(m)); got != "ba" {
						t.Errorf("replies %q", got)
					}
					p.expectClosed()
				}
				if err := <-done; err != nil {
					t.Error(err)
				}
				if err := s.Serve(newPipeListener()); !errors.Is(err, mailserver.ErrServerClosed) {
					t.Errorf("Serve after Shutdown: %v", err)
				}
				if got := s.logs.String(); strings.Contains(got, "connection closed") {
					t.Errorf("log %q", got)
				}
			})
		})
	}
}

// Shutdown does not wait for an aborted message.
func TestShutdownAfterAbort(t *testing.T) {
	bubble(t, Options{Options: mailserver.Options{Filter: &seen{}}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		p.begin(simple(nil, ""))
		synctest.Wait()
		done := make(chan error, 1)
		go func() { done <- s.Shutdown(context.Background()) }()
		synctest.Wait()
		p.send('A')
		p.expectClosed()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// When the time for a shutdown is over, connections are cut and the filter is
// told to stop.
func TestShutdownDeadline(t *testing.T) {
	stopped := false
	f := filterFunc(func(ctx context.Context, _ envelope.Envelope, _ []byte) filter.Result {
		<-ctx.Done()
		stopped = true
		return filter.Result{}
	})
	bubble(t, Options{Options: mailserver.Options{Filter: f, Limits: mailserver.Limits{Time: time.Hour}}}, func(t *testing.T, s *testServer) {
		m := simple(nil, "x")
		filtering := s.connect(t, allActions, allProtocol)
		filtering.begin(m)
		filtering.content(m)
		filtering.send('E')
		waiting := s.connect(t, allActions, allProtocol)
		waiting.begin(m)
		synctest.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		start := time.Now()
		if err := s.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		if d := time.Since(start); d != time.Minute {
			t.Errorf("after %v", d)
		}
		waiting.expectClosed()
		synctest.Wait()
		if !stopped {
			t.Error("the filter goes on")
		}
	})
}

func TestSeveralListeners(t *testing.T) {
	f := &seen{}
	bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
		other := newPipeListener()
		served := make(chan error, 1)
		go func() { served <- s.Serve(other) }()
		m := simple(nil, "x")
		s.connect(t, allActions, allProtocol).message(m)
		p := &peer{tb: t, conn: other.dial()}
		p.negotiate(6, allActions, allProtocol)
		p.message(m)
		if f.messages() != 2 {
			t.Errorf("%d messages", f.messages())
		}
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if err := <-served; !errors.Is(err, mailserver.ErrServerClosed) {
			t.Errorf("Serve returned %v", err)
		}
	})
}

// failingListener fails some times before it accepts.
type failingListener struct {
	*pipeListener
	errs []error
}

func (l *failingListener) Accept() (net.Conn, error) {
	if len(l.errs) > 0 {
		err := l.errs[0]
		l.errs = l.errs[1:]
		return nil, err
	}
	return l.pipeListener.Accept()
}

func TestAcceptErrors(t *testing.T) {
	acceptError := func(errno syscall.Errno) error {
		return &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", errno)}
	}
	t.Run("those that pass are waited out", func(t *testing.T) {
		bubble(t, Options{Options: mailserver.Options{Filter: &seen{}}}, func(t *testing.T, s *testServer) {
			l := &failingListener{pipeListener: newPipeListener()}
			for range 12 {
				l.errs = append(l.errs, acceptError(syscall.EMFILE))
			}
			l.errs = append(l.errs, acceptError(syscall.ECONNABORTED))
			served := make(chan error, 1)
			go func() { served <- s.Serve(l) }()
			start := time.Now()
			p := &peer{tb: t, conn: l.dial()}
			// 5 ms, 10 ms … 640 ms, then a second each.
			if d, want := time.Since(start), 1275*time.Millisecond+5*time.Second; d != want {
				t.Errorf("accepted after %v, want %v", d, want)
			}
			p.negotiate(6, allActions, allProtocol)
			p.message(simple(nil, "x"))
			if err := s.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
			if err := <-served; !errors.Is(err, mailserver.ErrServerClosed) {
				t.Errorf("Serve returned %v", err)
			}
		})
	})
	t.Run("a shutdown interrupts the wait", func(t *testing.T) {
		bubble(t, Options{Options: mailserver.Options{Filter: &seen{}}}, func(t *testing.T, s *testServer) {
			l := &failingListener{pipeListener: newPipeListener(), errs: []error{acceptError(syscall.ENFILE)}}
			served := make(chan error, 1)
			go func() { served <- s.Serve(l) }()
			synctest.Wait()
			start := time.Now()
			if err := s.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
			if err := <-served; !errors.Is(err, mailserver.ErrServerClosed) || time.Since(start) != 0 {
				t.Errorf("Serve returned %v after %v", err, time.Since(start))
			}
		})
	})
	t.Run("others end Serve", func(t *testing.T) {
		bubble(t, Options{Options: mailserver.Options{Filter: &seen{}, MaxConnections: 2}}, func(t *testing.T, s *testServer) {
			broken := errors.New("broken")
			l := &failingListener{pipeListener: newPipeListener(), errs: []error{broken}}
			if err := s.Serve(l); !errors.Is(err, broken) {
				t.Errorf("Serve returned %v", err)
			}
			// It has not kept its slot.
			s.connect(t, allActions, allProtocol)
		})
	})
}

// Over real sockets: TCP with TCP_QUICKACK, and Unix.
func TestSockets(t *testing.T) {
	for _, address := range []string{"inet:0@127.0.0.1", "unix:" + t.TempDir() + "/s"} {
		var messages atomic.Int64
		f := filterFunc(func(context.Context, envelope.Envelope, []byte) filter.Result {
			messages.Add(1)
			return newBody(strings.Repeat("new\r\n", 200_000))
		})
		s, err := NewServer(Options{Options: mailserver.Options{Filter: f}})
		if err != nil {
			t.Fatal(err)
		}
		l, err := mailserver.Listen(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		served := make(chan error, 1)
		go func() { served <- s.Serve(l) }()
		c, err := net.Dial(l.Addr().Network(), l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		p := &peer{tb: t, conn: c}
		p.negotiate(6, allActions, allProtocol)
		p.hello()
		for range 3 {
			answers := p.message(simple([]string{"Subject", " x"}, strings.Repeat("body\r\n", 100_000)))
			if got := len(answers); got != 17 {
				t.Errorf("%s: %d replies %q", address, got, codes(answers))
			}
		}
		p.send('Q')
		p.expectClosed()
		if messages.Load() != 3 {
			t.Errorf("%s: %d messages", address, messages.Load())
		}
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if err := <-served; !errors.Is(err, mailserver.ErrServerClosed) {
			t.Error(err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

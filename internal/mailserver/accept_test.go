package mailserver

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
)

// TestIdleListenerKeepsNoSlot: if fewer connections are allowed than there are listeners, each
// listener serves its clients in turn, and never more than allowed are served at a time.
func TestIdleListenerKeepsNoSlot(t *testing.T) {
	const listeners, clients = 3, 30
	var serving, most atomic.Int32
	open := func(s Socket) *Conn {
		return &Conn{
			Serve: func() error {
				defer s.Close()
				now := serving.Add(1)
				for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
				}
				_, err := s.Write([]byte("x"))
				serving.Add(-1)
				return err
			},
			Drain: func() {}, Cut: func() { s.Close() },
		}
	}
	pass := filterFunc(func(context.Context, envelope.Envelope, []byte) filter.Result { return filter.Result{} })
	s, err := New("test", Options{Filter: pass, MaxConnections: 1, Log: slog.New(slog.DiscardHandler)}, 1, open)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, listeners)
	var paths []string
	for i := range listeners {
		path := filepath.Join(t.TempDir(), string(rune('a'+i)))
		l, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
		go func() { ended <- s.Serve(l) }()
	}
	for i := range clients {
		c, err := net.Dial("unix", paths[i%listeners])
		if err != nil {
			t.Fatal(err)
		}
		if err := c.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if n, err := c.Read(make([]byte, 1)); n != 1 {
			t.Fatalf("client %d is not served: %v", i, err)
		}
		c.Close()
	}
	if most.Load() != 1 {
		t.Errorf("%d connections served at a time", most.Load())
	}
	if err := s.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	for range listeners {
		if err := <-ended; !errors.Is(err, ErrServerClosed) {
			t.Errorf("a listener ended with %v", err)
		}
	}
}

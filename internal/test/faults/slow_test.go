//go:build linux

package faults

import (
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/test/traffic"
)

// slowConn is a connection that reads and writes a few bytes at a time with pauses in
// between, while slow says so, and reads nothing while silent says so.
type slowConn struct {
	net.Conn
	slow, silent func() bool
}

// The pace of slow connections.
const (
	slowBytes = 64
	slowPause = 5 * time.Millisecond
)

func (c slowConn) Read(p []byte) (int, error) {
	for c.silent() {
		time.Sleep(slowPause)
	}
	if c.slow() {
		time.Sleep(slowPause)
		p = p[:min(len(p), slowBytes)]
	}
	return c.Conn.Read(p)
}

func (c slowConn) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		piece := p[n:]
		if c.slow() {
			time.Sleep(slowPause)
			piece = piece[:min(len(piece), slowBytes)]
		}
		var written int
		written, err = c.Conn.Write(piece)
		n += written
	}
	return n, err
}

func always() bool { return true }
func never() bool  { return false }

// slowDialer opens slow connections.
type slowDialer struct{}

func (d slowDialer) Dial(network, address string) (net.Conn, error) {
	return d.dial(context.Background(), network, address)
}

func (slowDialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{Timeout: patience}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return slowConn{conn, always, never}, nil
}

// slowListener is a listener whose connections are slow while slow is set, and read
// nothing while silent is.
type slowListener struct {
	net.Listener
	slow, silent atomic.Bool
}

func (l *slowListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return slowConn{conn, l.slow.Load, l.silent.Load}, nil
}

// startSink starts a next hop, which ends with the test.
func startSink(tb testing.TB, account *traffic.Account) *slowListener {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	s, sink := &slowListener{Listener: l}, traffic.NewSink(account)
	served := make(chan error, 1)
	go func() { served <- sink.Serve(s) }()
	tb.Cleanup(func() {
		_ = sink.Close()
		if err := <-served; err != nil {
			tb.Error(err)
		}
	})
	return s
}

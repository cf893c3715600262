//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
)

// A nextHop is an SMTP server behind the content filter. It takes all messages and checks
// them.
type nextHop struct {
	address string

	mu      sync.Mutex
	mails   stream
	oracle  *oracle
	wanted  map[int][]byte
	taken   int
	problem error // the first
}

// startNextHop starts it until the test ends. It takes no message before expect.
func startNextHop(tb testing.TB) *nextHop {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	h := &nextHop{address: l.Addr().String()}
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &arrival{hop: h}, nil }))
	server.Domain = serverName
	server.MaxLineLength = 1 << 25
	go func() { _ = server.Serve(l) }()
	tb.Cleanup(func() { _ = server.Close() })
	return h
}

// expect says which messages come, and by which filter.
func (h *nextHop) expect(mails stream, o *oracle) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.mails, h.oracle, h.wanted, h.taken = mails, o, make(map[int][]byte), 0
}

// took returns how many messages came since expect, and the first problem.
func (h *nextHop) took() (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.taken, h.problem
}

// take checks a message.
func (h *nextHop) take(i int, got []byte) {
	want, err := h.want(i)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.taken++
	// The content filter puts a field Received on top.
	if err == nil && !bytes.HasSuffix(got, want) {
		err = same(want, got[max(0, len(got)-len(want)):])
	}
	if err != nil && h.problem == nil {
		h.problem = fmt.Errorf("message %d by SMTP: %w", i, err)
	}
}

// want returns what the filter makes of a message.
func (h *nextHop) want(i int) ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i >= len(h.mails) {
		return nil, errors.New("not sent")
	}
	if h.wanted[i] == nil {
		want, _ := h.oracle.result(h.mails[i])
		if !bytes.HasSuffix(want, []byte("\r\n")) {
			want = append(bytes.Clone(want), "\r\n"...)
		}
		h.wanted[i] = want
	}
	return h.wanted[i], nil
}

// arrival is a connection to the next hop.
type arrival struct {
	hop *nextHop
	i   int
}

func (*arrival) Mail(string, *smtp.MailOptions) error { return nil }
func (*arrival) Reset()                               {}
func (*arrival) Logout() error                        { return nil }

func (a *arrival) Rcpt(to string, _ *smtp.RcptOptions) (err error) {
	a.i, err = number(to)
	return err
}

func (a *arrival) Data(r io.Reader) error {
	got, err := io.ReadAll(r)
	if err == nil {
		a.hop.take(a.i, got)
	}
	return err
}

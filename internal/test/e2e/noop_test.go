//go:build linux

package e2e

import (
	"net"
	"strconv"
	"testing"

	gomilter "github.com/emersion/go-milter"
	"github.com/google/go-cmp/cmp"
)

// TestNoopMilter checks the test harness: on each server, a milter that does nothing changes only
// trace fields.
func TestNoopMilter(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		bodies := make(chan int, 1)
		milter := "inet:127.0.0.1:" + strconv.Itoa(serveNoop(t, bodies))
		server := kind.start(t, Listener{Name: "plain"}, Listener{Name: "noop", Milter: milter})

		message := []byte("From: a@example.test\r\nTo: b@example.test, c@example.test\r\n" +
			"Subject: nothing\r\n  folded\r\nDate: Fri, 20 Nov 2026 00:00:00 +0000\r\nMessage-ID: <1@example.test>\r\n\r\n" +
			"first\r\n.dot\r\n..dots\r\n.\r\nlast without line end")
		want := deliver(t, server, "plain", Envelope{}, message)
		got := deliver(t, server, "noop", Envelope{}, message)
		if diff := cmp.Diff(want.Header, got.Header); diff != "" {
			t.Errorf("header changed (-without +with milter):\n%s", diff)
		}
		if diff := cmp.Diff(want.Body, got.Body); diff != "" {
			t.Errorf("body changed (-without +with milter):\n%s", diff)
		}
		if want, got := "first\n.dot\n..dots\n.\nlast without line end\n", want.Body; got != want {
			t.Errorf("body without milter %q, want %q", got, want)
		}
		if size := <-bodies; size == 0 {
			t.Error("the milter saw no body: the message did not go through it")
		}
	})
}

// serveNoop starts a milter that reports the size of the bodies it sees,
// and returns its port on 127.0.0.1.
func serveNoop(t *testing.T, bodies chan<- int) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &gomilter.Server{NewMilter: func() gomilter.Milter { return &noop{bodies: bodies} }}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	t.Cleanup(func() {
		l.Close() // ends Serve; the library's Close has a data race with it
		<-done
	})
	return l.Addr().(*net.TCPAddr).Port
}

// noop is a milter that lets everything pass.
type noop struct {
	gomilter.NoOpMilter
	bodies chan<- int
	size   int
}

func (n *noop) BodyChunk(chunk []byte, _ *gomilter.Modifier) (gomilter.Response, error) {
	n.size += len(chunk)
	return gomilter.RespContinue, nil
}

func (n *noop) Body(*gomilter.Modifier) (gomilter.Response, error) {
	n.bodies <- n.size
	return gomilter.RespAccept, nil
}

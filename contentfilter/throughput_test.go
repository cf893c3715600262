//go:build unix

package contentfilter

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/emersion/go-smtp"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	loadtest "github.com/linkmilter/linkmilter/internal/test/load"
)

// roundMessages is how many messages go to each relay before the other one has
// its turn.
const roundMessages = 500

// BenchmarkThroughput measures messages a second over TCP with go-smtp's client, one
// connection for each processor: first through a plain relay, which is go-smtp's
// server that hands each command and the content to go-smtp's client, then through the
// content filter with the real filter and its log, in turns, so that both
// meet the same machine. Both hand to the same server of go-smtp. Each iteration is one
// turn of both.
//
//	go test ./contentfilter -run '^$' -bench Throughput -benchtime 20x
func BenchmarkThroughput(b *testing.B) {
	for _, bench := range []struct {
		name, body string
		edited     bool
	}{
		{"4KB", loadtest.Prose(4096), false},
		{"4KB-3-links", loadtest.Prose(2000) + loadtest.Links + loadtest.Prose(2096-len(loadtest.Links)), true},
		{"1MB", loadtest.Prose(1 << 20), false},
	} {
		b.Run(bench.name, func(b *testing.B) { benchmarkThroughput(b, bench.body, bench.edited) })
	}
}

func benchmarkThroughput(b *testing.B, body string, edited bool) {
	hop, took := startSink(b)
	own := rule.Rule{Name: "own", HTML: rule.HTMLNeeded}
	var edits atomic.Int64
	count := func(e *mailserver.Event) {
		if e.Edited {
			edits.Add(1)
		}
	}
	s := start(b, Options{Options: mailserver.Options{Filter: realFilter(b, filter.Options{Rules: []rule.Rule{own}}), Observe: count}, NextHop: NextHop{Address: hop}})
	messages := roundMessages
	if len(body) > 100_000 {
		messages = 20
	}
	text := "Date: Tue, 1 Jul 2025 10:00:00 +0200\r\nFrom: A <a@example.org>\r\nTo: b@example.com\r\nSubject: a message\r\nMessage-ID: <1@example.org>\r\n" +
		"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + body
	ours, plain := newLoad(b, s.address, text, messages), newLoad(b, startRelay(b, hop), text, messages)
	// The first messages find caches and pools empty.
	ours.round(b)
	plain.round(b)
	ours.Load, plain.Load = loadtest.Load{}, loadtest.Load{}
	before := took.Load()
	edits.Store(0)
	for b.Loop() {
		plain.round(b)
		ours.round(b)
	}
	if got, sent := int(took.Load()-before), ours.Sent+plain.Sent; got != sent {
		b.Errorf("%d messages arrived, %d were sent", got, sent)
	}
	if want := map[bool]int{true: ours.Sent}[edited]; int(edits.Load()) != want {
		b.Errorf("%d messages were edited, want %d", edits.Load(), want)
	}
	loadtest.Report(b, &ours.Load, &plain.Load, "relay")
}

// load is a client for each processor.
type load struct {
	loadtest.Load
	clients  []*smtp.Client
	text     string
	messages int
}

func newLoad(b *testing.B, address, text string, messages int) *load {
	l := &load{text: text, messages: messages}
	for range runtime.GOMAXPROCS(0) {
		c, err := smtp.Dial(address)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = c.Close() })
		l.clients = append(l.clients, c)
	}
	return l
}

// round sends messages as fast as the server takes them.
func (l *load) round(b *testing.B) {
	l.Turn(b, len(l.clients), func(client int) int {
		n := l.messages / len(l.clients)
		for range n {
			if err := l.clients[client].SendMail("a@example.org", []string{"b@example.net"}, strings.NewReader(l.text)); err != nil {
				b.Error(err)
				break
			}
		}
		return n
	})
}

// startServer runs a server of go-smtp until the benchmark ends.
func startServer(b *testing.B, backend smtp.Backend) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := smtp.NewServer(backend)
	server.Domain = "localhost"
	go func() { _ = server.Serve(l) }()
	b.Cleanup(func() { _ = server.Close() })
	return l.Addr().String()
}

// startSink runs the server that both hand to, and counts what it took.
func startSink(b *testing.B) (address string, took *atomic.Int64) {
	took = new(atomic.Int64)
	return startServer(b, smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return sinkSession{took}, nil })), took
}

type sinkSession struct{ took *atomic.Int64 }

func (sinkSession) Mail(string, *smtp.MailOptions) error { return nil }
func (sinkSession) Rcpt(string, *smtp.RcptOptions) error { return nil }
func (sinkSession) Reset()                               {}
func (sinkSession) Logout() error                        { return nil }
func (s sinkSession) Data(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	s.took.Add(1)
	return err
}

// startRelay runs the plain relay.
func startRelay(b *testing.B, hop string) string {
	return startServer(b, smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		c, err := smtp.Dial(hop)
		return relaySession{c}, err
	}))
}

type relaySession struct{ next *smtp.Client }

func (s relaySession) Mail(from string, o *smtp.MailOptions) error { return s.next.Mail(from, o) }
func (s relaySession) Rcpt(to string, o *smtp.RcptOptions) error   { return s.next.Rcpt(to, o) }
func (relaySession) Reset()                                        {}
func (s relaySession) Logout() error                               { return s.next.Close() }
func (s relaySession) Data(r io.Reader) error {
	w, err := s.next.Data()
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, r); err != nil {
		return fmt.Errorf("content: %w", err)
	}
	return w.Close()
}

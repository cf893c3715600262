//go:build unix

package contentfilter

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/linkmilter/linkmilter/filter"
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
	const sentence = "The meeting on Tuesday at 10:30 is in room 4.17 (second floor), e.g. by the stairs; bring the papers, please.\r\n"
	prose := func(size int) string { return strings.Repeat(sentence, size/len(sentence)+1)[:size-2] + "\r\n" }
	const links = "See https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE%E0%A4%A4%E0%A5%8D%E0%A4%AE%E0%A4%BE for more,\r\n" +
		"or www.example.org/a/b?c=d, or write to info@example.org.\r\n"
	for _, bench := range []struct {
		name, body string
		edited     bool
	}{
		{"4KB", prose(4096), false},
		{"4KB-3-links", prose(2000) + links + prose(2096-len(links)), true},
		{"1MB", prose(1 << 20), false},
	} {
		b.Run(bench.name, func(b *testing.B) { benchmarkThroughput(b, bench.body, bench.edited) })
	}
}

func benchmarkThroughput(b *testing.B, body string, edited bool) {
	hop, took := startSink(b)
	own := filter.Rule{Name: "own", HTML: filter.HTMLNeeded}
	var edits atomic.Int64
	count := func(e *Event) {
		if e.Edited {
			edits.Add(1)
		}
	}
	s := start(b, Options{NextHop: NextHop{Address: hop}, Filter: realFilter(b, filter.Options{Rules: []filter.Rule{own}}), Observe: count})
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
	ours.reset()
	plain.reset()
	before := took.Load()
	edits.Store(0)
	for b.Loop() {
		plain.round(b)
		ours.round(b)
	}
	if got, sent := int(took.Load()-before), ours.sent+plain.sent; got != sent {
		b.Errorf("%d messages arrived, %d were sent", got, sent)
	}
	if want := map[bool]int{true: ours.sent}[edited]; int(edits.Load()) != want {
		b.Errorf("%d messages were edited, want %d", edits.Load(), want)
	}
	b.ReportMetric(plain.rate(), "relay/s")
	b.ReportMetric(ours.rate(), "messages/s")
	b.ReportMetric(ours.rate()/plain.rate(), "ratio")
	b.ReportMetric(plain.cost()/ours.cost(), "cpu-ratio")
	b.ReportMetric(ours.cost(), "cpu-us/message")
}

// load is a client for each processor.
type load struct {
	clients  []*smtp.Client
	text     string
	messages int

	sent         int
	elapsed, cpu time.Duration
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

// round sends messages as fast as they are taken.
func (l *load) round(b *testing.B) {
	var sending sync.WaitGroup
	begun, cpu := time.Now(), cpuTime(b)
	for _, c := range l.clients {
		sending.Go(func() {
			for range l.messages / len(l.clients) {
				if err := c.SendMail("a@example.org", []string{"b@example.net"}, strings.NewReader(l.text)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	sending.Wait()
	l.elapsed += time.Since(begun)
	l.cpu += cpuTime(b) - cpu
	l.sent += l.messages / len(l.clients) * len(l.clients)
}

// rate is in messages a second.
func (l *load) rate() float64 { return float64(l.sent) / l.elapsed.Seconds() }

// cost is in microseconds of processor time a message, of all that take part. On a
// busy machine it says more than the rate.
func (l *load) cost() float64 { return float64(l.cpu.Microseconds()) / float64(l.sent) }

func (l *load) reset() { l.sent, l.elapsed, l.cpu = 0, 0, 0 }

// cpuTime is the processor time of the process so far.
func cpuTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
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

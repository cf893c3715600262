//go:build unix

package milter

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-message/textproto"
	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/filter"
)

// A turn is so short that both milters meet the same machine, and that what came
// back, which is kept until the turn is over, is little beside the rest of the heap:
// of a larger heap less has to be collected.
const (
	turnMessages = 50 // to one milter before the other one has its turn
	turns        = 10 // of each milter in an iteration
)

// BenchmarkThroughput measures messages a second over a Unix socket with
// go-milter's client, one connection for each processor: first through the
// yardstick, then through the milter with the real filter and its log, in turns,
// so that both meet the same machine. What came back is checked message by message,
// outside the time that is measured. A message that was answered before its end
// would be counted apart, as "early/op".
//
//	go test ./milter -run '^$' -bench Throughput -benchtime 20x
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
		{"10KB-3-links", prose(5000) + links + prose(5000), true},
	} {
		b.Run(bench.name, func(b *testing.B) { benchmarkThroughput(b, bench.body, bench.edited) })
	}
}

func benchmarkThroughput(b *testing.B, body string, edited bool) {
	options := Options{Filter: realFilter(b), Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	ours, yardstick := newLoad(b, startUnix(b, options), body), newLoad(b, startYardstick(b), body)
	// The first messages find caches and pools empty.
	ours.turn(b)
	yardstick.turn(b)
	ours.reset()
	yardstick.reset()
	var want []byte
	if edited {
		want = editedBody(b, options.Filter, ours.header, body)
	}
	for b.Loop() {
		for range turns {
			yardstick.turn(b)
			yardstick.check(b, nil)
			ours.turn(b)
			ours.check(b, want)
		}
	}
	b.ReportMetric(yardstick.rate(), "yardstick/s")
	b.ReportMetric(ours.rate(), "messages/s")
	b.ReportMetric(ours.rate()/yardstick.rate(), "ratio")
	b.ReportMetric(yardstick.cost()/ours.cost(), "cpu-ratio")
	b.ReportMetric(ours.cost(), "cpu-us/message")
	b.ReportMetric(float64(ours.early+yardstick.early)/float64(b.N), "early/op")
}

// throughput is the load of one milter.
type throughput struct {
	sessions []*gomilter.ClientSession
	header   textproto.Header
	body     []byte

	mu      sync.Mutex
	replies [][]gomilter.ModifyAction // of the messages since the last check
	early   int
	sent    int
	elapsed time.Duration
	cpu     time.Duration // of client and server
}

func newLoad(b *testing.B, path, body string) *throughput {
	l := &throughput{
		body: []byte(body),
		header: fieldsOf(b,
			"Received", " from client.example.net ([192.0.2.7]) by mx.example.org; Tue, 1 Jul 2025 10:00:00 +0200",
			"Date", " Tue, 1 Jul 2025 10:00:00 +0200", "From", " A <a@example.org>", "To", " b@example.com",
			"Subject", " a message", "Message-ID", " <1@example.org>",
			"MIME-Version", " 1.0", "Content-Type", " text/plain; charset=utf-8", "Content-Transfer-Encoding", " 8bit"),
	}
	client := newClient(path, benchProtocol)
	for range runtime.GOMAXPROCS(0) {
		session, err := open(client)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() {
			if err := session.Close(); err != nil {
				b.Error(err)
			}
		})
		l.sessions = append(l.sessions, session)
	}
	return l
}

// turn sends messages as fast as they are taken.
func (l *throughput) turn(b *testing.B) {
	var sending sync.WaitGroup
	start, cpu := time.Now(), cpuTime(b)
	for _, session := range l.sessions {
		sending.Go(func() {
			early := 0
			replies := make([][]gomilter.ModifyAction, 0, turnMessages)
			for range turnMessages / len(l.sessions) {
				ended, err := l.begin(session)
				if err != nil {
					b.Error(err)
					return
				}
				if ended {
					early++
					continue
				}
				mods, action, err := session.BodyReadFrom(bytes.NewReader(l.body))
				if err != nil || action.Code != gomilter.ActAccept {
					b.Errorf("%v, %v", action, err)
					return
				}
				replies = append(replies, mods)
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			l.replies = append(l.replies, replies...)
			l.early += early
		})
	}
	sending.Wait()
	l.elapsed += time.Since(start)
	l.cpu += cpuTime(b) - cpu
	l.sent += len(l.replies)
}

// begin sends what precedes the body, and reports whether the message was
// answered then.
func (l *throughput) begin(session *gomilter.ClientSession) (ended bool, err error) {
	if err := session.Macros(gomilter.CodeMail, "i", "4Xq1", "{auth_type}", "PLAIN", "{auth_authen}", "alice"); err != nil {
		return false, err
	}
	for _, step := range []func() (*gomilter.Action, error){
		func() (*gomilter.Action, error) { return session.Mail("a@example.org", []string{"BODY=8BITMIME"}) },
		func() (*gomilter.Action, error) { return session.Rcpt("b@example.com", nil) },
		func() (*gomilter.Action, error) { return session.Header(l.header) },
	} {
		action, err := step()
		if err != nil || action.Code != gomilter.ActContinue {
			return true, err
		}
	}
	return false, nil
}

// rate is in messages a second.
func (l *throughput) rate() float64 { return float64(l.sent) / l.elapsed.Seconds() }

// cost is in microseconds of processor time a message, client and server
// together. On a busy machine it says more than the rate.
func (l *throughput) cost() float64 { return float64(l.cpu.Microseconds()) / float64(l.sent) }

func (l *throughput) reset() { l.replies, l.sent, l.elapsed, l.cpu = nil, 0, 0, 0 }

// check looks at what came back for each message: the body want, or nothing
// where that is nil.
func (l *throughput) check(b *testing.B, want []byte) {
	b.StopTimer()
	defer b.StartTimer()
	for i, mods := range l.replies {
		left := want
		for _, mod := range mods {
			if mod.Code != gomilter.ActReplBody {
				continue
			}
			var same bool
			if left, same = bytes.CutPrefix(left, mod.Body); !same {
				b.Fatalf("message %d has another body", i)
			}
		}
		if len(left) > 0 {
			b.Fatalf("message %d lacks %d bytes of its body", i, len(left))
		}
	}
	l.replies = nil
}

// editedBody is the body that the filter makes of a message.
func editedBody(tb testing.TB, f Filter, header textproto.Header, body string) []byte {
	var raw strings.Builder
	for fields := header.Fields(); fields.Next(); {
		fmt.Fprintf(&raw, "%s: %s\r\n", fields.Key(), strings.TrimSpace(fields.Value()))
	}
	raw.WriteString("\r\n" + body)
	result := f.Message(context.Background(), filter.Envelope{Sender: "a@example.org", Authenticated: true}, []byte(raw.String()))
	if result.Edited == nil {
		tb.Fatalf("not edited: %v", result.Report)
	}
	return result.Edited[result.BodyStart:]
}

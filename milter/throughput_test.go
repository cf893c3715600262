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

	"github.com/emersion/go-message/textproto"
	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/loadtest"
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
	for _, bench := range []struct {
		name, body string
		edited     bool
	}{
		{"4KB", loadtest.Prose(4096), false},
		{"10KB-3-links", loadtest.Prose(5000) + loadtest.Links + loadtest.Prose(5000), true},
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
	ours.Load, ours.replies = loadtest.Load{}, nil
	yardstick.Load, yardstick.replies = loadtest.Load{}, nil
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
	loadtest.Report(b, &ours.Load, &yardstick.Load, "yardstick")
	b.ReportMetric(float64(ours.early+yardstick.early)/float64(b.N), "early/op")
}

// throughput is the load of one milter.
type throughput struct {
	loadtest.Load
	sessions []*gomilter.ClientSession
	header   textproto.Header
	body     []byte

	mu      sync.Mutex
	replies [][]gomilter.ModifyAction // of the messages since the last check
	early   int
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
	l.Turn(b, len(l.sessions), func(client int) int {
		session, early := l.sessions[client], 0
		replies := make([][]gomilter.ModifyAction, 0, turnMessages)
		for range turnMessages / len(l.sessions) {
			ended, err := l.begin(session)
			if err != nil {
				b.Error(err)
				break
			}
			if ended {
				early++
				continue
			}
			mods, action, err := session.BodyReadFrom(bytes.NewReader(l.body))
			if err != nil || action.Code != gomilter.ActAccept {
				b.Errorf("%v, %v", action, err)
				break
			}
			replies = append(replies, mods)
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.replies = append(l.replies, replies...)
		l.early += early
		return len(replies)
	})
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

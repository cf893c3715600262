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

	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	loadtest "github.com/linkmilter/linkmilter/internal/test/load"
)

// A turn is short, so that both milters meet the same load of the machine. The results of a turn
// are kept until its end, and are small beside the rest of the heap, since a larger heap is
// collected less often.
const (
	turnMessages = 50 // messages to one milter before the turn of the other
	turns        = 10 // turns of each milter in an iteration
)

// BenchmarkThroughput measures messages a second over a Unix socket with
// go-milter's client, one connection for each processor: first through the
// yardstick, then through the milter with the real filter and its log, in turns,
// so that both meet the same machine. What came back is checked message by message,
// outside the time that is measured. A message that was answered before its end
// would be counted apart, as "early/op".
//
// Messages are alike, as are the links in them, but for those with new links: none of
// them was in a message before.
//
//	go test ./milter -run '^$' -bench Throughput -benchtime 20x
func BenchmarkThroughput(b *testing.B) {
	prose, around := loadtest.Prose(4096), loadtest.Prose(5000)
	linked := around + loadtest.Links + around
	b.Run("4KB", func(b *testing.B) {
		benchmarkThroughput(b, func(int) string { return prose }, false)
	})
	b.Run("10KB-3-links", func(b *testing.B) {
		benchmarkThroughput(b, func(int) string { return linked }, true)
	})
	b.Run("10KB-3-new-links", func(b *testing.B) {
		benchmarkThroughput(b, func(n int) string { return around + loadtest.NewLinks(n) + around }, true)
	})
}

// benchmarkThroughput sends messages of which body gives the nth body.
func benchmarkThroughput(b *testing.B, body func(n int) string, edited bool) {
	options := Options{Options: mailserver.Options{Filter: realFilter(b), Log: slog.New(slog.NewTextHandler(io.Discard, nil))}}
	ours, yardstick := newLoad(b, startUnix(b, options), body), newLoad(b, startYardstick(b), body)
	want := func(string) []byte { return nil }
	if edited {
		want = func(body string) []byte { return editedBody(b, options.Filter, ours.header, body) }
	}
	// The first messages find caches and pools empty.
	ours.turn(b)
	ours.check(b, want)
	yardstick.turn(b)
	yardstick.replies = nil
	ours.Load, yardstick.Load = loadtest.Load{}, loadtest.Load{}
	for b.Loop() {
		for range turns {
			yardstick.turn(b)
			yardstick.check(b, func(string) []byte { return nil })
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
	body     func(n int) string // of the nth message
	begun    int                // messages

	mu      sync.Mutex
	replies []reply // to the messages since the last check
	early   int
}

// A reply is what came back for the message with a body.
type reply struct {
	body string
	mods []gomilter.ModifyAction
}

func newLoad(b *testing.B, path string, body func(n int) string) *throughput {
	l := &throughput{
		body: body,
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

// turn sends messages as fast as the server takes them.
func (l *throughput) turn(b *testing.B) {
	bodies := make([]string, turnMessages/len(l.sessions)*len(l.sessions))
	for i := range bodies {
		bodies[i] = l.body(l.begun)
		l.begun++
	}
	l.Turn(b, len(l.sessions), func(client int) int {
		session, early := l.sessions[client], 0
		replies := make([]reply, 0, turnMessages)
		for i := client; i < len(bodies); i += len(l.sessions) {
			ended, err := l.begin(session)
			if err != nil {
				b.Error(err)
				break
			}
			if ended {
				early++
				continue
			}
			mods, action, err := session.BodyReadFrom(strings.NewReader(bodies[i]))
			if err != nil || action.Code != gomilter.ActAccept {
				b.Errorf("%v, %v", action, err)
				break
			}
			replies = append(replies, reply{bodies[i], mods})
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

// check looks at what came back for each message: the body that want makes of its
// own, or nothing where that is nil.
func (l *throughput) check(b *testing.B, want func(body string) []byte) {
	b.StopTimer()
	defer b.StartTimer()
	var body string // of the message before, often the same
	var edited []byte
	for i, reply := range l.replies {
		if reply.body != body {
			body, edited = reply.body, want(reply.body)
		}
		left := edited
		for _, mod := range reply.mods {
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
func editedBody(tb testing.TB, f mailserver.Filter, header textproto.Header, body string) []byte {
	var raw strings.Builder
	for fields := header.Fields(); fields.Next(); {
		fmt.Fprintf(&raw, "%s: %s\r\n", fields.Key(), strings.TrimSpace(fields.Value()))
	}
	raw.WriteString("\r\n" + body)
	result := f.Message(context.Background(), envelope.Envelope{Sender: "a@example.org", Authenticated: true}, []byte(raw.String()))
	if result.Edited == nil {
		tb.Fatalf("not edited: %v", result.Report)
	}
	return result.Edited[result.BodyStart:]
}

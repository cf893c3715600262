//go:build unix

package milter

import (
	"context"
	"errors"
	"net"
	"net/textproto"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	loadtest "github.com/linkmilter/linkmilter/internal/test/load"
)

// yardstick is a milter that does nothing, to compare with. It negotiates the same options, runs
// behind the same wrapper, and reads and drops every body.
type yardstick struct{ grant grant }

func (y yardstick) Connect(string, string, uint16, net.IP, *gomilter.Modifier) (gomilter.Response, error) {
	return y.grant.reply(gomilter.OptNoConnReply), nil
}

func (y yardstick) Helo(string, *gomilter.Modifier) (gomilter.Response, error) {
	return y.grant.reply(gomilter.OptNoHeloReply), nil
}

func (y yardstick) MailFrom(string, *gomilter.Modifier) (gomilter.Response, error) {
	return y.grant.reply(gomilter.OptNoMailReply), nil
}

func (y yardstick) RcptTo(string, *gomilter.Modifier) (gomilter.Response, error) {
	return y.grant.reply(gomilter.OptNoRcptReply), nil
}

func (y yardstick) Header(string, string, *gomilter.Modifier) (gomilter.Response, error) {
	return y.grant.reply(gomilter.OptNoHeaderReply), nil
}

func (y yardstick) Headers(collected textproto.MIMEHeader, _ *gomilter.Modifier) (gomilter.Response, error) {
	clear(collected) // or it would grow
	return gomilter.RespContinue, nil
}

func (y yardstick) BodyChunk([]byte, *gomilter.Modifier) (gomilter.Response, error) {
	return y.grant.reply(gomilter.OptNoBodyReply), nil
}

func (y yardstick) Body(*gomilter.Modifier) (gomilter.Response, error) {
	return gomilter.RespAccept, nil
}

func (y yardstick) Abort(*gomilter.Modifier) error { return nil }

// startYardstick serves the yardstick on a Unix socket until the benchmark ends.
func startYardstick(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		tb.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			c, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil {
				tb.Error(err)
				return
			}
			running.Go(func() {
				w := newConn(c, Timeouts{}.withDefaults())
				g, err := w.negotiate()
				if err != nil {
					tb.Error(err)
					return
				}
				w.run(g, yardstick{g})
			})
		}
	})
	tb.Cleanup(func() {
		if err := l.Close(); err != nil {
			tb.Error(err)
		}
		running.Wait()
	})
	return path
}

// benchProtocol is what the benchmarks offer. go-milter's client does not
// understand SKIP.
const benchProtocol = allProtocol &^ gomilter.OptSkip

// BenchmarkMessage sends messages of 4 KB over a Unix socket with go-milter's client: to the
// yardstick, to the milter with a filter that does nothing, and to the milter with the real one.
func BenchmarkMessage(b *testing.B) {
	real, err := filter.New(filter.Options{})
	if err != nil {
		b.Fatal(err)
	}
	idle := filterFunc(func(context.Context, envelope.Envelope, []byte) filter.Result { return filter.Result{} })
	prose := strings.Repeat("The quick brown fox jumps over the lazy dog and goes on.\r\n", 70)
	links := strings.Repeat("See https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE for more of it.\r\n"+
		strings.Repeat("The quick brown fox jumps over the lazy dog.\r\n", 7), 10)
	for _, bench := range []struct {
		name string
		path func(b *testing.B) string
	}{
		{"yardstick", func(b *testing.B) string { return startYardstick(b) }},
		{"idle filter", func(b *testing.B) string { return startUnix(b, Options{Options: mailserver.Options{Filter: idle}}) }},
		{"filter", func(b *testing.B) string { return startUnix(b, Options{Options: mailserver.Options{Filter: real}}) }},
	} {
		for _, text := range []struct{ name, body string }{{"prose", prose}, {"10 links", links}} {
			b.Run(bench.name+"/"+text.name, func(b *testing.B) {
				benchmarkMessages(b, bench.path(b), benchProtocol, []byte(text.body))
			})
		}
	}
}

// BenchmarkBodyReplies measures the cost of replies to body chunks with the yardstick: one round
// trip for each chunk, so one for each small message.
func BenchmarkBodyReplies(b *testing.B) {
	for _, replies := range []struct {
		name     string
		protocol gomilter.OptProtocol
	}{{"none", benchProtocol}, {"each", benchProtocol &^ gomilter.OptNoBodyReply}} {
		for _, size := range []struct {
			name  string
			bytes int
		}{{"4KB", 4 << 10}, {"10MB", 10 << 20}} {
			b.Run(replies.name+"/"+size.name, func(b *testing.B) {
				benchmarkMessages(b, startYardstick(b), replies.protocol, make([]byte, size.bytes))
			})
		}
	}
}

func benchmarkMessages(b *testing.B, path string, protocol gomilter.OptProtocol, body []byte) {
	client := newClient(path, protocol)
	header := fieldsOf(b,
		"Received", " from client.example.net ([192.0.2.7]) by mx.example.org; Tue, 1 Jul 2025 10:00:00 +0200",
		"Date", " Tue, 1 Jul 2025 10:00:00 +0200", "From", " A <a@example.org>", "To", " b@example.com",
		"Subject", " a message", "Message-ID", " <1@example.org>",
		"MIME-Version", " 1.0", "Content-Type", " text/plain; charset=utf-8", "Content-Transfer-Encoding", " 8bit")
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	cpu := loadtest.CPU(b)
	b.RunParallel(func(pb *testing.PB) {
		session, err := open(client)
		if err != nil {
			b.Error(err)
			return
		}
		for pb.Next() {
			if _, action, err := deliver(session, header, body, "i", "4Xq1"); err != nil || action.Code != gomilter.ActAccept {
				b.Errorf("%v, %v", action, err)
				return
			}
		}
		if err := session.Close(); err != nil {
			b.Error(err)
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
	b.ReportMetric(float64((loadtest.CPU(b)-cpu).Microseconds())/float64(b.N), "cpu-us/message")
}

//go:build unix

package milter

import (
	"context"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// BenchmarkSession measures the cost of a message for the server alone, without client and socket:
// for the yardstick; for the milter with a filter that does nothing, then also with a log, then
// also with the same edit for each message; and with the real filter.
func BenchmarkSession(b *testing.B) {
	idle := filterFunc(func(context.Context, envelope.Envelope, []byte) filter.Result { return filter.Result{} })
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	prose := strings.Repeat("The quick brown fox jumps over the lazy dog and goes on.\r\n", 70)
	linked := strings.Repeat("See https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE for more of it.\r\n"+prose[:3200], 3)
	real := realFilter(b)
	var edited filter.Result
	editing := filterFunc(func(ctx context.Context, env envelope.Envelope, raw []byte) filter.Result {
		if edited.Edited == nil {
			edited = real.Message(ctx, env, raw)
		}
		return edited
	})
	for _, bench := range []struct {
		name    string
		options Options // without a filter: the yardstick
		body    string
	}{
		{"yardstick", Options{}, prose},
		{"idle filter", Options{Options: mailserver.Options{Filter: idle}}, prose},
		{"idle filter and log", Options{Options: mailserver.Options{Filter: idle, Log: log}}, prose},
		{"edit and log", Options{Options: mailserver.Options{Filter: editing, Log: log}}, linked},
		{"filter and log", Options{Options: mailserver.Options{Filter: real, Log: log}}, prose},
		{"filter, edit and log", Options{Options: mailserver.Options{Filter: real, Log: log}}, linked},
	} {
		b.Run(bench.name, func(b *testing.B) { benchmarkSession(b, bench.options, bench.body) })
	}
}

func benchmarkSession(b *testing.B, options Options, body string) {
	mta := newScript(body, b.N)
	c := newConn(mta, Timeouts{}.withDefaults())
	b.ReportAllocs()
	if options.Filter == nil {
		g, err := c.negotiate()
		if err != nil {
			b.Fatal(err)
		}
		c.run(g, yardstick{g})
	} else {
		s, err := NewServer(options)
		if err != nil {
			b.Fatal(err)
		}
		if err := (&connection{c, s.Server, mailserver.Socket{Conn: mta, Listener: "script", Log: s.Log()}}).serve(); mailserver.Failed(err) {
			b.Error(err)
		}
	}
	if mta.messages != 0 || mailserver.Failed(c.failure) {
		b.Errorf("ended with %d messages left: %v", mta.messages, c.failure)
	}
}

// script is a connection of an MTA that sends the same message again and again, and ignores the
// replies.
type script struct {
	net.Conn // nil: the server calls no other method
	messages int
	message  [][]byte // what the MTA sends before it waits for an answer
	part     int
	rest     []byte // to be read at once
}

func newScript(body string, messages int) *script {
	return &script{
		messages: messages,
		message: [][]byte{
			slices.Concat(
				frame('D', "Mi\x004Xq1\x00{auth_type}\x00PLAIN\x00{auth_authen}\x00alice\x00"),
				frame('M', "<a@example.org>\x00BODY=8BITMIME\x00"), frame('R', "<b@example.com>\x00"),
				frame('L', "Received\x00 from client.example.net ([192.0.2.7]) by mx.example.org; Tue, 1 Jul 2025 10:00:00 +0200\x00"),
				frame('L', "Date\x00 Tue, 1 Jul 2025 10:00:00 +0200\x00"), frame('L', "From\x00 A <a@example.org>\x00"),
				frame('L', "To\x00 b@example.com\x00"), frame('L', "Subject\x00 a message\x00"), frame('L', "Message-ID\x00 <1@example.org>\x00"),
				frame('L', "MIME-Version\x00 1.0\x00"), frame('L', "Content-Type\x00 text/plain; charset=utf-8\x00"),
				frame('L', "Content-Transfer-Encoding\x00 8bit\x00"), frame('N'),
			),
			slices.Concat(frame('B', body), frame('E')),
		},
		rest: after(frame('C', "client.example.net\x004\x30\x39192.0.2.7\x00"), frame('H', "client.example.net\x00")),
	}
}

func (s *script) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		if s.messages == 0 {
			return 0, io.EOF
		}
		s.rest = s.message[s.part]
		if s.part++; s.part == len(s.message) {
			s.part = 0
			s.messages--
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

func (s *script) Write(p []byte) (int, error)      { return len(p), nil }
func (s *script) Close() error                     { return nil }
func (s *script) LocalAddr() net.Addr              { return pipeAddr{} }
func (s *script) RemoteAddr() net.Addr             { return pipeAddr{} }
func (s *script) SetReadDeadline(time.Time) error  { return nil }
func (s *script) SetWriteDeadline(time.Time) error { return nil }

package contentfilter

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// filterFunc is a Filter.
type filterFunc func(ctx context.Context, env envelope.Envelope, raw []byte) filter.Result

func (f filterFunc) Message(ctx context.Context, env envelope.Envelope, raw []byte) filter.Result {
	return f(ctx, env, raw)
}

// passing lets every message go on unchanged.
var passing = filterFunc(func(context.Context, envelope.Envelope, []byte) filter.Result { return filter.Result{} })

// delivered is a message that a next hop took.
type delivered struct {
	lines   []string // the commands of the transaction
	content string   // as it went over the wire, with its dots doubled and without the end
}

// message returns the message without the Received field on top, with dots as they
// are.
func (d delivered) message(tb testing.TB) string {
	tb.Helper()
	undotted := strings.ReplaceAll("\r\n"+d.content, "\r\n.", "\r\n")[2:]
	if !strings.HasPrefix(undotted, "Received: from ") {
		tb.Fatalf("no Received on top of %q", undotted)
	}
	rest := undotted
	for {
		line, after, _ := strings.Cut(rest, "\r\n")
		_ = line
		rest = after
		if rest == "" || rest[0] != '\t' {
			return rest
		}
	}
}

// sink is a next hop made by hand: it sees what goes over the wire, and
// answers as the test says.
type sink struct {
	tb         testing.TB
	listener   net.Listener
	extensions []string
	lmtp       bool
	// answer returns the reply to a command; "" is the usual reply. The command is "" for the
	// greeting, and "." for the end of a message. The reply "close" closes the connection, and
	// "hang" says nothing more.
	answer func(line string) string
	// during is sent in the middle of a message, before the connection is closed.
	during string

	received atomic.Int64 // of contents, so far
	begin    sync.Once
	mu       sync.Mutex
	all      []delivered
	conns    int
	seen     []string // all commands
}

// newSink returns a next hop that listens on 127.0.0.1.
func newSink(tb testing.TB, extensions ...string) *sink {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	s := &sink{tb: tb, listener: l, extensions: extensions, answer: func(string) string { return "" }}
	tb.Cleanup(func() { _ = l.Close() })
	return s
}

// address starts the sink with its present settings, and returns its address.
func (s *sink) address() string {
	s.begin.Do(func() { go s.accept() })
	return s.listener.Addr().String()
}

func (s *sink) accept() {
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns++
		s.mu.Unlock()
		go s.serve(c)
	}
}

// messages returns what was delivered so far.
func (s *sink) messages() []delivered {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]delivered(nil), s.all...)
}

// one returns the only message that was delivered.
func (s *sink) one() delivered {
	s.tb.Helper()
	all := s.messages()
	if len(all) != 1 {
		s.tb.Fatalf("%d messages delivered, want 1", len(all))
	}
	return all[0]
}

// connections returns how many there were so far.
func (s *sink) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns
}

// commands returns all commands so far.
func (s *sink) commands() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.seen...)
}

// forget forgets all commands and messages.
func (s *sink) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all, s.seen = nil, nil
}

func (s *sink) serve(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	say := func(line, usual string) bool {
		text := s.answer(line)
		switch text {
		case "":
			text = usual
		case "close":
			return false
		case "hang":
			<-s.tb.Context().Done()
			return false
		}
		_, err := io.WriteString(c, text+"\r\n")
		return err == nil
	}
	if !say("", "220 sink ESMTP") {
		return
	}
	var lines []string
	recipients := 0
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimSuffix(line, "\r\n")
		s.mu.Lock()
		s.seen = append(s.seen, line)
		s.mu.Unlock()
		verb, _, _ := strings.Cut(strings.ToUpper(line), " ")
		usual := "250 2.0.0 Ok " + verb
		switch verb {
		case "EHLO", "LHLO":
			list := append([]string{"sink"}, s.extensions...)
			for i := range list[:len(list)-1] {
				list[i] = "250-" + list[i]
			}
			list[len(list)-1] = "250 " + list[len(list)-1]
			usual = strings.Join(list, "\r\n")
			lines, recipients = nil, 0
		case "RSET":
			lines, recipients = nil, 0
		case "MAIL":
			lines, recipients = []string{line}, 0
		case "RCPT":
			if a := s.answer(line); a == "" || a[0] == '2' {
				recipients++
				lines = append(lines, line)
			}
		case "QUIT":
			say(line, "221 2.0.0 Bye")
			return
		case "DATA":
			usual = "354 Go on"
		}
		if !say(line, usual) {
			return
		}
		if a := s.answer(line); verb != "DATA" || a != "" && !strings.HasPrefix(a, "354") {
			continue
		}
		if s.during != "" {
			_, _ = io.CopyN(io.Discard, in, 100)
			if s.during != "close" {
				_, _ = io.WriteString(c, s.during+"\r\n")
			}
			return
		}
		var content bytes.Buffer
		ended := false
		for !ended {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			s.received.Add(int64(len(line)))
			if line == ".\r\n" && (content.Len() == 0 || bytes.HasSuffix(content.Bytes(), []byte("\r\n"))) {
				ended = true
			} else {
				content.WriteString(line)
			}
		}
		answers := 1
		if s.lmtp {
			answers = recipients
		}
		for i := range answers {
			end := "."
			if s.lmtp {
				end = fmt.Sprintf(".%d", i)
			}
			if a := s.answer(end); a == "" || a[0] == '2' {
				s.mu.Lock()
				if i == 0 || s.lmtp {
					s.all = append(s.all, delivered{lines, content.String()})
				}
				s.mu.Unlock()
			}
			if !say(end, "250 2.0.0 Ok: queued as ABC") {
				return
			}
		}
		lines, recipients = nil, 0
	}
}

// lines is a log for tests.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// forget forgets all lines.
func (l *lines) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Reset()
}

// running is a server under test.
type running struct {
	*Server
	tb      testing.TB
	address string
	log     *lines
}

// start runs a server until the test ends. Then it checks that the server stops in order and holds
// no memory.
func start(tb testing.TB, options Options) *running {
	tb.Helper()
	return startWith(tb, options, func(h slog.Handler) slog.Handler { return h })
}

// startWith is start with another handler of the log.
func startWith(tb testing.TB, options Options, handler func(slog.Handler) slog.Handler) *running {
	tb.Helper()
	r := &running{tb: tb, log: &lines{}}
	if options.Filter == nil {
		options.Filter = passing
	}
	if options.Name == "" {
		options.Name = "filter.example.org"
	}
	if options.NextHop.Timeout == 0 {
		options.NextHop.Timeout = 10 * time.Second
	}
	options.Log = slog.New(handler(slog.NewTextHandler(r.log, nil)))
	server, err := NewServer(options)
	if err != nil {
		tb.Fatal(err)
	}
	r.Server = server
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	r.address = l.Addr().String()
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := server.Shutdown(ctx); err != nil {
			tb.Errorf("shutdown: %v", err)
		}
		if err := <-served; err != mailserver.ErrServerClosed {
			tb.Errorf("serve: %v", err)
		}
		if n := server.Stats().Memory; n != 0 {
			tb.Errorf("%d bytes of memory are still taken", n)
		}
		if tb.Failed() {
			tb.Logf("log:\n%s", r.log)
		}
	})
	return r
}

// client is a client made by hand.
type client struct {
	net.Conn
	tb testing.TB
	in *bufio.Reader
}

// dial connects, and reads the greeting.
func (r *running) dial() *client {
	r.tb.Helper()
	c, err := net.Dial("tcp", r.address)
	if err != nil {
		r.tb.Fatal(err)
	}
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	r.tb.Cleanup(func() { _ = c.Close() })
	client := &client{Conn: c, tb: r.tb, in: bufio.NewReader(c)}
	client.want("220 ")
	return client
}

// reply reads a reply.
func (c *client) reply() string {
	c.tb.Helper()
	var b strings.Builder
	for {
		line, err := c.in.ReadString('\n')
		b.WriteString(line)
		if err != nil {
			return b.String()
		}
		if len(line) < 4 || line[3] != '-' {
			return b.String()
		}
	}
}

// want reads a reply, which must begin with prefix.
func (c *client) want(prefix string) string {
	c.tb.Helper()
	got := c.reply()
	if !strings.HasPrefix(got, prefix) {
		c.tb.Fatalf("reply %q, want %q", got, prefix)
	}
	return got
}

// send sends a text unchanged.
func (c *client) send(text string) {
	c.tb.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		c.tb.Fatal(err)
	}
}

// say sends a command, and reads a reply that must begin with prefix.
func (c *client) say(line, prefix string) string {
	c.tb.Helper()
	c.send(line + "\r\n")
	return c.want(prefix)
}

// data begins a message to one recipient, up to 354.
func (c *client) data() {
	c.tb.Helper()
	c.say("EHLO client.example.org", "250")
	c.say("MAIL FROM:<a@example.org>", "250")
	c.say("RCPT TO:<b@example.net>", "250")
	c.say("DATA", "354")
}

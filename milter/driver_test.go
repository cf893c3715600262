package milter

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// globalLog is the output of the process-wide logger, which go-milter uses. The wrapper lets
// nothing reach the library that it would log, so it must stay empty.
var globalLog syncBuffer

func TestMain(m *testing.M) {
	log.SetOutput(&globalLog)
	code := m.Run()
	if text := globalLog.String(); text != "" {
		_, _ = os.Stderr.WriteString("written to the global logger:\n" + text)
		code = max(code, 1)
	}
	os.Exit(code)
}

// syncBuffer is a bytes.Buffer for several goroutines.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// filterFunc is a Filter.
type filterFunc func(ctx context.Context, env envelope.Envelope, raw []byte) filter.Result

func (f filterFunc) Message(ctx context.Context, env envelope.Envelope, raw []byte) filter.Result {
	return f(ctx, env, raw)
}

// seen is a filter that keeps its arguments and returns result.
type seen struct {
	mu     sync.Mutex
	envs   []envelope.Envelope
	raws   []string
	result filter.Result
}

func (s *seen) Message(_ context.Context, env envelope.Envelope, raw []byte) filter.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.envs = append(s.envs, env)
	s.raws = append(s.raws, string(raw))
	return s.result
}

func (s *seen) messages() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.raws)
}

// pipeListener is a listener on net.Pipe, which works under synctest.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

type pipeAddr struct{}

func (pipeAddr) Network() string       { return "pipe" }
func (pipeAddr) String() string        { return "test" }
func (l *pipeListener) Addr() net.Addr { return pipeAddr{} }

// dial connects to the server, which has to accept.
func (l *pipeListener) dial() net.Conn {
	ours, theirs := net.Pipe()
	l.conns <- theirs
	return ours
}

// testServer is a running server.
type testServer struct {
	*Server
	listener *pipeListener
	logs     syncBuffer
	served   chan error
}

// startServer runs a server until the test ends. The test fails if the server does not stop then.
func startServer(tb testing.TB, options Options) *testServer {
	tb.Helper()
	s := &testServer{listener: newPipeListener(), served: make(chan error, 1)}
	if options.Log == nil {
		options.Log = slog.New(slog.NewTextHandler(&s.logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	server, err := NewServer(options)
	if err != nil {
		tb.Fatal(err)
	}
	s.Server = server
	go func() { s.served <- server.Serve(s.listener) }()
	tb.Cleanup(func() {
		if err := server.Shutdown(context.Background()); err != nil {
			tb.Error(err)
		}
		if err := <-s.served; !errors.Is(err, mailserver.ErrServerClosed) {
			tb.Errorf("Serve returned %v", err)
		}
		if used := server.Stats().Memory; used != 0 {
			tb.Errorf("%d bytes of the memory budget were not given back", used)
		}
	})
	return s
}

// bubble runs a test with a server in a synctest bubble, where time is fake and a goroutine that
// stays behind fails the test.
func bubble(t *testing.T, options Options, test func(t *testing.T, s *testServer)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, startServer(t, options)) })
}

// What the MTAs offer: all actions and options of version 6.
const (
	allActions  gomilter.OptAction   = 0x1ff
	allProtocol gomilter.OptProtocol = 0x1fffff
)

// peer is an MTA that writes each byte itself, without code of go-milter's client.
type peer struct {
	tb       testing.TB
	conn     net.Conn
	actions  gomilter.OptAction   // granted
	protocol gomilter.OptProtocol // agreed
}

// connect dials and negotiates.
func (s *testServer) connect(tb testing.TB, actions gomilter.OptAction, protocol gomilter.OptProtocol) *peer {
	tb.Helper()
	p := s.dial(tb)
	p.negotiate(6, actions, protocol)
	return p
}

// dial only dials.
func (s *testServer) dial(tb testing.TB) *peer {
	tb.Helper()
	p := &peer{tb: tb, conn: s.listener.dial()}
	tb.Cleanup(func() { _ = p.conn.Close() })
	return p
}

// write sends raw bytes.
func (p *peer) write(data []byte) {
	p.tb.Helper()
	if _, err := p.conn.Write(data); err != nil {
		p.tb.Fatalf("write %.40q: %v", data, err)
	}
}

// send sends a packet.
func (p *peer) send(code byte, data ...string) {
	p.tb.Helper()
	p.write(frame(code, data...))
}

// answer is a packet from the server.
type answer struct {
	code byte
	data string
}

// read reads a packet, or returns the error.
func (p *peer) read() (answer, error) {
	var head [5]byte
	if _, err := io.ReadFull(p.conn, head[:]); err != nil {
		return answer{}, err
	}
	data := make([]byte, binary.BigEndian.Uint32(head[:])-1)
	if _, err := io.ReadFull(p.conn, data); err != nil {
		return answer{}, err
	}
	return answer{head[4], string(data)}, nil
}

// expect reads a packet with the given code.
func (p *peer) expect(code byte) answer {
	p.tb.Helper()
	a, err := p.read()
	if err != nil {
		p.tb.Fatalf("no reply %q: %v", code, err)
	}
	if a.code != code {
		p.tb.Fatalf("reply %q %.80q, want %q", a.code, a.data, code)
	}
	return a
}

// expectClosed checks that the server closes the connection without a
// further reply.
func (p *peer) expectClosed() {
	p.tb.Helper()
	if a, err := p.read(); err == nil {
		p.tb.Fatalf("reply %q %.80q, want the connection closed", a.code, a.data)
	}
}

func (p *peer) negotiate(version uint32, actions gomilter.OptAction, protocol gomilter.OptProtocol) {
	p.tb.Helper()
	p.send('O', numbers(version, uint32(actions), uint32(protocol)))
	data := []byte(p.expect('O').data)
	if len(data) < 12 {
		p.tb.Fatalf("option negotiation of %d bytes", len(data))
	}
	p.actions = gomilter.OptAction(binary.BigEndian.Uint32(data[4:]))
	p.protocol = gomilter.OptProtocol(binary.BigEndian.Uint32(data[8:]))
	if p.actions&^actions != 0 || p.protocol&^protocol != 0 {
		p.tb.Fatalf("wants actions %x of %x, protocol %x of %x", p.actions, actions, p.protocol, protocol)
	}
}

// command sends a command, and reads a reply to it unless none was agreed on.
func (p *peer) command(noReply gomilter.OptProtocol, code byte, data ...string) {
	p.tb.Helper()
	p.send(code, data...)
	if noReply == 0 || p.protocol&noReply == 0 {
		p.expect('c')
	}
}

// macros sends macros for a command: names and values.
func (p *peer) macros(stage byte, pairs ...string) {
	p.tb.Helper()
	data := string(stage)
	for _, s := range pairs {
		data += s + "\x00"
	}
	p.send('D', data)
}

// hello opens an SMTP session from a client on 192.0.2.7.
func (p *peer) hello() {
	p.tb.Helper()
	p.macros('C', "j", "mx.example.org", "{daemon_name}", "smtpd")
	p.command(gomilter.OptNoConnReply, 'C', "client.example.net\x004\x30\x39192.0.2.7\x00")
	p.command(gomilter.OptNoHeloReply, 'H', "client.example.net\x00")
}

// mail is a message as an MTA has it.
type mail struct {
	from       string   // with its parameters after NULs
	to         []string // likewise
	fields     []string // name, value, name, value; values begin with the space
	body       string
	mailMacros []string
	eohMacros  []string
	eomMacros  []string
	chunk      int // size of body packets; 0: 65535
}

// simple is a message that needs nothing special.
func simple(fields []string, body string) mail {
	return mail{from: "<a@example.org>", to: []string{"<b@example.com>"}, fields: fields, body: body}
}

// begin sends a message up to its last header field.
func (p *peer) begin(m mail) {
	p.tb.Helper()
	if m.mailMacros != nil {
		p.macros('M', m.mailMacros...)
	}
	p.command(gomilter.OptNoMailReply, 'M', m.from+"\x00")
	for _, to := range m.to {
		p.command(gomilter.OptNoRcptReply, 'R', to+"\x00")
	}
	if p.protocol&gomilter.OptNoData == 0 {
		p.command(0, 'T')
	}
	for i := 0; i+1 < len(m.fields); i += 2 {
		value := m.fields[i+1]
		if p.protocol&gomilter.OptHeaderLeadingSpace == 0 {
			value = strings.TrimPrefix(value, " ")
		}
		p.command(gomilter.OptNoHeaderReply, 'L', m.fields[i], "\x00", value, "\x00")
	}
}

// content sends the end of the header and the body.
func (p *peer) content(m mail) {
	p.tb.Helper()
	if m.eohMacros != nil {
		p.macros('N', m.eohMacros...)
	}
	p.command(0, 'N')
	size := m.chunk
	if size == 0 {
		size = gomilter.MaxBodyChunk
	}
	for body := m.body; body != ""; {
		n := min(size, len(body))
		p.send('B', body[:n])
		body = body[n:]
		if p.protocol&gomilter.OptNoBodyReply == 0 {
			if p.bodyReply() == 's' {
				break
			}
		}
	}
}

func (p *peer) bodyReply() byte {
	p.tb.Helper()
	a, err := p.read()
	if err != nil {
		p.tb.Fatal(err)
	}
	if a.code != 'c' && (a.code != 's' || p.protocol&gomilter.OptSkip == 0) {
		p.tb.Fatalf("reply %q to a body chunk", a.code)
	}
	return a.code
}

// end sends the end of the body and returns all replies up to the final one.
func (p *peer) end(m mail) []answer {
	p.tb.Helper()
	if m.eomMacros != nil {
		p.macros('E', m.eomMacros...)
	}
	p.send('E')
	var answers []answer
	for {
		a, err := p.read()
		if err != nil {
			p.tb.Fatalf("after %d replies to the end of the message: %v", len(answers), err)
		}
		answers = append(answers, a)
		if strings.ContainsRune("acdrty", rune(a.code)) {
			return answers
		}
	}
}

// message sends a whole message.
func (p *peer) message(m mail) []answer {
	p.tb.Helper()
	p.begin(m)
	p.content(m)
	return p.end(m)
}

// codes are the codes of answers.
func codes(answers []answer) string {
	var b strings.Builder
	for _, a := range answers {
		b.WriteByte(a.code)
	}
	return b.String()
}

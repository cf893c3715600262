package contentfilter

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"net/netip"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// TestOptions: New refuses invalid options.
func TestOptions(t *testing.T) {
	good := func() Options {
		return Options{Options: mailserver.Options{Filter: passing}, NextHop: NextHop{Address: "127.0.0.1:25"}, Name: "filter.example.org"}
	}
	if _, err := NewServer(good()); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Options){
		"no filter":      func(o *Options) { o.Filter = nil },
		"no next hop":    func(o *Options) { o.NextHop.Address = "" },
		"no port":        func(o *Options) { o.NextHop.Address = "mx.example.org" },
		"name":           func(o *Options) { o.Name = "a b" },
		"hops":           func(o *Options) { o.MaxHops = -1 },
		"size":           func(o *Options) { o.MaxSize = -1 },
		"memory":         func(o *Options) { o.Limits.Memory = -1 },
		"timeout":        func(o *Options) { o.Timeouts.Content = -1 },
		"hop timeout":    func(o *Options) { o.NextHop.Timeout = -1 },
		"TLS mode":       func(o *Options) { o.NextHop.RequireTLS = true },
		"TLS to socket":  func(o *Options) { o.NextHop = NextHop{Address: "/run/x", TLS: &tls.Config{}} },
		"two places":     func(o *Options) { o.Quarantine = Quarantine{Maildir: "/x", Hold: "a@example.org"} },
		"hold":           func(o *Options) { o.Quarantine.Hold = "a@b>\r\nDATA" },
		"no such folder": func(o *Options) { o.Quarantine.Maildir = "/proc/nothing" },
	} {
		o := good()
		change(&o)
		if _, err := NewServer(o); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// certificate returns one for 127.0.0.1, and what trusts it.
func certificate(tb testing.TB) (server, client *tls.Config) {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		tb.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		tb.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, &tls.Config{RootCAs: roots, ServerName: "127.0.0.1"}
}

// TestTLSBothWays: both connections can be encrypted; here one server hands mail to another.
func TestTLSBothWays(t *testing.T) {
	server, client := certificate(t)
	hop := newSink(t, "8BITMIME")
	second := start(t, Options{NextHop: NextHop{Address: hop.address()}, TLS: server, Name: "second.example.org"})
	first := start(t, Options{NextHop: NextHop{Address: second.address, RequireTLS: true, TLS: &tls.Config{RootCAs: client.RootCAs}}, TLS: server})
	c := first.dial()
	if got := c.say("EHLO client.example.org", "250"); !strings.Contains(got, "STARTTLS") {
		t.Errorf("EHLO: %q", got)
	}
	c.say("STARTTLS now", "501")
	c.say("MAIL FROM:<a@example.org>", "250")
	c.say("STARTTLS", "220")
	encrypted := tls.Client(c.Conn, client)
	if err := encrypted.Handshake(); err != nil {
		t.Fatal(err)
	}
	c.Conn = encrypted
	c.in.Reset(encrypted)
	c.say("RCPT TO:<b@example.net>", "503") // all that was said before is forgotten
	if got := c.say("EHLO client.example.org", "250"); strings.Contains(got, "STARTTLS") || !strings.Contains(got, "8BITMIME") {
		t.Errorf("EHLO: %q", got)
	}
	c.say("STARTTLS", "503")
	if got := c.exchange(plain); !strings.HasPrefix(got, "250 2.0.0 Ok: queued as ABC") {
		t.Errorf("reply %q", got)
	}
	if got := hop.one().content; strings.Count(got, " with ESMTPS id ") != 2 {
		t.Errorf("delivered %q", got)
	}
	c.say("QUIT", "221")
}

// TestCommandsAfterSTARTTLS: commands that were sent in the clear behind STARTTLS do not count as
// encrypted ones.
func TestCommandsAfterSTARTTLS(t *testing.T) {
	server, _ := certificate(t)
	hop := newSink(t)
	s := start(t, Options{NextHop: NextHop{Address: hop.address()}, TLS: server})
	c := s.dial()
	c.say("EHLO client.example.org", "250")
	c.send("STARTTLS\r\nMAIL FROM:<evil@example.org>\r\n")
	if got := c.reply() + c.reply(); strings.Count(got, "\r\n") > 1 {
		t.Errorf("replies %q", got)
	}
}

// TestTLSToNextHopFails: a next hop that does not offer the TLS that was configured counts as down,
// and nothing is sent in the clear.
func TestTLSToNextHopFails(t *testing.T) {
	const never, may, must = "never", "may", "must"
	_, client := certificate(t)
	for name, tt := range map[string]struct {
		extensions []string
		answer     string
		mode       string
		want       string
	}{
		"not offered, must":   {nil, "", must, "451 4.4.1"},
		"not offered, may":    {nil, "", may, "250"},
		"offered, never":      {[]string{"STARTTLS"}, "", never, "250"},
		"refused":             {[]string{"STARTTLS"}, "454 4.7.0 no", may, "451 4.4.1"},
		"closed":              {[]string{"STARTTLS"}, "close", must, "451 4.4.1"},
		"no handshake":        {[]string{"STARTTLS"}, "220 go", must, "451 4.4.1"},
		"something behind it": {[]string{"STARTTLS"}, "220 go\r\n250 hello", must, "451 4.4.1"},
	} {
		t.Run(name, func(t *testing.T) {
			hop := newSink(t, tt.extensions...)
			hop.answer = func(line string) string {
				if line == "STARTTLS" {
					return tt.answer
				}
				return ""
			}
			next := NextHop{Address: hop.address(), RequireTLS: tt.mode == must}
			if tt.mode != never {
				next.TLS = client
			}
			if name == "no handshake" {
				next.Timeout = 500 * time.Millisecond
			}
			s := start(t, Options{NextHop: next})
			c := s.dial()
			c.say("EHLO client.example.org", tt.want)
			c.say("MAIL FROM:<secret@example.org>", tt.want)
			for _, line := range hop.commands() {
				if tt.mode == must && strings.Contains(line, "secret") {
					t.Errorf("in the clear: %s", line)
				}
			}
		})
	}
}

// Shutdown finishes an open message and closes other connections at once.
func TestShutdown(t *testing.T) {
	hop := newSink(t)
	s, err := NewServer(Options{Options: mailserver.Options{Filter: passing}, NextHop: NextHop{Address: hop.address()}, Name: "filter.example.org"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Serve(l) }()
	r := &running{Server: s, tb: t, address: l.Addr().String()}
	idle, busy := r.dial(), r.dial()
	idle.say("EHLO client.example.org", "250")
	busy.data()
	done := make(chan error, 1)
	go func() { done <- s.Shutdown(context.Background()) }()
	idle.want("421 4.3.2")
	select {
	case err := <-done:
		t.Fatalf("ended with a message open: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	busy.say(plain+".", "250 2.0.0 Ok: queued")
	busy.want("421 4.3.2")
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := s.Serve(l); err != mailserver.ErrServerClosed {
		t.Errorf("serve: %v", err)
	}
	if err := s.Probe(context.Background()); err == nil {
		t.Error("probe after shutdown")
	}
	hop.one()
}

// TestShutdownCuts: a shutdown without time cuts all connections and delivers nothing.
func TestShutdownCuts(t *testing.T) {
	for _, at := range []string{"message", "MAIL", "."} {
		t.Run(at, func(t *testing.T) {
			hop := newSink(t)
			hop.answer = func(line string) string {
				if strings.HasPrefix(line, at) {
					return "hang"
				}
				return ""
			}
			s, err := NewServer(Options{Options: mailserver.Options{Filter: passing}, NextHop: NextHop{Address: hop.address()}, Name: "filter.example.org"})
			if err != nil {
				t.Fatal(err)
			}
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			go func() { _ = s.Serve(l) }()
			r := &running{Server: s, tb: t, address: l.Addr().String()}
			c := r.dial()
			c.say("EHLO client.example.org", "250")
			c.send("MAIL FROM:<a@example.org>\r\n")
			if at != "MAIL" {
				c.want("250")
				c.say("RCPT TO:<b@example.net>", "250")
				c.say("DATA", "354")
				c.send(plain)
				if at == "." {
					c.send(".\r\n")
				}
			}
			time.Sleep(20 * time.Millisecond)
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			defer cancel()
			if err := s.Shutdown(ctx); err == nil {
				t.Error("no error")
			}
			waitFor(t, func() bool { return s.Stats().Connections == 0 })
			if at == "message" && len(hop.messages()) > 0 {
				t.Error("delivered")
			}
		})
	}
}

func TestProbe(t *testing.T) {
	s := start(t, Options{NextHop: NextHop{Address: "127.0.0.1:1"}})
	for range 3 {
		if err := s.Probe(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if st := s.Stats(); st.Connections != 0 || st.Served != 0 || s.Failures() != 0 {
		t.Errorf("%+v", st)
	}
}

// TestNetworks: a client that is not in the networks for XFORWARD cannot name another client.
func TestNetworks(t *testing.T) {
	hop := newSink(t)
	s := start(t, Options{NextHop: NextHop{Address: hop.address()}, XForward: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}})
	for from, trusted := range map[string]bool{"127.0.0.1": true, "::1": true, "192.0.2.7": true, "::ffff:192.0.2.7": true, "198.51.100.1": false} {
		origin := newOrigin(&s.options, "test", net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(from), 25)))
		if origin.trusted != trusted {
			t.Errorf("%s: %v", from, origin.trusted)
		}
		origin.helo = "x"
		if got := origin.received(&envelope.Envelope{QueueID: "id"}, time.Now()); from == "::1" && !strings.Contains(got, "([IPv6:::1])") {
			t.Error(got)
		}
	}
}

// TestXForwardIsNotForAll: for such a client, XFORWARD is an unknown command.
func TestXForwardIsNotForAll(t *testing.T) {
	hop := newSink(t)
	s := start(t, Options{NextHop: NextHop{Address: hop.address()}})
	near, far := net.Pipe()
	conn := s.open(mailserver.Socket{Conn: addressed{far, net.TCPAddrFromAddrPort(netip.MustParseAddrPort("192.0.2.7:25"))}, Log: s.Log()})
	go func() { _ = conn.Serve() }()
	c := &client{Conn: near, tb: t, in: bufio.NewReader(near)}
	c.want("220")
	if got := c.say("EHLO client.example.org", "250"); strings.Contains(got, "XFORWARD") {
		t.Errorf("offered: %q", got)
	}
	c.say("XFORWARD ADDR=127.0.0.1", "50")
	if got := c.exchange(plain); !strings.HasPrefix(got, "250") {
		t.Errorf("reply %q", got)
	}
	c.say("QUIT", "221")
	_ = near.Close()
}

// After many messages over many connections nothing is left of them.
func TestNothingIsLeft(t *testing.T) {
	hop := newSink(t)
	s := start(t, Options{Options: mailserver.Options{Filter: realFilter(t, filter.Options{}), MaxConnections: 7}, NextHop: NextHop{Address: hop.address()}})
	before := runtime.NumGoroutine()
	var sending sync.WaitGroup
	for range 20 {
		sending.Go(func() {
			c := s.dial()
			defer c.Close()
			c.say("EHLO client.example.org", "250")
			for i := range 20 {
				if got := c.exchange(plain); !strings.HasPrefix(got, "250") {
					t.Errorf("reply %q", got)
				}
				if i%5 == 4 {
					c.say("MAIL FROM:<a@example.org>", "250")
					c.say("RSET", "250")
				}
			}
		})
	}
	sending.Wait()
	if n := len(hop.messages()); n != 400 {
		t.Errorf("%d messages", n)
	}
	waitFor(t, func() bool { return s.Stats().Connections == 0 && runtime.NumGoroutine() <= before })
	if s.Stats().AtLimit == 0 {
		t.Error("the limit of connections was not met")
	}
}

// addressed is a connection that comes from somewhere.
type addressed struct {
	net.Conn
	from net.Addr
}

func (a addressed) RemoteAddr() net.Addr { return a.from }

// Sockets of the file system serve on both sides.
func TestUnixSockets(t *testing.T) {
	hop := newSink(t)
	second, err := NewServer(Options{Options: mailserver.Options{Filter: passing}, NextHop: NextHop{Address: hop.address()}, Name: "second.example.org", LMTP: true})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = second.Serve(l) }()
	defer func() { _ = second.Shutdown(context.Background()) }()
	first := start(t, Options{NextHop: NextHop{Address: path, LMTP: true}})
	c := first.dial()
	c.say("EHLO client.example.org", "250")
	if got := c.exchange(plain); !strings.HasPrefix(got, "250 2.0.0 Ok: queued as ABC") {
		t.Errorf("reply %q", got)
	}
	if got := hop.one().content; !strings.Contains(got, "Received: from filter.example.org (unix)\r\n\tby second.example.org (linkmilter) with LMTP id ") {
		t.Errorf("delivered %q", got)
	}
	c.say("QUIT", "221")
}

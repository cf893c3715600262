package contentfilter

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/test/dkim"
)

var loopback = netip.MustParseAddr("127.0.0.1")

// The field on top says how the message came (RFC 5321 §4.4).
func TestReceived(t *testing.T) {
	tests := []struct{ hello, mail, with string }{
		{"EHLO client.example.org", "MAIL FROM:<a@example.org>", "ESMTP"},
		{"HELO client.example.org", "MAIL FROM:<a@example.org>", "SMTP"},
		{"EHLO client.example.org", "MAIL FROM:<ä@example.org> SMTPUTF8", "UTF8SMTP"},
	}
	for _, tt := range tests {
		hop := newSink(t, "SMTPUTF8")
		s := start(t, Options{NextHop: NextHop{Address: hop.address()}})
		c := s.dial()
		c.say(tt.hello, "250")
		c.say(tt.mail, "250")
		c.say("RCPT TO:<b@example.net>", "250")
		c.say("DATA", "354")
		c.say(plain+".", "250")
		want := regexp.MustCompile(`^Received: from client\.example\.org \(\[127\.0\.0\.1\]\)\r\n\tby filter\.example\.org \(linkmilter\) with ` + tt.with +
			` id [0-9a-z]+;\r\n\t[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}\r\nSubject: x\r\n`)
		if got := hop.one().content; !want.MatchString(got) {
			t.Errorf("%s: %q", tt.with, got)
		}
	}
}

// TestTraceName: the name that a client gives in HELO cannot break out of its place in the field.
func TestTraceName(t *testing.T) {
	for name, want := range map[string]string{
		"mx.example.org": "mx.example.org", "[IPv6:::1]": "[IPv6:::1]", "": "unknown",
		"a;b(c)<d>\"\\": "a?b?c??d???", "a b\tc": "a?b?c", "ä": "?", strings.Repeat("x", 300): strings.Repeat("x", 255),
	} {
		if got := traceName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// TestHops: a message in a loop is refused in the end.
func TestHops(t *testing.T) {
	hop := newSink(t)
	s := start(t, Options{NextHop: NextHop{Address: hop.address()}, MaxHops: 3})
	c := s.dial()
	c.say("EHLO client.example.org", "250")
	line := "Received: from a by b;\r\n\tSat, 1 Jan 2028 00:00:00 +0000\r\n"
	for text, want := range map[string]string{
		strings.Repeat(line, 3) + plain:                                       "250",
		strings.Repeat(line, 4) + plain:                                       "554 5.4.6",
		"Subject: x\r\n" + strings.Repeat("RECEIVED : x\r\n", 4):              "554 5.4.6",
		"Subject: x\r\n\r\n" + strings.Repeat(line, 4):                        "250",
		strings.Repeat("X-Received: x\r\nReceivedx: y\r\n", 4) + "":           "250",
		"Subject: x\r\n" + strings.Repeat("\tReceived: x\r\n", 4):             "250",
		strings.Repeat(line, 4) + "\r\n" + strings.Repeat("x", 5000) + "\r\n": "554 5.4.6",
	} {
		if got := c.exchange(text); !strings.HasPrefix(got, want) {
			t.Errorf("%.40q: %q, want %s", text, got, want)
		}
	}
}

// TestOnTopOfSignatures: a field at the top leaves every byte below it unchanged, so signatures
// stay valid.
func TestOnTopOfSignatures(t *testing.T) {
	signed := "DKIM-Signature: v=1; a=rsa-sha256; d=example.org;\r\n\tb=abc=\r\nFrom:  a@example.org\r\nSubject:x \r\n\r\n.x \r\n\r\n\r\n"
	hop := newSink(t)
	s := start(t, Options{Options: mailserver.Options{Filter: realFilter(t, filter.Options{})}, NextHop: NextHop{Address: hop.address()}})
	c := s.dial()
	c.say("EHLO client.example.org", "250")
	c.exchange(signed)
	if got := hop.one().message(t); got != signed {
		t.Errorf("got %q", got)
	}
}

// A message that the filter edits and signs verifies where it arrives.
func TestSignedAfterTheEdit(t *testing.T) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	key := mailauth.Key{Domain: "example.org", Selector: "s", File: filepath.Join(t.TempDir(), "key")}
	if err := os.WriteFile(key.File, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	signer, err := mailauth.NewSigner(mailauth.SignerOptions{Keys: []mailauth.Key{key}})
	if err != nil {
		t.Fatal(err)
	}
	hop := newSink(t)
	s := start(t, Options{Options: mailserver.Options{Filter: realFilter(t, filter.Options{Signer: signer})}, NextHop: NextHop{Address: hop.address()}})
	c := s.dial()
	c.say("EHLO client.example.org", "250")
	c.say("XFORWARD ADDR=127.0.0.1", "250")
	text := "From: a@example.org\r\nTo: b@example.net\r\nSubject: x\r\nDate: Sat, 1 Jan 2028 00:00:00 +0000\r\nMessage-ID: <1@example.org>\r\n" +
		"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nDear Bob,\r\n\r\nplease read https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE before we meet on Monday morning.\r\n.\r\n"
	c.exchange(text)
	d := hop.one()
	if body := d.message(t); !strings.HasPrefix(body, "DKIM-Signature: ") || !strings.Contains(body, "multipart/alternative") {
		t.Fatalf("delivered %q\n%s", body, s.log)
	}
	whole := strings.ReplaceAll("\r\n"+d.content, "\r\n.", "\r\n")[2:]
	found := dkim.Verify(whole, map[string]crypto.PublicKey{"s._domainkey.example.org": private.Public()})
	if len(found) != 1 || found[0] != nil {
		t.Error(found)
	}
}

// TestXForward: the filter and the next hop learn the client that a mail server names by XFORWARD.
func TestXForward(t *testing.T) {
	var envs []envelope.Envelope
	hop := newSink(t, "XFORWARD NAME ADDR HELO IDENT SOURCE")
	s := start(t, Options{
		Options: mailserver.Options{Filter: filterFunc(func(_ context.Context, env envelope.Envelope, _ []byte) filter.Result {
			envs = append(envs, env)
			return filter.Result{}
		})},
		NextHop: NextHop{Address: hop.address()},
	})
	c := s.dial()
	c.say("EHLO client.example.org", "250")
	steps := []struct {
		xforward []string
		client   string
		id       string
		next     string // what the next hop got
	}{
		{nil, "invalid IP", "", ""}, // a mail server on this machine is not a client
		{[]string{"XFORWARD NAME=spike.example ADDR=192.0.2.7 PORT=25", "XFORWARD HELO=spike IDENT=4Xq1 SOURCE=REMOTE PROTO=ESMTP"}, "192.0.2.7", "4Xq1", "XFORWARD NAME=spike.example ADDR=192.0.2.7 HELO=spike IDENT=4Xq1 SOURCE=REMOTE"},
		{nil, "invalid IP", "", ""}, // a mail server on this machine is not a client
		{[]string{"xforward ident=a+2Bb addr=IPv6:2001:db8::1"}, "2001:db8::1", "a+b", "XFORWARD ADDR=IPv6:2001:db8::1 IDENT=a+2Bb"},
		{[]string{"XFORWARD NAME=a+0D+0Ab ADDR=192.0.2.7 IDENT=a+0A+2"}, "192.0.2.7", "", "XFORWARD NAME=a+0D+0Ab ADDR=192.0.2.7 IDENT=a+0A+2"},
		{[]string{"XFORWARD NAME=[UNAVAILABLE] ADDR=[UNAVAILABLE]"}, "invalid IP", "", "XFORWARD NAME=[UNAVAILABLE] ADDR=[UNAVAILABLE]"},
		{[]string{"XFORWARD ADDR=[UNAVAILABLE] SOURCE=LOCAL"}, "127.0.0.1", "", "XFORWARD ADDR=[UNAVAILABLE] SOURCE=LOCAL"},
	}
	for i, step := range steps {
		for _, line := range step.xforward {
			c.say(line, "250")
		}
		before := len(hop.commands())
		c.exchange(plain)
		env := envs[i]
		if env.Client.String() != step.client || step.id != "" && env.QueueID != step.id || strings.ContainsAny(env.QueueID, "\r\n") || !strings.HasPrefix(env.Daemon, "127.0.0.1:") {
			t.Errorf("%d: %+v", i, env)
		}
		got := hop.commands()[before]
		if step.next == "" && !strings.HasPrefix(got, "MAIL") || step.next != "" && got != step.next {
			t.Errorf("%d: next hop got %q", i, got)
		}
	}
	c.say("XFORWARD", "501")
	c.say("XFORWARD LOGIN=root", "501")
	c.say("XFORWARD NAME", "501")
	c.say("MAIL FROM:<a@example.org>", "250")
	c.say("XFORWARD NAME=x", "503")
}

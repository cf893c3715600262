//go:build linux

package e2e

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kind is one of the two mail servers.
type kind struct {
	name  string
	start func(testing.TB, ...Listener) *Server
}

var kinds = []kind{
	{name: "postfix", start: StartPostfix},
	{name: "sendmail", start: StartSendmail},
}

// onEach runs a test on each of the mail servers, at the same time.
func onEach(t *testing.T, test func(*testing.T, kind)) {
	t.Helper()
	t.Parallel()
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			test(t, kind)
		})
	}
}

// A pair is a mail server with two listeners: "plain" has no milter, "filtered" has linkmilter.
type pair struct {
	*Server
	linkmilter *Process
	hops       int // how many servers receive a message before the last one
}

// startPair starts a mail server, with more listeners where a test needs
// them, and linkmilter.
func startPair(t *testing.T, kind kind, more ...Listener) *pair {
	t.Helper()
	addr := freeMilter(t)
	server := kind.start(t, append([]Listener{{Name: "plain"}, {Name: "filtered", Milter: addr}}, more...)...)
	return &pair{Server: server, linkmilter: Serve(t, addr, nil)}
}

// freeMilter returns an address at which linkmilter can listen.
func freeMilter(t *testing.T) string {
	t.Helper()
	return "inet:127.0.0.1:" + strconv.Itoa(FreePort(t))
}

// deliver sends one message on a connection of its own and returns what
// arrived. Sender and recipient are filled in where env has none.
func deliver(t *testing.T, server *Server, listener string, env Envelope, message []byte) Delivered {
	t.Helper()
	got, _ := send(t, Dial(t, server.Addr(listener)), server, env, message)
	return got
}

// send is deliver on a connection that is already there. It returns the
// queue id too.
func send(t *testing.T, client *Client, server *Server, env Envelope, message []byte) (got Delivered, queueID string) {
	t.Helper()
	if env.From == "" {
		env.From = server.NewAddress(t)
	}
	if env.To == nil {
		env.To = []string{server.NewAddress(t)}
	}
	queueID = client.Send(env, message)
	for i, to := range env.To {
		d := SplitDelivered(server.Receive(t, env.From, to))
		if i == 0 {
			got = d
		} else if d.Body != got.Body {
			t.Errorf("recipients got different bodies: %s", firstDifference(got.Body, d.Body))
		}
	}
	return got, queueID
}

// both delivers a message without and with linkmilter. The message that came with it must be what
// `linkmilter rewrite` makes of the one that came without: the same body, and the same raw header
// fields in the same order, except for a date and a message id that the server wrote. If rewrite
// changes nothing, both must be the same.
func (p *pair) both(t *testing.T, env Envelope, message []byte) (without, with Delivered) {
	t.Helper()
	if env.From == "" {
		env.From = p.NewAddress(t) // the server may write it into the message
	}
	without = deliver(t, p.Server, "plain", env, message)
	with = p.filtered(t, env, message)
	p.check(t, message, without, with)
	return without, with
}

// filtered delivers a message with linkmilter. The trace fields of each hop on
// its way are taken out of its header.
func (p *pair) filtered(t *testing.T, env Envelope, message []byte) Delivered {
	t.Helper()
	return p.arrived(t, deliver(t, p.Server, "filtered", env, message))
}

// arrived returns what came through linkmilter with the trace fields of each hop
// where they belong.
func (p *pair) arrived(t *testing.T, d Delivered) Delivered {
	t.Helper()
	for range p.hops {
		if len(d.Header) == 0 || fieldName(d.Header[0]) != "received" {
			t.Fatalf("fewer than %d Received fields:\n%s%s", p.hops+1, strings.Join(d.Trace, ""), strings.Join(d.Header, ""))
		}
		d.Trace, d.Header = append(d.Trace, d.Header[0]), d.Header[1:]
	}
	return d
}

// check is the comparison of both.
func (p *pair) check(t *testing.T, message []byte, without, with Delivered) {
	t.Helper()
	want := Rewrite(t, without.Message())
	if !edited(without, with) && bytes.Equal(Rewrite(t, message), message) {
		// The server may have mended the message after milters saw it, as
		// Sendmail closes a multipart body.
		want = without.Message()
	}
	header, body := splitMessage(want)
	if with.Body != body {
		t.Errorf("body is not that of linkmilter rewrite: %s", firstDifference(body, with.Body))
	}
	mask := maskOwnFields(message)
	if diff := cmp.Diff(mask(header), mask(with.Header)); diff != "" {
		t.Errorf("header is not that of linkmilter rewrite (-want +got):\n%s", diff)
	}
}

// maskOwnFields returns a function that blanks Date and Message-ID where
// the message itself has none: the server writes them, differently for
// each delivery.
func maskOwnFields(message []byte) func([]string) []string {
	has := map[string]bool{}
	fields, _ := splitMessage(message)
	for _, field := range fields {
		has[fieldName(field)] = true
	}
	return func(fields []string) []string {
		masked := make([]string, len(fields))
		for i, field := range fields {
			if name := fieldName(field); (name == "date" || name == "message-id") && !has[name] {
				field = name + ": (by the server)\n"
			}
			masked[i] = field
		}
		return masked
	}
}

// edited reports whether linkmilter changed a message on its way.
func edited(without, with Delivered) bool { return without.Body != with.Body }

// firstDifference shows where two texts begin to differ.
func firstDifference(want, got string) string {
	n := 0
	for n < min(len(want), len(got)) && want[n] == got[n] {
		n++
	}
	around := func(s string) string { return s[max(0, n-40):min(len(s), n+80)] }
	return fmt.Sprintf("%d bytes, want %d; from byte %d: %q, want %q", len(got), len(want), n, around(got), around(want))
}

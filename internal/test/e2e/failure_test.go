//go:build linux

package e2e

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	docs "github.com/linkmilter/linkmilter/internal/test/manual"
)

// failure is one way in which linkmilter can fail while it has a message in
// hand, and what the server was told to do then.
type failure struct {
	fate      string
	strike    func(*Process, testing.TB)
	timeout   time.Duration // the server's patience, see Listener
	command   byte          // it comes before a packet of this command
	onFailure Failure
}

func (f failure) String() string {
	at := map[byte]string{milterBody: "body", milterEndOfBody: "end"}[f.command]
	return fmt.Sprintf("%s-at-%s-%s", f.fate, at, map[Failure]string{FailAccept: "accept", FailTempfail: "tempfail"}[f.onFailure])
}

// failures returns all combinations.
func failures() (all []failure) {
	for _, f := range []failure{
		{fate: "killed", strike: (*Process).Kill},
		{fate: "frozen", strike: (*Process).Freeze, timeout: 2 * time.Second},
	} {
		for _, f.command = range []byte{milterBody, milterEndOfBody} {
			for _, f.onFailure = range []Failure{FailAccept, FailTempfail} {
				all = append(all, f)
			}
		}
	}
	return all
}

// TestFailures kills or freezes linkmilter in the middle of a message. No mail may be lost: it
// arrives as it was sent, or the client is told to try again and then succeeds, as the server is
// configured.
func TestFailures(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		taps := map[string]*tap{}
		listeners := []Listener{{Name: "plain"}}
		for _, f := range failures() {
			taps[f.String()] = newTap(t)
			listeners = append(listeners, Listener{Name: f.String(), Milter: taps[f.String()].Addr(), OnFailure: f.onFailure, Timeout: f.timeout})
		}
		server := kind.start(t, listeners...)
		t.Run("all", func(t *testing.T) { // ends when its parallel tests have
			for _, f := range failures() {
				t.Run(f.String(), func(t *testing.T) {
					t.Parallel()
					testFailure(t, server, f, taps[f.String()])
				})
			}
		})
	})
}

func testFailure(t *testing.T, server *Server, f failure, tapped *tap) {
	addr := freeMilter(t)
	linkmilter := Serve(t, addr, nil)
	tapped.Connect(addr)
	tapped.Before(f.command, func() { f.strike(linkmilter, t) })
	message := compose(textPlain, linkText)
	if f.onFailure == FailTempfail {
		sendTwice(t, server, f.String(), message, func() {
			again := freeMilter(t)
			Serve(t, again, nil)
			tapped.Connect(again)
		})
		return
	}
	env := Envelope{Params: "BODY=8BITMIME"}
	with := deliver(t, server, f.String(), env, message)
	without := deliver(t, server, "plain", env, message)
	if edited(without, with) {
		t.Errorf("edited: %s", firstDifference(without.Body, with.Body))
	}
	if diff := cmp.Diff(without.Header, with.Header); diff != "" {
		t.Errorf("header changed (-without +with linkmilter):\n%s", diff)
	}
}

// TestAbsent sends mail while linkmilter does not run.
func TestAbsent(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		milter := freeMilter(t)
		server := kind.start(t,
			Listener{Name: "plain"},
			Listener{Name: "accept", Milter: milter, OnFailure: FailAccept},
			Listener{Name: "tempfail", Milter: milter, OnFailure: FailTempfail})
		message := compose(textPlain, linkText)
		env := Envelope{Params: "BODY=8BITMIME"}

		without := deliver(t, server, "plain", env, message)
		with := deliver(t, server, "accept", env, message)
		if edited(without, with) {
			t.Errorf("changed without linkmilter: %s", firstDifference(without.Body, with.Body))
		}
		client := Dial(t, server.Addr("tempfail"))
		if reply := client.Try("MAIL FROM:<%s>", server.NewAddress(t)); reply.Code/100 != 4 {
			t.Errorf("reply %q, want 4xx", reply.Text)
		}
	})
}

// TestOwnAction gives linkmilter a default action of its own in Postfix's list of milters.
func TestOwnAction(t *testing.T) {
	t.Parallel()
	port, absent := FreePort(t), freeMilter(t)
	server := StartPostfix(t, Listener{Name: "own", Port: port, Services: fmt.Sprintf(`
127.0.0.1:%d inet n - n - - smtpd -o milter_default_action=accept -o { smtpd_milters = { %s, default_action=tempfail } }
`, port, absent)})
	if reply := Dial(t, server.Addr("own")).Try("MAIL FROM:<%s>", server.NewAddress(t)); reply.Code/100 != 4 {
		t.Errorf("reply %q, want 4xx", reply.Text)
	}
}

// TestStop stops linkmilter by a signal in the middle of a message. It finishes the open message
// and ends without an error. For the next message of the connection, the server does what it does
// without linkmilter.
func TestStop(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		taps := map[Failure]*tap{FailAccept: newTap(t), FailTempfail: newTap(t)}
		server := kind.start(t,
			Listener{Name: "plain"},
			Listener{Name: "accept", Milter: taps[FailAccept].Addr(), OnFailure: FailAccept},
			Listener{Name: "tempfail", Milter: taps[FailTempfail].Addr(), OnFailure: FailTempfail})
		env, message := Envelope{Params: "BODY=8BITMIME"}, compose(textPlain, linkText)
		// stop sends a message during which linkmilter is stopped, and returns the
		// connection.
		stop := func(t *testing.T, onFailure Failure, listener string) *Client {
			t.Helper()
			addr := freeMilter(t)
			linkmilter, tapped := Serve(t, addr, nil), taps[onFailure]
			tapped.Connect(addr)
			tapped.Before(milterBody, func() {
				linkmilter.Signal(t, syscall.SIGTERM)
				linkmilter.WaitLog(t, "stopping")
			})
			client := Dial(t, server.Addr(listener))
			with, _ := send(t, client, server, env, message)
			readAlternative(t, with)
			if code := linkmilter.Wait(t); code != 0 {
				t.Errorf("exit code %d after SIGTERM, want 0", code)
			}
			if conn, err := net.Dial("tcp", strings.TrimPrefix(addr, "inet:")); err == nil {
				conn.Close()
				t.Error("it still accepts connections")
			}
			return client
		}
		t.Run("accept", func(t *testing.T) {
			client := stop(t, FailAccept, "accept")
			with, _ := send(t, client, server, env, message)
			if without := deliver(t, server, "plain", env, message); edited(without, with) {
				t.Errorf("changed without linkmilter: %s", firstDifference(without.Body, with.Body))
			}
		})
		t.Run("tempfail", func(t *testing.T) {
			client := stop(t, FailTempfail, "tempfail")
			reply := client.Try("MAIL FROM:<%s>", server.NewAddress(t))
			if reply.Code == 250 { // not every server asks the milter that early
				client.Command(250, "RCPT TO:<%s>", server.NewAddress(t))
				client.Command(354, "DATA")
				client.Write(message)
				reply = client.End()
			}
			if reply.Code/100 != 4 {
				t.Errorf("reply %q, want 4xx", reply.Text)
			}
			if manual := docs.Read(t, "docs/install.md"); !quotes(manual, reply.Text) {
				t.Errorf("%s does not tell what clients see: %s", manual.Path, reply.Text)
			}
		})
	})
}

// quotes reports whether a document has a text as code.
func quotes(d *docs.Document, text string) bool {
	return slices.ContainsFunc(d.Code(), func(c docs.Span) bool { return c.Text == strings.TrimSpace(text) })
}

// TestTornReply breaks the connection in the middle of linkmilter's reply, behind the first edit.
// Only a server that then refuses the message temporarily is safe. With accept, both servers
// deliver the new header with the old body, and Postfix loses the message if a part of the new body
// had arrived.
func TestTornReply(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		addr := freeMilter(t)
		Serve(t, addr, nil)
		tapped := newTap(t)
		tapped.Connect(addr)
		server := kind.start(t, Listener{Name: "filtered", Milter: tapped.Addr(), OnFailure: FailTempfail})
		for name, reply := range map[string]byte{"header changed": replyChangeHeader, "body replaced": replyReplaceBody} {
			t.Run(name, func(t *testing.T) {
				tapped.Cut(reply)
				sendTwice(t, server, "filtered", compose(textPlain, linkText), func() {})
			})
		}
	})
}

// sendTwice sends a message that must be refused temporarily, calls repair and sends it again. Then
// it must arrive once and edited.
func sendTwice(t *testing.T, server *Server, listener string, message []byte, repair func()) {
	t.Helper()
	env := Envelope{From: server.NewAddress(t), To: []string{server.NewAddress(t)}, Params: "BODY=8BITMIME"}
	client := Dial(t, server.Addr(listener))
	client.Begin(env)
	client.Write(message)
	if reply := client.End(); reply.Code/100 != 4 {
		t.Fatalf("reply %q, want 4xx", reply.Text)
	}
	client.Command(221, "QUIT")
	repair()
	readAlternative(t, deliver(t, server, listener, env, message))
}

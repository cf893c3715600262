//go:build linux

package e2e

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// rules are the rules with which the tests of this file start linkmilter. The recipients and the
// client's address alone decide which one applies.
const rules = `
[[rule]]
name = "readable"
when.client = ["127.0.0.1"]
when.recipient = [%s]
trusted = true
html = "needed"
on.high = "tag"

[[rule]]
name = "quarantine"
when.any_recipient = ["%s"]
on.high = "quarantine"

[[rule]]
name = "reject"
when.any_recipient = ["%s"]
on.high = "reject"

[[rule]]
name = "defer"
when.any_recipient = ["%s"]
on.high = "tempfail"

[[rule]]
name = "others"
on.medium = "tag"
`

// A ruled is a mail server with linkmilter, which has a rule for each of these recipients.
type ruled struct {
	*pair
	quarantine, reject, tempfail string
	readable                     []string // several, as each mailbox gets one message
}

func startRuled(t *testing.T, kind kind) *ruled {
	t.Helper()
	addr := freeMilter(t)
	server := kind.start(t, Listener{Name: "plain"}, Listener{Name: "filtered", Milter: addr})
	r := &ruled{
		quarantine: server.NewAddress(t), reject: server.NewAddress(t), tempfail: server.NewAddress(t),
		readable: []string{server.NewAddress(t), server.NewAddress(t), server.NewAddress(t)},
	}
	config := writeConfig(t, fmt.Sprintf(rules, `"`+strings.Join(r.readable, `", "`)+`"`, r.quarantine, r.reject, r.tempfail))
	r.pair = &pair{Server: server, linkmilter: Serve(t, addr, nil, "--config", config)}
	return r
}

// writeConfig writes a configuration file.
func writeConfig(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(tempDir(t), "linkmilter.toml")
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestActions sends a spoofed link under rules that act on it.
func TestActions(t *testing.T) {
	spoofed := compose(textPlain, spoofedText)
	onEach(t, func(t *testing.T, kind kind) {
		r := startRuled(t, kind)
		from := r.NewAddress(t)
		offer := func(t *testing.T, to ...string) Reply {
			t.Helper()
			return Dial(t, r.Addr("filtered")).Submit(Envelope{From: from, To: to, Params: "BODY=8BITMIME"}, spoofed)
		}
		t.Run("reject", func(t *testing.T) {
			reply := offer(t, r.reject)
			if want := "550 5.7.1 Message refused because of its links\r\n"; reply.Text != want {
				t.Errorf("reply %q, want %q", reply.Text, want)
			}
		})
		t.Run("tempfail", func(t *testing.T) {
			if reply := offer(t, r.tempfail); !strings.HasPrefix(reply.Text, "451 4.7.1 ") {
				t.Errorf("reply %q, want 451 4.7.1", reply.Text)
			}
		})
		t.Run("the strictest rule of two recipients", func(t *testing.T) {
			if reply := offer(t, r.readable[0], r.reject); reply.Code != 550 {
				t.Errorf("reply %q, want 550", reply.Text)
			}
		})
		t.Run("refused, then another on the connection", func(t *testing.T) {
			client := Dial(t, r.Addr("filtered"))
			if reply := client.Submit(Envelope{From: from, To: []string{r.reject}, Params: "BODY=8BITMIME"}, spoofed); reply.Code != 550 {
				t.Errorf("reply %q, want 550", reply.Text)
			}
			to := r.readable[:1]
			with, _ := send(t, client, r.Server, Envelope{To: to, Params: "BODY=8BITMIME"}, compose(textPlain, linkText))
			readAlternative(t, with)
		})
		t.Run("quarantine", func(t *testing.T) {
			reply := offer(t, r.quarantine)
			if reply.Code != 250 {
				t.Fatalf("reply %q, want 250", reply.Text)
			}
			r.linkmilter.WaitLog(t, "queue_id="+reply.QueueID(), "action=quarantine")
			held := r.Quarantined(t)
			if len(held) != 1 || !strings.HasSuffix(held[0], reply.QueueID()) {
				t.Errorf("in quarantine: %q, want the one message %s", held, reply.QueueID())
			}
			if got := r.Mailbox(t, r.quarantine); len(got) > 0 {
				t.Errorf("delivered all the same:\n%s", got[0])
			}
			// As the manual says.
			r.Release(t, reply.QueueID())
			r.Receive(t, from, r.quarantine)
		})
		for _, address := range []string{r.reject, r.tempfail} {
			if got := r.Mailbox(t, address); len(got) > 0 {
				t.Errorf("refused, and delivered to %s all the same:\n%s", address, got[0])
			}
		}
	})
}

// TestRecipientRules sends to recipients with different rules: an edit is made only if all rules
// want it.
func TestRecipientRules(t *testing.T) {
	message := compose(textPlain, linkText)
	tests := []struct {
		name   string
		to     func(*ruled) []string
		edited bool
	}{
		{"one who wants it readable", func(r *ruled) []string { return r.readable[:1] }, true},
		{"one who does not", func(r *ruled) []string { return []string{r.NewAddress(t)} }, false},
		{"both", func(r *ruled) []string { return []string{r.readable[1], r.NewAddress(t)} }, false},
		{"both, the other way round", func(r *ruled) []string { return []string{r.NewAddress(t), r.readable[2]} }, false},
	}
	onEach(t, func(t *testing.T, kind kind) {
		r := startRuled(t, kind)
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				without := deliver(t, r.Server, "plain", Envelope{Params: "BODY=8BITMIME"}, message)
				with := deliver(t, r.Server, "filtered", Envelope{To: test.to(r), Params: "BODY=8BITMIME"}, message)
				if got := edited(without, with); got != test.edited {
					t.Errorf("edited %t, want %t", got, test.edited)
				}
			})
		}
	})
}

// TestForeignClient sends from 127.0.0.2, which the rules take for another machine. Its mail is
// judged, not edited, and fields with linkmilter's id are removed.
func TestForeignClient(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		r := startRuled(t, kind)
		from := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}
		receive := func(message []byte) Delivered {
			to := []string{r.NewAddress(t)}
			with, _ := send(t, DialFrom(t, from, r.Addr("filtered")), r.Server, Envelope{To: to, Params: "BODY=8BITMIME"}, message)
			return with
		}
		with := receive(compose(textPlain, linkText))
		if _, body := splitMessage(compose(textPlain, linkText)); with.Body != body {
			t.Errorf("edited: %s", firstDifference(body, with.Body))
		}
		tagged := receive(compose(textPlain, spoofedText))
		summary, ok := tagged.Field("X-Linkmilter")
		if !ok {
			t.Fatalf("not tagged:\n%s", strings.Join(tagged.Header, ""))
		}
		id, _, _ := strings.Cut(summary, ";")
		again := receive(compose(textPlain, spoofedText, "X-Linkmilter: "+id+"; worst=none", "X-Other: 1", "X-Linkmilter: "+id+"; worst=low"))
		if all := strings.Join(again.Header, ""); strings.Count(all, "X-Linkmilter: ") != 1 || strings.Contains(all, "worst=none") {
			t.Errorf("forged fields stand:\n%s", all)
		}
	})
}

// TestReload changes the rules between two messages of a connection.
func TestReload(t *testing.T) {
	message := compose(textPlain, linkText)
	onEach(t, func(t *testing.T, kind kind) {
		addr := freeMilter(t)
		server := kind.start(t, Listener{Name: "plain"}, Listener{Name: "filtered", Milter: addr})
		const never, needed = "[[rule]]\nname = \"never\"\n", "[[rule]]\nname = \"needed\"\nwhen.client = [\"127.0.0.1\"]\ntrusted = true\nhtml = \"needed\"\n"
		config := writeConfig(t, never)
		linkmilter := Serve(t, addr, nil, "--config", config)
		client := Dial(t, server.Addr("filtered"))
		reload := func(content, report string) {
			if err := os.WriteFile(config, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			linkmilter.Signal(t, syscall.SIGHUP)
			linkmilter.WaitLog(t, report)
		}
		receive := func() Delivered {
			with, _ := send(t, client, server, Envelope{Params: "BODY=8BITMIME"}, message)
			return with
		}
		_, body := splitMessage(message)
		if with := receive(); with.Body != body {
			t.Errorf("edited by the first rules: %s", firstDifference(body, with.Body))
		}
		reload(needed, "configuration in use")
		readAlternative(t, receive())
		reload("[[rule]]\nnonsense = 1\n", "nonsense")
		readAlternative(t, receive())
	})
}

// TestSizeLimit sends messages just below a server's small limit. linkmilter is configured with it,
// and makes no message larger.
func TestSizeLimit(t *testing.T) {
	const limit = 200_000
	sized := func(size int) []byte {
		contentType, empty := mixed(linkText, 0)
		contentType, body := mixed(linkText, size-len(compose(contentType, empty)))
		return compose(contentType, body)
	}
	onEach(t, func(t *testing.T, kind kind) {
		addr := freeMilter(t)
		server := kind.start(t, Listener{Name: "plain", SizeLimit: limit}, Listener{Name: "filtered", Milter: addr, SizeLimit: limit})
		config := writeConfig(t, fmt.Sprintf("[limits]\nresult = %d\n", limit-2_000))
		Serve(t, addr, nil, "--config", config)
		for _, test := range []struct {
			name   string
			size   int
			edited bool
		}{{"room for the edit", limit - 20_000, true}, {"none", limit - 2_500, false}} {
			t.Run(test.name, func(t *testing.T) {
				message := sized(test.size)
				without := deliver(t, server, "plain", Envelope{Params: "BODY=8BITMIME"}, message)
				with := deliver(t, server, "filtered", Envelope{Params: "BODY=8BITMIME"}, message)
				if got := edited(without, with); got != test.edited {
					t.Errorf("edited %t, want %t", got, test.edited)
				}
			})
		}
	})
}

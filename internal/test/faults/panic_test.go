//go:build linux

package faults

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/internal/test/traffic"
)

// stages are those of package filter.
var stages = []string{"read", "plan", "decide", "apply", "verify", "sign"}

// Wherever the filter panics, the message goes on as it was sent, and the log and the
// metrics give the reason.
func TestPanics(t *testing.T) {
	long.Only(t) // it builds linkmilter once more
	binary := filepath.Join(t.TempDir(), "linkmilter")
	build := exec.Command("go", "build", "-tags", "faults", "-o", binary, "./cmd/linkmilter")
	build.Dir = env.Root(t)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := newCourse(t, binary)
	c.configure(strings.NewReplacer("[log]\n", "[[dkim.key]]\ndomain = \"example.org\"\nselector = \"s\"\nfile = \""+newKey(t)+"\"\n[log]\n"))
	if err := c.program.start(); err != nil {
		t.Fatal(err)
	}
	for _, stage := range stages {
		c.corpus = askingFor(t, c, stage)
		for i := range milterSenders + smtpSenders {
			c.sendSome(i, max(3, faultMessages(t)/100))
		}
		totals := c.account.Totals()
		metric, err := c.program.metric(`linkmilter_messages_not_edited_total{reason="panic"}`)
		if err != nil {
			t.Fatal(err)
		}
		lines := c.program.log.counts()["message"]
		if totals.Original != totals.Sent || int(metric) != totals.Sent || lines != totals.Sent {
			t.Errorf("%s: of %d messages %d went on as they were sent, the metric says %v, and %d lines of the log\n%s",
				stage, totals.Sent, totals.Original, metric, lines, strings.Join(c.account.Problems(), "\n"))
		}
	}
	if totals := c.account.Close(); !totals.OK() || totals.Sent < len(stages) {
		t.Errorf("messages: %+v", totals)
	}
	text, err := os.ReadFile(filepath.Join(c.program.dir, "log"))
	if err != nil || !strings.Contains(string(text), "not_done=panic") {
		t.Errorf("no reason in the log, %v", err)
	}
	if strings.Contains(string(text), "asked for in stage") {
		t.Error("text of a panic in the log")
	}
}

// sendSome sends messages in one way, all of which the filter would edit.
func (c *course) sendSome(way, messages int) {
	c.t.Helper()
	send, end := newSender(c.program, c.account, way)
	defer end()
	for range messages {
		m, err := c.corpus.Message(c.sent.Add(1))
		if err != nil {
			c.t.Fatal(err)
		}
		if !m.Changed() {
			c.t.Fatal("the filter would not edit the message: the panic does nothing")
		}
		if err := send(c.t.Context(), m); err != nil {
			c.t.Fatal(err)
		}
	}
}

// askingFor returns a corpus of messages that ask for a panic in a stage.
func askingFor(tb testing.TB, c *course, stage string) *traffic.Corpus {
	tb.Helper()
	m := traffic.Compose(traffic.Linked, 3000, rand.New(rand.NewPCG(1, 1)))
	m.Raw = append([]byte("X-Linkmilter-Panic: "+stage+"\r\n"), m.Raw...)
	return traffic.NewCorpusOf(c.program.filter(tb), m)
}

// newKey returns the file of a new key for DKIM.
func newKey(tb testing.TB) string {
	tb.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		tb.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		tb.Fatal(err)
	}
	path := filepath.Join(tb.TempDir(), "key.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

package service

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// writeKey writes a new key.
func writeKey(tb testing.TB, path string) {
	tb.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		tb.Fatal(err)
	}
}

// TestReloadOfKeys: a reload reads the keys again. If one is bad, nothing changes.
func TestReloadOfKeys(t *testing.T) {
	const ascii = "See https://hi.wikipedia.org/wiki/%E0%A4%AE please.\r\n"
	path := filepath.Join(t.TempDir(), "key.pem")
	writeKey(t, path)
	document := func(selector string) string {
		return fmt.Sprintf("[dkim]\n[[dkim.key]]\ndomain = \"example.org\"\nselector = %q\nfile = %q\n", selector, path) +
			ruleWith(`html = "needed"`, `trusted = true`, `when = { client = ["0.0.0.0/0", "::/0"] }`)
	}
	r := run(t, document("one"))
	m := r.connect(t)
	send := func(want string) {
		t.Helper()
		if got := m.send(t, ascii); got != "edited" {
			t.Errorf("%s", got)
		}
		if got := strings.Count(r.logs.String(), "signed=example.org"); fmt.Sprint(got) != want {
			t.Errorf("%d messages signed, want %s", got, want)
		}
	}
	send("1")
	writeKey(t, path)
	r.reload(t, document("two"))
	r.logs.wait(t, "selector=two", 1)
	send("2")
	if err := os.WriteFile(path, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.signals <- syscall.SIGHUP
	r.logs.wait(t, "old configuration stays in use", 1)
	if all := r.logs.String(); !strings.Contains(all, "linkmilter.toml:2:3: dkim.key[0]: ") {
		t.Errorf("log %s", all)
	}
	send("3")
	// linkmilter does not change mail that it cannot sign.
	if got := m.send(t, ascii+strings.Repeat("x", 990)+"\r\n"); got != "kept" {
		t.Errorf("a long line: %s", got)
	}
	r.logs.wait(t, "not_signed=not-7bit", 1)
	m.close()
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
	checkNoGoroutines(t)
}

// TestDoesNotStartWithABadKey: the error names the key and the problem.
func TestDoesNotStartWithABadKey(t *testing.T) {
	config := filepath.Join(t.TempDir(), "linkmilter.toml")
	if err := os.WriteFile(config, []byte("[[dkim.key]]\ndomain = \"example.org\"\nselector = \"s\"\nfile = \"/none.pem\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := Run(t.Context(), Options{Config: config, Milter: []string{"inet:127.0.0.1:0"}, Log: newLogs()})
	if err == nil || !strings.Contains(err.Error(), `linkmilter.toml:1:3: dkim.key[0]: DKIM key s for example.org, file "/none.pem": no such file`) {
		t.Errorf("error %v", err)
	}
}

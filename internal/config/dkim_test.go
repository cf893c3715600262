package config

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
)

// writeKey writes a key that is made of seed.
func writeKey(tb testing.TB, path string, seed byte) {
	tb.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune(seed)), ed25519.SeedSize))))
	if err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		tb.Fatal(err)
	}
}

func TestKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key.pem")
	writeKey(t, path, 'a')
	document := fmt.Sprintf("[dkim]\nsign = \"edited\"\n[[dkim.key]]\ndomain = \"example.com\"\nselector = \"one\"\nfile = %q\n", path)
	file, err := Parse("keys", []byte(document))
	if err != nil {
		t.Fatal(err)
	}
	o := file.Filter(nil)
	if o.Signer == nil || !o.Signer.Has("example.com") || o.Signer.Has("example.org") || !o.SignEdited {
		t.Errorf("signer %v, only edited messages %t", o.Signer, o.SignEdited)
	}
	if len(file.Signing().Keys) != 1 || !file.Signer().Has("www.example.com") {
		t.Errorf("signing %v", file.Signing())
	}
	if _, err := filter.New(o); err != nil {
		t.Error(err)
	}
	// The error about an invalid key has its place in the file.
	if err := os.WriteFile(path, []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Parse("keys", []byte(document)); err == nil || !strings.Contains(err.Error(), "keys:3:") || strings.Contains(err.Error(), "nonsense") {
		t.Errorf("a broken key: %v", err)
	}
	// A key that others can read is refused.
	writeKey(t, path, 'b')
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Parse("keys", []byte(document)); err == nil || !strings.Contains(err.Error(), "0644") {
		t.Errorf("a key that all may read: %v", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	_, key, _ := strings.Cut(document, "[[")
	if _, err := Parse("keys", []byte(document+"[["+key)); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("a key given twice: %v", err)
	}
}

// TestNoKeys: without keys the signer is nil, not an interface with a nil pointer.
func TestNoKeys(t *testing.T) {
	file, err := Parse("none", nil)
	if err != nil {
		t.Fatal(err)
	}
	if o := file.Filter(nil); o.Signer != nil {
		t.Errorf("signer %v", o.Signer)
	}
}

package mailauth

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Keys for all tests, made once, since that takes time.
var (
	rsaKey = sync.OnceValue(func() *rsa.PrivateKey {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			panic(err)
		}
		return key
	})
	edKey = sync.OnceValue(func() ed25519.PrivateKey {
		_, key, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			panic(err)
		}
		return key
	})
)

// pkcs8 returns a key in PEM, as PKCS #8.
func pkcs8(tb testing.TB, key any) []byte {
	tb.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		tb.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

// keyFile writes a file that only its owner may read.
func keyFile(tb testing.TB, content []byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "key.pem")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

// rsaOption and edOption are keys for example.com.
func rsaOption(tb testing.TB) Key {
	return Key{Domain: "example.com", Selector: "rsa", File: keyFile(tb, pkcs8(tb, rsaKey()))}
}

func edOption(tb testing.TB) Key {
	return Key{Domain: "example.com", Selector: "ed", File: keyFile(tb, pkcs8(tb, edKey()))}
}

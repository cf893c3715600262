//go:build linux

package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/dkim"
)

// The domain of signatures, and the name of their key in the DNS.
const (
	domain   = "example.org"
	selector = "s1"
)

// keyBits is the size of the key. Smaller ones are weak, larger ones rare.
const keyBits = 2048

// A signingKey is a key with its files.
type signingKey struct {
	key     *rsa.PrivateKey
	private string // PEM
	public  string // the record in the DNS, behind its name
}

func newSigningKey(tb testing.TB) *signingKey {
	tb.Helper()
	key, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		tb.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		tb.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		tb.Fatal(err)
	}
	folder := tb.TempDir()
	k := &signingKey{key: key, private: filepath.Join(folder, "private"), public: filepath.Join(folder, "public")}
	record := fmt.Sprintf("%s._domainkey.%s v=DKIM1; k=rsa; p=%s\n", selector, domain, base64.StdEncoding.EncodeToString(public))
	for file, content := range map[string][]byte{
		k.private: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), k.public: []byte(record),
	} {
		if err := os.WriteFile(file, content, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return k
}

// signed returns a mail with a signature on top.
func (k *signingKey) signed(tb testing.TB, m *mail) *mail {
	tb.Helper()
	s := dkim.Signature{
		Key: k.key, Domain: domain, Selector: selector, Header: "relaxed", Body: "relaxed", Length: -1,
		Fields: []string{"From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type", "Content-Transfer-Encoding"},
	}
	return newMail(m.kind+", signed", m.sender, m.recipient, m.login, []byte(s.Sign(tb, string(m.raw()))))
}

package mailauth

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/secretfile"
)

// block returns a block in PEM.
func block(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// TestLoadKey: all forms of keys that DKIM allows, and other contents that people put into such
// files.
func TestLoadKey(t *testing.T) {
	der, err := x509.MarshalPKIXPublicKey(rsaKey().Public())
	if err != nil {
		t.Fatal(err)
	}
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	pkcs1 := x509.MarshalPKCS1PrivateKey(rsaKey())
	encrypted := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Headers: map[string]string{"Proc-Type": "4,ENCRYPTED"}, Bytes: pkcs1})
	t.Setenv("GODEBUG", "rsa1024min=0")
	short, err := rsa.GenerateKey(rand.Reader, 768)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		content []byte
		want    []string // of the error; nil for a good key
	}{
		{"PKCS #8 RSA", pkcs8(t, rsaKey()), nil},
		{"PKCS #8 Ed25519", pkcs8(t, edKey()), nil},
		{"PKCS #1", block("RSA PRIVATE KEY", pkcs1), nil},
		{"behind another block", slices.Concat(block("CERTIFICATE", []byte("x")), []byte("a comment\n"), pkcs8(t, edKey())), nil},
		{"too short", pkcs8(t, short), []string{"RSA key of 768 bits", "openssl genrsa"}},
		{"public", block("PUBLIC KEY", der), []string{"not a private key, but a public key", "Name the file of the private key"}},
		{"ECDSA", pkcs8(t, ec), []string{"not for DKIM (want RSA or Ed25519)"}},
		{"ECDSA of OpenSSL", block("EC PRIVATE KEY", []byte("x")), []string{"key of another type: not for DKIM"}},
		{"OpenSSH", block("OPENSSH PRIVATE KEY", []byte("x")), []string{`"OPENSSH PRIVATE KEY"`, "openssl pkey"}},
		{"encrypted", block("ENCRYPTED PRIVATE KEY", []byte("x")), []string{"the key is encrypted", "without a passphrase"}},
		{"encrypted PKCS #1", encrypted, []string{"the key is encrypted"}},
		{"damaged", block("PRIVATE KEY", pkcs1[:100]), []string{"damaged key"}},
		{"empty", nil, []string{"no key in PEM format"}},
		{"large", make([]byte, secretfile.MaxSize+1), []string{"too large (want at most"}},
	}
	for _, tt := range tests {
		file := keyFile(t, tt.content)
		key, err := LoadKey(Key{Domain: "example.com", Selector: "S1", File: file})
		if tt.want == nil {
			if err != nil || key.Name() != "s1._domainkey.example.com" || len(key.CheckRecords([]string{recordOf(key)})) > 0 {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		for _, want := range append(tt.want, "DKIM key s1 for example.com, file \""+file+"\": ") {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", tt.name, err, want)
			}
		}
	}
}

// TestLoadKeyAccess: a key that other users can read is refused.
func TestLoadKeyAccess(t *testing.T) {
	for mode, want := range map[os.FileMode]string{
		0o600: "", 0o400: "", 0o640: "", 0o440: "",
		0o644: "every user may read or change it (mode 0644)", 0o602: "every user", 0o604: "every user", 0o660: "its group may change it",
	} {
		path := keyFile(t, pkcs8(t, edKey()))
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		_, err := LoadKey(Key{Domain: "example.com", Selector: "s", File: path})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("mode %04o: %v, want %q", mode, err, want)
		}
	}
}

// TestLoadKeyFiles: paths that are not files, and names that are not valid.
func TestLoadKeyFiles(t *testing.T) {
	folder := t.TempDir()
	good := keyFile(t, pkcs8(t, edKey()))
	pem, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	marked := filepath.Join(folder, "marked")
	if err := os.WriteFile(marked, append([]byte("\uFEFF"), pem...), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		key  Key
		want string
	}{
		{"a byte order mark", Key{"example.com", "s", marked}, ""},
		{"none", Key{"example.com", "s", ""}, "no file"},
		{"missing", Key{"example.com", "s", filepath.Join(folder, "x")}, "no such file"},
		{"a folder", Key{"example.com", "s", folder}, "not a regular file"},
		{"no domain", Key{"", "s", good}, `domain "": not valid`},
		{"an address", Key{"a@example.com", "s", good}, `domain "a@example.com": not valid`},
		{"no selector", Key{"example.com", "", good}, `selector "": not valid`},
		{"a selector with a space", Key{"example.com", "a b", good}, `selector "a b": not valid`},
		{"a long name", Key{strings.Repeat("a23456789.", 23) + "example", "a" + strings.Repeat(".b", 20), good}, "more than 253 bytes"},
		{"labels", Key{"example.com", "a.b", good}, ""},
	}
	for _, tt := range tests {
		_, err := LoadKey(tt.key)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	if os.Getuid() == 0 {
		return // root may read everything
	}
	if err := os.Chmod(good, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadKey(Key{"example.com", "s", good}); err == nil || !strings.Contains(err.Error(), "chgrp") {
		t.Errorf("unreadable: %v", err)
	}
}

// TestCheckRecords: records in the DNS, and what is wrong with them.
func TestCheckRecords(t *testing.T) {
	rsaOne, err := LoadKey(rsaOption(t))
	if err != nil {
		t.Fatal(err)
	}
	edOne, err := LoadKey(edOption(t))
	if err != nil {
		t.Fatal(err)
	}
	_, p, _ := strings.Cut(recordOf(rsaOne), "p=")
	older := encode(x509.MarshalPKCS1PublicKey(rsaKey().Public().(*rsa.PublicKey)))
	edP := encode(edKey().Public().(ed25519.PublicKey))
	tests := []struct {
		name    string
		key     *PrivateKey
		records []string
		want    []string // beginnings of the problems
	}{
		{"as printed", rsaOne, []string{recordOf(rsaOne)}, nil},
		{"as printed", edOne, []string{recordOf(edOne)}, nil},
		{"without v= and k=", rsaOne, []string{"p=" + p}, nil},
		{"other spacing", rsaOne, []string{" v = DKIM1 ;k=rsa; p=" + p[:50] + " " + p[50:] + ";"}, nil},
		{"the older form", rsaOne, []string{"v=DKIM1; p=" + older}, nil},
		{"limits that fit", rsaOne, []string{"v=DKIM1; h=sha1:sha256; s=*; t=s; n=note; x=y; p=" + p}, nil},
		{"none", rsaOne, nil, []string{"missing"}},
		{"two", rsaOne, []string{recordOf(rsaOne), recordOf(rsaOne)}, []string{"ambiguous"}},
		{"SPF", rsaOne, []string{"v=spf1 -all"}, []string{"syntax"}},
		{"another version", rsaOne, []string{"v=DKIM2; p=" + p}, []string{"syntax: v=DKIM2"}},
		{"v= later", rsaOne, []string{"p=" + p + "; v=DKIM1"}, []string{"syntax: v=DKIM1 is not the first"}},
		{"twice", rsaOne, []string{"p=" + p + "; p=" + p}, []string{"syntax"}},
		{"no p=", rsaOne, []string{"v=DKIM1; k=rsa"}, []string{"syntax: p= with the public key is missing"}},
		{"revoked", rsaOne, []string{"v=DKIM1; k=rsa; p= "}, []string{"revoked"}},
		{"damaged", rsaOne, []string{"v=DKIM1; p=" + p[1:]}, []string{"syntax: p= is damaged"}},
		{"another key", edOne, []string{"v=DKIM1; k=ed25519; p=" + encode(make([]byte, 32))}, []string{"different key"}},
		{"another RSA key", rsaOne, []string{"v=DKIM1; p=" + encode([]byte("x"))}, []string{"different key"}},
		{"another type", rsaOne, []string{"v=DKIM1; k=ed25519; p=" + p}, []string{"wrong type: k=ed25519"}},
		{"no type", edOne, []string{"v=DKIM1; p=" + edP}, []string{"wrong type: receivers read a key without k= as RSA"}},
		{"hash", rsaOne, []string{"v=DKIM1; h=sha1; p=" + p}, []string{"limited: h=sha1"}},
		{"service", rsaOne, []string{"v=DKIM1; s=other; p=" + p}, []string{"limited: s=other"}},
		{"testing", rsaOne, []string{"v=DKIM1; t=y:s; p=" + p}, []string{"testing"}},
		{"much at once", rsaOne, []string{"v=DKIM1; h=sha1; s=x; t=y; p="}, []string{"revoked", "limited", "limited", "testing"}},
	}
	for _, tt := range tests {
		got := tt.key.CheckRecords(tt.records)
		if !slices.EqualFunc(got, tt.want, strings.HasPrefix) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// recordOf returns the record of a key in one piece, as the DNS answers it.
func recordOf(key *PrivateKey) string { return strings.Join(key.Record(), "") }

// TestRecord: the strings have at most 255 bytes each, and joined they are the record.
func TestRecord(t *testing.T) {
	key, err := LoadKey(rsaOption(t))
	if err != nil {
		t.Fatal(err)
	}
	parts := key.Record()
	if len(parts) != 2 || len(parts[0]) != 255 || len(key.CheckRecords([]string{recordOf(key)})) > 0 {
		t.Errorf("%q", parts)
	}
}

func encode(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

package config

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/contentfilter"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// TestContentFilterOptions: each key of the table sets its option.
func TestContentFilterOptions(t *testing.T) {
	cert, key := certificate(t)
	file, err := Parse("test", fmt.Appendf(nil, `
[content_filter]
listen = ["127.0.0.1:10025"]
protocol = "lmtp"
next_hop = "unix:/run/lmtp"
next_hop_protocol = "lmtp"
next_hop_tls = "may"
next_hop_timeout = "1m"
name = "mx.example.com"
bare_line_ends = "pass-through"
max_hops = 7
tls_cert = %q
tls_key = %q
allow = ["10.0.0.0/8"]
xforward = ["10.1.0.0/16"]
max_connections = 8
max_recipients = 9
max_size = "10 MiB"
idle_timeout = "2m"
content_timeout = "3m"
message_timeout = "4m"
hold = "quarantine@example.com"

[limits]
time = "4s"
`, cert, key))
	if err != nil {
		t.Fatal(err)
	}
	got, err := file.ContentFilterOptions(file.ContentFilter.NextHop, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.TLS == nil || len(got.TLS.Certificates) != 1 {
		t.Errorf("STARTTLS is not offered: %+v", got.TLS)
	}
	if got.NextHop.TLS == nil || !got.NextHop.TLS.InsecureSkipVerify {
		t.Error("next_hop_tls = may checks the certificate")
	}
	want := contentfilter.Options{
		Options:          mailserver.Options{Details: mailserver.Details{Addresses: mailserver.AddressesDomain}, Limits: mailserver.Limits{MaxMessage: 25 << 20, Memory: 256 << 20, Time: 4 * time.Second}, Allow: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, MaxConnections: 8},
		NextHop:          contentfilter.NextHop{Address: "/run/lmtp", LMTP: true, Timeout: time.Minute},
		Quarantine:       contentfilter.Quarantine{Hold: "quarantine@example.com"},
		Name:             "mx.example.com",
		LMTP:             true,
		XForward:         []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")},
		PassBareLineEnds: true,
		MaxHops:          7,
		MaxRecipients:    9,
		MaxSize:          10 << 20,
		Timeouts:         contentfilter.Timeouts{Command: 2 * time.Minute, Content: 3 * time.Minute, Message: 4 * time.Minute},
	}
	got.TLS, got.NextHop.TLS = nil, nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

// TestNextHopThatMustEncrypt: the requirements for the next hop are checked, and the name in its
// certificate.
func TestNextHopThatMustEncrypt(t *testing.T) {
	file, err := Parse("test", []byte("[content_filter]\nnext_hop = \"mx.example.com:25\"\nnext_hop_tls = \"require\"\nquarantine = \"/var/q\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := file.ContentFilterOptions("mx.example.com:25", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !got.NextHop.RequireTLS || got.NextHop.TLS == nil || got.NextHop.TLS.InsecureSkipVerify || got.NextHop.Address != "mx.example.com:25" || got.Quarantine.Maildir != "/var/q" {
		t.Errorf("%+v", got)
	}
	if _, err := file.ContentFilterOptions("nowhere", nil, nil); err == nil {
		t.Error("a next hop without a port is taken")
	}
}

// certificate writes a certificate and its key, and returns their paths.
func certificate(tb testing.TB) (cert, key string) {
	tb.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"mx.example.com"}, NotAfter: time.Now().Add(time.Hour)}
	public, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		tb.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		tb.Fatal(err)
	}
	folder := tb.TempDir()
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			tb.Fatal(err)
		}
		return path
	}
	return write("cert.pem", "CERTIFICATE", public), write("key.pem", "PRIVATE KEY", secret)
}

package service

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writeCertificate writes a new certificate for 127.0.0.1 and its key, and returns the
// certificate.
func writeCertificate(tb testing.TB, certificate, key string) *x509.Certificate {
	tb.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		tb.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "linkmilter"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		tb.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		tb.Fatal(err)
	}
	for path, block := range map[string]*pem.Block{certificate: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		tb.Fatal(err)
	}
	return parsed
}

// check asks the HTTP API about a link, and returns the status or the error.
func check(url, token string, trusted *x509.Certificate) (status int, body string, err error) {
	transport := &http.Transport{DisableKeepAlives: true}
	if trusted != nil {
		transport.TLSClientConfig = &tls.Config{RootCAs: x509.NewCertPool()}
		transport.TLSClientConfig.RootCAs.AddCert(trusted)
	}
	request, err := http.NewRequest(http.MethodPost, url+"/v1/check", strings.NewReader(`{"links": ["https://p\u0430ypal.com/"]}`))
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := (&http.Client{Transport: transport, Timeout: patience}).Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), err
}

// TestHTTPReload: a reload reads the certificate and the tokens again. If a file is bad, the old
// ones stay in use. A rule of the new configuration applies to the API, too.
func TestHTTPReload(t *testing.T) {
	const first, second = "0123456789abcdefghij-1", "0123456789abcdefghij-2"
	folder := t.TempDir()
	certificate, key, tokens := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem"), filepath.Join(folder, "tokens")
	old := writeCertificate(t, certificate, key)
	write := func(text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(tokens, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(tokens, mode); err != nil {
			t.Fatal(err)
		}
	}
	write("# tokens\n"+first+" rspamd\n", 0o600)
	document := fmt.Sprintf("[http]\nlisten = [\"127.0.0.1:0\"]\ntls_cert = %q\ntls_key = %q\ntoken_file = %q\n", certificate, key, tokens)
	r := run(t, document)
	r.logs.wait(t, "for=http", 1)
	url := "https://" + r.logs.after(t, "for=http address=tcp:")
	expect := func(what, token string, trusted *x509.Certificate, want int) {
		t.Helper()
		if status, body, err := check(url, token, trusted); err != nil || status != want {
			t.Errorf("%s: status %d, want %d, %v %s", what, status, want, err, body)
		}
	}
	expect("with the token", first, old, 200)
	if status, _, err := check("http"+strings.TrimPrefix(url, "https"), first, nil); err != nil || status != http.StatusBadRequest {
		t.Errorf("without TLS: %d, %v", status, err)
	}
	r.logs.wait(t, `msg="connection problem"`, 1)
	expect("without a token", "", old, 401)
	expect("with a wrong token", second, old, 401)

	write(first+" rspamd\n"+second+"\n", 0o604)
	r.reload(t, document)
	r.logs.wait(t, "http.token_file", 1)
	expect("file that all may read", second, old, 401)
	expect("old token", first, old, 200)

	write(second+"\n", 0o600)
	fresh := writeCertificate(t, certificate, key)
	r.reload(t, document+"[policy]\nallow = [\"xn--pypal-4ve.com\"]\n")
	expect("removed token", first, fresh, 401)
	if status, body, err := check(url, second, fresh); err != nil || status != 200 || !strings.Contains(body, `"worst":"none"`) {
		t.Errorf("after the reload: %d, %v %s", status, err, body)
	}
	if _, _, err := check(url, second, old); err == nil {
		t.Error("the old certificate is still in use")
	}
	if strings.Contains(r.logs.String(), "need a restart") || strings.Contains(r.logs.String(), first) {
		t.Error("the log asks for a restart, or has a token")
	}
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
}

// TestHTTPOfOthersAtReload: while other machines can reach the API, a reload cannot remove its
// certificate and tokens, wherever the new file listens.
func TestHTTPOfOthersAtReload(t *testing.T) {
	folder := t.TempDir()
	certificate, key, tokens := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem"), filepath.Join(folder, "tokens")
	trusted := writeCertificate(t, certificate, key)
	if err := os.WriteFile(tokens, []byte("0123456789abcdefghij\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := run(t, fmt.Sprintf("[http]\nlisten = [\"0.0.0.0:0\"]\nallow = [\"192.0.2.0/24\"]\ntls_cert = %q\ntls_key = %q\ntoken_file = %q\n", certificate, key, tokens))
	r.logs.wait(t, "for=http", 1)
	_, port, _ := net.SplitHostPort(r.logs.after(t, "for=http address=tcp:"))
	r.reload(t, "[http]\nlisten = [\"127.0.0.1:0\"]\n")
	r.logs.wait(t, "old configuration stays in use", 1)
	if status, body, err := check("https://127.0.0.1:"+port, "", trusted); err != nil || status != http.StatusUnauthorized {
		t.Errorf("without a token: %d, %v %s", status, err, body)
	}
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
}

// TestHTTPSocketActivation: a passed socket with the name http is for the API, beside the milter.
// One that other machines can reach is refused without certificate and tokens.
func TestHTTPSocketActivation(t *testing.T) {
	folder := t.TempDir()
	config := filepath.Join(folder, "linkmilter.toml")
	if err := os.WriteFile(config, []byte("[milter]\nlisten = [\"unix:"+folder+"/milter\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	manager, logs := newSystemd(t), newLogs()
	child := startChild(t, config, logs, "http", l)
	manager.waitFor(t, "READY=1")
	if status, body, err := check(url, "", nil); err != nil || status != http.StatusOK {
		t.Errorf("%d, %v %s", status, err, body)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	logs.wait(t, "for=milter", 1)

	open, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	logs = newLogs()
	if err := startChild(t, config, logs, "http", open).Wait(); err == nil || !strings.Contains(logs.String(), "http.token_file") {
		t.Errorf("%v\n%s", err, logs)
	}
}

// TestHTTPAddressOfOthers: an address of the command line has the same requirements as one of the
// file.
func TestHTTPAddressOfOthers(t *testing.T) {
	for address, want := range map[string]string{
		"0.0.0.0:0":    "http.allow, http.tls_cert, http.tls_key and http.token_file",
		"[::]:0":       "http.token_file",
		"nonsense":     "address",
		"192.0.2.1:80": "http.allow",
	} {
		err := Run(context.Background(), Options{Milter: []string{"inet:0@127.0.0.1"}, HTTP: []string{address}, Log: newLogs()})
		var wrong *ConfigError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "address") > 1 {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestHTTPAlone: the HTTP API answers on a given address, which replaces that of the file,
// by HTTP on loopback; metrics count its requests; it ends with the service.
func TestHTTPAlone(t *testing.T) {
	logs, signals, ended := newLogs(), make(chan os.Signal, 1), make(chan error, 1)
	config := filepath.Join(t.TempDir(), "linkmilter.toml")
	if err := os.WriteFile(config, []byte("[milter]\nlisten = []\n[http]\nlisten = [\"127.0.0.1:1\"]\n[admin]\nlisten = \"127.0.0.1:0\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	go func() {
		ended <- Run(context.Background(), Options{Config: config, HTTP: []string{"127.0.0.1:0"}, Log: logs, Signals: signals})
	}()
	logs.wait(t, "for=admin", 1)
	logs.wait(t, "for=http", 1)
	url := "http://" + logs.after(t, "for=http address=tcp:")
	if status, body, err := check(url, "", nil); err != nil || status != 200 || !strings.Contains(body, `"worst":"high"`) {
		t.Errorf("%d, %v %s", status, err, body)
	}
	admin := "http://" + logs.after(t, "for=admin address=tcp:")
	if status, body := get(t, admin+"/healthz"); status != 200 {
		t.Errorf("health: %d %s", status, body)
	}
	_, metrics := get(t, admin+"/metrics")
	for _, want := range []string{`linkmilter_http_requests_total{route="check",status="200"} 1`, `linkmilter_connections_total{server="http"} `} {
		if !strings.Contains(metrics, want) {
			t.Errorf("%s is not in the metrics", want)
		}
	}
	signals <- os.Interrupt
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, _, err := check(url, "", nil); err == nil {
		t.Error("answers after the end")
	}
}

package tlds

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// say returns a handler that answers 200 with a text.
func say(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }
}

func sayList(names []string) http.HandlerFunc { return say(string(listOf(day, names))) }

// flood answers with names without end.
func flood(w http.ResponseWriter, r *http.Request) {
	w.Write(listOf(day, names()))
	line := []byte(strings.Repeat("A", 60) + "\n")
	for r.Context().Err() == nil {
		if _, err := w.Write(line); err != nil {
			return
		}
	}
}

// drip sends a byte now and then, so that a limit on silence alone would never end the request. It
// aborts when the client is gone: else the end of the chunked body might still reach a client that
// is closing its TLS connection.
func drip(w http.ResponseWriter, r *http.Request) {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		case <-tick.C:
			io.WriteString(w, "#")
			w.(http.Flusher).Flush()
		}
	}
}

func truncated(w http.ResponseWriter, _ *http.Request) {
	text := listOf(day, names())
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.Write(text[:len(text)/2])
}

func redirectTo(url string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, url, http.StatusFound) }
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// withLine returns the names and one line more.
func withLine(line string) []string { return append(names(), line) }

// tooMany are the names and more of them than there were.
func tooMany() []string {
	all := names()
	for i := range 2 * len(all) {
		all = append(all, fmt.Sprintf("X%dX", i))
	}
	return all
}

// TestMisbehaving: whatever a server answers, the current list stays in use,
// in memory and on disk, and the error says what was wrong.
func TestMisbehaving(t *testing.T) {
	good := string(listOf(day, names()))
	_, headless, _ := strings.Cut(good, "\n")
	tests := []struct {
		name    string
		handler http.HandlerFunc
		want    string // part of the error
	}{
		{"500", status(http.StatusInternalServerError), "answered 500 Internal Server Error"},
		{"404", status(http.StatusNotFound), "answered 404 Not Found"},
		{"204", status(http.StatusNoContent), "answered 204 No Content"},
		{"304 though nothing was asked", status(http.StatusNotModified), "answered 304 Not Modified"},
		{"redirect to http", redirectTo("http://127.0.0.1:1/list"), "URL http://127.0.0.1:1/list: not https://"},
		{"redirect to a file", redirectTo("file:///etc/passwd"), "not https://"},
		{"redirect in a circle", redirectTo("/again"), "more than 5 redirects"},
		{"redirect to nowhere", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusFound) }, "302"},
		{"body cut off", truncated, "broke off in the middle"},
		{"connection closed", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF"},
		{"body without end", flood, "larger than any list"},
		{"body byte by byte", drip, "did not send the list within"},
		{"no answer at all", silence, "did not send the list within"},
		{"a web page", say("<!DOCTYPE html>\n<title>Welcome to the hotel</title>\n"), "not IANA's header"},
		{"a web page below the header", sayList(withLine("<html>")), `top-level domain "<html>": not a label`},
		{"an empty body", say(""), "not IANA's header"},
		{"a list without names", sayList(nil), "list without top-level domains"},
		{"no header", say(headless), "not IANA's header"},
		{"a version that is not a date", say(strings.Replace(good, "# Version 2", "# Version two2", 1)), "not IANA's header"},
		{"a header with another date format", say("# Version 2026020600, Last Updated yesterday\nCOM\n"), "date of version 2026020600"},
		{"a month that does not exist", say("# Version 2026139900, Last Updated Fri Feb  6 07:07:01 2026 UTC\nCOM\n"), "does not begin with a date"},
		{"cut off in a line", say(strings.TrimSuffix(good, "\n")), "middle of a line"},
		{"ten names", sayList(names()[:10]), "has 10 names"},
		{"half of the names", sayList(names()[:len(names())/2]), "names, fewer than 1000"},
		{"every tenth name missing", sayList(without(names(), 10)), "names of the current list, more than 5 %"},
		{"every fourth name missing", sayList(without(names(), 4)), "names of the built-in list, more than 20 %"},
		{"without com", sayList(except(names(), "COM")), `lacks "com"`},
		{"twice as many and more", sayList(tooMany()), "names to the current"},
		{"a name with two labels", sayList(withLine("CO.UK")), `top-level domain "co.uk": not a label`},
		{"a name in Unicode", sayList(withLine("भारत")), "not a label of ASCII"},
		{"a name of 64 bytes", sayList(withLine(strings.Repeat("A", 64))), "longer than 63 bytes"},
		{"a broken A-label", sayList(withLine("XN--99999999")), "xn--99999999"},
		{"a list from the past", say(string(listOf(day.AddDate(0, -1, 0), names()))), "older than the current one"},
		{"a list from the future", say(string(listOf(time.Now().AddDate(1, 0, 0), names()))), "in the future"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := newFile(t)
			before := store(t, file)
			server := httptest.NewUnstartedServer(tt.handler)
			server.Config.ErrorLog = quiet
			server.StartTLS()
			defer server.Close()
			timeout := time.Minute
			if strings.Contains(tt.want, "within") {
				timeout = 200 * time.Millisecond
			}
			k, err := Open(Options{URL: server.URL, File: file, Transport: server.Client().Transport, Timeout: timeout})
			if err != nil {
				t.Fatal(err)
			}
			had := k.Current()
			if had.Origin != OriginFile {
				t.Fatalf("the current list is %s: %s", had.Origin, k.Note())
			}
			_, err = k.Update(t.Context())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if !sameNames(k.Current(), had) {
				t.Error("other names are in use")
			}
			checkStored(t, file, before)
		})
	}
}

// silence sends nothing until the client is gone, and then aborts, for the same reason as drip.
func silence(_ http.ResponseWriter, r *http.Request) {
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}

// TestCertificates: a server that cannot prove who it is gives no list.
func TestCertificates(t *testing.T) {
	now := time.Now()
	tests := []struct {
		name          string
		first, last   time.Time
		host          string
		trusted, fine bool
	}{
		{"good", now.Add(-time.Hour), now.Add(time.Hour), "127.0.0.1", true, true},
		{"expired", now.Add(-2 * time.Hour), now.Add(-time.Hour), "127.0.0.1", true, false},
		{"not yet valid", now.Add(time.Hour), now.Add(2 * time.Hour), "127.0.0.1", true, false},
		{"of another host", now.Add(-time.Hour), now.Add(time.Hour), "127.0.0.2", true, false},
		{"of an unknown authority", now.Add(-time.Hour), now.Add(time.Hour), "127.0.0.1", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			certificate := newCertificate(t, tt.host, tt.first, tt.last)
			server := httptest.NewUnstartedServer(sayList(names()))
			server.Config.ErrorLog = quiet
			server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
			server.StartTLS()
			defer server.Close()
			roots := x509.NewCertPool()
			if tt.trusted {
				roots.AddCert(certificate.Leaf)
			}
			k, err := Open(Options{
				URL: server.URL, File: newFile(t),
				Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true},
			})
			if err != nil {
				t.Fatal(err)
			}
			_, err = k.Update(t.Context())
			if tt.fine && err != nil {
				t.Error(err)
			}
			if !tt.fine && (err == nil || !strings.Contains(err.Error(), "certificate")) {
				t.Errorf("error %v, want one about the certificate", err)
			}
		})
	}
}

func newCertificate(t testing.TB, host string, first, last time.Time) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: first, NotAfter: last,
		IPAddresses: []net.IP{net.ParseIP(host)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

// store fetches a good list into a file and returns what is in its folder.
func store(t testing.TB, file string) map[string]string {
	t.Helper()
	if _, err := open(t, newSite(t, listOf(day, names())).Server, file).Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	return contents(t, filepath.Dir(file))
}

// checkStored fails if the folder of a file is not as it was: a list is
// replaced as a whole, and nothing else is left there.
func checkStored(t testing.TB, file string, want map[string]string) {
	t.Helper()
	got := contents(t, filepath.Dir(file))
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s was left in the cache folder", name)
		}
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s has changed", name)
		}
	}
}

func contents(t testing.TB, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files
}

// without returns names without every nth one, except those that no list may lack.
func without(names []string, n int) []string {
	var kept []string
	for i, name := range names {
		if i%n != 0 || name == "COM" || name == "NET" || name == "ORG" || name == "ARPA" {
			kept = append(kept, name)
		}
	}
	return kept
}

func except(names []string, name string) []string {
	var kept []string
	for _, n := range names {
		if n != name {
			kept = append(kept, n)
		}
	}
	return kept
}

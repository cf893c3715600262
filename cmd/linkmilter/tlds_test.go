package main

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/tlds"
)

// TestHTTPSScripts runs the sessions that need a server with IANA's list.
func TestHTTPSScripts(t *testing.T) {
	names := append(slices.Sorted(tld.Builtin().All()), "linkmiltertest")
	mux := http.NewServeMux()
	mux.HandleFunc("/good", serveList(names))
	mux.HandleFunc("/half", serveList(names[:len(names)/2]))
	server := httptest.NewTLSServer(mux)
	t.Cleanup(server.Close) // after the sessions, which run in parallel
	certificate := filepath.Join(t.TempDir(), "certificate.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(certificate, block, 0o644); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script-https",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("LIST_URL", server.URL)
			e.Setenv("LIST_CERTIFICATE", certificate)
			e.Setenv("SSL_CERT_FILE", certificate)
			return nil
		},
	})
}

// serveList answers with a list of the same day as the built-in one, or with 304 to a client that
// has it.
func serveList(names []string) http.HandlerFunc {
	day := tlds.Builtin().Updated.UTC()
	var text bytes.Buffer
	fmt.Fprintf(&text, "# Version %s00, Last Updated %s\n", day.Format("20060102"), day.Format("Mon Jan _2 15:04:05 2006 MST"))
	text.WriteString(strings.ToUpper(strings.Join(names, "\n")) + "\n")
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"one"`)
		http.ServeContent(w, r, "", day, bytes.NewReader(text.Bytes()))
	}
}

func TestAgeOf(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		age  time.Duration
		want string
	}{
		{0, "a moment"},
		{-time.Hour, "a moment"},
		{10 * time.Minute, "10 minutes"},
		{26 * time.Hour, "26 hours"},
		{72 * time.Hour, "3 days, of 2026-03-07"},
	}
	for _, tt := range tests {
		if got := ageOf(now.Add(-tt.age), now); got != tt.want {
			t.Errorf("ageOf(%s) = %q, want %q", tt.age, got, tt.want)
		}
	}
	if got := ageOf(time.Time{}, now); got != "unknown" {
		t.Errorf("ageOf(zero) = %q", got)
	}
}

func TestSomeOf(t *testing.T) {
	names := make([]string, 23)
	for i := range names {
		names[i] = fmt.Sprint("n", i)
	}
	names[0] = "xn--p1ai"
	got := someOf(names)
	if !strings.HasPrefix(got, "рф (xn--p1ai), n1, n2, ") || !strings.HasSuffix(got, ", n19 and 3 more") {
		t.Errorf("%q", got)
	}
}

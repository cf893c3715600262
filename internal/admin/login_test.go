package admin

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"
)

const testPassword = "open sesame"

// newTestLogin returns a page behind testPassword, its log and its clock.
func newTestLogin(t *testing.T) (*login, *bytes.Buffer, *time.Time) {
	t.Helper()
	hash, err := bcrypt.GenerateFromPassword([]byte(testPassword), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	log, now := new(bytes.Buffer), time.Unix(1_800_000_000, 0)
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("page")) })
	l := newLogin(string(hash), slog.New(slog.NewTextHandler(log, nil)), page)
	l.now = func() time.Time { return now }
	return l, log, &now
}

// try asks for the page and returns the answer. Without a password ("") it sends none.
func (l *login) try(client, password string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", "/findings", nil)
	r.RemoteAddr = client
	if password != "" {
		r.SetBasicAuth("any", password)
	}
	w := httptest.NewRecorder()
	l.ServeHTTP(w, r)
	return w
}

// TestPassword: if a password is configured, no page answers without it. Only wrong passwords are
// logged.
func TestPassword(t *testing.T) {
	l, log, _ := newTestLogin(t)
	for range 2 { // the second time, the page compares with the hash that it cached
		for password, want := range map[string]int{"": 401, "wrong": 401, testPassword: 200} {
			if w := l.try("192.0.2.1:1", password); w.Code != want || (w.Body.String() == "page") != (want == 200) {
				t.Errorf("%q: %d, want %d: %s", password, w.Code, want, w.Body)
			}
		}
	}
	if got := strings.Count(log.String(), "level=WARN msg=\"login failed\" client=192.0.2.1"); got != 2 || strings.Contains(log.String(), "wrong") {
		t.Errorf("%d failures in the log, want 2:\n%s", got, log)
	}
}

// TestGuessingIsSlowed: a client that failed often has to wait, even with the right password. So do
// its neighbours in an IPv6 network, but no other clients.
func TestGuessingIsSlowed(t *testing.T) {
	l, _, now := newTestLogin(t)
	for i := range maxFailures {
		if w := l.try("[2001:db8::1]:1", "guess"); w.Code != 401 {
			t.Fatalf("failure %d: %d", i, w.Code)
		}
	}
	if w := l.try("[2001:db8::2]:2", testPassword); w.Code != 429 || w.Header().Get("Retry-After") != "61" {
		t.Errorf("after %d failures: %d %v", maxFailures, w.Code, w.Header())
	}
	for _, other := range []string{"[2001:db8:0:1::1]:1", "192.0.2.1:1", "@"} {
		if w := l.try(other, testPassword); w.Code != 200 {
			t.Errorf("%s: %d", other, w.Code)
		}
	}
	*now = now.Add(failureTime)
	if w := l.try("[2001:db8::1]:1", testPassword); w.Code != 200 {
		t.Errorf("after a minute: %d", w.Code)
	}
}

// TestFailuresAreBounded: the failures of many clients take little memory.
func TestFailuresAreBounded(t *testing.T) {
	l, _, _ := newTestLogin(t)
	l.hash = nil // without a hash, each refusal is fast
	for i := range 3 * maxClients {
		l.check(strings.Repeat("x", i), "guess", true)
	}
	if len(l.failures) > maxClients {
		t.Errorf("%d clients are remembered", len(l.failures))
	}
}

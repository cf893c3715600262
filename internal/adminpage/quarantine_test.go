package adminpage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/quarantine"
)

// A maildir is a quarantine of a test.
type maildir struct {
	path     string
	released []string
	fails    error // of releases
	logged   bytes.Buffer
}

// useMaildir gives pages a quarantine.
func useMaildir(tb testing.TB, p *Page) *maildir {
	tb.Helper()
	d := &maildir{path: tb.TempDir()}
	for _, folder := range []string{"new", "cur", "tmp"} {
		if err := os.Mkdir(filepath.Join(d.path, folder), 0o700); err != nil {
			tb.Fatal(err)
		}
	}
	p.options.Log = slog.New(slog.NewTextHandler(&d.logged, nil))
	p.options.Quarantine = &Quarantine{
		Open: func() (*quarantine.Folder, error) { return quarantine.Open(d.path) },
		Release: func(_ context.Context, f *quarantine.Folder, name string) error {
			if d.fails != nil {
				return d.fails
			}
			d.released = append(d.released, name)
			return f.Delete(name)
		},
	}
	return d
}

// hold puts a message into quarantine.
func (d *maildir) hold(tb testing.TB, name, queueID, sender, subject, recipient string, came time.Time) {
	tb.Helper()
	message := fmt.Sprintf("X-Linkmilter-Quarantined: mx.example.com;\r\n id=%s;\r\n from=<%s>;\r\n recipients=1\r\n"+
		"X-Linkmilter-Finding: mx; severity=high; code=lookalike\r\nX-Linkmilter: mx; worst=high\r\nSubject: %s\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"+
		"<script>alert(1)</script><img src=http://192.0.2.1/x><a href=http://paypa1.com/>p\u0430y\u202e</a>\r\n", queueID, sender, subject)
	path := filepath.Join(d.path, "new", name)
	for file, content := range map[string]string{path: message, filepath.Join(d.path, name+".envelope"): "from=<" + sender + ">\nto=<" + recipient + ">\n"} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	if err := os.Chtimes(path, came, came); err != nil {
		tb.Fatal(err)
	}
}

// post posts a form as anna.
func post(p *Page, path string, values url.Values) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", path, strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth("anna", "x")
	p.ServeHTTP(w, r)
	return w
}

// Messages in quarantine are listed, chosen as by the flags of the commands, shown in a frame that loads
// nothing, released and deleted; the log has who did it.
func TestQuarantine(t *testing.T) {
	p, _ := newTestPage(t, 10)
	d := useMaildir(t, p)
	now := time.Now()
	d.hold(t, "1.old", "4XqA", "x@example.net", "Bill", "bob@example.com", now.AddDate(0, 0, -40))
	d.hold(t, "2.new", "4XqB", "y@example.org", "Parcel", "carol@example.com", now)
	for path, want := range map[string][2]string{ // has, lacks
		"/quarantine":                           {"2 messages in quarantine|Bill|Parcel|lookalike|x@example.net|href=\"/quarantine/1.old\"", "bob@example.com"},
		"/quarantine?days=30":                   {"1 message in quarantine|Bill", "Parcel"},
		"/quarantine?code=lookalike":            {"2 messages", "-"},
		"/quarantine?code=shortener":            {"0 messages", "Bill"},
		"/quarantine?to=carol@example.com":      {"1 message|Parcel", "Bill"},
		"/quarantine?from=.example.net":         {"0 messages", "Bill"},
		"/quarantine?from=@example.net":         {"1 message|Bill", "Parcel"},
		"/quarantine?from=%5Bx":                 {"role=\"alert\"", "Bill"},
		"/quarantine/1.old":                     {"<iframe sandbox=\"\" |src=\"/quarantine/1.old/shown\"|&lt;script&gt;alert(1)|4XqA|\\u{202E}|Subject: Bill\nContent-Type: text/html", "x-linkmilter-quarantined"},
		"/quarantine/1.old/shown":               {"<pre|p\u0430y", "<script|192.0.2.1|href"},
		"/quarantine/3.none":                    {"", ""},
		"/quarantine/..%2f1.old.envelope":       {"", ""},
		"/quarantine/..%2f1.old.envelope/shown": {"", ""},
	} {
		w := get(p, path)
		if want[0] == "" {
			if w.Code != http.StatusNotFound {
				t.Errorf("%s: %d %s", path, w.Code, w.Body)
			}
			continue
		}
		body := w.Body.String()
		if strings.HasSuffix(path, "shown") {
			if w.Header().Get("Content-Security-Policy") != framePolicy || !strings.HasPrefix(framePolicy, "sandbox; default-src 'none'") {
				t.Errorf("%s: %v", path, w.Header())
			}
			body = "<pre" + body
		}
		for text := range strings.SplitSeq(want[0], "|") {
			if !strings.Contains(body, text) {
				t.Errorf("%s has no %q:\n%s", path, text, body)
			}
		}
		for text := range strings.SplitSeq(want[1], "|") {
			if strings.Contains(body, text) && text != "-" {
				t.Errorf("%s has %q:\n%s", path, text, body)
			}
		}
	}
	form := func(more ...string) url.Values {
		values := url.Values{"token": {p.token}}
		for i := 0; i < len(more); i += 2 {
			values.Add(more[i], more[i+1])
		}
		return values
	}
	// First the page asks.
	w := post(p, "/quarantine", form("do", "delete", "name", "1.old", "name", "3.none"))
	if w.Code != 200 || !strings.Contains(w.Body.String(), "deleted for good") || !strings.Contains(w.Body.String(), `name="sure"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := get(p, "/quarantine"); !strings.Contains(w.Body.String(), "2 messages") {
		t.Errorf("%s", w.Body)
	}
	d.fails = errors.New("connection refused")
	if w := post(p, "/quarantine", form("do", "release", "name", "2.new", "sure", "yes")); !strings.Contains(w.Body.String(), "not released: <bdi>connection refused") || !strings.Contains(w.Body.String(), "2 messages") {
		t.Errorf("%s", w.Body)
	}
	d.fails = nil
	if w := post(p, "/quarantine", form("do", "release", "name", "2.new", "sure", "yes")); !strings.Contains(w.Body.String(), "<bdi>2.new</bdi>: released.") || fmt.Sprint(d.released) != "[2.new]" {
		t.Errorf("%v %s", d.released, w.Body)
	}
	if w := post(p, "/quarantine", form("do", "delete", "name", "1.old", "sure", "yes")); !strings.Contains(w.Body.String(), "<bdi>1.old</bdi>: deleted.") || !strings.Contains(w.Body.String(), "0 messages") {
		t.Errorf("%s", w.Body)
	}
	for _, want := range []string{
		`level=WARN msg="quarantine not changed" name=2.new queue_id=4XqB user=anna client=192.0.2.1 wanted=release error="connection refused"`,
		`level=INFO msg="quarantine released" name=2.new queue_id=4XqB user=anna client=192.0.2.1`,
		`level=INFO msg="quarantine deleted" name=1.old queue_id=4XqA user=anna client=192.0.2.1`,
	} {
		if !strings.Contains(d.logged.String(), want) {
			t.Errorf("no %s in\n%s", want, d.logged.String())
		}
	}
}

// Without the token of a form, and by GET, nothing changes.
func TestQuarantineNeedsItsForm(t *testing.T) {
	p, _ := newTestPage(t, 10)
	d := useMaildir(t, p)
	d.hold(t, "1.x", "4XqA", "x@example.net", "Bill", "bob@example.com", time.Now())
	for _, token := range []string{"", "x", strings.Repeat("A", len(p.token))} {
		if w := post(p, "/quarantine", url.Values{"token": {token}, "do": {"delete"}, "name": {"1.x"}, "sure": {"yes"}}); w.Code != http.StatusForbidden {
			t.Errorf("token %q: %d", token, w.Code)
		}
	}
	get(p, "/quarantine?do=delete&name=1.x&sure=yes&token="+p.token)
	post(p, "/quarantine?do=delete&name=1.x&sure=yes&token="+p.token, nil)
	post(p, "/quarantine?token="+p.token, url.Values{"do": {"delete"}, "name": {"1.x"}, "sure": {"yes"}})
	if w := get(p, "/quarantine"); !strings.Contains(w.Body.String(), "1 message in quarantine") {
		t.Errorf("%s", w.Body)
	}
	p.options.Quarantine, p.options.QuarantineOff = nil, "only with a password"
	if w := get(p, "/quarantine"); !strings.Contains(w.Body.String(), "only with a password") || strings.Contains(w.Body.String(), "Bill") {
		t.Errorf("%s", w.Body)
	}
	for _, w := range []*httptest.ResponseRecorder{get(p, "/quarantine/1.x"), get(p, "/quarantine/1.x/shown"), post(p, "/quarantine", url.Values{"token": {p.token}, "do": {"delete"}, "name": {"1.x"}, "sure": {"yes"}})} {
		if w.Code != http.StatusNotFound {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
}

// The pages open regular files only, as the commands do.
func TestQuarantineFollowsNoLinks(t *testing.T) {
	p, _ := newTestPage(t, 10)
	d := useMaildir(t, p)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := errors.Join(os.WriteFile(secret, []byte("Subject: secret\r\n\r\nsecret"), 0o600), os.Symlink(secret, filepath.Join(d.path, "new", "1.link"))); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*httptest.ResponseRecorder{get(p, "/quarantine"), get(p, "/quarantine/1.link"), get(p, "/quarantine/1.link/shown"), post(p, "/quarantine", url.Values{"token": {p.token}, "do": {"release"}, "name": {"1.link"}, "sure": {"yes"}})} {
		if strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s", w.Body)
		}
	}
	if len(d.released) > 0 {
		t.Errorf("released %v", d.released)
	}
}

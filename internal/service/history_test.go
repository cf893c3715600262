package service

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestHistory: flagged messages keep their addresses over a restart. A reload moves the history or
// ends it. If the file cannot be written, the page and the health check say so, and mail goes on.
func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	document := func(path string) string {
		return ruleWith(`on = { info = "tag" }`) + "[admin]\nlisten = \"127.0.0.1:0\"\nhistory = \"" + path + "\"\nhistory_days = 10\n[log]\naddresses = \"full\"\n"
	}
	spoof := "https://www.p\u0430ypal.com/\r\n"
	address := regexp.MustCompile(`/findings/[0-9a-f]{16}`)
	var before string
	for range 2 {
		r := run(t, document(path))
		r.logs.wait(t, "for=admin", 1)
		base := "http://" + r.logs.after(t, "for=admin address=tcp:")
		m := r.connect(t)
		if before == "" {
			m.send(t, spoof)
		}
		body := until(t, base+"/findings?q=b@example.com", "<p>1 flagged messages in the history")
		if at := address.FindString(body); before != "" && at != before {
			t.Errorf("address %q, before the restart %q", at, before)
		}
		before = address.FindString(body)
		if status, body := get(t, base+before); status != 200 || !strings.Contains(body, "xn--pypal-4ve.com") {
			t.Errorf("%s: %d\n%s", before, status, body)
		}

		r.reload(t, document(filepath.Join(filepath.Dir(path), "missing", "history.db")))
		if body := until(t, base+"/healthz", "history not written: "); !strings.HasPrefix(body, "ok\n") || !strings.Contains(body, "give the account of linkmilter the right") {
			t.Errorf("%q", body)
		}
		m.send(t, spoof)
		r.reload(t, document(""))
		if status, body := get(t, base+"/healthz"); status != 200 || body != "ok\n" {
			t.Errorf("%d %q", status, body)
		}
		if _, body := get(t, base+"/metrics"); !strings.Contains(body, "\nlinkmilter_history_lost_total 1\n") {
			t.Error("the metric does not count the message that was not written")
		}
		if strings.Contains(r.logs.String(), "need a restart") {
			t.Error("a reload asks for a restart")
		}
		m.close()
		if err := r.stop(t); err != nil {
			t.Error(err)
		}
	}
	checkNoGoroutines(t)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// until asks until the answer has a text, and returns it.
func until(tb testing.TB, url, text string) string {
	tb.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		if _, body := get(tb, url); strings.Contains(body, text) {
			return body
		} else if time.Now().After(end) {
			tb.Fatalf("%s lacks %q:\n%s", url, text, body)
		}
	}
}

// With admin.renderings the page shows an edited message before and after the edit.
func TestRenderings(t *testing.T) {
	r := run(t, ruleWith(`html = "needed"`)+"[admin]\nlisten = \"127.0.0.1:0\"\nrenderings = 5\n")
	r.logs.wait(t, "for=admin", 1)
	base := "http://" + r.logs.after(t, "for=admin address=tcp:")
	m := r.connect(t)
	if got := m.send(t, hindi); got != "edited" {
		t.Fatal(got)
	}
	m.send(t, numeric)
	_, list := get(t, base+"/edited")
	at := regexp.MustCompile(`/edited/[A-Z0-9]+`).FindAllString(list, -1)
	if len(at) != 1 {
		t.Fatalf("%q", at)
	}
	for form, want := range map[string]string{"before": "wiki/%E0%A4%97", "after": "wiki/\u0917"} {
		if status, body := get(t, base+at[0]+"/"+form); status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d\n%s", form, status, body)
		}
	}
	m.close()
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
}

package service

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// get asks without keeping the connection.
func get(tb testing.TB, url string) (status int, body string) {
	tb.Helper()
	return getBy(tb, url, &http.Transport{DisableKeepAlives: true})
}

func getBy(tb testing.TB, url string, transport *http.Transport) (status int, body string) {
	tb.Helper()
	response, err := (&http.Client{Transport: transport, Timeout: patience}).Get(url)
	if err != nil {
		tb.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		tb.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func TestAdmin(t *testing.T) {
	profiler := filepath.Join(t.TempDir(), "pprof")
	r := run(t, ruleWith(`html = "needed"`)+"[admin]\nlisten = \"127.0.0.1:0\"\npprof = \""+profiler+"\"\n")
	r.logs.wait(t, "for=pprof", 1)
	base := "http://" + r.logs.after(t, "for=admin address=tcp:")

	m := r.connect(t)
	m.send(t, hindi)
	metrics := func() string {
		t.Helper()
		status, body := get(t, base+"/metrics")
		if status != 200 {
			t.Fatalf("%d %s", status, body)
		}
		return body
	}
	has := func(lines ...string) {
		t.Helper()
		body := metrics()
		for _, line := range lines {
			if !strings.Contains(body, "\n"+line+"\n") {
				t.Errorf("no %s in\n%s", line, body)
			}
		}
	}
	has(
		`linkmilter_messages_total{outcome="complete",rule="r"} 1`, "linkmilter_messages_edited_total 1", `linkmilter_connections{server="milter"} 1`,
		"linkmilter_config_last_reload_successful 1", `linkmilter_message_memory_bytes{server="milter"} 0`,
	)
	r.reload(t, "bad")
	has("linkmilter_config_last_reload_successful 0")
	r.reload(t, ruleWith())
	has("linkmilter_config_last_reload_successful 1")

	for _, path := range []string{"/healthz", "/readyz"} {
		if status, body := get(t, base+path); status != 200 || body != "ok\n" {
			t.Errorf("%s: %d %q", path, status, body)
		}
	}
	unix := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", profiler)
	}}
	if status, _ := getBy(t, "http://unix/debug/pprof/cmdline", unix); status != 200 {
		t.Errorf("profiler: %d", status)
	}
	if info, err := os.Stat(profiler); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}

	// While messages are finished, it is healthy but not ready.
	m.begin(t)
	r.signals <- syscall.SIGTERM
	r.logs.wait(t, "msg=stopping", 1)
	r.logs.until(t, "not ready", func(string) bool {
		status, body := get(t, base+"/readyz")
		return status == 503 && body == "stopping\n"
	})
	if status, body := get(t, base+"/healthz"); status != 200 {
		t.Errorf("%d %s", status, body)
	}
	m.end(t, "text\r\n")
	if err := r.wait(t); err != nil {
		t.Error(err)
	}
	m.close()
	checkNoGoroutines(t)
}

// The page is on a Unix socket with the permissions of the configuration, and answers by
// the names of this machine only.
func TestAdminSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "admin.sock")
	r := run(t, ruleWith()+"[admin]\nlisten = \"unix:"+path+"\"\nsocket_mode = \"0640\"\n")
	r.logs.wait(t, "for=admin address=unix:"+path, 1)
	unix := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}
	for url, want := range map[string]int{"http://localhost/healthz": 200, "http://127.0.0.1:8896/": 200, "http://evil.example/": 421} {
		if status, body := getBy(t, url, unix); status != want {
			t.Errorf("%s: %d %s", url, status, body)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the socket is left")
	}
}

func TestIsReady(t *testing.T) {
	s := &service{}
	if err := s.isReady(); err == nil || err.Error() != "starting" {
		t.Errorf("error %v", err)
	}
	s.ready.Store(true)
	if err := s.isReady(); err != nil {
		t.Error(err)
	}
	s.stopping.Store(true)
	if err := s.isReady(); err == nil || err.Error() != "stopping" {
		t.Errorf("error %v", err)
	}
}

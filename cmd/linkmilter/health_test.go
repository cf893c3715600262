package main

import (
	"bytes"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHealth: the command asks the listener of the configuration, on a port or a socket, and fails
// if the service does not work or nothing answers.
func TestHealth(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "stopping", http.StatusServiceUnavailable) })
	socket := filepath.Join(t.TempDir(), "s")
	for _, network := range []string{"tcp", "unix"} {
		address, listen := "127.0.0.1:0", ""
		if network == "unix" {
			address, listen = socket, "unix:"+socket
		}
		l, err := net.Listen(network, address)
		if err != nil {
			t.Fatal(err)
		}
		if listen == "" {
			listen = l.Addr().String()
		}
		server := &http.Server{Handler: mux}
		go func() { _ = server.Serve(l) }()
		path := filepath.Join(t.TempDir(), "linkmilter.toml")
		if err := os.WriteFile(path, []byte("[admin]\nlisten = \""+listen+"\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		health := func(args ...string) (string, error) {
			var out bytes.Buffer
			root := newRoot()
			root.SetOut(&out)
			root.SetArgs(append([]string{"health", "--config", path}, args...))
			err := root.Execute()
			return out.String(), err
		}
		if out, err := health(); out != "ok\n" || err != nil {
			t.Errorf("%s: %q, %v", network, out, err)
		}
		if _, err := health("--ready"); err == nil || !strings.Contains(err.Error(), "stopping") {
			t.Errorf("%s: not ready: %v", network, err)
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if _, err := health(); err == nil {
			t.Errorf("%s: nothing answers", network)
		}
	}
}

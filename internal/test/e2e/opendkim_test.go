//go:build linux

package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// signer runs OpenDKIM as a milter that signs mail from Domain with the key in a
// file, and returns its address as in Listener.Milter.
func (o *OpenDKIM) signer(tb testing.TB, key string) string {
	tb.Helper()
	port := FreePort(tb)
	cmd := o.Command(tb, []string{"Mode s", "Domain " + Domain, "Selector " + selector, "KeyFile " + key, "OversignHeaders From"},
		"-f", "-p", fmt.Sprintf("inet:%d@127.0.0.1", port))
	p := startProcess(tb, "opendkim", cmd)
	address := fmt.Sprintf("127.0.0.1:%d", port)
	p.waitListening(tb, "tcp", address)
	return "inet:" + address
}

// accepts fails the test unless OpenDKIM finds a signature of the message, and finds
// it good.
func (o *OpenDKIM) accepts(tb testing.TB, message []byte) {
	tb.Helper()
	path := filepath.Join(o.dir, "message")
	writeFile(tb, path, lf(string(message)), 0o644)
	out, err := o.Command(tb, nil, "-b", "v", "-t", path, "-v").CombinedOutput()
	if want := "verification (s=" + selector + ", d=" + Domain + ", 2048-bit key) succeeded"; err != nil || !strings.Contains(string(out), want) {
		tb.Errorf("opendkim: %v\n%s\nof:\n%s", err, out, message)
	}
}

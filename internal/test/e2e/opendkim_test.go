//go:build linux

package e2e

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// openDKIM is an unpacked OpenDKIM, which shares no code with linkmilter or with
// the libraries it uses. It asks a DNS server of the test for public keys.
type openDKIM struct {
	unpacked
	dir      string
	resolver string // file with the configuration of its resolver
}

// newOpenDKIM unpacks OpenDKIM. dns is the address of the DNS server.
//
// Debian's OpenDKIM asks by the library of Unbound, which reads a
// configuration like that server's own: there, and there alone, the DNS server may
// have a port. Names below test. exist for it only when it is told so.
func newOpenDKIM(tb testing.TB, dns string) *openDKIM {
	tb.Helper()
	o := &openDKIM{unpacked: unpackPackages(tb, "opendkim", "opendkim-tools"), dir: tempDir(tb)}
	host, port, err := net.SplitHostPort(dns)
	if err != nil {
		tb.Fatal(err)
	}
	o.resolver = filepath.Join(o.dir, "unbound.conf")
	writeFile(tb, o.resolver, fmt.Sprintf(`server:
    do-not-query-localhost: no
    local-zone: "test." nodefault
forward-zone:
    name: "."
    forward-addr: %s@%s
`, host, port), 0o644)
	return o
}

// command is a program of the packages, told to read a configuration of these
// lines.
func (o *openDKIM) command(tb testing.TB, lines []string, args ...string) *exec.Cmd {
	tb.Helper()
	conf, err := os.CreateTemp(o.dir, "*.conf")
	if err != nil {
		tb.Fatal(err)
	}
	defer conf.Close()
	lines = append([]string{"ResolverConfiguration " + o.resolver, "Syslog no", "RequireSafeKeys no", "AuthservID " + hostName}, lines...)
	if _, err := conf.WriteString(strings.Join(lines, "\n") + "\n"); err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command(o.path("usr/sbin/opendkim"), append([]string{"-x", conf.Name()}, args...)...)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LD_LIBRARY_PATH=" + o.libraryPath()}
	return cmd
}

// signer runs OpenDKIM as a milter that signs mail from Domain with the key in a
// file, and returns its address as in Listener.Milter.
func (o *openDKIM) signer(tb testing.TB, key string) string {
	tb.Helper()
	port := FreePort(tb)
	cmd := o.command(tb, []string{"Mode s", "Domain " + Domain, "Selector " + selector, "KeyFile " + key, "OversignHeaders From"},
		"-f", "-p", fmt.Sprintf("inet:%d@127.0.0.1", port))
	p := startProcess(tb, "opendkim", cmd)
	address := fmt.Sprintf("127.0.0.1:%d", port)
	p.waitListening(tb, "tcp", address)
	return "inet:" + address
}

// accepts fails the test unless OpenDKIM finds a signature of the message, and finds
// it good.
func (o *openDKIM) accepts(tb testing.TB, message []byte) {
	tb.Helper()
	path := filepath.Join(o.dir, "message")
	writeFile(tb, path, lf(string(message)), 0o644)
	out, err := o.command(tb, nil, "-b", "v", "-t", path, "-v").CombinedOutput()
	if want := "verification (s=" + selector + ", d=" + Domain + ", 2048-bit key) succeeded"; err != nil || !strings.Contains(string(out), want) {
		tb.Errorf("opendkim: %v\n%s\nof:\n%s", err, out, message)
	}
}

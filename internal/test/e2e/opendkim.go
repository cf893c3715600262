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

// OpenDKIM is an unpacked OpenDKIM, which shares no code with linkmilter or with
// the libraries it uses.
type OpenDKIM struct {
	unpacked
	dir      string
	resolver string // file with the configuration of its resolver; empty: that of the system
}

// NewOpenDKIM unpacks OpenDKIM. dns is the address of the DNS server that it asks for
// public keys; empty: it does not ask one of the test. Several messages at a time need
// that: the library's reader of its configuration is not safe for threads.
//
// Debian's OpenDKIM asks by the library of Unbound, which reads a
// configuration like that server's own: there, and there alone, the DNS server may
// have a port. Names below test. exist for it only when it is told so.
func NewOpenDKIM(tb testing.TB, dns string) *OpenDKIM {
	tb.Helper()
	o := &OpenDKIM{unpacked: unpackPackages(tb, "opendkim", "opendkim-tools"), dir: tempDir(tb)}
	if dns == "" {
		return o
	}
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

// Command is OpenDKIM's program, told to read a configuration of these lines.
func (o *OpenDKIM) Command(tb testing.TB, lines []string, args ...string) *exec.Cmd {
	tb.Helper()
	conf, err := os.CreateTemp(o.dir, "*.conf")
	if err != nil {
		tb.Fatal(err)
	}
	defer conf.Close()
	if o.resolver != "" {
		lines = append(lines, "ResolverConfiguration "+o.resolver)
	}
	lines = append([]string{"Syslog no", "RequireSafeKeys no", "AuthservID " + hostName}, lines...)
	if _, err := conf.WriteString(strings.Join(lines, "\n") + "\n"); err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command(o.path("usr/sbin/opendkim"), append([]string{"-x", conf.Name()}, args...)...)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LD_LIBRARY_PATH=" + o.libraryPath()}
	return cmd
}

//go:build linux

package e2e

import (
	"net"
	"os/exec"
	"strings"
	"testing"
)

// TestMiltertest runs a script of miltertest, a client that shares no code with
// linkmilter or with the library it uses. (It aborts on large replies, so it
// only sends small messages.)
func TestMiltertest(t *testing.T) {
	t.Parallel()
	program := unpackPackages(t, "miltertest")
	addr := freeMilter(t)
	Serve(t, addr, nil)
	host, port, err := net.SplitHostPort(strings.TrimPrefix(addr, "inet:"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program.path("usr/bin/miltertest"), "-D", "socket=inet:"+port+"@"+host, "-s", "testdata/session.lua")
	cmd.Env = []string{"LD_LIBRARY_PATH=" + program.libraryPath()}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), "all said\n") {
		t.Errorf("miltertest: %v\n%s", err, out)
	}
}

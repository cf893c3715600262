//go:build linux

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/linkmilter/linkmilter/internal/testenv"
)

// binary is the program under test, built once for all tests of a package.
var binary struct {
	once sync.Once
	dir  string
	err  error
}

// RemoveBinary removes what building linkmilter left; TestMain calls it.
func RemoveBinary() error { return os.RemoveAll(binary.dir) }

// Binary builds linkmilter, once, and returns the path of the program.
func Binary(tb testing.TB) string {
	tb.Helper()
	binary.once.Do(func() {
		if binary.dir, binary.err = os.MkdirTemp("", "linkmilter-e2e-bin-"); binary.err != nil {
			return
		}
		build := exec.Command("go", "build", "-o", binary.dir, "./cmd/linkmilter")
		build.Dir = testenv.Root(tb)
		if out, err := build.CombinedOutput(); err != nil {
			binary.err = fmt.Errorf("build linkmilter: %w\n%s", err, out)
		}
	})
	if binary.err != nil {
		tb.Fatal(binary.err)
	}
	return filepath.Join(binary.dir, "linkmilter")
}

// Serve starts linkmilter as a milter at an address as in Listener.Milter
// and waits until it listens.
func Serve(tb testing.TB, addr string, args ...string) *Process {
	tb.Helper()
	args = append([]string{"serve", "--milter", addr}, args...)
	p := startProcess(tb, "linkmilter at "+addr, exec.Command(Binary(tb), args...))
	kind, address, _ := strings.Cut(addr, ":")
	p.waitListening(tb, map[string]string{"inet": "tcp", "unix": "unix"}[kind], address)
	return p
}

// Rewrite returns what `linkmilter rewrite` makes of a message.
func Rewrite(tb testing.TB, message []byte) []byte {
	tb.Helper()
	cmd := exec.Command(Binary(tb), "rewrite", "-")
	cmd.Stdin = bytes.NewReader(message)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		tb.Fatalf("linkmilter rewrite: %v\n%s", err, stderr.Bytes())
	}
	return stdout.Bytes()
}

//go:build linux

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// program is linkmilter, built once for all tests of a package.
var program struct {
	once sync.Once
	dir  string
	err  error
}

// RemoveBinary removes what building linkmilter left; TestMain calls it.
func RemoveBinary() error { return os.RemoveAll(program.dir) }

// Binary builds linkmilter, once, and returns the path of the program.
func Binary(tb testing.TB) string {
	tb.Helper()
	program.once.Do(func() {
		if program.dir, program.err = os.MkdirTemp("", "linkmilter-e2e-bin-"); program.err != nil {
			return
		}
		if program.err = os.Chmod(program.dir, 0o755); program.err != nil { // for users without privileges
			return
		}
		if program.err = readFolders(env.Root(tb)); program.err != nil {
			return
		}
		build := exec.Command("go", "build", "-o", program.dir, "./cmd/linkmilter")
		build.Dir = env.Root(tb)
		if out, err := build.CombinedOutput(); err != nil {
			program.err = fmt.Errorf("build linkmilter: %w\n%s", err, out)
		}
	})
	if program.err != nil {
		tb.Fatal(program.err)
	}
	return filepath.Join(program.dir, "linkmilter")
}

// readFolders reads the project's folders, so that go test runs a test again if a source changed.
// go test sees which files a test reads, but not those that a compiler reads for it.
func readFolders(root string) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && path != root && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		return nil
	})
}

// shortMessages are the built-in rules, changed to edit messages as short as those of the tests,
// whose edits raise spam scores.
const shortMessages = `builtin_rules = true
[[rule]]
name = "authenticated"
when = { authenticated = true }
trusted = true
html = "needed"
if_not_editable = "none"
edit_cost = "any"
[[rule]]
name = "local"
when = { client = ["127.0.0.0/8", "::1/128"] }
trusted = true
html = "needed"
if_not_editable = "none"
edit_cost = "any"
`

// configured returns the arguments, or those for shortMessages if they are empty.
func configured(tb testing.TB, args []string) []string {
	tb.Helper()
	if len(args) > 0 {
		return args
	}
	path := filepath.Join(filepath.Dir(Binary(tb)), "linkmilter.toml")
	if _, err := os.Stat(path); err == nil {
		return []string{"--config", path}
	}
	file, err := os.CreateTemp(filepath.Dir(path), "config")
	if err == nil {
		_, err = file.WriteString(shortMessages)
	}
	if err == nil {
		err = errors.Join(file.Chmod(0o644), file.Close(), os.Rename(file.Name(), path)) // whole, for tests in parallel
	}
	if err != nil {
		tb.Fatal(err)
	}
	return []string{"--config", path}
}

// Serve starts linkmilter as a milter at an address as in Listener.Milter
// and waits until it listens. It runs as the given account, nil: as the user
// who runs the test; args are more arguments.
func Serve(tb testing.TB, addr string, as *syscall.Credential, args ...string) *Process {
	tb.Helper()
	cmd := exec.Command(Binary(tb), append([]string{"serve", "--milter", addr}, configured(tb, args)...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	p := startProcess(tb, "linkmilter at "+addr, cmd)
	kind, address, _ := strings.Cut(addr, ":")
	p.waitListening(tb, map[string]string{"inet": "tcp", "unix": "unix"}[kind], address)
	return p
}

// Rewrite returns what `linkmilter rewrite` makes of a message.
func Rewrite(tb testing.TB, message []byte) []byte {
	tb.Helper()
	cmd := exec.Command(Binary(tb), append([]string{"rewrite", "-"}, configured(tb, nil)...)...)
	cmd.Stdin = bytes.NewReader(message)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		tb.Fatalf("linkmilter rewrite: %v\n%s", err, stderr.Bytes())
	}
	return stdout.Bytes()
}

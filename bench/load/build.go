//go:build linux

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// build builds linkmilter and returns the path of the program.
func build(tb testing.TB) string {
	tb.Helper()
	const module = "github.com/linkmilter/linkmilter"
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		tb.Fatalf("find the sources of linkmilter: %v (run this in the folder bench, or use -linkmilter)", err)
	}
	binary := filepath.Join(tb.TempDir(), "linkmilter")
	cmd := exec.Command("go", "build", "-o", binary, "./cmd/linkmilter")
	cmd.Dir = strings.TrimSpace(string(root))
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("build linkmilter: %v\n%s", err, out)
	}
	return binary
}

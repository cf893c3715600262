// Package env finds what some tests need beyond Go: the Unicode data
// files, a mail server, root. What is missing is skipped loudly; with
// LINKMILTER_REQUIRE=1, as in continuous integration, it is a failure.
package env

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// Root returns the folder that holds go.mod, found upwards from the
// working directory, which for a test is the folder of its package.
func Root(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			tb.Fatal("no go.mod above the working directory")
		}
		dir = parent
	}
}

// UCD returns the path of a file of the data that the tables of package ucd are made of,
// such as "linkification/LinkTerm.txt". It looks in $LINKMILTER_UCD, then in the folder
// beside the checkout, then in the one that `make ucd` fills.
func UCD(tb testing.TB, file string) string {
	tb.Helper()
	if path := findUCD(tb, ucd.UnicodeVersion, file); path != "" && !ucd.IsDraft() {
		return path
	}
	return UCDOf(tb, ucd.UnicodeVersion+"-draft", file) // the last drafts may be what was released
}

// UCDOf is UCD for one version, such as ucd.IDNAVersion.
func UCDOf(tb testing.TB, version, file string) string {
	tb.Helper()
	path := findUCD(tb, version, file)
	if path == "" {
		Missing(tb, "Unicode data file "+version+"/"+file+" (set LINKMILTER_UCD, or run `make ucd`)")
	}
	return path
}

// findUCD returns the path of a file, or "".
func findUCD(tb testing.TB, version, file string) string {
	tb.Helper()
	root := Root(tb)
	for _, data := range []string{
		os.Getenv("LINKMILTER_UCD"),
		filepath.Join(root, "..", "shared", "unicode"),
		filepath.Join(root, ".ucd"),
	} {
		path := filepath.Join(data, version, file)
		if data == "" {
			continue
		}
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// Command returns the path of a program, looked up in $PATH.
func Command(tb testing.TB, name string) string {
	tb.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(tb, "program "+name)
	}
	return path
}

// NeedRoot skips the test for users other than root.
func NeedRoot(tb testing.TB) {
	tb.Helper()
	if os.Geteuid() != 0 {
		Missing(tb, "root")
	}
}

// Missing ends the test because something it needs is not there: a
// failure where LINKMILTER_REQUIRE=1, a skip that says what it takes elsewhere.
func Missing(tb testing.TB, what string) {
	tb.Helper()
	if os.Getenv("LINKMILTER_REQUIRE") == "1" {
		tb.Fatalf("LINKMILTER_REQUIRE=1, but missing: %s", what)
	}
	tb.Skipf("SKIPPED, missing: %s", what)
}

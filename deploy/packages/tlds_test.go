package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestListOfReleaseIsFresh: a release refuses a file for its packages that is older than the
// release, or is no list of top-level domains.
func TestListOfReleaseIsFresh(t *testing.T) {
	release := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	for text, ok := range map[string]bool{
		"# Version 2026112800, Last Updated Sat Nov 28 07:07:01 2026 UTC\nCOM\n": true,
		"# Version 2026112200, Last Updated Sun Nov 22 07:07:01 2026 UTC\nCOM\n": true,
		"# Version 2026020600, Last Updated Fri Feb  6 07:07:01 2026 UTC\nCOM\n": false,
		"COM\n": false, "": false,
	} {
		path := filepath.Join(t.TempDir(), "list")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := checkTLDs(path, version{Number: "1"}, release); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := checkTLDs(filepath.Join(t.TempDir(), "none"), version{Number: "1", After: "3.g1234567"}, release); err != nil {
		t.Error(err)
	}
}

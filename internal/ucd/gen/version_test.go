package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

func TestCheckHeader(t *testing.T) {
	tests := []struct{ name, header, problem string }{
		{"name of the file", "# Scripts-18.0.0.txt\n# Date: 2026-06-29, 15:25:26 GMT\n", ""},
		{"line of the version", "# confusables.txt\n# Date: 2026-08-06, 01:05:35 GMT\n# Version: 18.0.0\n", ""},
		{"date only", "# LinkTerm.txt\n# Date: 2026-06-29, 15:25:13 GMT \n", ""},
		{"other name", "# Scripts-17.0.0.txt\n# Date: 2026-06-29, 15:25:26 GMT\n", "version 17.0.0"},
		{"other version", "# confusables.txt\n# Date: 2026-08-06\n# Version: 17.0.0\n", "version 17.0.0"},
		{"other year", "# LinkTerm.txt\n# Date: 2025-12-26, 00:24:58 GMT \n", "date of 2025"},
		{"no header", "<html>not found</html>", "no date"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := checkHeader(tt.header, "18.0.0")
			if tt.problem == "" && err != nil || tt.problem != "" && (err == nil || !strings.Contains(err.Error(), tt.problem)) {
				t.Errorf("got %v, want %q", err, tt.problem)
			}
		})
	}
}

// TestFindRelease: released files come before drafts, and must be final.
func TestFindRelease(t *testing.T) {
	folder := t.TempDir()
	write := func(path, text string) {
		path = filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	find := func(draft bool, name, problem string) {
		t.Helper()
		d, err := findRelease(folder, draft)
		if problem == "" && (err != nil || d.name != name) || problem != "" && (err == nil || !strings.Contains(err.Error(), problem)) {
			t.Errorf("got %q, %v, want %q, %q", d.name, err, name, problem)
		}
	}
	const version = ucd.UnicodeVersion
	find(false, "", "run make ucd")
	write(idnaVersion+"/ucd/UnicodeData.txt", "")
	find(false, "", "run make ucd")
	write(version+"-draft/README.txt", "The last drafts as of 2026-08-21")
	find(false, version+" draft of 2026-08-21", "")
	write(version+"/ucd/ReadMe.txt", "This directory contains draft data files for version "+version)
	find(false, "", "final")
	write(version+"/ucd/ReadMe.txt", "This directory contains final data files for version "+version)
	write(version+"/security/confusables.txt", "# Version: 1.0.0\n")
	find(false, "", "confusables.txt: version 1.0.0")
	find(true, version+" draft of 2026-08-21", "")
}

package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/internal/test/dkim"
)

// TestWarnings: a file of testdata/warn gives the warnings of the file beside it, and the errors
// behind them.
func TestWarnings(t *testing.T) {
	const key = "testdata/warn/key.pem"
	dkim.WriteKey(t, key)
	t.Cleanup(func() { os.Remove(key) })
	files, err := filepath.Glob("testdata/warn/*.toml")
	if err != nil || len(files) < 5 {
		t.Fatal("too few files", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			review, err := Check(path)
			if review == nil {
				t.Fatal(err)
			}
			var lines []string
			var problems Problems
			errors.As(err, &problems)
			for _, p := range append(review.Warnings, problems...) {
				p.File = filepath.Base(p.File)
				lines = append(lines, p.String()+"\n")
			}
			got, expected := strings.Join(lines, ""), strings.TrimSuffix(path, ".toml")+".warn"
			if *update {
				if err := os.WriteFile(expected, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(expected)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
			if (len(problems) > 0) != (review.File == nil) {
				t.Errorf("file %v with problems %v", review.File, problems)
			}
		})
	}
}

// TestNoWarnings: the defaults give no warning, and nor does the example file with all keys.
func TestNoWarnings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "example.toml")
	for _, document := range [][]byte{nil, Example()} {
		if err := os.WriteFile(path, document, 0o644); err != nil {
			t.Fatal(err)
		}
		review, err := Check(path)
		if err != nil || len(review.Warnings) > 0 {
			t.Errorf("%v %v", err, review.Warnings)
		}
	}
}

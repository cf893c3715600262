// Package chromium runs a browser on documents for tests. The browser is Debian's chromium. A test
// without it skips and says so, see package env.
package chromium

import (
	"context"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// timeout is the time for one start of the browser.
const timeout = 3 * time.Minute

// Map calls a JavaScript function with each source, in one page, and returns the results, decoded
// from JSON. The script runs first and may define names for the function.
func Map[T any](tb testing.TB, sources []string, script, function string) []T {
	tb.Helper()
	browser := env.Command(tb, "chromium")
	encoded, err := json.Marshal(sources) // escapes < and >, so no element ends early
	if err != nil {
		tb.Fatal(err)
	}
	page := filepath.Join(tb.TempDir(), "page.html")
	content := "<!DOCTYPE html><meta charset=utf-8><body><script>" + script +
		"const results = " + string(encoded) + ".map(" + function + ");" +
		`document.body.textContent = "[[" + encodeURIComponent(JSON.stringify(results)) + "]]";</script>`
	if err := os.WriteFile(page, []byte(content), 0o600); err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(tb.Context(), timeout)
	defer cancel()
	out, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir="+tb.TempDir(), "--dump-dom", "file://"+page).Output()
	if err != nil {
		tb.Fatalf("chromium: %v", err)
	}
	_, rest, _ := strings.Cut(string(out), "[[")
	escaped, _, ok := strings.Cut(rest, "]]")
	plain, err := url.PathUnescape(escaped)
	if !ok || err != nil {
		tb.Fatalf("chromium wrote %.2000q: %v", out, err)
	}
	var results []T
	if err := json.Unmarshal([]byte(plain), &results); err != nil {
		tb.Fatal(err)
	}
	if len(results) != len(sources) {
		tb.Fatalf("%d results for %d sources", len(results), len(sources))
	}
	return results
}

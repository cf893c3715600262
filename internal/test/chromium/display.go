package chromium

import (
	"strings"
	"testing"
)

// Display returns each host, A-labels, as the browser displays it: each label in Unicode,
// or as A-label where it could deceive. It has no "www." before the host, and "" for a host
// that the browser refuses. The browser asks no server.
func Display(tb testing.TB, hosts []string) []string {
	tb.Helper()
	t := openTab(tb)
	t.call("Fetch.enable", nil)
	displayed := make([]string, len(hosts))
	for i, host := range hosts {
		if t.call("Page.navigate", map[string]any{"url": "http://" + host + "/"}).Result.Loader == "" {
			continue
		}
		t.await("Page.loadEventFired")
		// The title of a page without one is its URL, between characters that keep its direction.
		displayed[i] = strings.Trim(t.call("Target.getTargetInfo", nil).Result.Info.Title, "\u202a\u202c")
	}
	return displayed
}

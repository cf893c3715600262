package service

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLists: a reload adds a list, its links are flagged from then on, and the page says who received
// them before.
func TestLists(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("CACHE_DIRECTORY", folder)
	feed := filepath.Join(folder, "feed.txt")
	if err := os.WriteFile(feed, []byte("# a feed\nhttps://evil.example.org/login\nwhat is this\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	without := ruleWith(`on = { high = "reject" }`) + "[admin]\nlisten = \"127.0.0.1:0\"\nhistory = \"" + filepath.Join(folder, "history.db") + "\"\nhistory_seen = true\n[log]\naddresses = \"full\"\n"
	with := without + "[[list]]\nname = \"feed\"\nfile = \"" + feed + "\"\n"
	const link = "see https://www.google.com/url?q=https://evil.example.org/login?victim=1\r\n"
	r := run(t, without)
	r.logs.wait(t, "for=admin", 1)
	base := "http://" + r.logs.after(t, "for=admin address=tcp:")
	m := r.connect(t)
	if got := m.send(t, link); got == "550" {
		t.Fatalf("without the list: %s", got)
	}
	r.reload(t, with)
	r.logs.wait(t, `msg="list updated"`, 1)
	if got := m.send(t, link); got != "550" {
		t.Errorf("with the list: %s", got)
	}
	if body := until(t, base+"/received", "evil.example.org"); strings.Count(body, "<td>feed, line 2</td>") != 1 || !strings.Contains(body, "b@example.com") {
		t.Errorf("looking back:\n%s", body)
	}
	if _, body := get(t, base+"/lists"); !strings.Contains(body, "<td>feed</td>") || !strings.Contains(body, "line 3: <bdi>what is this</bdi>") {
		t.Errorf("the page of lists:\n%s", body)
	}
	if _, body := get(t, base+"/metrics"); !strings.Contains(body, "linkmilter_list_entries{list=\"feed\"} 1\n") || !strings.Contains(body, "linkmilter_list_unread_lines{list=\"feed\"} 1\n") {
		t.Error("the metrics lack the list")
	}
	m.close()
	r.reload(t, without)
	m = r.connect(t)
	if got := m.send(t, link); got == "550" {
		t.Errorf("after the list is gone: %s", got)
	}
	m.close()
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
	checkNoGoroutines(t)
}

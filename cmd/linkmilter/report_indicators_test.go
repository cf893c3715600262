package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/eventlog"
	"github.com/linkmilter/linkmilter/internal/lists"
)

// TestIndicatorsAreLists: linkmilter can read as lists what report writes for others, and each
// format has the same hosts. It leaves out hosts of popular sites, and texts that are no host.
func TestIndicatorsAreLists(t *testing.T) {
	at := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	all := newIndicators([]*eventlog.Event{
		{Time: at, Hosts: []string{"evil.example", "www.google.com", "sites.google.com", "bit.ly", "xn--pypal-4ve.com", "203.0.113.7", "x\ny", "[::1]", "", "localhost"}, Findings: []string{"lookalike"}},
		{Time: at.Add(-time.Hour), Hosts: []string{"evil.example", "EVIL.example."}, Findings: []string{"listed", "lookalike"}},
	})
	if len(all) != 3 || all[1].host != "evil.example" || all[1].messages != 3 || !all[1].first.Equal(at.Add(-time.Hour)) || all[1].why() != "3 messages, lookalike listed" {
		t.Fatalf("%+v", all)
	}
	for format, want := range map[string]int{"hosts": 2, "rspamd": 3, "rpz": 5, "misp": 3, "stix": 3} {
		var text bytes.Buffer
		if err := indicatorFormats[format](&text, all, at); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), format)
		if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := lists.Read(path, lists.FormatAuto, "", lists.MatchWritten)
		if err != nil || s.Entries != want || s.UnreadLines() != 0 {
			t.Errorf("%s: %+v, %v\n%s", format, s, err, &text)
		}
	}
}

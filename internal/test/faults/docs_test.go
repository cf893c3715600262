//go:build linux

package faults

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// The manual has a row for each fault, with the line of the log and the metric, and no
// other rows.
func TestManual(t *testing.T) {
	manual, err := os.ReadFile(filepath.Join(env.Root(t), "docs", "operation.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(manual), "\n## Faults\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \|.*$`).FindAllStringSubmatch(section, -1) {
		rows[row[1]] = row[0]
	}
	delete(rows, "fault")
	delete(rows, "panic")                   // TestPanics
	delete(rows, "lists of hosts and URLs") // TestMisbehaving of internal/lists
	all := trials(slowTraffic{})
	for _, tr := range all {
		row := rows[tr.name]
		message := strings.Trim(strings.TrimSpace(regexp.MustCompile(`msg=("[^"]+"|\w+)`).FindStringSubmatch(tr.line)[1]), `"`)
		if !strings.Contains(row, "`"+message+"`") {
			t.Errorf("%s: no line %q in the row %q", tr.name, message, row)
		}
		name, _, labels := strings.Cut(tr.metric, "{")
		if general := "linkmilter_log_warnings_total"; labels && name == general {
			continue
		}
		if !strings.Contains(row, "`"+name+"`") && !strings.Contains(row, "; the same |") {
			t.Errorf("%s: no metric %s in the row %q", tr.name, name, row)
		}
	}
	if len(rows) != len(all) {
		t.Errorf("%d rows for %d faults", len(rows), len(all))
	}
}

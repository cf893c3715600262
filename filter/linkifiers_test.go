package filter_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/test/linkify"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/policy"
)

// TestDefangedForLinkifiers: if the rule defangs, common programs link no flagged host of the
// message, neither in the text nor in the alternative.
func TestDefangedForLinkifiers(t *testing.T) {
	needTables(t)
	corpusLines, linesOfMessage := long.Rows(10_000, 1000), 10
	f := defanging(t, false)["always"]
	lines := linkify.Corpus(8, corpusLines)
	lines = append(lines, "http://paypa1.com/ a@paypa1.com?x@example.org")
	flagged, left := 0, 0
	var after []string
	var hosts []map[string]bool // of the flagged links of the message, for each line of after
	for len(lines) > 0 {
		n := min(linesOfMessage, len(lines))
		body := strings.Join(lines[:n], "\r\n") + "\r\n"
		lines = lines[n:]
		result := f.Message(t.Context(), localUser(), []byte(utf8Text(body)))
		if result.Edited == nil {
			t.Errorf("not edited: %s\n%s", result.Report, body)
			continue
		}
		own := make(map[string]bool)
		for _, l := range result.Report.Links {
			host, err := engine.ParseLink("http://" + l.Link.ASCIIHost())
			if verdict, _ := f.Judge(host); err == nil && l.Flagged && verdict.Worst() >= policy.SeverityMedium {
				flagged++
				own[l.Link.ASCIIHost()] = true
			}
		}
		for _, shown := range [...]string{textOf(t, result.Edited), textOfHTML(alternativeOf(t, result.Edited))} {
			read := len(after)
			for line := range strings.Lines(shown) {
				if line = strings.TrimSpace(line); line != "" {
					after, hosts = append(after, line), append(hosts, own)
				}
			}
			if read = len(after) - read; read != n {
				t.Fatalf("%d lines of %d:\n%s", read, n, shown)
			}
		}
	}
	for i, found := range linkify.Find(t, after) {
		for program, links := range found {
			for _, l := range links {
				if !hosts[i][l.Host] {
					continue
				}
				if left++; left <= 20 {
					t.Errorf("%s: %s links %s", after[i], linkify.Programs[program], after[i][l.Start:l.End])
				}
			}
		}
	}
	if t.Logf("%d flagged links before, %d after", flagged, left); flagged < corpusLines/10 {
		t.Error("too few flagged links")
	}
}

// TestDefangedBehindLinks: if the rule defangs, at most one common program links a lookalike behind
// another link, in the text or the alternative.
func TestDefangedBehindLinks(t *testing.T) {
	needTables(t)
	lines, linesOfMessage := long.Rows(4_000, 400), 10
	f := defanging(t, false)["always"]
	names := []string{"paypa1.com", "goog1e.com"}
	edited := 0
	var after []string
	for message := range slices.Chunk(linkify.Joined(8, lines, names), linesOfMessage) {
		body := strings.Join(message, "\r\n") + "\r\n"
		result := f.Message(t.Context(), localUser(), []byte(utf8Text(body)))
		if result.Edited == nil {
			t.Errorf("not edited: %s\n%s", result.Report, body)
			continue
		}
		edited++
		for _, shown := range [...]string{textOf(t, result.Edited), textOfHTML(alternativeOf(t, result.Edited))} {
			after = append(after, strings.Split(strings.TrimSpace(shown), "\n")...)
		}
	}
	for i, found := range linkify.Find(t, after) {
		for _, l := range found.Agreed() {
			if slices.Contains(names, strings.TrimPrefix(l.Host, "www.")) {
				t.Errorf("%s: two programs link %s", after[i], after[i][l.Start:l.End])
			}
		}
	}
	if t.Logf("%d messages edited, %d lines", edited, len(after)); edited < lines/linesOfMessage {
		t.Error("too few edited messages")
	}
}

package history

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/sqlfile"
	"github.com/linkmilter/linkmilter/policy"
)

// received returns the event of a message to Bob with links.
func received(t *testing.T, severity policy.Severity, texts ...string) *mailserver.Event {
	t.Helper()
	e := &mailserver.Event{
		QueueID: "4Xq", Details: mailserver.Details{Addresses: mailserver.AddressesFull},
		Envelope: &envelope.Envelope{Sender: "x@example.net", Recipients: []string{"bob@example.com"}}, Report: &report.Report{Rule: "others"},
	}
	for _, text := range texts {
		link, err := engine.ParseLink(text)
		if err != nil {
			t.Fatal(err)
		}
		found := report.Found{Part: "1", Link: link}
		if severity > policy.SeverityNone {
			found.Verdict.Findings = []policy.Finding{{Code: policy.CodeLookalike, Severity: severity}}
		}
		e.Report.Links = append(e.Report.Links, found)
	}
	return e
}

// evilNow returns the lists that have the host of a link.
func evilNow(l engine.Link) []policy.Listed {
	if strings.HasSuffix(l.ASCIIHost(), "evil.example") {
		return []policy.Listed{{List: "feed", Line: 7, Label: "evil.example"}}
	}
	return nil
}

// TestLookBack: when a list gets a host, the history tells who received a link to it before, also
// in messages that were not flagged.
func TestLookBack(t *testing.T) {
	h, _ := newTest(t)
	path := filepath.Join(t.TempDir(), "history")
	h.Use(path, Retention{Seen: true})
	now := time.Now()
	var many []string
	for i := range 50 {
		many = append(many, fmt.Sprintf("https://shop.example/%d", i))
	}
	h.Add(received(t, policy.SeverityNone, "https://evil.example/old"), now.AddDate(0, 0, -10))
	h.Add(received(t, policy.SeverityNone, append(many, "https://evil.example/login")...), now.Add(-3*time.Hour))
	h.Add(received(t, policy.SeverityNone, "https://good.example/"), now.Add(-2*time.Hour))
	h.Add(received(t, policy.SeverityHigh, "https://www.evil.example/"), now.Add(-time.Hour))
	settle(t, h)
	for name, messages := range map[string]func() string{
		"page": func() string { return lookedBack(t, h.Since(t.Context(), now.AddDate(0, 0, -7)), evilNow) },
		"command": func() string {
			return lookedBack(t, SinceInFile(context.Background(), path, now.AddDate(0, 0, -7)), evilNow)
		},
	} {
		const want = "https://www.evil.example/ to bob@example.com by feed line 7\nhttps://evil.example/login to bob@example.com by feed line 7\n"
		if got := messages(); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if all := list(t, h, Query{}); len(all) != 1 {
		t.Errorf("%d messages in the list of flagged ones", len(all))
	}
}

func lookedBack(t *testing.T, messages func(func(Message, error) bool), listed func(engine.Link) []policy.Listed) string {
	t.Helper()
	var b strings.Builder
	for r, err := range LookBack(messages, listed) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s to %s by %s line %d\n", r.Link, strings.Join(r.Recipients, " "), r.Line.List, r.Line.Line)
	}
	return b.String()
}

// TestSeenIsBounded: the history keeps at most as many messages for their links alone as flagged
// ones, and by default none.
func TestSeenIsBounded(t *testing.T) {
	h, _ := newTest(t)
	h.Use(filepath.Join(t.TempDir(), "history"), Retention{Rows: 300, Seen: true})
	for i := range 1200 {
		h.Add(received(t, policy.SeverityNone, "https://evil.example/"), start.Add(time.Duration(i)*time.Second))
		if i%400 == 399 {
			settle(t, h)
		}
	}
	settle(t, h)
	n := 0
	for range h.Since(t.Context(), start.Add(-time.Hour)) {
		n++
	}
	if n < 300 || n > 300+2*sqlfile.Batched {
		t.Errorf("%d messages", n)
	}
	other, _ := newTest(t)
	other.Use(filepath.Join(t.TempDir(), "history"), Retention{})
	other.Add(received(t, policy.SeverityNone, "https://evil.example/"), start)
	settle(t, other)
	for m := range other.Since(t.Context(), start.Add(-time.Hour)) {
		t.Errorf("kept without history_seen: %+v", m)
	}
}

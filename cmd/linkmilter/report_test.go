package main

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestTallyIsBounded: the table has the newest flagged messages, whatever the order of the log, and
// says how many it omits.
func TestTallyIsBounded(t *testing.T) {
	now := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	tally := newTally(now.Add(-time.Hour), now, "", "", maxFlagged)
	most := 0
	for i := range 10 * maxFlagged {
		second := i * 7 % (10 * maxFlagged) // each once
		line := fmt.Sprintf("time=%s msg=message queue_id=Q%d worst=high hosts=[a.example]", now.Add(-time.Duration(second)*time.Second).Format(time.RFC3339), second)
		if err := tally.read(strings.NewReader(line)); err != nil {
			t.Fatal(err)
		}
		most = max(most, len(tally.flagged))
	}
	tally.sort()
	if most > 2*maxFlagged || len(tally.flagged) != maxFlagged || tally.now.flagged != 10*maxFlagged {
		t.Errorf("%d flagged messages in memory, %d at the end, %d counted", most, len(tally.flagged), tally.now.flagged)
	}
	for i, e := range tally.flagged {
		if want := fmt.Sprint("Q", i); e.QueueID != want {
			t.Fatalf("message %d is %s", i, e.QueueID)
		}
	}
	if text := tally.text(paint{}); !strings.Contains(text, "and 450 before: --all lists them") {
		t.Errorf("got\n%s", text)
	}
}

// TestAboutHost: report --about accepts a link, an address or another text with a host, and reports
// about the host.
func TestAboutHost(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "bank.example": "bank.example", "Bank.Example.": "bank.example", "www.pаypal.com": "www.xn--pypal-4ve.com",
		"bank[.]example": "bank.example", "hxxps://www[.]bank[.]example/a?b=https://x.example/": "www.bank.example",
		"https://bank.example:8443": "bank.example", "http://user:pass@bank.example#x": "bank.example", "ann@bank.example": "bank.example",
		"bank.example/login": "bank.example", "192.0.2.1": "192.0.2.1", "http://[2001:db8::1]/": "[2001:db8::1]", " bank.example ": "bank.example",
	} {
		if got, err := aboutHost(text); got != want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"my bank", "https://", "/", "@", "*.bank.example", "a..b"} {
		if got, err := aboutHost(text); err == nil {
			t.Errorf("%q: got %q, want an error", text, got)
		}
	}
}

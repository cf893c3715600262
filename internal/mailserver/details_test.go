package mailserver

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/eventlog"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// lineOf returns the line of a message in the log.
func lineOf(t *testing.T, r *Record, d Details) string {
	var b bytes.Buffer
	r.write(t.Context(), slog.New(slog.NewTextHandler(&b, nil)), d, nil)
	return b.String()
}

// flaggedLink is a link that looks like another one, as the filter reports it.
func flaggedLink(t *testing.T, url, like string) report.Found {
	t.Helper()
	scanner, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for link := range scanner.All(url) {
		return report.Found{Link: link, Href: link.Href(), Flagged: true, Verdict: policy.Verdict{Findings: []policy.Finding{
			{Code: policy.CodeLookalike, Severity: policy.SeverityHigh, Detail: "looks like " + like},
		}}}
	}
	t.Fatalf("no link in %q", url)
	return report.Found{}
}

// TestDetails: the line has as much of sender and recipients as the operator wants, and the
// findings, but no URL that opens.
func TestDetails(t *testing.T) {
	r := &Record{QueueID: "4Xq1", envelope: &envelope.Envelope{
		Sender: "anna@example.net", Recipients: []string{"bob@example.com", "carl@example.com", "root"},
		Client: netip.MustParseAddr("192.0.2.1"), Helo: "mail.example.net",
	}}
	r.Result.Report.Header.MessageID = "<1@example.net>"
	r.Result.Report.Links = []report.Found{flaggedLink(t, "http://paypa1.com/a?b=c@d", "paypal.com (a brand)")}
	for _, c := range []struct {
		details  Details
		has, not string
	}{
		{
			Details{Addresses: AddressesFull},
			`message_id=<1@example.net>|client=192.0.2.1 helo=mail.example.net sender=anna@example.net recipients="[bob@example.com carl@example.com root]" recipient_count=3|hosts=[paypa1.com] looks_like=[paypal.com]`, "urls=",
		},
		{
			Details{Addresses: AddressesDomain, URLs: true},
			`sender=example.net recipients="[example.com local]" recipient_count=3|urls="[hxxp://paypa1[.]com/a?b=c[@]d]"`, "anna|bob|root|http://",
		},
		{Details{Addresses: AddressesNone}, "client=192.0.2.1", "example.com|sender|recipient"},
		{Details{}, "client=192.0.2.1", "sender"},
	} {
		line := lineOf(t, r, c.details)
		for want := range strings.SplitSeq(c.has, "|") {
			if !strings.Contains(line, want) && !strings.Contains(line, strings.ReplaceAll(want, "<1@example.net>", `"<1@example.net>"`)) {
				t.Errorf("%+v: %s\nhas no %s", c.details, line, want)
			}
		}
		for not := range strings.SplitSeq(c.not, "|") {
			if strings.Contains(line, not) {
				t.Errorf("%+v: %s\nhas %s", c.details, line, not)
			}
		}
	}
}

// A message of many recipients and links, with hostile names, stays one bounded line.
func TestLineIsBounded(t *testing.T) {
	env := &envelope.Envelope{Sender: strings.Repeat("x", 5000), Helo: "a\nlevel=ERROR\u202e"}
	r := &Record{envelope: env}
	r.Result.Report.Header.MessageID = strings.Repeat("<\u202e\n>", 5000)
	for i := range 5000 {
		env.Recipients = append(env.Recipients, fmt.Sprintf("%d@example.com", i))
		r.Result.Report.Links = append(r.Result.Report.Links, flaggedLink(t, fmt.Sprintf("http://h%d.example.com/%s", i, strings.Repeat("a", 300)), fmt.Sprintf("p%d.com", i)))
	}
	line := lineOf(t, r, Details{Addresses: AddressesFull, URLs: true})
	if len(line) > 10000 || strings.Count(line, "\n") != 1 || strings.Contains(line, "\u202e") {
		t.Errorf("%d bytes, %d lines", len(line), strings.Count(line, "\n"))
	}
}

// TestLineIsRead: package eventlog can read the line.
func TestLineIsRead(t *testing.T) {
	r := &Record{QueueID: "4Xq1", envelope: &envelope.Envelope{Sender: "a b@example.net", Recipients: []string{"c@example.com", "d@example.org"}}}
	r.Result.Report.Links = []report.Found{flaggedLink(t, "http://paypa1.com/", "paypal.com")}
	read := 0
	for e, err := range new(eventlog.Log).Read(strings.NewReader(lineOf(t, r, Details{Addresses: AddressesDomain}))) {
		if err != nil {
			t.Fatal(err)
		}
		read++
		if e.QueueID != "4Xq1" || e.Sender != "example.net" || len(e.Recipients) != 2 || len(e.Hosts) != 1 || e.LooksLike[0] != "paypal.com" || !e.Flagged() {
			t.Errorf("got %+v", e)
		}
	}
	if read != 1 {
		t.Errorf("%d events", read)
	}
}

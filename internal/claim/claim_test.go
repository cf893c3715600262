package claim_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/claim"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// host is the server whose Authentication-Results count.
const host = "mx.nordlichtwerke.de"

// newFilter returns a filter of an organisation with names.
func newFilter(t testing.TB) *filter.Filter {
	t.Helper()
	f, err := filter.New(filter.Options{
		AuthservIDs: []string{host},
		Policy:      policy.Options{Protected: []string{"nordlichtwerke.de", "stadtwerke-auental.de"}, Names: []string{"Nordlichtwerke", "NLW"}, Allow: []string{`"Jira (Northgate)" from atlassian.example`}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// message returns the message of a line of examples, and its envelope.
func message(line string) ([]byte, envelope.Envelope) {
	fields := strings.Split(line, "|")
	for len(fields) < 5 {
		fields = append(fields, "")
	}
	for i := range fields {
		if fields[i] = strings.TrimSpace(fields[i]); i == 0 {
			fields[i] = strings.TrimLeft(strings.TrimSuffix(line, "\n"), " ")
			fields[i], _, _ = strings.Cut(fields[i], " |")
		}
	}
	env := envelope.Envelope{Sender: "x@example.com"}
	var head, body strings.Builder
	fmt.Fprintf(&head, "From: %s\r\nTo: anna@nordlichtwerke.de\r\nSubject: %s\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n", fields[0], fields[1])
	if fields[2] != "" {
		fmt.Fprintf(&body, "<h1>%s</h1>", fields[2])
	}
	for link := range strings.FieldsSeq(fields[3]) {
		fmt.Fprintf(&body, "<p><a href=\"https://%s/x\">Open</a></p>", link)
	}
	for fact := range strings.FieldsSeq(fields[4]) {
		switch name, value, _ := strings.Cut(fact, "="); name {
		case "password":
			body.WriteString(`<form action="https://example.org/x"><input type="password" name="p"></form>`)
		case "reply":
			head.WriteString("In-Reply-To: <1@nordlichtwerke.de>\r\n")
		case "list":
			head.WriteString("List-Id: <" + value + ">\r\n")
		case "dkim":
			head.WriteString("Authentication-Results: " + host + "; dkim=pass header.d=" + value + "\r\n")
		case "envelope":
			env.Sender = "x@" + value
		case "spf":
			env.Sender = "x@" + value
			head.WriteString("Authentication-Results: " + host + "; spf=pass smtp.mailfrom=x@" + value + "\r\n")
		}
	}
	return []byte(head.String() + "\r\n<p>Text</p>" + body.String() + "\r\n"), env
}

// codes are those of the findings of this package.
var codes = []policy.Code{report.CodeClaim, report.CodeSenderAddress, report.CodeMixedWords}

// found returns the findings of this package of at least a severity.
func found(r report.Report, least policy.Severity) []policy.Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f policy.Finding) bool {
		return f.Severity < least || !slices.Contains(codes, f.Code)
	})
}

// TestExamples: honest senders have no finding of medium, dishonest ones have one.
func TestExamples(t *testing.T) {
	text, err := os.ReadFile("testdata/examples.txt")
	if err != nil {
		t.Fatal(err)
	}
	f := newFilter(t)
	section := ""
	counts := make(map[string][2]int)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] == '=':
			section = line[2:]
			continue
		}
		raw, env := message(line[2:])
		flagged := found(f.Message(t.Context(), env, raw).Report, policy.SeverityMedium)
		n := counts[section]
		switch {
		case line[0] == '+':
			n[0]++
			if len(flagged) > 0 {
				t.Errorf("%s: honest: %s: %+v", section, line, flagged)
			}
		default:
			n[1]++
			if len(flagged) == 0 {
				t.Errorf("%s: dishonest: %s: nothing found", section, line)
			}
		}
		counts[section] = n
	}
	for section, n := range counts {
		if section != "ways around" && (n[0] < 10 || n[1] < 10) {
			t.Errorf("%s: %d honest and %d dishonest examples; want ten", section, n[0], n[1])
		}
	}
}

// TestOpenIsHigh: a link to free hosting, or a form for a password, makes a claim worse.
func TestOpenIsHigh(t *testing.T) {
	f := newFilter(t)
	for _, line := range []string{
		"Ledger <x@evalora-host.com> | Firmware update | Ledger | ledger-update.pages.dev",
		"Facebook Security <x@example.net> | Login | Facebook | example.org | password",
	} {
		raw, env := message(line)
		if flagged := found(f.Message(t.Context(), env, raw).Report, policy.SeverityHigh); len(flagged) != 1 {
			t.Errorf("%s: %+v", line, flagged)
		}
	}
}

// TestExplained: a finding says the claim, the owner and what is in the mail.
func TestExplained(t *testing.T) {
	raw, env := message("Ledger <x@evalora-host.com> | Firmware update | Ledger | x.pages.dev")
	flagged := found(newFilter(t).Message(t.Context(), env, raw).Report, policy.SeverityMedium)
	const want = "calls itself Ledger; nothing in the mail belongs to ledger.com: sent by evalora-host.com, links to x.pages.dev"
	if len(flagged) != 1 || flagged[0].Detail != want {
		t.Fatalf("%+v, want %s", flagged, want)
	}
	c, ok := report.ClaimOf(flagged[0])
	if !ok || c.Allow != `"Ledger" from evalora-host.com` || c.Evidence != "sent by evalora-host.com, links to x.pages.dev" {
		t.Errorf("%+v", c)
	}
}

// TestAllowedSender: a line of policy.allow with a name and a domain allows that name at that
// domain only.
func TestAllowedSender(t *testing.T) {
	f := newFilter(t)
	for line, want := range map[string]int{
		"Jira (Northgate) <jira@atlassian.example>":            0,
		"jira  (northgate) <jira@northgate.atlassian.example>": 0,
		"Jira (Northgate) <jira@example.net>":                  1,
		"Jira (Southgate) <jira@atlassian.example>":            1,
	} {
		raw, env := message(line + " | Jira Support | Jira")
		if flagged := found(f.Message(t.Context(), env, raw).Report, policy.SeverityLow); len(flagged) < want || want == 0 && len(flagged) > 0 {
			t.Errorf("%s: %+v, want %d", line, flagged, want)
		}
	}
}

// TestOwnUsersSayWhatTheyLike: mail of a client that logged in has no finding about claims.
func TestOwnUsersSayWhatTheyLike(t *testing.T) {
	raw, env := message("PayPal <x@example.net>")
	env.Authenticated = true
	if flagged := found(newFilter(t).Message(t.Context(), env, raw).Report, policy.SeverityInfo); len(flagged) > 0 {
		t.Errorf("%+v", flagged)
	}
}

// TestLinkAloneSupportsNoSender: neither a link to the owner nor a picture of the owner's site is
// evidence for a sender.
func TestLinkAloneSupportsNoSender(t *testing.T) {
	raw, env := message("PayPal <x@example.net> | Account | PayPal | paypal.com")
	raw = append(raw, `<img src="https://www.paypal.com/logo.png" alt="PayPal">`...)
	if flagged := found(newFilter(t).Message(t.Context(), env, raw).Report, policy.SeverityMedium); len(flagged) != 1 {
		t.Errorf("%+v", flagged)
	}
}

// TestHostileMailStaysLinear: long names, and many senders, texts and links, take linear time.
func TestHostileMailStaysLinear(t *testing.T) {
	j, err := policy.New(policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cost := func(n int) time.Duration {
		m := claim.Mail{Subject: strings.Repeat("banco do ", n)}
		for i := range n {
			m.AddSender(claim.Sender{From: true, Name: strings.Repeat("pаy pаl ", n), Address: fmt.Sprintf("x%d@example.net", i), Host: "example.net"})
			m.AddText(claim.PlaceHeading, strings.Repeat("la poste ", n))
			m.AddLink(claim.Link{Host: fmt.Sprintf("h%d.example.net", i)})
		}
		start := time.Now()
		claim.Judge(j, &m)
		return time.Since(start)
	}
	cost(10) // the lists are read once
	few, many := cost(500), cost(4000)
	if many > 8*few+50*time.Millisecond {
		t.Errorf("%s for 500, %s for 4,000", few, many)
	}
}

// TestRulesAreNeeded: without any of the rules some example has other findings.
func TestRulesAreNeeded(t *testing.T) {
	text, err := os.ReadFile("testdata/examples.txt")
	if err != nil {
		t.Fatal(err)
	}
	f := newFilter(t)
	all := func() (results []string) {
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "+ ") || strings.HasPrefix(line, "- ") {
				raw, env := message(strings.TrimRight(line[2:], "\n"))
				results = append(results, fmt.Sprint(found(f.Message(t.Context(), env, raw).Report, policy.SeverityInfo)))
			}
		}
		return results
	}
	with := all()
	for i, name := range claim.Rules() {
		restore := claim.Without(i)
		if slices.Equal(with, all()) {
			t.Errorf("rule %q: every example has the same findings without it", name)
		}
		restore()
	}
}

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
	calendar := ""
	fmt.Fprintf(&head, "From: %s\r\nTo: anna@nordlichtwerke.de\r\nSubject: %s\r\nMIME-Version: 1.0\r\n", fields[0], fields[1])
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
		case "dmarc":
			head.WriteString("Authentication-Results: " + host + "; dmarc=" + value + "\r\n")
		case "replyto":
			head.WriteString("Reply-To: " + value + "\r\n")
		case "unchecked":
			head.WriteString("DKIM-Signature: v=1; d=" + value + "; s=a; h=from; bh=eA==; b=eA==\r\nAuthentication-Results: mx.elsewhere.example; dkim=pass header.d=" + value + "\r\n")
		case "arc":
			head.WriteString("Authentication-Results: " + host + "; arc=pass\r\n")
		case "calendar":
			calendar = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nSUMMARY:" + fields[1] + "\r\nORGANIZER;CN=" + value + ":mailto:x@example.net\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
		case "srs":
			env.Sender = "SRS0=Kd/z=FT=" + value + "=x@forwarder.example"
		case "envelope":
			env.Sender = "x@" + value
		case "spf":
			env.Sender = "x@" + value
			head.WriteString("Authentication-Results: " + host + "; spf=pass smtp.mailfrom=x@" + value + "\r\n")
		}
	}
	page := "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n<p>Text</p>" + body.String() + "\r\n"
	if calendar != "" {
		page = "Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n" + page + "--b\r\nContent-Type: text/calendar; method=REQUEST\r\n\r\n" + calendar + "--b--\r\n"
	}
	return []byte(head.String() + page), env
}

// codes are those of the findings of this package.
var codes = []policy.Code{report.CodeClaim, report.CodeSenderAddress, report.CodeMixedWords}

// found returns the findings of this package of at least a severity.
func found(r report.Report, least policy.Severity) []policy.Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f policy.Finding) bool {
		return f.Severity < least || !slices.Contains(codes, f.Code)
	})
}

// TestExamples: honest senders have no finding of medium, dishonest ones have one; in sections of low
// findings, of low.
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
		from := policy.SeverityMedium
		if strings.HasSuffix(section, " low") {
			from = policy.SeverityLow
		}
		flagged := found(f.Message(t.Context(), env, raw).Report, from)
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

// TestHostileMailEnds: long names and thousands of senders, texts and links take no longer than what is
// kept of them.
func TestHostileMailEnds(t *testing.T) {
	j, err := policy.New(policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const n = 4000
	m := claim.Mail{Subject: strings.Repeat("banco do ", n)}
	for i := range n {
		m.AddSender(claim.Sender{From: true, Name: strings.Repeat("pаy pаl ", n), Address: fmt.Sprintf("x%d@example.net", i), Host: "example.net"})
		m.AddText(claim.PlaceHeading, strings.Repeat("la poste ", n))
		m.AddLink(claim.Link{Host: fmt.Sprintf("h%d.example.net", i)})
	}
	start := time.Now()
	claim.Judge(j, &m)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("%s for %d senders, headings and links", took, n)
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

// TestCheapWaysAround: what an attacker may try without cost, and what was decided about it.
func TestCheapWaysAround(t *testing.T) {
	f := newFilter(t)
	for _, test := range []struct {
		name, line, more string
		want             policy.Severity
	}{
		{"the name", "PayPal <x@example.net> | Account | | evil.example", "", policy.SeverityMedium},
		{"another letter shape", "РayРal <x@example.net> | Account | | evil.example", "", policy.SeverityMedium},
		{"small capitals", "PᴀʏPᴀʟ <x@example.net> | Account | | evil.example", "", policy.SeverityMedium},
		{"a space", "Pay Pal <x@example.net> | Account | | evil.example", "", policy.SeverityMedium},
		{"spaces everywhere", "P a y P a l <x@example.net> | Account | | evil.example", "", policy.SeverityMedium},
		{"an invisible character", "Pay\u200bPal <x@example.net> | Account | | evil.example", "", policy.SeverityMedium},
		{"a typing error", "PayPall <x@example.net> | Account | | evil.example", "", policy.SeverityNone}, // names of people are near brands
		{"words beside it", "PayPal Konto Sicherheit <x@example.net> | Account | | evil.example", "", policy.SeverityMedium},
		{"a second name that the address has", "PayPal Lumina <x@lumina.example> | Account | | evil.example", "", policy.SeverityLow},
		{"a link to the owner in a footer", "PayPal <x@example.net> | Account | | evil.example paypal.com", "", policy.SeverityMedium},
		{"the owner's pictures", "PayPal <x@example.net> | Account | | evil.example", `<img src="https://www.paypal.com/logo.png">`, policy.SeverityMedium},
		{"the owner's host as a text", "PayPal <x@example.net> | Account | | evil.example", "<p>www.paypal.com</p>", policy.SeverityMedium},
		{"the owner's address as Reply-To", "PayPal <x@example.net> | Account | | evil.example | replyto=service@paypal.com", "", policy.SeverityMedium},
		{"the owner's list", "PayPal <x@example.net> | Account | | evil.example | list=paypal.com", "", policy.SeverityMedium},
		{"a signature of the owner that nobody checked", "PayPal <x@example.net> | Account | | evil.example | unchecked=paypal.com", "", policy.SeverityMedium},
		{"the name in the subject alone", "Service <x@example.net> | PayPal: your account | | evil.example", "", policy.SeverityLow},
		{"the name in a heading, with a shortener", "Service <x@example.net> | Account | PayPal | bit.ly", "", policy.SeverityMedium},
		{"the same, and a link to the owner", "Service <x@example.net> | Account | PayPal | bit.ly paypal.com", "", policy.SeverityNone}, // as shops do
		{"the owner's host as the heading", "Service <x@example.net> | Account | Booking.com | bit.ly", "", policy.SeverityMedium},
		{"the name in the body alone", "Service <x@example.net> | Account | | bit.ly", "<p>your PayPal account</p>", policy.SeverityNone}, // in half of all mail
		{"no link, but a number to call", "PayPal <x@example.net> | Account", "<p>call 555</p>", policy.SeverityMedium},
	} {
		raw, env := message(test.line)
		got := policy.SeverityNone
		for _, finding := range found(f.Message(t.Context(), env, append(raw, test.more...)).Report, policy.SeverityLow) {
			got = max(got, finding.Severity)
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestForgedFromExplained: a forged From is said to be one, and no line would allow it.
func TestForgedFromExplained(t *testing.T) {
	raw, env := message("PayPal <service@paypal.com> | Account | | evil.example | dmarc=fail")
	flagged := found(newFilter(t).Message(t.Context(), env, raw).Report, policy.SeverityMedium)
	if len(flagged) != 1 {
		t.Fatalf("%+v", flagged)
	}
	c, ok := report.ClaimOf(flagged[0])
	if !ok || c.Allow != "" || c.Evidence != "sent as paypal.com, which failed DMARC, links to evil.example" {
		t.Errorf("%+v", c)
	}
}

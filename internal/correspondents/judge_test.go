package correspondents

import (
	"context"
	"fmt"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// newFilter returns a filter that judges by a book.
func newFilter(tb testing.TB, b *Book) *filter.Filter {
	tb.Helper()
	f, err := filter.New(filter.Options{Policy: policy.Options{Protected: []string{"nordkai-werft.de"}, Correspondents: b}})
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// mail returns a message in text with fields.
func mail(text string, fields ...string) []byte {
	return []byte(strings.Join(fields, "\r\n") + "\r\nSubject: Rechnung\r\nMessage-ID: <1@example.net>\r\n\r\n" + text + "\r\n")
}

// outside is the envelope of a message from another mail server.
func outside(sender string) envelope.Envelope {
	return envelope.Envelope{Sender: sender, Recipients: []string{"anna@nordkai-werft.de"}, Client: netip.MustParseAddr("192.0.2.1")}
}

// send hands a message of a user to the filter and the book.
func send(f *filter.Filter, b *Book, when time.Time, env envelope.Envelope, raw []byte) *report.Report {
	env.Authenticated = true
	result := f.Message(context.Background(), env, raw)
	b.Learn(&mailserver.Event{Report: &result.Report, Envelope: &env, Action: result.Action}, when)
	return &result.Report
}

// known returns a book that has learnt a partner, two of his addresses and free mail.
func newKnown(tb testing.TB) (*Book, *filter.Filter) {
	tb.Helper()
	b, _ := newTest(tb, filepath.Join(tb.TempDir(), "correspondents.db"))
	f := newFilter(tb, b)
	for day := range 30 {
		for _, user := range []string{"anna", "bert"} {
			env := envelope.Envelope{Sender: user + "@nordkai-werft.de", Recipients: []string{"einkauf@kupferhandel-rhein.de", "karl@gmail.com", "info@lindnerpumpen.com"}}
			send(f, b, today.AddDate(0, 0, day), env, mail("Guten Tag", "From: "+user+"@nordkai-werft.de"))
		}
	}
	settle(tb, b)
	return b, f
}

// findings returns the codes of the message's findings, and those of its links of medium and above with
// the label.
func findings(r *report.Report) (all []string) {
	for _, f := range r.Findings {
		if f.Code == report.CodeFirstContact || f.Severity >= policy.SeverityLow {
			all = append(all, fmt.Sprintf("%s %s", f.Code, f.Severity))
		}
	}
	for _, l := range r.Links {
		for _, f := range l.Verdict.Findings {
			if f.Code == policy.CodeLookalike {
				all = append(all, fmt.Sprintf("%s %s %s", f.Code, f.Severity, f.Label))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TestMailFromOutside: what mail of strangers gets.
func TestMailFromOutside(t *testing.T) {
	_, f := newKnown(t)
	for name, c := range map[string]struct {
		raw  []byte
		want string
	}{
		"partner":                   {mail("siehe https://www.kupferhandel-rhein.de/x", "From: einkauf@kupferhandel-rhein.de"), ""},
		"colleague of the partner":  {mail("Hallo", "From: vertrieb@mail.kupferhandel-rhein.de"), ""},
		"look-alike in From":        {mail("Hallo", "From: Einkauf <einkauf@kupferhandeI-rhein.de>"), "first-contact info, lookalike medium kupferhandeI-rhein"},
		"typing error in Reply-To":  {mail("Hallo", "From: einkauf@kupferhandel-rhein.de", "Reply-To: einkauf@kupferhandel-rhien.de"), "lookalike medium kupferhandel-rhien, sender-address medium"},
		"look-alike in a link":      {mail("https://login.kupferhandel-rheln.de/x", "From: karl@gmail.com"), "lookalike medium kupferhandel-rheln"},
		"Reply-To free mail":        {mail("Hallo", "From: einkauf@kupferhandel-rhein.de", "Reply-To: <einkauf.kupferhandel@outlook.com>"), "sender-address medium"},
		"Reply-To known free mail":  {mail("Hallo", "From: einkauf@kupferhandel-rhein.de", "Reply-To: karl@gmail.com"), ""},
		"Reply-To other ending":     {mail("Hallo", "From: einkauf@kupferhandel-rhein.de", "Reply-To: einkauf@kupferhandel-rhein.com"), "lookalike low kupferhandel-rhein, sender-address medium"},
		"Reply-To elsewhere":        {mail("Hallo", "From: einkauf@kupferhandel-rhein.de", "Reply-To: x@steuerbuero-hansen.de"), ""},
		"list":                      {mail("Hallo", "From: Karla via Liste <liste@kupferhandel-rhein.de>", "Reply-To: karla@outlook.com", "List-Id: <liste.kupferhandel-rhein.de>"), ""},
		"other ending":              {mail("Hallo", "From: einkauf@kupferhandel-rhein.com"), "first-contact info, lookalike low kupferhandel-rhein"},
		"near ending":               {mail("Hallo", "From: info@lindnerpumpen.co"), "first-contact info, lookalike medium lindnerpumpen"},
		"free mail of a stranger":   {mail("Hallo", "From: peter@gmail.com"), "first-contact info"},
		"free mail of a friend":     {mail("Hallo", "From: Karl <Karl@Gmail.com>"), ""},
		"stranger":                  {mail("Hallo", "From: info@steuerbuero-hansen.de"), "first-contact info"},
		"own domain from elsewhere": {mail("Hallo", "From: anna@nordkai-werft.de"), ""},
	} {
		result := f.Message(context.Background(), outside("bounce@example.net"), c.raw)
		if got := strings.Join(findings(&result.Report), ", "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestMailOfUsers: users may mistype whom they write to, and write of look-alikes.
func TestMailOfUsers(t *testing.T) {
	_, f := newKnown(t)
	raw := mail("https://www.kupferhandel-rhien.de/", "From: anna@nordkai-werft.de", "To: einkauf@kupferhandel-rhien.de")
	env := envelope.Envelope{Sender: "anna@nordkai-werft.de", Recipients: []string{"einkauf@kupferhandel-rhien.de"}, Authenticated: true}
	result := f.Message(context.Background(), env, raw)
	if got := findings(&result.Report); len(got) > 0 || !result.Report.Personal {
		t.Errorf("%s, personal %v", got, result.Report.Personal)
	}
}

// TestPersonal: only what a user writes to people says whom he knows.
func TestPersonal(t *testing.T) {
	f := newFilter(t, New(nil))
	from := "From: anna@nordkai-werft.de"
	for name, c := range map[string]struct {
		env  envelope.Envelope
		raw  []byte
		want bool
	}{
		"person":     {envelope.Envelope{Sender: "anna@nordkai-werft.de", Authenticated: true}, mail("x", from), true},
		"local":      {envelope.Envelope{Sender: "anna@nordkai-werft.de", Client: netip.MustParseAddr("127.0.0.1")}, mail("x", from), true},
		"stranger":   {outside("x@example.net"), mail("x", "From: x@example.net"), false},
		"bounce":     {envelope.Envelope{Authenticated: true}, mail("x", from), false},
		"list":       {envelope.Envelope{Sender: "anna@nordkai-werft.de", Authenticated: true}, mail("x", from, "List-Id: <a.b.c>"), false},
		"automatic":  {envelope.Envelope{Sender: "anna@nordkai-werft.de", Authenticated: true}, mail("x", from, "Auto-Submitted: auto-replied"), false},
		"bulk":       {envelope.Envelope{Sender: "anna@nordkai-werft.de", Authenticated: true}, mail("x", from, "Precedence: bulk"), false},
		"opt-out":    {envelope.Envelope{Sender: "anna@nordkai-werft.de", Authenticated: true}, mail("x", from, "X-Linkmilter-Opt-Out: yes"), false},
		"robot":      {envelope.Envelope{Sender: "noreply@nordkai-werft.de", Authenticated: true}, mail("x", from), false},
		"to a robot": {envelope.Envelope{Sender: "anna@nordkai-werft.de", Recipients: []string{"noreply@example.net"}, Authenticated: true}, mail("x", from), false},
	} {
		result := f.Message(context.Background(), c.env, c.raw)
		if result.Report.Personal != c.want {
			t.Errorf("%s: %v", name, result.Report.Personal)
		}
	}
}

// TestMistyped: a domain that users mistyped does not make the right one a look-alike, and is one itself
// until users have written to it often.
func TestMistyped(t *testing.T) {
	b, f := newKnown(t)
	for _, user := range []string{"anna", "bert"} {
		send(f, b, today, envelope.Envelope{Sender: user + "@nordkai-werft.de", Recipients: []string{"einkauf@kuperhandel-rhein.de", "x@quixotron.de"}}, mail("x", "From: anna@nordkai-werft.de"))
	}
	settle(t, b)
	if c := b.Domain("kuperhandel-rhein.de"); !c.Counts() {
		t.Fatalf("%+v", c)
	}
	for from, want := range map[string]string{
		"einkauf@kupferhandel-rhein.de": "",
		"einkauf@kuperhandel-rhein.de":  "lookalike medium kuperhandel-rhein",
		"x@quixotrom.de":                "first-contact info, lookalike medium quixotrom", // like one that two users wrote to
	} {
		result := f.Message(context.Background(), outside(from), mail("Hallo", "From: "+from))
		if got := strings.Join(findings(&result.Report), ", "); got != want {
			t.Errorf("%s: %s, want %s", from, got, want)
		}
	}
	// The right domain, which one user wrote to once, is excused beside a mistyped one of two users.
	send(f, b, today, envelope.Envelope{Sender: "anna@nordkai-werft.de", Recipients: []string{"x@quixotrom.de"}}, mail("x", "From: anna@nordkai-werft.de"))
	settle(t, b)
	result := f.Message(context.Background(), outside("x@quixotrom.de"), mail("Hallo", "From: x@quixotrom.de"))
	if got := findings(&result.Report); len(got) > 0 {
		t.Errorf("the right domain: %s", got)
	}
}

// TestVictimAnswers: a look-alike that one user answered for a week is still one.
func TestVictimAnswers(t *testing.T) {
	b, f := newKnown(t)
	for day := range 3 {
		send(f, b, today.AddDate(0, 0, day), envelope.Envelope{Sender: "anna@nordkai-werft.de", Recipients: []string{"einkauf@kupferhandel-rheln.de"}}, mail("x", "From: anna@nordkai-werft.de"))
	}
	settle(t, b)
	result := f.Message(context.Background(), outside("x@example.net"), mail("Hallo", "From: einkauf@kupferhandel-rheln.de"))
	if got := strings.Join(findings(&result.Report), ", "); got != "lookalike medium kupferhandel-rheln" {
		t.Errorf("%s", got)
	}
}

// TestWithoutFile: without a file nothing is found.
func TestWithoutFile(t *testing.T) {
	f := newFilter(t, New(nil))
	result := f.Message(context.Background(), outside("x@example.net"), mail("Hallo", "From: einkauf@kupferhandel-rheln.de"))
	if got := findings(&result.Report); len(got) > 0 {
		t.Errorf("%s", got)
	}
}

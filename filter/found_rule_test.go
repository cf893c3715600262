package filter_test

import (
	"context"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/policy"
)

// claimed is a message whose sender is called as a brand, with a link to free hosting.
func claimed(body string) []byte {
	return []byte("From: PayPal <x@evalora-host.com>\r\nTo: anna@example.org\r\nSubject: Your account\r\nMIME-Version: 1.0\r\n" +
		"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + body)
}

// openPage is the body of claimed: one link to free hosting.
const openPage = "<p>Hello <a href=\"https://shop-x7.pages.dev/login\">Open</a></p>\r\n"

var loopbackNet = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

func byStranger(recipients ...string) envelope.Envelope {
	return envelope.Envelope{Sender: "x@evalora-host.com", Recipients: recipients}
}

// TestRulesAskForFindings: the first rule that matches decides, also by the findings.
func TestRulesAskForFindings(t *testing.T) {
	both := rule.Rule{Name: "both", When: rule.When{Findings: []policy.Code{"free-hosting", "claim"}}, On: rule.On{Medium: rule.ActionQuarantine}}
	one := rule.Rule{Name: "one", When: rule.When{Findings: []policy.Code{"free-hosting"}}}
	other := rule.Rule{Name: "other", When: rule.When{Findings: []policy.Code{"lookalike"}}}
	all := rule.Rule{Name: "all", On: rule.On{Medium: rule.ActionTag}}
	some := rule.Rule{Name: "some", When: rule.When{Recipient: []string{"b@example.org"}, Findings: []policy.Code{"claim"}}, On: rule.On{Medium: rule.ActionReject}}
	honest := []byte(strings.Replace(string(claimed(openPage)), "PayPal", "Eva", 1))
	for _, test := range []struct {
		name  string
		raw   []byte
		rules []rule.Rule
		to    []string
		want  string
	}{
		{"both codes", claimed(openPage), []rule.Rule{both, all}, nil, "both"},
		{"one of the codes", honest, []rule.Rule{both, all}, nil, "all"},
		{"info is enough", honest, []rule.Rule{both, one, all}, nil, "one"},
		{"no such finding", claimed(openPage), []rule.Rule{other, all}, nil, "all"},
		{"behind a rule for all", claimed(openPage), []rule.Rule{all, both}, nil, "all"},
		{"no rule for others", claimed(openPage), []rule.Rule{other}, nil, "others"},
		{"for some recipients", claimed(openPage), []rule.Rule{some, all}, []string{"a@example.org", "b@example.org"}, "some+all"},
		{"with other conditions", claimed(openPage), []rule.Rule{some, all}, []string{"a@example.org"}, "all"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := decidedBy(t, byStranger(test.to...), string(test.raw), test.rules...); got != test.want {
				t.Errorf("%q decided, want %q", got, test.want)
			}
		})
	}
	f := newFilter(t, filter.Options{Rules: []rule.Rule{both, all}})
	if got := f.Message(t.Context(), byStranger(), claimed(openPage)).Action; got != rule.ActionQuarantine {
		t.Errorf("action %s", got)
	}
	forced, err := f.WithRule("both")
	if err != nil {
		t.Fatal(err)
	}
	if got := forced.Message(t.Context(), byStranger(), honest).Report.Rule; got != "both" {
		t.Errorf("forced: %q", got)
	}
}

// TestRulesWithFindingsKeepHowItWasRead: trust and lists are those of the rule that decides without
// findings, and a rule with findings cannot set them.
func TestRulesWithFindingsKeepHowItWasRead(t *testing.T) {
	base := rule.Rule{Name: "tenant", When: rule.When{Client: loopbackNet}, Trusted: true, Block: []string{"shop-x7.pages.dev"}}
	found := rule.Rule{Name: "found", When: rule.When{Findings: []policy.Code{"blocked"}}, On: rule.On{Medium: rule.ActionReject}}
	f := newFilter(t, filter.Options{Rules: []rule.Rule{found, base}})
	local := byStranger()
	local.Client = loopbackNet[0].Addr()
	if r := f.Message(t.Context(), local, claimed(openPage)); r.Report.Rule != "found" || r.Action != rule.ActionReject {
		t.Errorf("rule %q, action %s", r.Report.Rule, r.Action)
	}
	if r := f.Message(t.Context(), byStranger(), claimed(openPage)); r.Report.Rule != "others" {
		t.Errorf("without the list: rule %q", r.Report.Rule)
	}
	for key, set := range map[string]func(*rule.Rule){
		"trusted":      func(r *rule.Rule) { r.Trusted, r.When.Authenticated = true, new(true) },
		"sign_relayed": func(r *rule.Rule) { r.SignRelayed = true },
		"protected":    func(r *rule.Rule) { r.Protected = []string{"example.com"} },
		"allow":        func(r *rule.Rule) { r.Allow = []string{"example.com"} },
		"block":        func(r *rule.Rule) { r.Block = []string{"example.com"} },
	} {
		wrong := found
		set(&wrong)
		if _, err := filter.New(filter.Options{Rules: []rule.Rule{wrong}}); err == nil || !strings.Contains(err.Error(), key+": ") {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// TestRulesWithFindingsEdit: the keys of the edit are those of the rule that the findings chose, also
// where the rule that read the message shows flagged links in another way.
func TestRulesWithFindingsEdit(t *testing.T) {
	const body = "<p>See <a href=\"https://paypa1-secure.com/x\">here</a> or https://paypa1-secure.com/y.</p>\r\n"
	for name, flagged := range map[string][2]rule.Flagged{
		"unlink after link": {rule.FlaggedLink, rule.FlaggedUnlink}, "defang after link": {rule.FlaggedLink, rule.FlaggedDefang},
		"defang after unlink": {rule.FlaggedUnlink, rule.FlaggedDefang}, "link after defang": {rule.FlaggedDefang, rule.FlaggedLink},
	} {
		t.Run(name, func(t *testing.T) {
			found := rule.Rule{Name: "all", Edit: rule.EditFlagged, ReadableHTML: true, Plain: rule.PlainReadable, Flagged: flagged[1]}
			alone := newFilter(t, filter.Options{Rules: []rule.Rule{found}})
			found.When.Findings = []policy.Code{"lookalike"}
			f := newFilter(t, filter.Options{Rules: []rule.Rule{found, {Name: "read", Flagged: flagged[0]}}})
			for _, raw := range [][]byte{claimed(body), []byte(strings.Replace(string(claimed("See https://paypa1-secure.com/y or www.paypa1-secure.com.\r\n")), "text/html", "text/plain", 1))} {
				want := alone.Message(context.Background(), byStranger(), raw)
				got := f.Message(context.Background(), byStranger(), raw)
				if string(got.Message(raw)) != string(want.Message(raw)) || got.Report.Edited != want.Report.Edited {
					t.Errorf("message\n%s\nwant\n%s", got.Message(raw), want.Message(raw))
				}
			}
		})
	}
}

// TestRulesWithFindingsGenerated: a rule with findings decides exactly where the report has all its codes.
func TestRulesWithFindingsGenerated(t *testing.T) {
	codes := []policy.Code{"claim", "free-hosting", "shortener", "lookalike", "display-name", "mixed-words", "sender-address", "userinfo", "over-escaped", "text-target-mismatch", "opaque", "partial"}
	froms := []string{"PayPal <x@evalora-host.com>", "Eva <x@evalora-host.com>", "H\u0435lp D\u0435sk <x@example.org>", "Correios <x@correios>", "Anna <anna@paypa1-secure.com>"}
	links := []string{
		`<a href="https://shop-x7.pages.dev/x">Open</a>`, `<a href="https://bit.ly/x">Open</a>`, `<a href="https://paypa1-secure.com/x">Open</a>`,
		`<a href="https://evil.example.net/">www.paypal.com</a>`, `<a href="https://paypal.com@evil.example.net/">x</a>`, `<a href="https://example.com/">y</a>`, "text",
	}
	r := rand.New(rand.NewPCG(5, 6))
	decided := 0
	all := long.Rows(2000, 200)
	for range all {
		var body string
		for range 1 + r.IntN(3) {
			body += links[r.IntN(len(links))] + " "
		}
		raw := []byte(strings.Replace(string(claimed(body+"\r\n")), froms[0], froms[r.IntN(len(froms))], 1))
		want := rule.Rule{Name: "found", When: rule.When{Findings: []policy.Code{codes[r.IntN(len(codes))]}}}
		if r.IntN(2) == 0 {
			want.When.Findings = append(want.When.Findings, codes[r.IntN(len(codes))])
		}
		f := newFilter(t, filter.Options{Rules: []rule.Rule{want, {Name: "all"}}})
		said := f.Message(t.Context(), byStranger(), raw).Report
		has := !slices.ContainsFunc(want.When.Findings, func(code policy.Code) bool { return !report.Has(said.Findings, said.Links, code) })
		if has != (said.Rule == "found") {
			t.Fatalf("%v: %q decided for %s\n%s", want.When.Findings, said.Rule, said, raw)
		}
		if has {
			decided++
		}
	}
	if t.Logf("decided for %d of %d", decided, all); decided < all/20 {
		t.Error("too few")
	}
}

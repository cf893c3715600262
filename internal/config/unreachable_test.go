package config

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/policy"
)

func networks(texts ...string) []netip.Prefix {
	var list []netip.Prefix
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

func TestUnreachable(t *testing.T) {
	yes, no := new(true), new(false)
	for _, test := range []struct {
		name  string
		whens []rule.When
		want  string // the warning about the last rule: its key and a part of the text; "" for none
	}{
		{"one rule", []rule.When{{}}, ""},
		{"behind one for all", []rule.When{{}, {Sender: []string{"a@example.com"}}}, ` rule "a" above`},
		{"before one for all", []rule.When{{Sender: []string{"a@example.com"}}, {}}, ""},
		{"the same", []rule.When{{Daemon: []string{"x"}}, {Daemon: []string{"x"}}}, ` rule "a" above`},
		{"logged in or not", []rule.When{{Authenticated: yes}, {Authenticated: no}, {Client: networks("10.0.0.0/8")}}, ` rule "a" or rule "b" above`},
		{"logged in only", []rule.When{{Authenticated: yes}, {Client: networks("10.0.0.0/8")}}, ""},
		{"logged in, narrower", []rule.When{{Authenticated: yes}, {Authenticated: yes, Daemon: []string{"x"}}}, ` rule "a" above`},
		{"wider network", []rule.When{{Client: networks("10.0.0.0/8", "fd00::/8")}, {Client: networks("10.1.0.0/16", "fd00::/16")}}, ` rule "a" above`},
		{"one network outside", []rule.When{{Client: networks("10.0.0.0/8")}, {Client: networks("10.1.0.0/16", "192.0.2.0/24")}}, ""},
		{"narrower network", []rule.When{{Client: networks("10.1.0.0/16")}, {Client: networks("10.0.0.0/8")}}, ""},
		{"address at domain", []rule.When{{Sender: []string{"@Example.com"}}, {Sender: []string{"anna@example.COM"}}}, ` rule "a" above`},
		{"domain below domain", []rule.When{{Sender: []string{".example.com"}}, {Sender: []string{".x.example.com", "@y.example.com", "a@z.example.com"}}}, ` rule "a" above`},
		{"the domain itself", []rule.When{{Sender: []string{".example.com"}}, {Sender: []string{"@example.com"}}}, ""},
		{"domain behind address", []rule.When{{Sender: []string{"anna@example.com"}}, {Sender: []string{"@example.com"}}}, ""},
		{"bounces", []rule.When{{Sender: []string{"<>", "@a.example"}}, {Sender: []string{"<>"}}}, ` rule "a" above`},
		{"U-labels", []rule.When{{Sender: []string{"@xn--bcher-kva.example"}}, {Sender: []string{"a@bücher.example"}}}, ` rule "a" above`},
		{"every recipient", []rule.When{{Recipient: []string{"@example.com"}}, {Recipient: []string{"a@example.com"}}}, ` rule "a" above`},
		{"some and every recipient", []rule.When{{AnyRecipient: []string{"@example.com"}}, {Recipient: []string{"a@example.com"}}}, ` rule "a" above`},
		{"every and some recipient", []rule.When{{Recipient: []string{"@example.com"}}, {AnyRecipient: []string{"a@example.com"}}}, ""},
		{"a field", []rule.When{{Header: map[string]string{"X-A": "*"}}, {Header: map[string]string{"x-a": "b", "X-C": "d"}}}, ` rule "a" above`},
		{"another field", []rule.When{{Header: map[string]string{"X-A": "*", "X-B": "*"}}, {Header: map[string]string{"x-a": "b"}}}, ""},
		{"results", []rule.When{{Auth: []string{"dkim=pass", "spf=pass"}}, {Auth: []string{"dkim=pass"}}}, ` rule "a" above`},
		{"more results", []rule.When{{Auth: []string{"dkim=pass"}}, {Auth: []string{"dkim=pass", "spf=pass"}}}, ""},
		{"more conditions before", []rule.When{{Daemon: []string{"x"}, Authenticated: yes}, {Daemon: []string{"x"}}}, ""},
		{"findings", []rule.When{{Findings: []policy.Code{"claim"}}, {Findings: []policy.Code{"free-hosting", "claim"}}}, ` rule "a" above`},
		{"fewer findings", []rule.When{{Findings: []policy.Code{"free-hosting", "claim"}}, {Findings: []policy.Code{"claim"}}}, ""},
		{"findings before one for all", []rule.When{{Findings: []policy.Code{"claim"}}, {}}, ""},
		{"findings behind one for all", []rule.When{{}, {Findings: []policy.Code{"claim"}}}, ` rule "a" above`},
		{"recipients that exclude each other", []rule.When{{Recipient: []string{"@example.com"}, AnyRecipient: []string{"a@example.org"}}}, "when.any_recipient when.recipient excludes"},
		{"recipients that do not", []rule.When{{Recipient: []string{"@example.com"}, AnyRecipient: []string{".com", "a@example.com"}}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var rules []rule.Rule
			for i, w := range test.whens {
				rules = append(rules, rule.Rule{Name: string(rune('a' + i)), When: w})
			}
			if _, err := rule.NewSet(rules, true); err != nil {
				t.Fatal(err)
			}
			var got string
			for _, r := range unreachable(rules) {
				if r.rule == len(rules)-1 {
					got += fmt.Sprintln(r.key, r.text)
				} else {
					t.Errorf("a remark about another rule: %+v", r)
				}
			}
			key, text, _ := strings.Cut(test.want, " ")
			if (got == "") != (test.want == "") || !strings.HasPrefix(got, key+" ") && got != "" || !strings.Contains(got, text) {
				t.Errorf("remarks %q, want %q", got, test.want)
			}
		})
	}
}

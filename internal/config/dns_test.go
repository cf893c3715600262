package config

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/dnslist"
	"github.com/linkmilter/linkmilter/policy"
)

// TestDNSLists: nobody is asked without a list, and a list keeps its key out of its name.
func TestDNSLists(t *testing.T) {
	file, err := Parse("dns", nil)
	if err != nil || len(file.DNSLists().Zones) != 0 {
		t.Fatalf("without a list: %v, %+v", err, file.DNSLists())
	}
	file, err = Parse("dns", []byte(`
[dns]
servers = ["127.0.0.1:53", "[::1]:5353"]
time = "500ms"
[[dns.list]]
name = "dqs"
zone = "KEY.dbl.dq.spamhaus.net."
[[dns.list]]
name = "surbl"
zone = "multi.surbl.org"
format = "surbl"
means = "watch"
severity = "low"
`))
	if err != nil {
		t.Fatal(err)
	}
	o := file.DNSLists()
	want := []dnslist.Zone{
		{Name: "dqs", Zone: "key.dbl.dq.spamhaus.net", Format: dnslist.FormatAuto},
		{Name: "surbl", Zone: "multi.surbl.org", Format: dnslist.FormatSURBL, Watch: true, Severity: policy.SeverityLow},
	}
	if len(o.Zones) != 2 || o.Zones[0] != want[0] || o.Zones[1] != want[1] || len(o.Servers) != 2 || o.Time != 500*time.Millisecond {
		t.Errorf("%+v", o)
	}
}

// TestDNSListProblems: wrong values are named at their keys.
func TestDNSListProblems(t *testing.T) {
	const list = "[[dns.list]]\nname = \"a\"\nzone = \"dbl.spamhaus.org\"\n"
	for document, want := range map[string]string{
		"[dns]\nservers = [\"localhost\"]\n" + list:         `dns.servers[0]: resolver "localhost": not an IP address`,
		"[dns]\nservers = [\"127.0.0.1:0\"]\n" + list:       "dns.servers[0]: ",
		"[dns]\ntime = \"1m\"\n" + list:                     "dns.time: ",
		"[[dns.list]]\nname = \"a\"\nzone = \"spamhaus\"\n": "dns.list[0].zone: ",
		"[[dns.list]]\nname = \"a b\"\nzone = \"x.org\"\n":  "dns.list[0].name: ",
		list + list:                   "dns.list[1].name: ",
		list + "format = \"dnsbl\"\n": "dns.list[0].format: ",
	} {
		_, err := Parse("dns", []byte(document))
		var problems Problems
		if !errors.As(err, &problems) || len(problems) != 1 || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", document, err, want)
		}
	}
}

// TestRuleWithFindings: keys that say how a message is read are refused by name, and so are lists for such a
// rule.
func TestRuleWithFindings(t *testing.T) {
	const found = "[[rule]]\nname = \"found\"\nwhen.findings = [\"free-hosting\", \"claim\"]\n"
	file, err := Parse("rules", []byte(found+"on = { info = \"quarantine\" }\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := file.RulesInForce()[0].Words; !strings.Contains(got, "for findings of free-hosting and claim: quarantine") {
		t.Errorf("words: %s", got)
	}
	for document, want := range map[string]string{
		found + "allow = [\"example.com\"]\n":                                                                 "rule[0].allow: not in a rule with when.findings",
		found + "block = [\"example.com\"]\n":                                                                 "rule[0].block: ",
		found + "protected = [\"example.com\"]\n":                                                             "rule[0].protected: ",
		found + "when.authenticated = true\ntrusted = true\n":                                                 "rule[0].trusted: ",
		"[[rule]]\nname = \"a\"\nwhen.findings = [\"claims\"]\n":                                              "did you mean claim?",
		"[[rule]]\nname = \"a\"\nwhen.findings = [\"forged-field\"]\n":                                        "rule[0].when.findings[0]: ",
		"[[rule]]\nname = \"a\"\nflagged = \"link\"\nflagged_sender = \"unlink\"\nhtml_part = \"readable\"\n": "rule[0].flagged_sender: ",
		found + "[[list]]\nname = \"x\"\nfile = \"/x\"\nrules = [\"found\"]\n":                                "list[0].rules[0]: rule \"found\": has when.findings",
	} {
		if _, err := Parse("rules", []byte(document)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", document, err, want)
		}
	}
}

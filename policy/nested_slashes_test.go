package policy_test

import (
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// TestHostsBesideSlashes: the hosts that other programs link in the local-part of an address, and
// in the path of a suspect without a host, are judged.
func TestHostsBesideSlashes(t *testing.T) {
	scanner, err := engine.New(engine.Options{Suspects: true})
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge(t, policy.Options{Block: []string{".bad.example.org"}})
	worst := func(text string) policy.Severity {
		worst := policy.SeverityNone
		for _, l := range scanner.Append(nil, "see "+text+" now") {
			worst = max(worst, j.Link(l).Worst())
		}
		return worst
	}
	for _, text := range []string{
		"//paypa1.com/login/x@y.example.org", "///www.paypa1.com/x@y.example.org", "http:/paypa1.com/x@y.example.org", `\\.\www.paypa1.com/login/x@y.example.org`,
		"{//paypa1.com/login@y.example.org", "|//x.bad.example.org/a@y.example.org", "http://.//paypa1.com/login", "http://_//paypa1.com", "www.smb://paypa1.com/x",
		`http://http:/\www.paypa1.com/login`, "ftp://http:/www.paypa1.com/login", "http://.//x.bad.example.org", "http://?x@paypa1.com/y", "ftp://?x=/www.paypa1.com/login",
		"http://?x=/y.bad.example.org#abc",
	} {
		if worst(text) < policy.SeverityHigh {
			t.Errorf("%s: only %s", text, worst(text))
		}
	}
	for _, text := range []string{"/C=DE/O=example.com/S=Li@gate.example.org", "a/b.c@example.org", "http://wiki/www.example.com/page.html", "//www.paypal.com/x@paypal.com", "http://localhost//index.php"} {
		if worst(text) >= policy.SeverityMedium {
			t.Errorf("%s: %s", text, worst(text))
		}
	}
}

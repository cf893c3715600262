package policy_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/policy"
)

// TestHostsBesideSlashes: the hosts that other programs link in the local-part of an address, and
// in the path of a suspect without a host, are judged.
func TestHostsBesideSlashes(t *testing.T) {
	scanner := newScanner(t)
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
		"http://?x=/y.bad.example.org#abc", "http://_/" + strings.Repeat("a.b/", 30) + "?u=https://paypa1.com/login",
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

// TestManySlashes: the text behind each slash is not copied.
func TestManySlashes(t *testing.T) {
	j := newJudge(t, policy.Options{})
	links := newScanner(t).Append(nil, "http://_/"+strings.Repeat("/", 8000)+"x")
	if len(links) != 1 {
		t.Fatalf("links: %v", links)
	}
	if allocated := testing.AllocsPerRun(3, func() { j.Link(links[0]) }); allocated > 1000 {
		t.Errorf("%v allocations", allocated)
	}
}

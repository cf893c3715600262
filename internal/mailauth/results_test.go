package mailauth

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// describe writes results in short.
func describe(results []Result) string {
	var parts []string
	for _, r := range results {
		s := r.method + "=" + r.value
		for _, name := range slices.Sorted(maps.Keys(r.properties)) {
			s += " " + name + "=" + r.properties[name]
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "; ")
}

// TestResults: results of trusted servers, in the form of RFC 8601 and in those of programs.
func TestResults(t *testing.T) {
	trusted := []string{"mx.example.org", "Filter.Example.ORG"}
	tests := []struct {
		name   string
		fields []string
		want   string
	}{
		{"nothing", nil, ""},
		{"no result", []string{" mx.example.org; none"}, ""},
		{"no result, with version and comment", []string{" mx.example.org 1; none (x)"}, ""},
		{"one", []string{" mx.example.org;\r\n\tspf=pass smtp.mailfrom=example.net"}, "spf=pass smtp.mailfrom=example.net"},
		{"case", []string{"MX.EXAMPLE.ORG; DKIM=PASS header.D=example.net"}, "dkim=pass header.d=example.net"},
		{"another trusted one", []string{"filter.example.org; dmarc=fail header.from=example.net"}, "dmarc=fail header.from=example.net"},
		{"version", []string{"mx.example.org 1; spf=pass smtp.mailfrom=a@example.net"}, "spf=pass smtp.mailfrom=a@example.net"},
		{"another version", []string{"mx.example.org 2; spf=pass"}, ""},
		{"quoted id", []string{`"mx.example.org"; spf=pass`}, "spf=pass"},
		{"comments", []string{
			"(c) mx.example.org (;) 1 (d) ; (e) dkim (f) = (g) pass (2048-bit key; unprotected (nested\\) x)) header (h).(i) d (j)=example.net header.i=@example.net",
		}, "dkim=pass header.d=example.net header.i=@example.net"},
		{"OpenDKIM", []string{
			" mx.example.org;\r\n\tdkim=pass (2048-bit key; unprotected) header.d=example.net header.i=@example.net header.a=rsa-sha256 header.s=s1 header.b=abc+/==;\r\n\tdkim-atps=neutral",
		}, "dkim=pass header.d=example.net header.i=@example.net; dkim-atps=neutral"},
		{"rspamd", []string{
			" mx.example.org;\r\n\tdkim=pass header.d=example.net header.s=s1 header.b=\"AbC=\";\r\n\tdmarc=pass (policy=none) header.from=example.net;\r\n\tspf=pass (mx.example.org: domain of a@example.net designates 192.0.2.1 as permitted sender) smtp.mailfrom=a@example.net",
		}, "dkim=pass header.d=example.net; dmarc=pass header.from=example.net; spf=pass smtp.mailfrom=a@example.net"},
		{"two signatures", []string{"mx.example.org; dkim=pass header.d=a.example; dkim=fail reason=\"bad; sig\" header.d=b.example"}, "dkim=pass header.d=a.example; dkim=fail header.d=b.example"},
		{"ARC", []string{"mx.example.org; arc=pass header.oldest-pass=1 smtp.remote-ip=192.0.2.1"}, "arc=pass header.oldest-pass=1 smtp.remote-ip=192.0.2.1"},
		{"dots at the end", []string{"mx.example.org; spf=pass smtp.mailfrom=example.net. smtp.helo=a.example."}, "spf=pass smtp.helo=a.example. smtp.mailfrom=example.net."},
		{"values like syntax", []string{"mx.example.org; dkim=pass header.b= /a+b== header.i = @example.net header . d = example.net"}, "dkim=pass header.d=example.net header.i=@example.net"},
		{"method version", []string{"mx.example.org; spf/1=pass smtp.mailfrom=x.example; dkim/2=pass header.d=x.example"}, "spf=pass smtp.mailfrom=x.example"},
		{
			"others",
			[]string{"mx.example.org; auth=pass smtp.auth=anna; iprev=fail policy.iprev=192.0.2.1; x-own=pass a.b=c; domainkeys=neutral header.d=x.example; sender-id=pass header.from=x"},
			"auth=pass smtp.auth=anna; iprev=fail policy.iprev=192.0.2.1; x-own=pass a.b=c; domainkeys=neutral header.d=x.example",
		},
		{"a damaged one among them", []string{"mx.example.org; arc=pass header.oldest-pass=0; nonsense; dkim=; =pass; dm arc=pass; spf=fail"}, "spf=fail"},
		{"several servers", []string{"mx.example.org; spf=pass", "filter.example.org; dkim=pass header.d=x.example"}, "spf=pass; dkim=pass header.d=x.example"},

		{"a stranger", []string{"mx.example.net; dmarc=pass header.from=x.example"}, ""},
		{"nearly ours", []string{"mx.example.org.example.net; dmarc=pass", "xmx.example.org; dmarc=pass", "mx.example.or; dmarc=pass", "mx.example.org/x; dmarc=pass", "mx.example.org\x00; dmarc=pass"}, ""},
		{"a dot at the end", []string{"mx.example.org.; dmarc=pass"}, "dmarc=pass"},
		{"forged below ours", []string{"mx.example.org; dmarc=fail header.from=x.example", "mx.example.org; dmarc=pass header.from=x.example; spf=softfail"}, "dmarc=fail header.from=x.example; spf=softfail"},
		{"in a comment", []string{"mx.example.org (; dmarc=pass header.from=x.example); spf=fail"}, "spf=fail"},
		{"in quotes", []string{`mx.example.org; dkim=fail reason="x; dmarc=pass header.from=x.example" header.d=x.example`}, "dkim=fail header.d=x.example"},
		{"in a quoted property", []string{`mx.example.org; spf=fail smtp.mailfrom="a b; dmarc=pass"@x.example`}, "spf=fail smtp.mailfrom=a_b__dmarc=pass@x.example"},
		{"an open comment", []string{"mx.example.org; spf=fail (x; dmarc=pass"}, ""},
		{"open quotes", []string{`mx.example.org; spf=fail reason="x; dmarc=pass`}, ""},
		{"much to join", []string{"mx.example.org; spf=fail;" + strings.Repeat(" .", 8000) + "=pass"}, "spf=fail"},
		{"empty", []string{"", " ", ";", "; spf=pass", "mx.example.org"}, ""},
		{"two ids", []string{"x mx.example.org; dmarc=pass"}, ""},
		{"huge", []string{"mx.example.org; spf=pass smtp.mailfrom=" + strings.Repeat("x", maxResultValue)}, ""},
		{"words only", []string{"mx.example.org; dmarc=pa$s; d/arc=pass"}, ""},
	}
	for _, tt := range tests {
		if got := describe(Results(tt.fields, trusted)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := Results([]string{"; dmarc=pass", "mx.example.org; dmarc=pass"}, nil); got != nil {
		t.Errorf("without trusted servers: %v", got)
	}
}

// TestResultsBounded: only a limited number of fields and results is read, so thousands cost no more.
func TestResultsBounded(t *testing.T) {
	var fields []string
	for i := range 10_000 {
		fields = append(fields, fmt.Sprintf("mx.example.org; m%d=pass", i))
	}
	if got := Results(fields, []string{"mx.example.org"}); len(got) != maxResultFields {
		t.Errorf("%d results of 10,000 fields", len(got))
	}
	if got := Results([]string{"mx.example.org" + strings.Repeat("; dkim=pass", 1000)}, []string{"mx.example.org"}); len(got) != maxResults {
		t.Errorf("%d results of one field", len(got))
	}
}

// TestConditions: the conditions that a rule may have.
func TestConditions(t *testing.T) {
	results := Results([]string{"mx.example.org; dkim=pass header.d=a.example; dkim=fail header.d=b.example; spf=none; arc=pass; dmarc=hardfail"}, []string{"mx.example.org"})
	for condition, want := range map[string]bool{
		"dkim=pass": true, "dkim=fail": true, "DKIM = Pass": true, "dkim=none": false, "spf=none": true, "spf=pass": false,
		"arc=pass": true, "dmarc=fail": true, "dmarc=none": false, "iprev=fail": false, "auth=pass": false,
	} {
		c, err := ParseCondition(condition)
		if err != nil || c.Match(results) != want {
			t.Errorf("%s: %t, %v", condition, c.Match(results), err)
		}
	}
	for condition, want := range map[string]string{
		"": "not valid", "dkim": "not valid", "=pass": "not valid", "dmark=pass": `unknown method "dmark"`,
		"dkim=passed": "unknown result of dkim (want one of none, pass", "dmarc=softfail": "unknown result of dmarc",
	} {
		if _, err := ParseCondition(condition); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", condition, err)
		}
	}
}

// TestAuthenticatedFrom: whether a trusted server proved the domain of From.
func TestAuthenticatedFrom(t *testing.T) {
	tests := []struct {
		results, from string
		want          bool
	}{
		{"dmarc=pass header.from=example.com", "example.com", true},
		{"dmarc=pass header.from=Example.COM", "EXAMPLE.com", true},
		{"dmarc=pass header.from=example.com", "mail.example.com", true},
		{"dmarc=pass header.from=example.com", "example.org", false},
		{"dmarc=pass", "example.com", false},
		{"dmarc=fail header.from=example.com; dkim=pass header.d=example.com", "example.com", false},
		{"dmarc=none header.from=example.com; dkim=pass header.d=example.com", "example.com", true},
		{"dkim=pass header.d=example.com", "example.com", true},
		{"dkim=pass header.d=mail.example.com", "example.com", true},
		{"dkim=pass header.i=@example.com", "example.com", true},
		{"dkim=fail header.d=example.com", "example.com", false},
		{"dkim=pass header.d=example.org", "example.com", false},
		{"dkim=pass header.d=a.co.uk", "b.co.uk", false},
		{"dkim=pass header.d=co.uk", "b.co.uk", false},
		{"dkim=pass header.d=xn--bcher-kva.example", "bücher.example", true},
		{"spf=pass smtp.mailfrom=bounce@m.example.com", "example.com", true},
		{"spf=pass smtp.mailfrom=example.com", "example.com", true},
		{"spf=softfail smtp.mailfrom=example.com", "example.com", false},
		{"spf=pass smtp.helo=example.com", "example.com", false},
		{"", "example.com", false},
		{"dkim=pass header.d=example.com", "", false},
	}
	for _, tt := range tests {
		results := Results([]string{"mx.example.org; " + tt.results}, []string{"mx.example.org"})
		if got := AuthenticatedFrom(results, tt.from); got != tt.want {
			t.Errorf("%s, from %s: %t", tt.results, tt.from, got)
		}
	}
}

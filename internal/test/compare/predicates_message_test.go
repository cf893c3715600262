package main

import "testing"

func TestFieldsFollowWhatScanFinds(t *testing.T) {
	const scan = `{"findings":[{"code":"lookalike","severity":"high"}]}`
	for _, c := range []struct {
		field, said string
		all         []string
		want        bool
	}{
		{`X-Linkmilter-Finding: mx; code=lookalike; severity=high; host="a"`, "", nil, true},
		{`X-Linkmilter-Finding: mx; code=lookalike; severity=low; host="a"`, "", nil, false},
		{`X-Linkmilter-Finding: mx; code=mixed-script; severity=high; host="a"`, "", nil, false},
		{`X-Linkmilter-Finding: mx; code=partial; severity=low; detail="nul, tnef"`, "0 links, partial (nul, tnef)", nil, true},
		{`X-Linkmilter-Finding: mx; code=partial; severity=low; detail="nul, tnef"`, "0 links", nil, false},
		{`X-Linkmilter: mx; action=tag; worst=high; findings=1; outcome=complete`, "", []string{"code=lookalike; severity=high"}, true},
		{`X-Linkmilter: mx; action=tag; worst=high; findings=1; outcome=complete`, "", []string{"code=lookalike; severity=low"}, false},
		{`Subject: a`, "", nil, false},
	} {
		if got := follows(c.field, []byte(scan), []byte(c.said), c.all); got != c.want {
			t.Errorf("follows(%q) = %t", c.field, got)
		}
	}
}

func TestOddFieldsAreThoseOfStrangers(t *testing.T) {
	const own, other = "X-Linkmilter-Finding: mx; code=lookalike; severity=high", `X-Linkmilter: "mx"; action=none`
	if odd(other, nil) || odd(own, []string{own}) || !odd(other, []string{other}) {
		t.Error("odd")
	}
}

func TestAlternativesAreComparedWithoutLinks(t *testing.T) {
	const text = `<bdi><a href="http://1.example/">ftp://1.example/%61</a></bdi>`
	for other, want := range map[string]bool{
		"ftp://1.example/a": true, "fxp[:]//１.example/%61": true, "ftp://2.example/a": false, "ftp://1.example/%62": false,
	} {
		if got := withoutAnchors(text) == withoutAnchors(other); got != want {
			t.Errorf("%q: same is %t", other, got)
		}
	}
	if all := hrefs(text); len(all) != 1 || all[0] != "http://1.example/" || !bareHref.MatchString(all[0]) || bareHref.MatchString("http://a.example/b") {
		t.Errorf("targets %q", all)
	}
}

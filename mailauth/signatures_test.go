package mailauth

import (
	"fmt"
	"iter"
	"strings"
	"testing"
)

// fieldsOf iterates over the fields of a header, each a line without line end.
func fieldsOf(header ...string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, field := range header {
			if name, value, _ := strings.Cut(field, ":"); !yield(name, value) {
				return
			}
		}
	}
}

const goodSignature = " v=1; a=rsa-sha256; c=relaxed/simple; d=Example.com;\r\n\ts=s1; h=From : To:To:\r\n\tX-Linkmilter; bh=AAAA; b=BB\r\n BB"

// TestFindSignatures: which fields the signatures of a message cover.
func TestFindSignatures(t *testing.T) {
	tests := []struct {
		name    string
		header  []string
		any     bool
		unknown bool
		covered string // names
		free    string // names
	}{
		{"none", []string{"From: a", "X-DKIM-Signature: x", "ARC: x"}, false, false, "", "From X-Linkmilter ARC-Seal"},
		{"one", []string{"DKIM-Signature:" + goodSignature}, true, false, "from FROM To x-linkmilter X-Linkmilter", "Subject DKIM-Signature X-Linkmilter-Finding ARC-Seal"},
		{"case", []string{"dkim-SIGNATURE:" + goodSignature}, true, false, "From", "Subject"},
		{"several", []string{"DKIM-Signature:" + goodSignature, "DKIM-Signature: a=x;b=x;bh=x;d=x;s=x;h=from:subject"}, true, false, "To Subject", "Cc"},
		{"ARC", []string{"ARC-Message-Signature: i=1;" + goodSignature, "ARC-Seal: x", "ARC-Authentication-Results: i=1; x"}, true, false, "To ARC-Seal arc-authentication-results", "Subject Authentication-Results"},
		{"only a seal", []string{"arc-seal: x"}, true, false, "ARC-Message-Signature", "From"},
		{"l=", []string{"DKIM-Signature:" + goodSignature + "; l=10"}, true, false, "From", "Subject"},
		{"empty", []string{"DKIM-Signature:"}, true, true, "From X-Anything", ""},
		{"no list", []string{"DKIM-Signature: a=x; b=x; bh=x; d=x; s=x; h="}, true, true, "Subject", ""},
		{"an empty name", []string{"DKIM-Signature: a=x; b=x; bh=x; d=x; s=x; h=from::to"}, true, true, "Subject", ""},
		{"no domain", []string{"DKIM-Signature: a=x; b=x; bh=x; s=x; h=from"}, true, true, "Subject", ""},
		{"twice", []string{"DKIM-Signature: a=x; b=x; bh=x; d=x; d=y; s=x; h=from"}, true, true, "Subject", ""},
		{"no tags", []string{"DKIM-Signature: hello"}, true, true, "Subject", ""},
		{"one of two", []string{"DKIM-Signature:" + goodSignature, "DKIM-Signature: hello"}, true, true, "Subject", ""},
		{"binary", []string{"DKIM-Signature: \x00\xff;=;;="}, true, true, "Subject", ""},
	}
	for _, tt := range tests {
		s := FindSignatures(fieldsOf(tt.header...))
		if s.Any() != tt.any || s.Unknown != tt.unknown {
			t.Errorf("%s: any %t, unknown %t", tt.name, s.Any(), s.Unknown)
		}
		for _, name := range strings.Fields(tt.covered) {
			if !s.Covers(name) {
				t.Errorf("%s: %s is free", tt.name, name)
			}
		}
		for _, name := range strings.Fields(tt.free) {
			if s.Covers(name) {
				t.Errorf("%s: %s is covered", tt.name, name)
			}
		}
	}
	one := FindSignatures(fieldsOf("DKIM-Signature:" + goodSignature + "; l=10")).List[0]
	if one.Domain != "example.com" || one.Selector != "s1" || one.Length != "10" || one.BodyHash != "AAAA" || strings.Join(one.Headers, " ") != "from to to x-linkmilter" {
		t.Errorf("%+v", one)
	}
}

// TestSignaturesBy: whether a domain has signed already.
func TestSignaturesBy(t *testing.T) {
	s := FindSignatures(fieldsOf("DKIM-Signature:" + goodSignature))
	for domain, want := range map[string]bool{
		"example.com": true, "EXAMPLE.com.": true, "mail.example.com": true, "example.org": false, "anexample.com": false, "com": false, "": false, "a b": false,
	} {
		if s.By(domain) != want {
			t.Errorf("by %q: %t", domain, !want)
		}
	}
	arc := FindSignatures(fieldsOf("ARC-Message-Signature:" + goodSignature))
	if arc.By("example.com") {
		t.Error("a list's ARC set counts as a signature of the sender")
	}
}

// TestSignaturesBounded: a hundred signatures are read, more are not, and neither
// are huge ones; whatever it is, it counts as signed.
func TestSignaturesBounded(t *testing.T) {
	hundred := make([]string, maxSignatures)
	for i := range hundred {
		hundred[i] = fmt.Sprintf("DKIM-Signature: a=x; b=x; bh=x; d=d%d; s=x; h=from:x%d", i, i)
	}
	s := FindSignatures(fieldsOf(hundred...))
	if s.Unknown || len(s.List) != 100 || !s.Covers("X99") || s.Covers("X100") {
		t.Errorf("%d of a hundred, unknown %t", len(s.List), s.Unknown)
	}
	for name, header := range map[string][]string{
		"one more":     append(hundred, hundred[0]),
		"a long list":  {"DKIM-Signature: a=x; b=x; bh=x; d=x; s=x; h=from" + strings.Repeat(":x", maxNames)},
		"long lists":   {"DKIM-Signature: a=x; b=x; bh=x; d=x; s=x; h=from" + strings.Repeat(":x", 600), "DKIM-Signature: a=x; b=x; bh=x; d=x; s=x; h=from" + strings.Repeat(":x", 600)},
		"a huge value": {"DKIM-Signature: a=x; b=" + strings.Repeat("x", 10<<20) + "; bh=x; d=x; s=x; h=from"},
		"many tags":    {"DKIM-Signature:" + manyTags(10_000)},
	} {
		s := FindSignatures(fieldsOf(header...))
		if !s.Unknown || !s.Any() || !s.Covers("Subject") {
			t.Errorf("%s: not unknown", name)
		}
	}
}

func manyTags(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "t%d=x;", i)
	}
	return b.String()
}

package mailauth

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"testing"
)

// fieldsOf iterates over the fields of a header, each a line without line end.
func fieldsOf(header ...string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, field := range header {
			if name, value, _ := strings.Cut(field, ":"); !yield(name, []byte(value)) {
				return
			}
		}
	}
}

const goodSignature = " v=1; a=rsa-sha256; c=relaxed/simple; d=Example.com;\r\n\ts=s1; h=From : To:To:\r\n\tX-Linkmilter; bh=AAAA; b=BB\r\n BB"

// TestFindSignatures: how often the signatures of a message name each field.
func TestFindSignatures(t *testing.T) {
	tests := []struct {
		name    string
		header  []string
		found   int
		covered string // names, each with its number
		free    string // names
	}{
		{"none", []string{"From: a", "X-DKIM-Signature: x", "ARC: x"}, 0, "", "From X-Linkmilter ARC-Seal"},
		{"one", []string{"DKIM-Signature:" + goodSignature}, 1, "from=1 FROM=1 To=2 x-linkmilter=1 X-Linkmilter=1", "Subject DKIM-Signature X-Linkmilter-Finding"},
		{"case", []string{"dkim-SIGNATURE:" + goodSignature}, 1, "From=1", "Subject"},
		{"several", []string{"DKIM-Signature:" + goodSignature, "DKIM-Signature: a=x;b=x;bh=x;d=x;s=x;h=from:from:subject"}, 2, "To=2 From=2 Subject=1", "Cc"},
		{"ARC", []string{"ARC-Message-Signature: i=1;" + goodSignature, "ARC-Seal: x", "ARC-Authentication-Results: i=1; x"}, 1, "To=2", "Subject ARC-Seal"},
		{"only a seal", []string{"arc-seal: x"}, 0, "", "ARC-Message-Signature From"},
		{"l=", []string{"DKIM-Signature:" + goodSignature + "; l=10"}, 1, "From=1", "Subject"},
		{"empty", []string{"DKIM-Signature:"}, 0, "", "From X-Anything"},
		{"no list", []string{"DKIM-Signature: a=x; b=x; bh=x; d=x; s=x; h="}, 0, "", "Subject"},
		{"an empty name", []string{"DKIM-Signature: a=x; b=x; bh=x; d=x; s=x; h=from::to"}, 0, "", "From"},
		{"no domain", []string{"DKIM-Signature: a=x; b=x; bh=x; s=x; h=from"}, 0, "", "From"},
		{"twice", []string{"DKIM-Signature: a=x; b=x; bh=x; d=x; d=y; s=x; h=from"}, 0, "", "From"},
		{"no tags", []string{"DKIM-Signature: hello"}, 0, "", "Subject"},
		{"one of two", []string{"DKIM-Signature:" + goodSignature, "DKIM-Signature: hello"}, 1, "From=1", "Subject"},
		{"binary", []string{"DKIM-Signature: \x00\xff;=;;="}, 0, "", "Subject"},
	}
	for _, tt := range tests {
		s := FindSignatures(fieldsOf(tt.header...))
		if len(s.list) != tt.found {
			t.Errorf("%s: %d signatures, want %d", tt.name, len(s.list), tt.found)
		}
		for _, pair := range strings.Fields(tt.covered) {
			if name, times, _ := strings.Cut(pair, "="); strconv.Itoa(s.Covered(name)) != times {
				t.Errorf("%s: %s is covered %d times, want %s", tt.name, name, s.Covered(name), times)
			}
		}
		for _, name := range strings.Fields(tt.free) {
			if s.Covered(name) > 0 {
				t.Errorf("%s: %s is covered", tt.name, name)
			}
		}
	}
	one := FindSignatures(fieldsOf("DKIM-Signature:" + goodSignature + "; l=10")).list[0]
	if one.domain != "example.com" || one.arc || strings.Join(one.headers, " ") != "from to to x-linkmilter" {
		t.Errorf("%+v", one)
	}
}

// TestSignaturesBy: whether a domain has signed the message already.
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

// TestSignaturesBounded: up to a hundred signatures count. Further ones, and huge ones, do not.
func TestSignaturesBounded(t *testing.T) {
	hundred := make([]string, maxSignatures)
	for i := range hundred {
		hundred[i] = fmt.Sprintf("DKIM-Signature: a=x; b=x; bh=x; d=d%d; s=x; h=from:x%d", i, i)
	}
	s := FindSignatures(fieldsOf(hundred...))
	if len(s.list) != 100 || s.Covered("X99") != 1 || s.Covered("X100") != 0 {
		t.Errorf("%d of a hundred", len(s.list))
	}
	for name, header := range map[string][]string{
		"one more":     append(hundred, "DKIM-Signature: a=x; b=x; bh=x; d=x; s=x; h=from"),
		"a long list":  {"DKIM-Signature: a=x; b=x; bh=x; d=x; s=x; h=from" + strings.Repeat(":x", maxNames)},
		"long lists":   {"DKIM-Signature: a=x; b=x; bh=x; d=x; s=x; h=from" + strings.Repeat(":x", 600), "DKIM-Signature: a=x; b=x; bh=x; d=x; s=x; h=from" + strings.Repeat(":x", 600)},
		"a huge value": {"DKIM-Signature: a=x; b=" + strings.Repeat("x", 10<<20) + "; bh=x; d=x; s=x; h=from"},
		"many tags":    {"DKIM-Signature:" + manyTags(10_000)},
	} {
		if s := FindSignatures(fieldsOf(header...)); len(s.list) != len(header)-1 {
			t.Errorf("%s: %d signatures", name, len(s.list))
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

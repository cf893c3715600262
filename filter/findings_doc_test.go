package filter_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	docs "github.com/linkmilter/linkmilter/internal/test/manual"
	"github.com/linkmilter/linkmilter/policy"
)

// TestFindingsPage: the sections about messages in docs/findings.md are those of the
// code.
func TestFindingsPage(t *testing.T) {
	codes := []docs.Code{
		{Name: string(report.CodeClaim), Source: "UTS #39 §4, RFC 5322 §3.6.2", Example: "`Ledger <x@evalora-host.com>`, with a link to a page below `pages.dev`"},
		{Name: string(report.CodeFirstContact), Source: "your outgoing mail", Example: "the first mail of a sender to whom nobody wrote"},
		{Name: string(report.CodeForgedField), Source: "RFC 8601 §5", Example: "70 fields `X-Linkmilter: mx.example.org; …` from a stranger"},
		{Name: string(report.CodeFreeHosting), Source: "the Public Suffix List", Example: "a link to `https://invoice-4711.pages.dev/`"},
		{Name: string(report.CodeMalformed), Source: "RFC 5322, RFC 2045", Example: "a text in base64 without its padding"},
		{Name: string(report.CodeMixedWords), Source: "UTS #39 §5", Example: "`Hеlp Dеsk <x@example.net>`, with Cyrillic letters е"},
		{Name: string(report.CodeOpaque), Source: "RFC 2046 §5", Example: "an attached PDF"},
		{Name: string(report.CodePartial), Source: "RFC 2049 §2", Example: "a second text in an unknown transfer encoding"},
		{Name: string(report.CodeSenderAddress), Source: "RFC 5322 §3.4, RFC 5321 §2.3.5", Example: "`Correios <aviso@correios>`"},
		{Name: string(report.CodeUnalignedLink), Source: "RFC 8601, RFC 7489 §3.1", Example: "a message that DMARC found to be from example.com, with a link to example.net"},
		{Name: string(report.CodeUnreadable), Source: "RFC 2049 §2", Example: "the only text in an unknown transfer encoding"},
		{Name: string(report.CodeUnseen), Source: "UTS #58 §8", Example: "`Hello`, with 60 tag characters behind it that spell a prompt"},
	}
	want := make(map[string]string)
	defaults := filter.MessageSeverities()
	for i, code := range slices.Sorted(maps.Keys(defaults)) {
		if codes[i].Name != string(code) {
			t.Fatalf("code %d is %s, want %s", i, code, codes[i].Name)
		}
		for _, v := range filter.Variants() {
			if v.Code == code {
				codes[i].Variants = append(codes[i].Variants, docs.Variant{Name: v.Name, Severity: v.Severity.String(), Text: v.Text})
			}
		}
		want[string(code)] = docs.Section(codes[i])
	}
	docs.Check(t, "findings.md", want, *update)
}

// TestVariants: each code has variants of different names.
func TestVariants(t *testing.T) {
	seen := make(map[string]bool)
	for _, v := range filter.Variants() {
		key := string(v.Code) + "/" + v.Name
		if seen[key] || v.Name == "" || v.Text == "" || v.Severity == policy.SeverityNone {
			t.Errorf("%s: %+v", key, v)
		}
		seen[key] = true
	}
}

package policy_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// TestTooLongSaysWhat: the detail says whether the host or the link is too long.
func TestTooLongSaysWhat(t *testing.T) {
	judge := newJudge(t, policy.Options{})
	scanner, err := engine.New(engine.Options{Suspects: true, MaxLinkLen: 2000})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"https://example.com/" + strings.Repeat("a", 3000):         "the link is",
		"https://" + strings.Repeat("a", 64) + ".example.com/":     "the host is",
		"https://" + strings.Repeat("abc.", 80) + "example.com/":   "the host is",
		"https://" + strings.Repeat("пример.", 60) + "example.com": "the host is",
	} {
		links := scanner.Append(nil, text)
		if len(links) != 1 {
			t.Fatalf("%.40s: %d links", text, len(links))
		}
		var details []string
		for _, f := range judge.Link(links[0]).Findings {
			if f.Code == policy.CodeTooLong {
				details = append(details, f.Detail)
			}
		}
		if len(details) != 1 || !strings.HasPrefix(details[0], want) {
			t.Errorf("%.40s: %q, want %q", text, details, want)
		}
	}
}

package policy_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/policy"
)

// TestDocumented: docs/findings.md has every code there is and no other, in
// the tables with the default severity and as a section.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(env.Root(t), "docs", "findings.md"))
	if err != nil {
		t.Fatal(err)
	}
	var want, sections []string
	for _, c := range policy.Codes() {
		s, err := policy.DefaultSeverity(c)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprintf("%s %s", c, s))
		sections = append(sections, string(c))
	}
	for _, c := range filter.MessageCodes() {
		s, err := filter.MessageSeverity(c)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprintf("%s %s", c, s))
		sections = append(sections, string(c))
	}
	var rows []string
	for _, m := range regexp.MustCompile("(?m)^\\| \\[`([a-z-]+)`\\]\\(#[a-z-]+\\) \\| ([a-z]+) \\| ([^|]*) \\|").FindAllSubmatch(text, -1) {
		rows = append(rows, fmt.Sprintf("%s %s", m[1], m[2]))
		if len(bytes.TrimSpace(m[3])) == 0 {
			t.Errorf("%s has no source", m[1])
		}
	}
	var headings []string
	for _, m := range regexp.MustCompile("(?m)^### ([a-z-]+)$").FindAllSubmatch(text, -1) {
		headings = append(headings, string(m[1]))
	}
	if !slices.Equal(rows, want) {
		t.Errorf("tables:\n%q\ncode:\n%q", rows, want)
	}
	if !slices.Equal(headings, sections) {
		t.Errorf("sections:\n%q\ncode:\n%q", headings, sections)
	}
}

// TestEveryCodeFires: each code is found, and at its worst has the severity
// that is documented as the default.
func TestEveryCodeFires(t *testing.T) {
	examples := map[policy.Code]string{
		policy.CodeMixedScript:         "http://pаypal.com",
		policy.CodeWholeScript:         "http://раураӏ.com",
		policy.CodeLookalike:           "http://paypa1.com",
		policy.CodeRestrictedCharacter: "http://ɡoogle.com",
		policy.CodeMixedDigits:         "http://8৪.com",
		policy.CodeInvisibleCharacter:  "http://exam\u200bple.com",
		policy.CodeSyntaxLookalike:     "http://example.com⁄login.example.net",
		policy.CodeInvalidIDNA:         "http://xn--a.com",
		policy.CodeUnknownTLD:          "http://example.zzzz",
		policy.CodeInvalidTLD:          "http://example.a",
		policy.CodeIPHost:              "http://192.0.2.1/",
		policy.CodeObfuscatedIP:        "http://0xc0000201/",
		policy.CodeTooLong:             "http://" + strings.Repeat("a", 64) + ".com",
		policy.CodeBidiOrder:           "http://example.com.אב.קום",
		policy.CodeUserinfo:            "http://www.example.com@example.net/",
		policy.CodeBidiControl:         "http://example.com/a%E2%80%AEgpj.exe",
		policy.CodeMixedScriptPath:     "http://example.com/lоgin",
		policy.CodeOverEscaped:         "http://ex%61mple.com/login",
		policy.CodeDoubleEscaped:       "http://example.com/%25E0%25A4",
		policy.CodeInvalidEscape:       "http://example.com/..%C0%AFetc",
		policy.CodeTextTargetMismatch:  "http://example.com/", // with the text below
	}
	scanner, err := engine.New(engine.Options{Suspects: true})
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge(t, policy.Options{})
	for _, c := range policy.Codes() {
		t.Run(string(c), func(t *testing.T) {
			l, err := engine.ParseLink(examples[c])
			if err != nil { // no browser opens it: a suspect
				links := scanner.Append(nil, examples[c])
				if len(links) != 1 {
					t.Fatalf("%q: %d links", examples[c], len(links))
				}
				l = links[0]
			}
			worst := policy.SeverityNone
			findings := j.Link(l).Findings
			if c == policy.CodeTextTargetMismatch {
				const text = "https://www.paypal.com/"
				findings = j.TextTarget(text, scanner.Append(nil, text), l)
			}
			for _, f := range findings {
				if f.Code == c {
					worst = max(worst, f.Severity)
				}
			}
			if want, _ := policy.DefaultSeverity(c); worst != want {
				t.Errorf("%q: %s, want %s", examples[c], worst, want)
			}
		})
	}
}

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// steering returns the characters that control a terminal, except NUL, which no path can have.
func steering() []rune {
	all := []rune{0x2028, 0x2029}
	for r := rune(1); r < 0xA0; r++ {
		if r < ' ' || r >= 0x7F {
			all = append(all, r)
		}
	}
	for r := range rune(unicode.MaxRune) {
		if unicode.Is(unicode.Bidi_Control, r) {
			all = append(all, r)
		}
	}
	return all
}

// shownBy runs the program and returns all that people see: tables, and what main
// says of an error.
func shownBy(t *testing.T, stdin string, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := newRoot()
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SetIn(strings.NewReader(stdin))
	cmd.SetArgs(args)
	if err := cmd.ExecuteContext(t.Context()); err != nil && !errors.Is(err, errFindings) {
		fmt.Fprintln(&errs, errorText(err))
	}
	return out.String(), errs.String()
}

// TestNothingSteersTheTerminal: each character that controls a terminal is given to every command
// in a path, an argument and the content. None is printed.
func TestNothingSteersTheTerminal(t *testing.T) {
	dir := t.TempDir()
	runs := 0
	for i, r := range steering() {
		bad := "a" + string(r) + "b"
		missing := filepath.Join(dir, bad)
		write := func(name, text string) string {
			path := filepath.Join(dir, fmt.Sprintf("%d-%s", i, name))
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}
		key := write("key.toml", fmt.Sprintf("[milter]\n\"a\\u%04Xb\" = 5\nlisten = [\"\\u%04X\"]\n", r, r))
		rule := write("rule.toml", fmt.Sprintf("[[rule]]\nname = \"\\u%04X\"\n[[dkim.key]]\ndomain = \"\\u%04X\"\nfile = \"\\u%04X\"\n", r, r, r))
		odd := write("odd"+string(r)+".toml", "") // a good file with a bad name
		message := "From: " + bad + " <x@paypa1.com>\nSubject: http://paypa1.com/" + bad + "\n\nhttp://paypa1.com/" + bad + " http://pay" + string(r) + "pal.com/\n"
		for _, run := range []struct {
			stdin string
			args  []string
		}{
			{"", []string{bad}},
			{"", []string{"--" + bad}},
			{"", []string{"help", bad}},
			{"", []string{"scan", missing}},
			{"", []string{"scan", "--format", bad}},
			{"", []string{"scan", "--fail-on", bad}},
			{"", []string{"scan", "--" + bad}},
			{message, []string{"scan"}},
			{message, []string{"scan", "--text"}},
			{"", []string{"scan", write("m"+string(r)+".eml", message)}},
			{"", []string{"scan", "--config", missing}},
			{"", []string{"rewrite", missing}},
			{"", []string{"rewrite", "--rule", bad, write("empty.eml", "")}},
			{"", []string{"rewrite", write("e"+string(r)+".eml", "\n")}},
			{"", []string{"rewrite", missing, bad}},
			{"", []string{"format", bad}},
			{"", []string{"explain", bad}},
			{"", []string{"explain", "http://paypa1.com/" + bad, "http://pay" + string(r) + "pal.com/"}},
			{bad + "\n", []string{"explain"}},
			{"", []string{"check-config", missing}},
			{"", []string{"check-config", key}},
			{"", []string{"check-config", rule}},
			{"", []string{"check-config", odd}},
			{"", []string{"tlds", "show", "--file", missing, bad}},
			{"", []string{"tlds", bad}},
			{"", []string{"dkim", "check", "--config", missing}},
			{"", []string{"dkim", "check", "--config", odd}},
			{"", []string{"dkim", "check", "--offline", "--domain", bad, "--selector", bad, "--key", missing}},
			{"", []string{"dkim", "check", "--offline", "--domain", "example.com", "--selector", "s", "--key", missing}},
			{"", []string{"serve", "--config", missing}},
			{"", []string{"serve", "--milter", bad}},
			{"", []string{"demo", bad}},
		} {
			stdout, stderr := shownBy(t, run.stdin, run.args...)
			runs++
			for _, text := range []string{stdout, stderr} {
				if r != '\n' && strings.ContainsRune(text, r) && (r != '\t' || strings.Contains(text, bad)) || strings.Contains(text, "a\nb") {
					t.Errorf("%U, %q: %q", r, run.args, text)
				}
			}
		}
	}
	t.Logf("%d runs", runs)
}

// TestFormatEchoesSafely: format prints a line that is no URL unchanged, for programs. The error
// names the line without characters that control a terminal.
func TestFormatEchoesSafely(t *testing.T) {
	for _, r := range steering() {
		if r == '\n' {
			continue
		}
		bad := "no URL a" + string(r) + "b"
		stdout, stderr := shownBy(t, bad+"\n", "format")
		if stdout != bad+"\n" {
			t.Errorf("%U: printed %q", r, stdout)
		}
		if strings.ContainsRune(stderr, r) {
			t.Errorf("%U: %q", r, stderr)
		}
	}
}

// markedFiles are inputs for which a byte order mark must change nothing, and how to run them.
var markedFiles = map[string]struct {
	content string
	args    []string
}{
	"format":         {"https://ja.wikipedia.org/wiki/%E6%97%A5\n", []string{"format"}},
	"explain":        {"paypa1.com\n", []string{"explain", "--json", "-"}},
	"scan text":      {"http://paypa1.com/ x\n", []string{"scan", "--text"}},
	"scan message":   {"From: a@paypa1.com\nSubject: http://paypa1.com/\n\nhttp://paypa1.com/\n", []string{"scan", "--format", "json"}},
	"scan an mbox":   {"From a@example.com Thu Jan  1 00:00:00 1970\nSubject: http://paypa1.com/\n\nx\n\nFrom b@example.com Thu Jan  1 00:00:00 1970\nSubject: http://paypa1.com/\n\nx\n", []string{"scan", "--format", "json"}},
	"rewrite":        {"From: a@example.com\nMIME-Version: 1.0\nContent-Type: text/plain\n\nhttps://ja.wikipedia.org/wiki/%E6%97%A5\n", []string{"rewrite"}},
	"format, one":    {"https://example.com/", []string{"format"}},
	"scan a header":  {"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\naHR0cDovL3BheXBhMS5jb20vCg==\n", []string{"scan", "--format", "json"}},
	"nothing":        {"", []string{"scan"}},
	"format, empty":  {"\nhttps://example.com/\n", []string{"format"}},
	"explain, lines": {"example.com\nexample.net\n", []string{"explain", "--json"}},
}

// TestMarkSpoilsNothing: the output is the same with a byte order mark in front of the input.
// rewrite keeps the mark.
func TestMarkSpoilsNothing(t *testing.T) {
	const mark = "\uFEFF"
	for name, test := range markedFiles {
		want, _ := shownBy(t, test.content, test.args...)
		got, stderr := shownBy(t, mark+test.content, test.args...)
		switch test.args[0] {
		case "rewrite":
			rest, ok := strings.CutPrefix(got, mark)
			boundary := func(s string) string { return strings.Join(strings.Fields(s)[:4], " ") }
			if !ok || boundary(rest) != boundary(want) || len(rest) != len(want) || len(rest) <= len(test.content) {
				t.Errorf("%s: %q, want the mark and %q", name, got, want)
			}
		default:
			if name == "scan text" {
				want = strings.Replace(want, " 0  url", " 3  url", 1) // of the file
			}
			if got != want || strings.Contains(stderr, "FEFF") {
				t.Errorf("%s: %q, want %q; %s", name, got, want, stderr)
			}
		}
	}
	text := mark + "http://example.com/ x\n"
	if got, _ := shownBy(t, text, "scan", "--text", "--format", "mark"); got != mark+"⸠http://example.com/⸡ x\n" {
		t.Errorf("marked %q", got)
	}
}

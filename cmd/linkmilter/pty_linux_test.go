package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// onTerminal runs the program with standard output on a pseudo-terminal and returns what
// it shows.
func onTerminal(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer master.Close()
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	const end = "\x04end"
	shown := make(chan string)
	go func() {
		var all strings.Builder
		buffer := make([]byte, 4096)
		for !strings.Contains(all.String(), end) {
			n, err := master.Read(buffer)
			if all.Write(buffer[:n]); err != nil {
				break
			}
		}
		text, _, _ := strings.Cut(all.String(), end)
		shown <- strings.ReplaceAll(text, "\r\n", "\n") // the terminal's own line ends
	}()
	cmd := newRoot()
	cmd.SetOut(slave)
	cmd.SetErr(&strings.Builder{})
	cmd.SetIn(strings.NewReader(stdin))
	cmd.SetArgs(args)
	_ = cmd.ExecuteContext(t.Context()) // a line that is not a URL is an error, and format echoes it
	if _, err := slave.WriteString(end); err != nil {
		t.Fatal(err)
	}
	return <-shown
}

// TestEchoOnATerminal: on a terminal, no command prints characters of its input that control the
// terminal.
func TestEchoOnATerminal(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	for _, r := range steering() {
		if r == '\n' || r == '\t' {
			continue
		}
		bad := "no URL a" + string(r) + "b"
		link := "http://pay" + string(r) + "pal.com/"
		message := "From: a@example.com\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n" + bad + " " + link + "\n"
		for _, run := range []struct {
			stdin string
			args  []string
		}{
			{bad + "\n", []string{"format"}},
			{bad + "\n", []string{"scan", "--text", "--format", "mark"}},
			{message, []string{"rewrite", "--rule", "others"}},
			{message, []string{"scan", "--format", "json"}},
			{message, []string{"scan"}},
			{link + "\n", []string{"explain", "--json"}},
			{link + "\n", []string{"explain"}},
		} {
			got := onTerminal(t, run.stdin, run.args...)
			if strings.ContainsRune(got, r) {
				t.Errorf("%U, %q: %q", r, run.args, got)
			}
			if run.args[0] != "scan" && run.args[0] != "explain" && got == "" {
				t.Errorf("%U, %q: shows nothing", r, run.args)
			}
			if strings.HasPrefix(got, "{") {
				for line := range strings.Lines(got) {
					if !json.Valid([]byte(line)) {
						t.Errorf("%U, %q: %q", r, run.args, line)
					}
				}
			}
		}
	}
}

// TestLinksOnATerminal: on a terminal, isolates are around components of a link that read from
// right to left; elsewhere they are not.
func TestLinksOnATerminal(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	const link, inOrder = "https://example.com/أب/جد", "\u2066https://example.com/\u2068أب\u2069/\u2068جد\u2069\u2069"
	for _, args := range [][]string{{"scan", "--text"}, {"explain"}} {
		if got := onTerminal(t, link+"\n", args...); !strings.Contains(got, inOrder) {
			t.Errorf("%q on a terminal: %q", args, got)
		}
		var out strings.Builder
		cmd := newRoot()
		cmd.SetOut(&out)
		cmd.SetIn(strings.NewReader(link + "\n"))
		cmd.SetArgs(args)
		if err := cmd.ExecuteContext(t.Context()); err != nil || !strings.Contains(out.String(), link) || strings.ContainsAny(out.String(), "\u2066\u2068") {
			t.Errorf("%q in a file: %q, %v", args, out.String(), err)
		}
	}
}

// TestSubjectsOnATerminal: subjects from right to left do not reorder the columns beside
// them.
func TestSubjectsOnATerminal(t *testing.T) {
	const subject, shown = "חשבון 5", "\u2068חשבון 5\u2069  "
	folder := t.TempDir()
	message := "Subject: " + subject + "\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nhttps://www.pаypal.com/\r\n"
	if err := os.WriteFile(filepath.Join(folder, "a.eml"), []byte(message), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		shown:                                {"scan", "--format", "summary", folder},
		"a.eml  \u2068" + subject + "\u2069": {"try", folder},
	} {
		if got := onTerminal(t, "", args...); !strings.Contains(got, want) {
			t.Errorf("%q on a terminal: %q", args, got)
		}
		var out strings.Builder
		cmd := newRoot()
		cmd.SetOut(&out)
		cmd.SetArgs(args)
		if err := cmd.ExecuteContext(t.Context()); err != nil || !strings.Contains(out.String(), subject) || strings.Contains(out.String(), "\u2068") {
			t.Errorf("%q in a file: %q, %v", args, out.String(), err)
		}
	}
}

// TestDiffOnATerminal: the signs of a diff stay to the left of text from right to left,
// and lines have colours.
func TestDiffOnATerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	folder := t.TempDir()
	file, rules := filepath.Join(folder, "a.eml"), filepath.Join(folder, "rules.toml")
	if err := os.WriteFile(rules, []byte("[[rule]]\nname = \"r\"\nplain = \"readable\"\nhtml = \"always\"\nedit_cost = \"any\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	message := "From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n--\r\nראה https://example.com/%D7%A9%D7%9C%D7%95%D7%9D\r\n"
	if err := os.WriteFile(file, []byte(message), 0o600); err != nil {
		t.Fatal(err)
	}
	got := onTerminal(t, "", "rewrite", "--config", rules, "--diff", file)
	for _, want := range []string{
		"\x1b[1m--- " + file + "\x1b[0m\n",
		"\x1b[31m-\u2068ראה https://example.com/%D7%A9%D7%9C%D7%95%D7%9D\u2069\x1b[0m\n",
		"\x1b[32m+\u2068ראה https://example.com/שלום\u2069\x1b[0m\n",
		" --\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if style := diffStyle("---"); style != styleBad {
		t.Errorf("a removed line -- has style %s", style)
	}
}

//go:build linux

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// ServeSMTP starts linkmilter in the SMTP path, on two ports of 127.0.0.1: that
// where mail comes in, and that where it goes to. It waits until linkmilter
// listens; args are more arguments.
func ServeSMTP(tb testing.TB, listen, nextHop int, args ...string) *Process {
	tb.Helper()
	addr := localhost(listen)
	cmd := exec.Command(Binary(tb), append([]string{"serve", "--smtp", addr, "--next-hop", localhost(nextHop)}, args...)...)
	p := startProcess(tb, "linkmilter at "+addr, cmd)
	p.waitListening(tb, "tcp", addr)
	return p
}

func localhost(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }

// manual returns an example of docs/content-filter.md: the lines below the one
// that is the comment given. The ports and addresses of the example become
// those of a test: front is where the server takes mail, filter where linkmilter
// does, back where the server takes it back.
func manual(tb testing.TB, comment string, front, filter, back int) string {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(env.Root(tb), "docs", "content-filter.md"))
	if err != nil {
		tb.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "\n    # "+comment+"\n")
	if !found {
		tb.Fatalf("docs/content-filter.md has no example %q", comment)
	}
	var lines []string
	for line := range strings.SplitSeq(rest, "\n") {
		inner, ok := strings.CutPrefix(line, "    ")
		if !ok && line != "" {
			break
		}
		lines = append(lines, inner)
	}
	example := strings.Join(lines, "\n") + "\n"
	example = regexp.MustCompile(`(?m)^smtp( +inet +. +. +)y`).ReplaceAllString(example, localhost(front)+"${1}n")
	return strings.NewReplacer(
		"10025", strconv.Itoa(filter),
		"10026", strconv.Itoa(back),
		"0.0.0.0.25", "127.0.0.1."+strconv.Itoa(front),
	).Replace(example)
}

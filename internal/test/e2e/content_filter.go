//go:build linux

package e2e

import (
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	docs "github.com/linkmilter/linkmilter/internal/test/manual"
)

// ServeSMTP starts linkmilter in the SMTP path, on two ports of 127.0.0.1: that
// where mail comes in, and that where it goes to. It waits until linkmilter
// listens; args are more arguments.
func ServeSMTP(tb testing.TB, listen, nextHop int, args ...string) *Process {
	tb.Helper()
	addr := localhost(listen)
	cmd := exec.Command(Binary(tb), append([]string{"serve", "--smtp", addr, "--next-hop", localhost(nextHop)}, configured(tb, args)...)...)
	p := startProcess(tb, "linkmilter at "+addr, cmd)
	p.waitListening(tb, "tcp", addr)
	return p
}

func localhost(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }

// manual returns the example of docs/content-filter.md that begins with a comment. The
// ports and addresses of the example become those of a test: front is where the server
// takes mail, filter where linkmilter does, back where the server takes it back.
func manual(tb testing.TB, comment string, front, filter, back int) string {
	tb.Helper()
	example := docs.Read(tb, "docs/content-filter.md").Titled(tb, comment)
	example = regexp.MustCompile(`(?m)^smtp( +inet +. +. +)y`).ReplaceAllString(example, localhost(front)+"${1}n")
	return strings.NewReplacer(
		"10025", strconv.Itoa(filter),
		"10026", strconv.Itoa(back),
		"0.0.0.0.25", "127.0.0.1."+strconv.Itoa(front),
	).Replace(example)
}

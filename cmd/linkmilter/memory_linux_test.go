//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/internal/stream"
	"github.com/linkmilter/linkmilter/internal/test/long"
)

// maxResident is how many bytes of memory the program may take by default: twice
// limits.memory and 64 MiB.
const maxResident = (2*256 + 64) << 20

// largeMessages are messages of 25 MiB that are hard to read in limited memory.
func largeMessages() map[string]string {
	head := func(fields string) string {
		return "From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Transfer-Encoding: 8bit\r\nContent-Type: " + fields + "\r\n"
	}
	fill := func(before, s string) string { return before + strings.Repeat(s, (25<<20-1000-len(before))/len(s)) }
	return map[string]string{
		"long link":    fill(head("text/plain; charset=utf-8")+"\r\nhttp://example.org/", "аб/"),
		"flowed":       fill(head("text/plain; charset=utf-8; format=flowed; delsp=yes")+"\r\nhttp://example.org/", "аб/аб/ \r\n"),
		"windows-1252": fill(head("text/plain; charset=windows-1252; format=flowed")+"\r\n", "\x80\x80\x80\x80\x80\x80 \r\n"),
		"HTML":         fill(head("text/html; charset=windows-1252")+"\r\n", "<b>\x80\x80\x80\x80\x80&amp;</b>"),
		"wrong bytes":  fill(head("text/plain; charset=utf-8")+"\r\n", "\xff\xfe \x83\x1b$B\x00a"),
		"calendar":     fill(head("text/calendar; charset=utf-8")+"\r\n", "A;ALTREP=\"b\":c\\,<i>\r\n x\r\n"),
		"fields":       fill(head("text/plain"), "X: y\r\n") + "\r\nhi\r\n",
	}
}

// program builds the program and returns its path.
func program(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("NOT TESTED: memory is read from /proc, which is missing here")
	}
	long.Only(t) // messages of 25 MiB
	path := filepath.Join(t.TempDir(), "linkmilter")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// resident returns the most bytes of memory that a process has taken so far.
func resident(t *testing.T, pid int) int64 {
	t.Helper()
	most := residentNow(pid)
	if most == 0 {
		t.Fatal("no VmHWM in the status of the process")
	}
	return most
}

// residentNow is resident, and 0 for a process that has ended.
func residentNow(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	var kib int64
	for line := range strings.Lines(string(status)) {
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kib); err == nil {
			return kib << 10
		}
	}
	return 0
}

// TestMemoryOfServe: three large messages at once stay within the bound, and all of
// them get a reply.
func TestMemoryOfServe(t *testing.T) {
	path := program(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	host, port, _ := net.SplitHostPort(address)
	serve := exec.CommandContext(t.Context(), path, "serve", "--milter", "inet:"+port+"@"+host)
	var log bytes.Buffer
	serve.Stderr = &log
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = serve.Process.Kill(), serve.Wait() }()
	for range 100 {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	for name, message := range largeMessages() {
		if name == "fields" { // each is a packet of its own
			message = message[:2<<20] + "\r\n\r\nhi\r\n"
		}
		var sessions sync.WaitGroup
		start := time.Now()
		for range 3 {
			sessions.Go(func() {
				if err := sendToMilter(address, message); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
		sessions.Wait()
		t.Logf("%s: %s, %d MiB", name, time.Since(start), resident(t, serve.Process.Pid)>>20)
		if got := resident(t, serve.Process.Pid); got > maxResident {
			t.Fatalf("%s: %d MiB resident, at most %d", name, got>>20, maxResident>>20)
		}
	}
	t.Logf("%d MiB resident", resident(t, serve.Process.Pid)>>20)
}

// sendToMilter has a milter look at a message from elsewhere.
func sendToMilter(address, message string) error {
	client := gomilter.NewClientWithOptions("tcp", address, gomilter.ClientOptions{
		ReadTimeout: time.Minute, WriteTimeout: time.Minute,
		ActionMask: gomilter.OptAddHeader | gomilter.OptChangeHeader | gomilter.OptChangeBody,
	})
	defer client.Close()
	session, err := client.Session()
	if err != nil {
		return err
	}
	defer session.Close()
	head, body, _ := strings.Cut(message, "\r\n\r\n")
	if _, err = session.Conn("client.example.org", gomilter.FamilyInet, 25, "192.0.2.1"); err == nil {
		_, err = session.Mail("a@example.org", nil)
	}
	if err == nil {
		_, err = session.Rcpt("b@example.com", nil)
	}
	for line := range strings.SplitSeq(head, "\r\n") {
		name, value, _ := strings.Cut(line, ": ")
		if err == nil {
			_, err = session.HeaderField(name, value)
		}
	}
	if err == nil {
		_, err = session.HeaderEnd()
	}
	if err == nil {
		_, _, err = session.BodyReadFrom(strings.NewReader(body))
	}
	return err
}

// TestMemoryOfCommands: scan, of several messages, and rewrite stay within the bound, too.
func TestMemoryOfCommands(t *testing.T) {
	path := program(t)
	for name, message := range largeMessages() {
		file := filepath.Join(t.TempDir(), "message.eml")
		if err := os.WriteFile(file, []byte(message), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, command := range [][]string{{"scan", file, file, file}, {"rewrite", file}} {
			cmd := exec.CommandContext(t.Context(), path, command...)
			got, err := runAndMeasure(t, cmd)
			if err != nil {
				t.Errorf("%s of %s: %v", command[0], name, err)
			}
			if got > maxResident {
				t.Errorf("%s of %s: %d MiB resident, at most %d", command[0], name, got>>20, maxResident>>20)
			}
		}
	}
}

// maxStreaming is how many bytes of memory a command may take for a text of any length.
const maxStreaming = 160 << 20

// TestMemoryOfStreams: format and scan --text take limited memory for a long text, for a line or a
// word without end, and for many errors.
func TestMemoryOfStreams(t *testing.T) {
	path := program(t)
	const size = 192 << 20 // more than a command may take
	for _, tt := range []struct{ name, before, unit, command string }{
		{"URLs", "", "https://example.com/%CE%B1%CE%B2\n", "format"},
		{"lines that are not URLs", "", strings.Repeat("not a url ", 10) + "\n", "format"},
		{"a URL without end", "https://example.com/", "%CE%B1/", "format"},
		{"text", "", strings.Repeat("Lorem ipsum dolor ", 50) + "https://example.com/α and info@example.org\n", "scan --text --format json"},
		{"text", "", strings.Repeat("Lorem ipsum dolor ", 50) + "https://example.com/α and info@example.org\n", "scan --text --format mark"},
		{"a line without end", "", strings.Repeat("Lorem ipsum dolor ", 50) + "<https://example.com/α> ", "scan --text"},
		{"a URL without end", "https://example.com/", "α/", "scan --text --format mark"},
		{"a suspect without end", "http://", "a@", "scan --text --format json"},
		{"a word without end", "", "字", "scan --text --format summary"},
	} {
		cmd := exec.CommandContext(t.Context(), path, strings.Fields(tt.command)...)
		block := []byte(strings.Repeat(tt.unit, 1<<20/len(tt.unit)))
		input := io.MultiReader(strings.NewReader(tt.before), io.LimitReader(repeated(block), size))
		cmd.Stdin = input
		var exit *exec.ExitError
		got, err := runAndMeasure(t, cmd)
		if err != nil && !errors.As(err, &exit) {
			t.Errorf("%s of %s: %v", tt.command, tt.name, err)
		}
		t.Logf("%s of %s: %d MiB", tt.command, tt.name, got>>20)
		if got > maxStreaming {
			t.Errorf("%s of %s: %d MiB resident, at most %d", tt.command, tt.name, got>>20, maxStreaming>>20)
		}
	}
}

// repeated yields a block again and again.
func repeated(block []byte) io.Reader {
	rest := block
	return stream.Reader(func(p []byte) (int, error) {
		if len(rest) == 0 {
			rest = block
		}
		n := copy(p, rest)
		rest = rest[n:]
		return n, nil
	})
}

// runAndMeasure runs a command and returns the most bytes of memory that it took. The figure that
// the system reports at the end would include the process that started it.
func runAndMeasure(t *testing.T, cmd *exec.Cmd) (most int64, err error) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		most = max(most, residentNow(cmd.Process.Pid))
		select {
		case err := <-ended:
			return most, err
		case <-time.After(5 * time.Millisecond):
		}
	}
}

//go:build linux

package e2e

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// patience is how long a test waits for something that normally takes
// milliseconds. It only decides how late a broken test ends.
const patience = 60 * time.Second

// Process is a program started for a test. It ends with the test.
type Process struct {
	name string
	cmd  *exec.Cmd
	log  *logBuffer
	done chan struct{} // closed when the program ended
}

// startProcess starts cmd in a process group of its own, which is killed at
// the end of the test, however the test ends. What the program prints is kept, and printed when
// the test failed.
func startProcess(tb testing.TB, name string, cmd *exec.Cmd) *Process {
	tb.Helper()
	p := &Process{name: name, cmd: cmd, log: newLogBuffer(), done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = p.log, p.log
	// A child of the program may hold the pipe open a moment longer.
	cmd.WaitDelay = time.Second
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	// Cleanups do not run when the test binary itself is killed or runs
	// into its time limit; then the kernel ends the program.
	cmd.SysProcAttr.Pdeathsig = cmp.Or(cmd.SysProcAttr.Pdeathsig, syscall.SIGTERM)
	if err := cmd.Start(); err != nil {
		tb.Fatalf("start %s: %v", name, err)
	}
	go func() {
		_ = cmd.Wait() // most programs here end by a signal
		close(p.done)
	}()
	tb.Cleanup(func() {
		p.Signal(tb, syscall.SIGKILL)
		<-p.done
		if tb.Failed() {
			tb.Logf("%s printed:\n%s", name, abridge(p.Log()))
		}
	})
	return p
}

// Signal sends a signal to the program and its children.
func (p *Process) Signal(tb testing.TB, sig syscall.Signal) {
	tb.Helper()
	if err := syscall.Kill(-p.cmd.Process.Pid, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
		tb.Errorf("signal %v to %s: %v", sig, p.name, err)
	}
}

// Freeze stops the program and waits until none of its threads runs.
func (p *Process) Freeze(tb testing.TB) {
	tb.Helper()
	p.Signal(tb, syscall.SIGSTOP)
	if err := unix.Waitid(unix.P_PID, p.cmd.Process.Pid, nil, unix.WSTOPPED|unix.WNOWAIT, nil); err != nil {
		tb.Errorf("wait for %s to stop: %v", p.name, err)
	}
}

// Kill ends the program without giving it a chance to do anything.
func (p *Process) Kill(tb testing.TB) {
	tb.Helper()
	p.Signal(tb, syscall.SIGKILL)
	p.Wait(tb)
}

// Wait waits until the program ended and returns its exit code. Like the
// other methods it may be called from any goroutine of a test.
func (p *Process) Wait(tb testing.TB) int {
	tb.Helper()
	select {
	case <-p.done:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		tb.Errorf("%s still runs after %v", p.name, patience)
		return -1
	}
}

// ended reports whether the program is over.
func (p *Process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// Log returns what the program printed up to now.
func (p *Process) Log() string { return p.log.String() }

// WaitLog waits until the program has printed a line that holds all the
// given strings, and returns the line; "" and a failed test when it does not come.
func (p *Process) WaitLog(tb testing.TB, parts ...string) string {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	line, err := p.log.wait(ctx, p.done, func(line string) bool { return containsAll(line, parts) })
	if err != nil {
		tb.Errorf("%s printed no line with %q: %v", p.name, parts, err)
	}
	return line
}

func containsAll(s string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(s, part) {
			return false
		}
	}
	return true
}

// abridge keeps the last lines of a log, and of each its beginning: a
// server may print whole messages.
func abridge(log string) string {
	const maxLines, maxLine = 300, 300
	lines := strings.Split(log, "\n")
	if cut := len(lines) - maxLines; cut > 0 {
		lines = append([]string{fmt.Sprintf("(%d lines before)", cut)}, lines[cut:]...)
	}
	for i, line := range lines {
		if len(line) > maxLine {
			lines[i] = fmt.Sprintf("%s (%d bytes more)", line[:maxLine], len(line)-maxLine)
		}
	}
	return strings.Join(lines, "\n")
}

// logBuffer keeps what a program prints and tells who waits for it.
type logBuffer struct {
	mu      sync.Mutex
	data    bytes.Buffer
	changed chan struct{} // closed and replaced at every write
}

var _ io.Writer = (*logBuffer)(nil)

func newLogBuffer() *logBuffer { return &logBuffer{changed: make(chan struct{})} }

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.changed)
	b.changed = make(chan struct{})
	return b.data.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data.String()
}

// snapshot returns the content and a channel that is closed when it grows.
func (b *logBuffer) snapshot() (string, <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data.String(), b.changed
}

// wait returns the first complete line for which ok is true, whether it is there already or comes
// before ended is closed or ctx is done.
func (b *logBuffer) wait(ctx context.Context, ended <-chan struct{}, ok func(string) bool) (string, error) {
	for last := false; ; {
		content, changed := b.snapshot()
		for line := range strings.Lines(content) {
			if strings.HasSuffix(line, "\n") && ok(line) {
				return line, nil
			}
		}
		if last {
			return "", errors.New("it ended")
		}
		select {
		case <-changed:
		case <-ended:
			last = true // what it printed at the end still counts
		case <-ctx.Done():
			return "", fmt.Errorf("waiting for output: %w", ctx.Err())
		}
	}
}

//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A program is a server under load, with the processes that it started.
type program struct {
	name string
	cmd  *exec.Cmd
	log  string // file
	done chan struct{}
}

// start starts a program in a process group of its own, which ends with the test,
// also if that is killed.
func start(tb testing.TB, name string, cmd *exec.Cmd) *program {
	tb.Helper()
	p := &program{name: name, cmd: cmd, log: filepath.Join(tb.TempDir(), "log"), done: make(chan struct{})}
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		tb.Fatal(err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		tb.Fatalf("start %s: %v", name, err)
	}
	go func() {
		_ = cmd.Wait() // it ends by a signal
		close(p.done)
	}()
	tb.Cleanup(func() {
		if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			tb.Error(err)
		}
		<-p.done
	})
	return p
}

// await waits until the program takes connections.
func (p *program) await(tb testing.TB, connect func() (sender, error)) {
	tb.Helper()
	var err error
	for range 600 {
		var c sender
		if c, err = connect(); err == nil {
			c.close()
			return
		}
		select {
		case <-p.done:
			tb.Fatalf("%s ended: %s", p.name, p.lastLines())
		case <-time.After(100 * time.Millisecond):
		}
	}
	tb.Fatalf("%s takes no connection: %v: %s", p.name, err, p.lastLines())
}

// lastLines returns the end of the log.
func (p *program) lastLines() string {
	log, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(log[max(0, len(log)-2000):])
}

// maxLog is the size in bytes beyond which a log is emptied between turns.
const maxLog = 16 << 20

// emptyLog keeps the log small.
func (p *program) emptyLog() error {
	info, err := os.Stat(p.log)
	if err == nil && info.Size() > maxLog {
		err = os.Truncate(p.log, 0)
	}
	return err
}

// processes returns the numbers of the processes of the program's group.
func (p *program) processes() ([]string, error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	var numbers []string
	for _, file := range files {
		if fields := statFields(file); len(fields) > groupField && fields[groupField] == strconv.Itoa(p.cmd.Process.Pid) {
			numbers = append(numbers, filepath.Base(filepath.Dir(file)))
		}
	}
	if len(numbers) == 0 {
		return nil, fmt.Errorf("%s ended: %s", p.name, p.lastLines())
	}
	return numbers, nil
}

// The fields behind the name of the program in /proc/PID/stat (proc(5)).
const (
	groupField  = 2
	userField   = 11
	systemField = 12
)

// statFields returns the fields of a file behind the name of the program, which may have
// spaces; none if the process has ended.
func statFields(file string) []string {
	stat, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
}

// tick is the unit of times in /proc: Linux has 100 a second on all machines.
const tick = 10 * time.Millisecond

// processor returns the processor time that the program took since its start.
func (p *program) processor() (time.Duration, error) {
	numbers, err := p.processes()
	if err != nil {
		return 0, err
	}
	ticks := 0
	for _, number := range numbers {
		fields := statFields("/proc/" + number + "/stat")
		if len(fields) <= systemField {
			continue
		}
		for _, field := range []int{userField, systemField} {
			n, err := strconv.Atoi(fields[field])
			if err != nil {
				return 0, err
			}
			ticks += n
		}
	}
	return time.Duration(ticks) * tick, nil
}

// A footprint is memory in bytes.
type footprint struct {
	resident     int64 // most so far; of several processes the sum
	proportional int64 // now: pages that processes share count once
}

// memory returns how much memory the program has.
func (p *program) memory() (footprint, error) {
	numbers, err := p.processes()
	if err != nil {
		return footprint{}, err
	}
	var sum footprint
	for _, number := range numbers {
		resident, err := kilobytes("/proc/"+number+"/status", "VmHWM:")
		if err != nil {
			return sum, err
		}
		proportional, err := kilobytes("/proc/"+number+"/smaps_rollup", "Pss:")
		if err != nil {
			return sum, err
		}
		sum.resident += resident
		sum.proportional += proportional
	}
	return sum, nil
}

// kilobytes returns the value of a line in a file of /proc, in bytes.
func kilobytes(file, name string) (int64, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(content)) {
		if rest, found := strings.CutPrefix(line, name); found {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return n << 10, err
		}
	}
	return 0, fmt.Errorf("%s: no %s", file, name)
}

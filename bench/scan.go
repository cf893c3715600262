package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// spent is what a process took.
type spent struct {
	processor, wall time.Duration
	memory          int64 // bytes
}

// least returns the lesser of each.
func (s spent) least(t spent) spent {
	return spent{min(s.processor, t.processor), min(s.wall, t.wall), min(s.memory, t.memory)}
}

// A reader reads all messages of an archive, or one in so many.
type reader struct {
	name       string
	processors int
	oneIn      int
	command    []string
	beside     []string // runs at the same time, if any
}

// slowShare is one in how many messages xurls reads: all would take minutes.
const slowShare = 50

// runScan measures, in turns, cat, `linkmilter scan` and xurls over two Maildirs, and prints
// a table.
func runScan(out io.Writer, program string, messages, turns int) error {
	folder, err := os.MkdirTemp("", "bench-scan")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	archives, err := makeArchives(folder, filepath.Join("..", "filter", "testdata", "html_styles"), messages)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s, %s/%s; least of %d turns; times as long as cat\n\n| | processor time | wall time | memory |\n|---|---|---|---|\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, turns)
	for _, a := range archives {
		var some []string
		for i := 0; i < len(a.files); i += slowShare {
			some = append(some, a.files[i])
		}
		maildir := filepath.Join(folder, a.name)
		half := len(a.files) / 2
		readers := []reader{
			{"cat", 1, 1, append([]string{"cat"}, a.files...), nil},
			{"linkmilter scan", 1, 1, []string{program, "scan", maildir}, nil},
			{"linkmilter scan --format json", 1, 1, []string{program, "scan", "--format", "json", maildir}, nil},
			{"linkmilter scan", 2, 1, []string{program, "scan", maildir}, nil},
			// How much faster two processors can be on this machine, if the processes share
			// nothing.
			{"two of linkmilter scan, half of the files each", 1, 1, append([]string{program, "scan"}, a.files[:half]...), append([]string{program, "scan"}, a.files[half:]...)},
			{"xurls", 1, slowShare, append([]string{self, "-xurls"}, some...), nil},
		}
		best := make([]spent, len(readers))
		for turn := range turns {
			for i := range readers {
				s, err := readers[i].run()
				if err != nil {
					return fmt.Errorf("%s: %w", readers[i].name, err)
				}
				if turn > 0 {
					s = s.least(best[i])
				}
				best[i] = s
			}
		}
		fmt.Fprintf(out, "| **%s, %d messages, %.0f MB** | | | |\n", a.name, len(a.files), float64(a.bytes)/1e6)
		for i := range readers {
			r, s, share := &readers[i], &best[i], float64(readers[i].oneIn)
			fmt.Fprintf(out, "| %s, GOMAXPROCS=%d | %.2f s (%s), %s MB/s | %.2f s (%s) | %d MB |\n", r.name, r.processors,
				share*s.processor.Seconds(), digits(share*s.processor.Seconds()/best[0].processor.Seconds()), digits(float64(a.bytes)/1e6/share/s.processor.Seconds()),
				share*s.wall.Seconds(), digits(share*s.wall.Seconds()/best[0].wall.Seconds()), s.memory>>20)
		}
	}
	return nil
}

// run starts the reader's commands and returns what they took.
func (r *reader) run() (s spent, err error) {
	var commands []*exec.Cmd
	begin := time.Now()
	for _, line := range [][]string{r.command, r.beside} {
		if line == nil {
			continue
		}
		cmd := exec.Command(line[0], line[1:]...)
		cmd.Env = append(os.Environ(), fmt.Sprint("GOMAXPROCS=", r.processors))
		if err = cmd.Start(); err != nil {
			break
		}
		commands = append(commands, cmd)
	}
	for _, cmd := range commands {
		err = cmp.Or(err, cmd.Wait())
		s.processor += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		s.memory += cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10 // Linux counts in KiB
	}
	s.wall = time.Since(begin)
	return s, err
}

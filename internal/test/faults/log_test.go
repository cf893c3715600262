//go:build linux

package faults

import (
	"bufio"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// logFile is the log of a program, in a file. It can stop reading, as a disk that does
// not answer.
type logFile struct {
	file *os.File
	gate sync.RWMutex // held for reading while a line is read

	mu   sync.Mutex
	seen map[string]int // lines of the level WARN and above, by their message
}

func openLog(path string) (*logFile, error) {
	file, err := os.Create(path)
	return &logFile{file: file, seen: make(map[string]int)}, err
}

func (l *logFile) Close() error { return l.file.Close() }

// read reads what a program writes until its end.
func (l *logFile) read(r io.ReadCloser) {
	defer r.Close()
	in := bufio.NewReaderSize(r, 16)
	for {
		l.gate.RLock()
		line, err := in.ReadString('\n')
		l.gate.RUnlock()
		if err != nil {
			return
		}
		l.note(line)
	}
}

// notable matches lines that tell of something unusual.
var notable = regexp.MustCompile(` level=(?:WARN|ERROR) msg=("(?:[^"\\]|\\.)*"|\S*)`)

func (l *logFile) note(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if found := notable.FindStringSubmatch(line); found != nil {
		l.seen[strings.Trim(found[1], `"`)]++
	}
	_, _ = l.file.WriteString(line)
}

// counts returns how many lines with the level WARN or above each message had.
func (l *logFile) counts() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.seen)
}

// text returns the log so far.
func (l *logFile) text() (string, error) {
	content, err := os.ReadFile(l.file.Name())
	return string(content), err
}

const (
	overran   = `level=WARN msg="filter overran its deadline"`
	didNotRun = `level=WARN msg="process did not run"`
)

// overruns returns the lines of a log about a filter that overran its deadline. It leaves out those
// from a time when the process did not run, since then no deadline can be kept.
func overruns(log string) (lines []string) {
	var stops []time.Time
	for line := range strings.Lines(log) {
		if strings.Contains(line, didNotRun) {
			stops = append(stops, timeOf(line))
		}
	}
	for line := range strings.Lines(log) {
		if strings.Contains(line, overran) && !slices.ContainsFunc(stops, func(stop time.Time) bool {
			return timeOf(line).Sub(stop).Abs() < 2*time.Second
		}) {
			lines = append(lines, line)
		}
	}
	return lines
}

// timeOf returns the time of a line of a log.
func timeOf(line string) time.Time {
	first, _, _ := strings.Cut(line, " ")
	t, _ := time.Parse(time.RFC3339, strings.TrimPrefix(first, "time="))
	return t
}

func TestOverruns(t *testing.T) {
	const (
		alone = "time=2026-11-22T21:08:04.897Z " + overran + " limit=5s\n"
		log   = alone + "time=2026-11-22T22:08:04.894Z " + didNotRun + " for=6.5s\ntime=2026-11-22T22:08:04.897Z " + overran + " limit=5s\n"
	)
	if got := overruns(log); !slices.Equal(got, []string{alone}) {
		t.Errorf("got %q, want %q", got, alone)
	}
}

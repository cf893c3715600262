//go:build linux

package faults

import (
	"bufio"
	"io"
	"maps"
	"os"
	"regexp"
	"strings"
	"sync"
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

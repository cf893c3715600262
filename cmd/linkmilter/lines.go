package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/linkmilter/linkmilter/internal/bom"
	"github.com/linkmilter/linkmilter/internal/printable"
)

// lines yields each line of r without its line end, of any length, and last an
// error if reading failed. A final line without a line end counts as a line.
func lines(r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		br := bufio.NewReaderSize(r, 64<<10)
		for {
			line, err := br.ReadString('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				yield("", err)
				return
			}
			if line != "" && !yield(strings.TrimSuffix(line, "\n"), nil) {
				return
			}
			if err != nil {
				return
			}
		}
	}
}

// withoutMark returns r without the byte order mark that it may begin with, and whether
// it did. The error is one of reading.
func withoutMark(r io.Reader) (rest io.Reader, marked bool, err error) {
	start := make([]byte, len(bom.UTF8))
	n, err := io.ReadFull(r, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, false, err
	}
	start, marked = bom.Cut(start[:n])
	return io.MultiReader(bytes.NewReader(start), r), marked, nil
}

// unmarkedLines is lines without the byte order mark that r may begin with.
func unmarkedLines(r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		first := true
		for line, err := range lines(r) {
			if first && err == nil {
				line, _ = bom.Cut(line)
			}
			first = false
			if !yield(line, err) {
				return
			}
		}
	}
}

// joinLines makes one error of many, a line each, and nil of none.
func joinLines(errs []error) error {
	const most = 20
	if len(errs) > most {
		errs = append(errs[:most:most], fmt.Errorf("and %d more", len(errs)-most))
	}
	return errors.Join(errs...)
}

// errorLines returns the lines of [joinLines] for people.
func errorLines(errs []error) []string {
	if len(errs) == 0 {
		return nil
	}
	return strings.Split(printable.Error(joinLines(errs)), "\n")
}

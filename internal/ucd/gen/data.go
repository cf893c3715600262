package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// runes is the number of code points.
const runes = 0x110000

// A data is the folder of one version of the Unicode data files.
type data string

// ranges reads a file of the form `0041..005A ; value ; value # comment` and
// hands each line to f. The file is read line by line.
func (d data) ranges(file string, f func(lo, hi rune, fields []string) error) error {
	r, err := os.Open(filepath.Join(string(d), file))
	if err != nil {
		return err
	}
	defer r.Close()
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	for n := 1; sc.Scan(); n++ {
		line, _, _ := strings.Cut(sc.Text(), "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		fields := strings.Split(line, ";")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		first, last, isRange := strings.Cut(fields[0], "..")
		if !isRange {
			last = first
		}
		lo, err1 := parseRune(first)
		hi, err2 := parseRune(last)
		if err := errors.Join(err1, err2); err != nil {
			return fmt.Errorf("%s:%d: %w", file, n, err)
		}
		if err := f(lo, hi, fields[1:]); err != nil {
			return fmt.Errorf("%s:%d: %w", file, n, err)
		}
	}
	return sc.Err()
}

// characters hands each assigned code point of UnicodeData.txt to f, with
// its General_Category and Canonical_Combining_Class. Ranges that the file
// gives by first and last code point are expanded.
func (d data) characters(f func(r rune, category, ccc string)) error {
	first := rune(-1)
	return d.ranges("ucd/UnicodeData.txt", func(r, _ rune, fields []string) error {
		if len(fields) < 3 {
			return errors.New("too few fields")
		}
		if strings.HasSuffix(fields[0], ", First>") {
			first = r
			return nil
		}
		if first < 0 {
			first = r
		}
		for ; first <= r; first++ {
			f(first, fields[1], fields[2])
		}
		first = -1
		return nil
	})
}

// parseRune reads a code point written in hexadecimal digits.
func parseRune(s string) (rune, error) {
	n, err := strconv.ParseUint(s, 16, 32)
	if err != nil {
		return 0, err
	}
	if n >= runes {
		return 0, fmt.Errorf("code point %q: not valid", s)
	}
	return rune(n), nil
}

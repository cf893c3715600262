package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// idnaVersion is the version of the libraries that process hosts.
const idnaVersion = idna.UnicodeVersion

// firstYear and firstVersion give the year of a version: Unicode 17 was made in 2025, and each
// later version a year after the one before.
const (
	firstYear    = 2025
	firstVersion = 17
)

var (
	versionLine = regexp.MustCompile(`(?m)^# (?:Version: |[A-Za-z0-9]+-)([0-9]+\.[0-9]+\.[0-9]+)(?:\.txt)?\s*$`)
	dateLine    = regexp.MustCompile(`(?m)^# Date: ([0-9]{4})-[0-9]{2}-[0-9]{2}`)
	draftLine   = regexp.MustCompile(`as of ([0-9]{4}-[0-9]{2}-[0-9]{2})`)
)

// checkRelease makes sure that a folder holds the released files of ucd.UnicodeVersion:
// its ReadMe.txt calls them final, and each file has the version and the year of the
// release where it says so. The files of UTS #58 have a date only.
func checkRelease(d data) error {
	readme, err := os.ReadFile(filepath.Join(string(d), "ucd", "ReadMe.txt"))
	if err != nil {
		return err
	}
	if !strings.Contains(string(readme), "final data files") {
		return fmt.Errorf("%s: ReadMe.txt does not call the data files final", d)
	}
	files, err := filepath.Glob(filepath.Join(string(d), "*", "*.txt"))
	if err != nil {
		return err
	}
	for _, f := range files {
		if name := filepath.Base(f); name == "UnicodeData.txt" || name == "ReadMe.txt" {
			continue // without a header
		}
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		if err := checkHeader(string(text[:min(len(text), 1000)]), ucd.UnicodeVersion); err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
	}
	return nil
}

// checkHeader compares the header of a data file with the version wanted.
func checkHeader(header, want string) error {
	if m := versionLine.FindStringSubmatch(header); m != nil && m[1] != want {
		return fmt.Errorf("version %s (want %s)", m[1], want)
	}
	m := dateLine.FindStringSubmatch(header)
	if m == nil {
		return errors.New("no date")
	}
	major, _, _ := strings.Cut(want, ".")
	version, err := strconv.Atoi(major)
	if err != nil {
		return err
	}
	if year := strconv.Itoa(firstYear + version - firstVersion); m[1] != year {
		return fmt.Errorf("date of %s (want %s, the year of Unicode %s)", m[1], year, want)
	}
	return nil
}

// draftDate returns the date that the README.txt beside the drafts gives them.
func draftDate(d data) (string, error) {
	text, err := os.ReadFile(filepath.Join(string(d), "README.txt"))
	if err != nil {
		return "", err
	}
	m := draftLine.FindSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%s/README.txt has no date", d)
	}
	return string(m[1]), nil
}

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"time"
)

// maxListAge is how much older than a release the list of top-level domains in its packages may be.
// IANA publishes a list each day.
const maxListAge = 7 * 24 * time.Hour

var listVersion = regexp.MustCompile(`^# Version (\d{8})\d{2}, `)

// checkTLDs refuses a list of top-level domains that is older than the release. Without one, the
// packages have the built-in list, which a release should not.
func checkTLDs(path string, v version, release time.Time) error {
	const want = "want TLDS=FILE with IANA's list of the day: linkmilter tlds update --file FILE"
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if v.After == "" {
			fmt.Fprintf(os.Stderr, "packages: no list of top-level domains in this release (%s)\n", want)
		}
		return nil
	}
	if err != nil {
		return err
	}
	m := listVersion.FindSubmatch(text)
	if m == nil {
		return fmt.Errorf("list of top-level domains %q: not IANA's (%s)", path, want)
	}
	day, err := time.Parse("20060102", string(m[1]))
	if err != nil {
		return fmt.Errorf("list of top-level domains %q: %w", path, err)
	}
	if age := release.Sub(day); age > maxListAge {
		return fmt.Errorf("list of top-level domains of %s: older than the release of %s (%s)", day.Format(time.DateOnly), release.Format(time.DateOnly), want)
	}
	return nil
}

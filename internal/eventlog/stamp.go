package eventlog

import (
	"strconv"
	"strings"
	"time"
)

// timeBefore returns the time that syslog or journalctl puts in front of a line, in the form
// of RFC 3339, or of RFC 3164 in the local zone and without a year; then it is that of the
// last year in which it is at most a day after now. Without one the time is zero.
func timeBefore(line string, now time.Time) time.Time {
	if _, behind, ok := strings.Cut(line, ">"); ok && strings.HasPrefix(line, "<") {
		line = strings.TrimPrefix(behind, "1 ") // RFC 5424
	}
	words := strings.Fields(line[:min(len(line), maxStamp)])
	if len(words) == 0 {
		return time.Time{}
	}
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05Z0700"} { // journalctl -o short-iso
		if at, err := time.Parse(form, words[0]); err == nil {
			return at
		}
	}
	if len(words) < 3 {
		return time.Time{}
	}
	// With the year, 29 February is a date only in a leap year.
	for year := now.Year() + 1; year >= now.Year()-4; year-- {
		text := strconv.Itoa(year) + " " + strings.Join(words[:3], " ")
		if at, err := time.ParseInLocation("2006 Jan 2 15:04:05", text, now.Location()); err == nil && at.Before(now.AddDate(0, 0, 1)) {
			return at
		}
	}
	return time.Time{}
}

// maxStamp bounds the bytes in which a time is looked for.
const maxStamp = 64

// ofJournal reads the time of an entry of the journal, in microseconds since 1970.
func ofJournal(µs string) time.Time {
	n, err := strconv.ParseInt(µs, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMicro(n)
}

package lists

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/printable"
)

// A Match says which links an entry of a list is about.
type Match string

// The matches.
const (
	MatchWritten Match = "written" // as the format says: that host, that URL with any query, or the names below a zone
	MatchHost    Match = "host"    // the host of each entry
	MatchBelow   Match = "below"   // that host and all hosts below it
	MatchPrefix  Match = "prefix"  // as written, but a URL also stands for URLs that continue its path
)

// A Summary says what was read of a list.
type Summary struct {
	Format     Format         `json:"format"`
	Lines      int            `json:"lines"`
	Used       int            `json:"used"`     // lines with an entry
	Comments   int            `json:"comments"` // comments, blank lines, and lines of syntax around entries
	Entries    int            `json:"entries"`  // number of different entries
	Duplicates int            `json:"duplicates"`
	Unread     map[string]int `json:"unread,omitempty"`   // number of unused lines for each reason
	Examples   []Example      `json:"examples,omitempty"` // some of the unused lines
	Added      int            `json:"added"`              // entries that the version before did not have
	Removed    int            `json:"removed"`
	Kinds      [kinds]int     `json:"kinds"`
}

// An Example is a line that is not used.
type Example struct {
	Line int    `json:"line"`
	Why  string `json:"why"`
	Text string `json:"text"`
}

// maxExamples is how many unused lines are kept as examples.
const maxExamples = 10

// UnreadLines returns how many lines are not used.
func (s *Summary) UnreadLines() (n int) {
	for _, of := range s.Unread {
		n += of
	}
	return n
}

// A sink collects the entries of a list.
type sink struct {
	ctx     context.Context // reading stops when it ends
	builder *builder
	match   Match
	// suffixes says that public suffixes are used, too: a list that only watches may have the
	// domains of providers.
	suffixes bool
	summary  Summary
	line     int
	room     []byte
	err      error // an error of the disk
}

// A span is the time in which an entry counts. A zero since means today, a zero until means for
// ever.
type span struct{ since, until day }

// bad counts a line that is not used.
func (s *sink) bad(why string, text []byte) {
	if s.summary.Unread == nil {
		s.summary.Unread = make(map[string]int)
	}
	s.summary.Unread[why]++
	if len(s.summary.Examples) < maxExamples {
		const most = 120
		s.summary.Examples = append(s.summary.Examples, Example{s.line, why, printable.Text(string(text[:min(len(text), most)]))})
	}
}

// entry adds an entry that is a host, perhaps with a dot or "*." before it, or a URL. The error
// says why the text is not used.
func (s *sink) entry(text []byte, when span) error {
	text = refanged(bytes.TrimSpace(text))
	if bytes.Contains(text, []byte("://")) || bytes.ContainsAny(text, "/?") || hasPort(text) {
		return s.url(text, kindURL, when)
	}
	if rest, ok := bytes.CutPrefix(text, []byte("*.")); ok {
		return s.host(rest, kindBelow, when)
	}
	if rest, ok := bytes.CutPrefix(text, []byte(".")); ok {
		return s.host(rest, kindTree, when)
	}
	return s.host(text, kindHost, when)
}

// note adds an entry for a line, and counts the line.
func (s *sink) note(text []byte, when span) { s.noted(s.entry(text, when), text) }

// noted counts a line as used or not, by the error of its entry.
func (s *sink) noted(err error, text []byte) {
	if err != nil {
		s.bad(err.Error(), text)
	} else {
		s.summary.Used++
	}
}

func (s *sink) host(text []byte, k kind, when span) (err error) {
	switch s.match {
	case MatchHost:
		k = kindHost
	case MatchBelow:
		k = kindTree
	}
	if s.room, err = appendHost(s.room[:0], text); err != nil {
		return err
	}
	if s.room[0] == '[' || isNumeric(s.room) {
		k = kindHost
	} else if !s.suffixes && isPublicSuffix(s.room) {
		return errSuffix
	}
	s.add(k, s.room, when)
	return nil
}

func (s *sink) url(text []byte, k kind, when span) error {
	written := string(text)
	if !strings.Contains(written, "://") {
		written = "http://" + written
	}
	link, err := engine.ParseLink(written)
	if err != nil || link.Kind != engine.KindURL {
		return errURL
	}
	name := strings.TrimSuffix(link.ASCIIHost(), ".")
	if name == "" {
		return errURL
	}
	if s.match == MatchHost || s.match == MatchBelow {
		return s.host([]byte(name), kindHost, when)
	}
	var at place
	s.room, at = appendURL(s.room[:0], link)
	if s.match == MatchPrefix || k == kindPrefix {
		k = kindPrefix
		s.room = s.room[:at.path]
		for len(s.room) > at.host && s.room[len(s.room)-1] == '/' {
			s.room = s.room[:len(s.room)-1]
		}
	}
	if len(s.room) > maxURL {
		return errLongURL
	}
	s.add(k, s.room, when)
	return nil
}

var errLongURL = errors.New("a URL that is too long")

func (s *sink) add(k kind, text []byte, when span) {
	s.summary.Kinds[k]++
	if err := s.builder.add(record{newKey(k, text), uint32(s.line), when.since, when.until}); err != nil && s.err == nil {
		s.err = err
	}
}

// isNumeric reports whether a canonical host is an IPv4 address.
func isNumeric(host []byte) bool { c := host[len(host)-1]; return '0' <= c && c <= '9' }

// hasPort reports whether a host has a port after it.
func hasPort(text []byte) bool {
	i := bytes.LastIndexByte(text, ':')
	return i > 0 && i+1 < len(text) && len(bytes.Trim(text[i+1:], "0123456789")) == 0 && bytes.IndexByte(text[:i], ':') < 0
}

// refanged undoes the defanging of a host or URL, as in hxxp://example[.]com.
func refanged(text []byte) []byte {
	if bytes.Contains(text, []byte("[.]")) {
		text = bytes.ReplaceAll(text, []byte("[.]"), []byte("."))
	}
	if len(text) > 5 && (text[0] == 'h' || text[0] == 'H') && bytes.EqualFold(text[1:3], []byte("xx")) {
		text = slices.Concat([]byte("htt"), text[3:])
	}
	return text
}

// dateOf reads a day such as 2026-11-30, perhaps with a time after it, or seconds since 1970.
func dateOf(text string) (day, error) {
	text = strings.TrimSpace(text)
	if len(text) >= len(time.DateOnly) {
		if t, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)]); err == nil {
			return dayOf(t), nil
		}
	}
	var seconds int64
	if n, err := fmt.Sscanf(text, "%d", &seconds); n == 1 && err == nil && len(text) >= 9 && len(text) <= 10 {
		return dayOf(time.Unix(seconds, 0)), nil
	}
	return 0, fmt.Errorf("date %q: not valid (want 2026-11-30)", text)
}

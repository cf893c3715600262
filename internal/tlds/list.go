package tlds

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"time"

	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/stream"
)

// An Origin says where a List came from.
type Origin uint8

// The origins. The zero value is the list that needs neither network nor disk.
const (
	OriginBuiltin Origin = iota // compiled into the program
	OriginFile                  // read from the cache file
	OriginNetwork               // fetched by this process
	OriginPackage               // installed with the program
)

// String returns "built-in", "file", "network" or "package".
func (o Origin) String() string {
	switch o {
	case OriginFile:
		return "file"
	case OriginNetwork:
		return "network"
	case OriginPackage:
		return "package"
	}
	return "built-in"
}

// A List is one version of the list of top-level domains. It never changes.
type List struct {
	// Set has the names, for engine.Options and policy.Options.
	Set *tld.Set
	// Version is IANA's version: ten digits such as 2026020600, the day and a serial number. For
	// the built-in list it is the version of the public suffix list from which it was made.
	Version string
	// Updated is when the list was made, according to the list.
	Updated time.Time
	// Checked is when the server last confirmed that the list is the newest; zero
	// for the built-in one.
	Checked time.Time
	Origin  Origin

	// Extra are the names of Set that a Checker found in the DNS and the list
	// lacks: A-labels in lower case.
	Extra []string

	text []byte // as fetched; nil for the built-in list
}

// Age returns how long ago the list was made.
func (l *List) Age(now time.Time) time.Duration { return now.Sub(l.Updated) }

// PackageFile is where packages of linkmilter install IANA's list of their day.
const PackageFile = "/usr/share/linkmilter/" + fileName

// shipped returns the list that came with the program: the list that a package installed at path if
// it is valid and newer than the built-in one, otherwise the built-in one.
func shipped(path string, now time.Time) *List {
	builtin := Builtin()
	list, _, err := cache{path}.load(now)
	if err != nil || !list.Updated.After(builtin.Updated) {
		return builtin
	}
	list.Origin, list.Checked = OriginPackage, time.Time{}
	return list
}

// builtinDate finds the date in the version of package publicsuffix.
var builtinDate = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)

// Builtin returns the list compiled into the program. Its date is zero if the version
// does not contain one.
func Builtin() *List {
	version := publicsuffix.List.String()
	date, err := time.Parse(time.RFC3339, builtinDate.FindString(version))
	if err != nil {
		date = time.Time{}
	}
	return &List{Set: tld.Builtin(), Version: version, Updated: date}
}

// header is the first line of IANA's file, as in
// "# Version 2026020600, Last Updated Fri Feb  6 07:07:01 2026 UTC".
var header = regexp.MustCompile(`^# Version ([0-9]{10}), Last Updated (.+)$`)

// headerTime is the layout of the date in header.
const headerTime = "Mon Jan _2 15:04:05 2006 MST"

// parse reads IANA's file strictly: the header with version and date, then only
// names, up to the last line end.
func parse(text []byte) (*List, error) {
	text, _ = stream.CutBOM(text)
	first, _, _ := bytes.Cut(text, []byte("\n"))
	m := header.FindSubmatch(bytes.TrimSuffix(first, []byte("\r")))
	if m == nil {
		return nil, errors.New("the first line is not IANA's header with version and date")
	}
	version := string(m[1])
	if _, err := time.Parse("20060102", version[:8]); err != nil {
		return nil, fmt.Errorf("the version %s does not begin with a date", version)
	}
	updated, err := time.Parse(headerTime, string(m[2]))
	if err != nil {
		return nil, fmt.Errorf("the date of version %s cannot be read", version)
	}
	if !bytes.HasSuffix(text, []byte("\n")) {
		return nil, errors.New("the list ends in the middle of a line")
	}
	set, err := tld.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return &List{Set: set, Version: version, Updated: updated, text: text}, nil
}

// with returns the list with extra names, as A-labels, that the DNS has and the list lacks.
func (l *List) with(names []string) (*List, error) {
	set, err := l.Set.With(names...)
	if err != nil {
		return nil, err
	}
	more := *l
	more.Set, more.Extra = set, names
	return &more, nil
}

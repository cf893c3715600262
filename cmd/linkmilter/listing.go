package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A listing writes what was found, in one format.
type listing interface {
	// message writes what was found in a message. The messages come in the order of
	// the inputs.
	message(m *scanned) error
	// end writes the end of the output, after the last message.
	end(s *summary) error
}

// Values of --format that the code compares with.
const (
	formatMark    = "mark"
	formatSummary = "summary"
)

// A listingFormat is a value of --format.
type listingFormat struct {
	name string
	open func(out *bufio.Writer, w io.Writer) listing // out writes to w
}

// listingFormats are the formats of `scan`, except marks.
var listingFormats = []listingFormat{
	{"table", func(out *bufio.Writer, w io.Writer) listing { return newTable(out, w) }},
	{"json", func(out *bufio.Writer, w io.Writer) listing { return jsonListing{jsonWriter{out, isTerminal(w)}} }},
	{"csv", func(out *bufio.Writer, w io.Writer) listing { return newCSVListing(out, w) }},
	{"sarif", func(out *bufio.Writer, _ io.Writer) listing { return newSARIFListing(out) }},
	{"html", func(out *bufio.Writer, _ io.Writer) listing { return newHTMLListing(out) }},
	{formatSummary, func(out *bufio.Writer, w io.Writer) listing { return summaryListing{out, newPaint(w)} }},
}

// openListing returns the listing of a format that writes by out to w.
func openListing(format string, out *bufio.Writer, w io.Writer) (listing, error) {
	i := slices.IndexFunc(listingFormats, func(f listingFormat) bool { return f.name == format })
	if i < 0 {
		return nil, fmt.Errorf("--format %q: unknown (want %s)", format, formatNames())
	}
	return listingFormats[i].open(out, w), nil
}

// formatNames lists the values of --format.
func formatNames() string {
	var names []string
	for _, f := range listingFormats {
		names = append(names, f.name)
	}
	return orList(append(names, formatMark))
}

// orList returns words as in "a, b or c".
func orList(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

package lists

import (
	"bytes"
	"net/netip"
	"slices"
	"strings"
)

// A Format is how a list is written.
type Format string

// The formats. FormatAuto finds out which one it is.
const (
	FormatAuto      Format = "auto"
	FormatPlain     Format = "plain"
	FormatHostsFile Format = "hosts"
	FormatAdblock   Format = "adblock"
	FormatCSV       Format = "csv"
	FormatJSON      Format = "json"
	FormatRBLDNSD   Format = "rbldnsd"
	FormatRPZ       Format = "rpz"
)

// lineFormats are the formats, with the functions that read their lines. The command "lists read" offers
// them; a test compares them with the words of the key format in the configuration. formatOfLine
// recognises them; if a list has as many lines of two formats, the later one here counts.
var lineFormats = []struct {
	name Format
	line func(s *sink, column string) func(line []byte) // nil: the format has no lines
}{
	{FormatPlain, func(s *sink, _ string) func([]byte) { return s.plainLine }}, // a host or URL on each line
	{FormatCSV, func(s *sink, column string) func([]byte) { return (&table{sink: s, column: column}).line }},
	{FormatHostsFile, func(s *sink, _ string) func([]byte) { return s.hostsLine }}, // an address, and hosts after it
	{FormatAdblock, func(s *sink, _ string) func([]byte) { return s.adblockLine }},
	{FormatRBLDNSD, func(s *sink, _ string) func([]byte) { return s.rbldnsdLine }},
	{FormatRPZ, func(s *sink, _ string) func([]byte) { return (&zone{sink: s}).line }},
	{FormatJSON, nil}, // MISP warning lists and events, STIX 2.1 bundles
}

// Formats returns the names of the formats, "auto" first.
func Formats() []string {
	names := []string{string(FormatAuto)}
	for _, f := range lineFormats {
		names = append(names, string(f.name))
	}
	return names
}

// lineOf returns the function that makes the reader of the lines of a format, or nil if it has no lines.
func lineOf(format Format) func(s *sink, column string) func(line []byte) {
	for _, f := range lineFormats {
		if f.name == format {
			return f.line
		}
	}
	return lineFormats[0].line
}

// formatOf returns the format that the beginning of a list has, "" for a web page.
func formatOf(head []byte) Format {
	start := bytes.TrimLeft(head, " \t\r\n")
	switch {
	case len(start) == 0:
		return FormatPlain
	case start[0] == '<':
		return ""
	case start[0] == '{' || start[0] == '[' && !bytes.HasPrefix(start, []byte("[Adblock")):
		return FormatJSON
	}
	votes := make(map[Format]int)
	lines := 0
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if lines++; lines > 500 {
			break
		}
		if lines == 1 && hasColumnNames(line) {
			return FormatCSV
		}
		if f := formatOfLine(line); f != "" {
			votes[f]++
		}
	}
	best := FormatPlain
	for _, f := range slices.Backward(lineFormats) {
		if votes[f.name] > votes[best] {
			best = f.name
		}
	}
	return best
}

func formatOfLine(line []byte) Format {
	if i := bytes.Index(line, []byte(" #")); i > 0 {
		line = bytes.TrimSpace(line[:i])
	}
	words := bytes.Fields(line)
	switch {
	case line[0] == '#' || line[0] == '!':
		return ""
	case bytes.HasPrefix(line, []byte("||")), bytes.HasPrefix(line, []byte("[Adblock")), bytes.HasPrefix(line, []byte("@@||")):
		return FormatAdblock
	case bytes.HasPrefix(line, []byte("$SOA")), bytes.HasPrefix(line, []byte("$DATASET")), bytes.HasPrefix(line, []byte(":")), bytes.Contains(line, []byte(" :127.")):
		return FormatRBLDNSD
	case bytes.HasPrefix(line, []byte("$ORIGIN")), len(words) > 2 && isZoneType(words[len(words)-2]), len(words) > 3 && slices.ContainsFunc(words[1:4], isSOA):
		return FormatRPZ
	case line[0] == ';':
		return ""
	case len(words) > 1 && isAddr(words[0]):
		return FormatHostsFile
	case len(words) == 1 || bytes.Contains(words[0], []byte("://")):
		// The URLs of plain lists may have commas.
		if i := bytes.IndexAny(line, ",;|"); i >= 0 && (line[0] == '"' || bytes.IndexByte(line[:i], '/') < 0) {
			return FormatCSV
		}
		return FormatPlain
	case bytes.ContainsAny(line, ",;\t|"):
		return FormatCSV
	}
	return FormatPlain
}

// hasColumnNames reports whether a line has several words, one of them the name of a column with
// hosts or URLs.
func hasColumnNames(line []byte) bool {
	words := strings.FieldsFunc(strings.ToLower(string(line)), func(r rune) bool { return strings.ContainsRune(",;\t|\"# ", r) })
	return len(words) > 1 && bytes.ContainsAny(line, ",;\t|") && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(columnNames, w) })
}

func isSOA(word []byte) bool { return bytes.EqualFold(word, []byte("SOA")) }

func isAddr(word []byte) bool {
	_, err := netip.ParseAddr(string(word))
	return err == nil
}

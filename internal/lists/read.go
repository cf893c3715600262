package lists

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"strings"

	"github.com/linkmilter/linkmilter/internal/stream"
)

const (
	maxLine  = 64 << 10 // bytes of a line that are read
	headSize = 64 << 10 // bytes that are read to find the format
)

// errHTML is the error for a web page in place of a list.
var errHTML = errors.New("a web page, not a list")

// read reads a list in a format, or in the one that it seems to have.
func (s *sink) read(from io.Reader, format Format, column string) error {
	r := bufio.NewReaderSize(from, headSize)
	head, err := r.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if _, marked := stream.CutBOM(head); marked {
		if _, err := r.Discard(len("\uFEFF")); err != nil {
			return err
		}
		head, _ = stream.CutBOM(head)
	}
	found := formatOf(head)
	if found == "" {
		return errHTML
	}
	if format == "" || format == FormatAuto {
		format = found
	}
	if format == FormatAuto {
		format = FormatPlain
	}
	s.summary.Format = format
	if line := lineOf(format); line != nil {
		err = s.readLines(r, line(s, column))
	} else {
		err = s.readJSON(r)
	}
	return errors.Join(err, s.err)
}

// readLines calls read for each line that is not empty, without the space around it at its end.
func (s *sink) readLines(r *bufio.Reader, read func(line []byte)) error {
	for {
		line, err := r.ReadSlice('\n')
		if len(line) == 0 && errors.Is(err, io.EOF) {
			return nil
		}
		s.line++
		s.summary.Lines++
		if s.line%4096 == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		isLong := false
		for errors.Is(err, bufio.ErrBufferFull) {
			isLong = true
			_, err = r.ReadSlice('\n')
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		switch line = bytes.TrimRight(line, " \t\r\n"); {
		case isLong:
			s.bad("a line that is too long", nil)
		case len(line) == 0:
			s.summary.Comments++
		default:
			read(line)
		}
		if s.err != nil {
			return s.err
		}
	}
}

// comment counts a line that is a comment, and reports whether it is.
func (s *sink) comment(line []byte, marks string) bool {
	line = bytes.TrimLeft(line, " \t")
	if len(line) == 0 || strings.IndexByte(marks, line[0]) >= 0 {
		s.summary.Comments++
		return true
	}
	return false
}

// plainLine reads a host or URL, perhaps with the last day on which it counts, and a comment.
func (s *sink) plainLine(line []byte) {
	if s.comment(line, "#;!") {
		return
	}
	text := bytes.TrimSpace(line)
	if i := bytes.IndexAny(text, " \t"); i >= 0 {
		rest := bytes.TrimSpace(text[i:])
		switch until, err := dateOf(string(rest)); {
		case rest[0] == '#' || rest[0] == ';':
			text = text[:i]
		case err == nil:
			s.note(text[:i], span{until: until})
			return
		case !bytes.Contains(text[:i], []byte("://")): // a URL may have a space
			s.bad("more than a host or URL", line)
			return
		}
	}
	s.note(text, span{})
}

// local are the names that hosts files have for the machine itself.
var local = map[string]bool{
	"localhost": true, "localhost.localdomain": true, "local": true, "broadcasthost": true, "ip6-localhost": true, "ip6-loopback": true,
	"ip6-localnet": true, "ip6-mcastprefix": true, "ip6-allnodes": true, "ip6-allrouters": true, "ip6-allhosts": true, "0.0.0.0": true,
}

// hostsLine reads a line of a hosts file, such as `0.0.0.0 example.com`.
func (s *sink) hostsLine(line []byte) {
	if s.comment(line, "#") {
		return
	}
	text, _, _ := bytes.Cut(line, []byte("#"))
	words := bytes.Fields(text)
	if _, err := netip.ParseAddr(string(words[0])); err != nil || len(words) < 2 {
		s.bad("not an address and hosts", line)
		return
	}
	used, isLocal := false, true
	var failed error
	for _, name := range words[1:] {
		if local[string(name)] {
			continue
		}
		isLocal = false
		if err := s.host(name, kindHost, span{}); err != nil {
			failed = err
		} else {
			used = true
		}
	}
	switch {
	case isLocal:
		s.summary.Comments++
	case used:
		s.summary.Used++
	default:
		s.bad(failed.Error(), line)
	}
}

// adblockLine reads a rule for a domain or a URL of a block list for browsers, such as
// `||example.com^`.
func (s *sink) adblockLine(line []byte) {
	if s.comment(line, "![") {
		return
	}
	text, isRule := bytes.CutPrefix(line, []byte("||"))
	if !isRule {
		s.bad("not a rule for a domain", line)
		return
	}
	text, options, hasOptions := bytes.Cut(text, []byte("$"))
	if hasOptions && string(options) != "all" && string(options) != "document" && string(options) != "doc" && string(options) != "important" {
		s.bad("a rule with options", line)
		return
	}
	switch host, behind, ended := bytes.Cut(text, []byte("^")); {
	case bytes.IndexByte(host, '*') >= 0, ended && len(behind) > 0 && string(behind) != "*" && string(behind) != "|":
		s.bad("a rule with a pattern", line)
	case bytes.IndexByte(host, '/') >= 0:
		s.noted(s.url(host, kindPrefix, span{}), line)
	case !ended:
		s.bad("a rule without the end of its host", line)
	default:
		s.noted(s.host(bytes.TrimSpace(host), kindTree, span{}), line)
	}
}

// rbldnsdLine reads a line of a dnset of rbldnsd: `example.com`, `.example.com` with all below it,
// `*.example.com` without itself, each perhaps with a value.
func (s *sink) rbldnsdLine(line []byte) {
	if s.comment(line, "#;$:") {
		return
	}
	text := bytes.TrimSpace(line)
	if i := bytes.IndexAny(text, " \t"); i >= 0 {
		text = text[:i]
	}
	switch {
	case text[0] == '!':
		s.bad("an exception", line)
	case bytes.IndexByte(text, '/') >= 0:
		s.bad("a network", line)
	default:
		s.note(bytes.TrimSuffix(text, []byte(":")), span{})
	}
}

// A table reads CSV, one line at a time: a value that has a line end does not swallow the lines
// behind it.
type table struct {
	*sink
	column    string // the name of a column or its number from 1; "": found
	at        int
	dates     int // the column with the day on which the list had the line first; -1: none
	separator byte
	begun     bool
	fields    []string
}

// Names of columns that have hosts or URLs, and of those that have dates.
var (
	columnNames = []string{"url", "urls", "domain", "domains", "host", "hostname", "fqdn", "indicator", "ioc", "ioc_value", "value", "domain_name"}
	dateNames   = []string{"dateadded", "date_added", "firstseen", "first_seen", "first_seen_utc", "date", "submission_time", "verification_time"}
)

func (t *table) line(line []byte) {
	if !t.begun {
		// Some begin with the names in a comment.
		if trimmed := bytes.TrimLeft(line, "# \t"); t.begin(trimmed, line[0] == '#') {
			t.summary.Comments++
			return
		}
	}
	if t.comment(line, "#") {
		return
	}
	t.split(line)
	if t.at >= len(t.fields) {
		t.bad("a line without the column", line)
		return
	}
	var when span
	if t.dates >= 0 && t.dates < len(t.fields) {
		when.since, _ = dateOf(t.fields[t.dates])
	}
	t.noted(t.entry([]byte(t.fields[t.at]), when), line)
}

// begin finds the separator and the columns in the first line, and reports whether that has names.
func (t *table) begin(line []byte, isComment bool) (names bool) {
	t.separator = ','
	for _, c := range ";\t|" {
		if bytes.Count(line, []byte{byte(c)}) > bytes.Count(line, []byte{t.separator}) {
			t.separator = byte(c)
		}
	}
	t.split(line)
	t.at, t.dates = -1, -1
	for i, field := range t.fields {
		name := strings.ToLower(strings.TrimSpace(field))
		for _, known := range columnNames {
			if t.at < 0 && t.column == "" && name == known || t.column != "" && name == strings.ToLower(t.column) {
				t.at, names = i, true
			}
		}
		for _, known := range dateNames {
			if t.dates < 0 && name == known {
				t.dates = i
			}
		}
	}
	if names {
		t.begun = true
		return true
	}
	if isComment {
		return false // ordinary text
	}
	t.begun = true
	if n, err := strconv.Atoi(t.column); err == nil && n > 0 {
		t.at = n - 1
	} else {
		// The first column with a host or URL. A number alone could be an address, too.
		for i, field := range t.fields {
			if _, err := appendHost(nil, []byte(field)); t.at < 0 && (strings.Contains(field, "://") || err == nil && strings.Contains(field, ".")) {
				t.at = i
			}
		}
		t.at = max(t.at, 0)
	}
	if t.at >= len(t.fields) {
		return false
	}
	_, err := appendHost(nil, []byte(t.fields[t.at]))
	return err != nil && !strings.Contains(t.fields[t.at], "://")
}

// split splits a line at the separators outside of quotation marks.
func (t *table) split(line []byte) {
	t.fields = t.fields[:0]
	var field []byte
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"' && quoted && i+1 < len(line) && line[i+1] == '"':
			field = append(field, '"')
			i++
		case c == '"' && (quoted || len(bytes.TrimSpace(field)) == 0):
			quoted = !quoted
			field = bytes.TrimLeft(field, " ")
		case c == t.separator && !quoted:
			t.fields = append(t.fields, string(field))
			field = field[:0]
		default:
			field = append(field, c)
		}
	}
	t.fields = append(t.fields, string(field))
}

// A zone reads a response policy zone: the names that it does not answer as the DNS does.
type zone struct {
	*sink
	origin string
	open   bool // within the brackets of a record of several lines
}

func isZoneType(word []byte) bool {
	switch strings.ToUpper(string(word)) {
	case "CNAME", "A", "AAAA", "TXT":
		return true
	}
	return false
}

// line reads a record, such as `*.example.com CNAME .`.
func (z *zone) line(line []byte) {
	if i := bytes.IndexByte(line, ';'); i >= 0 {
		line = line[:i]
	}
	words := strings.Fields(string(line))
	switch {
	case len(words) == 0:
		z.summary.Comments++
		return
	case z.open:
		z.open = !strings.Contains(string(line), ")")
		z.summary.Comments++
		return
	case words[0] == "$ORIGIN" && len(words) > 1:
		z.origin = strings.ToLower(strings.Trim(words[1], "."))
		z.summary.Comments++
		return
	case words[0][0] == '$':
		z.summary.Comments++
		return
	}
	if line[0] == ' ' || line[0] == '\t' {
		z.summary.Comments++ // a further record of the same name
		return
	}
	owner, rest := words[0], words[1:]
	for len(rest) > 0 && (strings.EqualFold(rest[0], "IN") || strings.Trim(rest[0], "0123456789smhdwSMHDW") == "") {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		z.bad("not a record", line)
		return
	}
	switch kind := strings.ToUpper(rest[0]); kind {
	case "SOA":
		z.open = strings.Contains(string(line), "(") && !strings.Contains(string(line), ")")
		if strings.HasSuffix(owner, ".") && z.origin == "" {
			z.origin = strings.ToLower(strings.Trim(owner, "."))
		}
		z.summary.Comments++
	case "NS", "DNSKEY", "RRSIG", "NSEC":
		z.summary.Comments++
	case "CNAME":
		if len(rest) < 2 {
			z.bad("not a record", line)
			return
		}
		switch target := strings.ToLower(strings.Trim(rest[1], ".")); target {
		case "rpz-passthru", "rpz-tcp-only":
			z.bad("an exception", line)
			return
		}
		z.name(owner, line)
	case "A", "AAAA", "TXT":
		z.name(owner, line)
	default:
		z.bad(fmt.Sprintf("a record of type %.10s", kind), line)
	}
}

// name adds the owner of a record.
func (z *zone) name(owner string, line []byte) {
	if absolute, ok := strings.CutSuffix(owner, "."); ok {
		owner = absolute
		if z.origin != "" {
			owner = strings.TrimSuffix(owner, "."+z.origin)
		}
	}
	lower := strings.ToLower(owner)
	switch {
	case owner == "@":
		z.summary.Comments++
	case strings.HasSuffix(lower, ".rpz-ip"):
		if ip, ok := rpzAddress(strings.TrimSuffix(lower, ".rpz-ip")); ok {
			z.note([]byte(ip), span{})
		} else {
			z.bad("a network", line)
		}
	case strings.HasSuffix(lower, ".rpz-client-ip"), strings.HasSuffix(lower, ".rpz-nsip"), strings.HasSuffix(lower, ".rpz-nsdname"):
		z.bad("a trigger that is not a name", line)
	default:
		z.note([]byte(owner), span{})
	}
}

// rpzAddress returns the IPv4 address of a trigger such as 32.1.2.0.192, whose prefix is whole.
func rpzAddress(trigger string) (string, bool) {
	labels := strings.Split(trigger, ".")
	if len(labels) != 5 || labels[0] != "32" {
		return "", false
	}
	return labels[4] + "." + labels[3] + "." + labels[2] + "." + labels[1], true
}

package lists

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// readJSON reads one or several documents of MISP and STIX as a stream. A warning list has a list
// of texts. Attributes of events and indicators are objects, which may be anywhere in a document.
func (s *sink) readJSON(from io.Reader) error {
	lines := &lineReader{from: from, line: 1}
	d := &document{sink: s, lines: lines, decoder: json.NewDecoder(lines)}
	err := d.read()
	s.summary.Lines = lines.read
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("line %d: the document is cut off", d.lines.at(d.decoder.InputOffset()))
	}
	if err != nil {
		return fmt.Errorf("line %d: %w", d.lines.at(d.decoder.InputOffset()), err)
	}
	// All other lines have only syntax, or texts that are not entries.
	s.summary.Comments = max(0, s.summary.Lines-s.summary.Used-s.summary.UnreadLines())
	return nil
}

// A document is read as a stream of tokens.
type document struct {
	*sink
	lines   *lineReader
	decoder *json.Decoder
	open    []*object // the objects and arrays around the token
}

// An object has those fields of a JSON object that say what it is.
type object struct {
	isArray bool
	key     string // key of the next value; in an array, the key of the array
	isKey   bool   // the next token is a key
	fields  map[string]string
}

// fieldNames are the fields that are kept.
var fieldNames = map[string]bool{
	"type": true, "value": true, "first_seen": true, "timestamp": true, "deleted": true, "to_ids": true, "pattern": true, "pattern_type": true,
	"valid_from": true, "valid_until": true, "revoked": true, "last_seen": true,
}

func (d *document) read() error {
	for {
		token, err := d.decoder.Token()
		if err != nil {
			if errors.Is(err, io.EOF) && len(d.open) == 0 {
				return nil
			}
			if errors.Is(err, io.EOF) {
				return io.ErrUnexpectedEOF
			}
			return err
		}
		d.line = d.lines.at(d.decoder.InputOffset())
		d.take(token)
		if d.line%4096 == 0 && d.ctx.Err() != nil {
			return d.ctx.Err()
		}
		if d.err != nil {
			return d.err
		}
	}
}

// Bounds of a document: a document that is no list must not fill memory.
const (
	maxDepth = 100
	maxValue = 4 << 20 // bytes of a token
)

var (
	errDepth = errors.New("a document that is nested too deep")
	errValue = errors.New("a value that is too long")
)

func (d *document) take(token json.Token) {
	var in *object
	if len(d.open) > 0 {
		in = d.open[len(d.open)-1]
	}
	switch t := token.(type) {
	case json.Delim:
		switch t {
		case '{', '[':
			o := &object{isArray: t == '[', isKey: t == '{'}
			if o.isArray && in != nil {
				o.key = in.key
			}
			if d.open = append(d.open, o); len(d.open) > maxDepth {
				d.err = errDepth
			}
			return
		default:
			if in == nil {
				return
			}
			d.open = d.open[:len(d.open)-1]
			if !in.isArray {
				d.object(in)
			}
			if len(d.open) > 0 {
				in = d.open[len(d.open)-1]
			} else {
				in = nil
			}
		}
	case string:
		switch {
		case in == nil:
		case in.isArray:
			if in.key == "list" && len(d.open) == 2 {
				d.warning(t)
			}
			return
		case in.isKey:
			in.key, in.isKey = t, false
			return
		default:
			in.note(t)
		}
	case float64, bool:
		if in != nil && !in.isArray {
			in.note(fmt.Sprint(t))
		}
	}
	if in != nil && !in.isArray {
		in.isKey = true // a value has ended
	}
}

func (o *object) note(value string) {
	if !fieldNames[o.key] {
		return
	}
	if o.fields == nil {
		o.fields = make(map[string]string)
	}
	o.fields[o.key] = value
}

// warning adds a text of a warning list.
func (d *document) warning(text string) {
	// Networks are not used, and a text with slashes at both ends is a pattern.
	switch {
	case strings.HasPrefix(text, "/"):
		d.bad("a pattern", []byte(text))
	case isNetwork(text):
		address, bits, _ := strings.Cut(text, "/")
		if bits == "32" && !strings.Contains(address, ":") {
			d.note([]byte(address), span{})
		} else {
			d.bad("a network", []byte(text))
		}
	default:
		d.note([]byte(text), span{})
	}
}

func isNetwork(text string) bool {
	address, bits, ok := strings.Cut(text, "/")
	return ok && bits != "" && strings.Trim(bits, "0123456789") == "" && isAddr([]byte(address))
}

// object handles a complete object if it is an attribute or an indicator.
func (d *document) object(o *object) {
	kind := o.fields["type"]
	switch {
	case kind == "indicator" && o.fields["pattern"] != "":
		d.indicator(o.fields)
	case o.fields["value"] != "" && kind != "":
		d.attribute(kind, o.fields)
	}
}

// attribute adds an attribute of a MISP event.
func (d *document) attribute(kind string, fields map[string]string) {
	value := fields["value"]
	when := span{}
	for _, name := range []string{"first_seen", "timestamp"} {
		if since, err := dateOf(fields[name]); err == nil && fields[name] != "" && fields[name] != "0" {
			when.since = since
			break
		}
	}
	switch kind {
	case "url", "link", "uri", "domain", "hostname", "ip-dst", "ip-src":
	case "domain|ip", "hostname|port", "ip-dst|port":
		value, _, _ = strings.Cut(value, "|")
	default:
		d.bad("an attribute of type "+kind[:min(len(kind), 30)], []byte(value))
		return
	}
	switch {
	case fields["deleted"] == "true":
		d.bad("a deleted attribute", []byte(value))
	case fields["to_ids"] == "false":
		d.bad("an attribute that is not for detection (to_ids)", []byte(value))
	default:
		d.note([]byte(value), when)
	}
}

var (
	stixComparison = regexp.MustCompile(`\b(url|domain-name|ipv4-addr):value\s*=\s*'((?:[^'\\]|\\.)*)'`)
	stixOther      = regexp.MustCompile(`\b(?:AND|NOT|FOLLOWEDBY|LIKE|MATCHES|IN|ISSUBSET|ISSUPERSET)\b`)
)

// indicator adds the hosts and URLs with which the pattern of a STIX 2.1 indicator compares.
func (d *document) indicator(fields map[string]string) {
	pattern := fields["pattern"]
	bare := stixComparison.ReplaceAllString(pattern, "")
	found := stixComparison.FindAllStringSubmatch(pattern, -1)
	switch {
	case fields["revoked"] == "true":
		d.bad("a revoked indicator", []byte(pattern))
		return
	case fields["pattern_type"] != "" && fields["pattern_type"] != "stix":
		d.bad("an indicator of another language", []byte(pattern))
		return
	case len(found) == 0 || stixOther.MatchString(bare) || strings.Contains(bare, ":"):
		d.bad("a pattern that is not a host or URL", []byte(pattern))
		return
	}
	var when span
	if since, err := dateOf(fields["valid_from"]); err == nil {
		when.since = since
	}
	if until, err := dateOf(fields["valid_until"]); err == nil {
		when.until = until
	}
	var failed error
	for _, comparison := range found {
		value := strings.NewReplacer(`\'`, `'`, `\\`, `\`).Replace(comparison[2])
		if err := d.entry([]byte(value), when); err != nil {
			failed = err
		}
	}
	d.noted(failed, []byte(pattern))
}

// A lineReader passes on what it reads, and knows on which line an offset is.
type lineReader struct {
	from   io.Reader
	offset int64
	asked  int64
	ends   []int64 // offsets of line ends after the last offset that was asked for
	line   int     // line of that offset
	read   int     // lines read so far
	begun  bool    // the last line has a byte
}

func (l *lineReader) Read(p []byte) (int, error) {
	if l.offset-l.asked > maxValue {
		return 0, errValue
	}
	n, err := l.from.Read(p)
	for at, rest := int64(0), p[:n]; ; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			l.begun = l.begun || len(rest) > 0
			break
		}
		at += int64(i) + 1
		l.ends = append(l.ends, l.offset+at)
		l.read++
		l.begun = false
		rest = rest[i+1:]
	}
	l.offset += int64(n)
	if err != nil && l.begun {
		l.read++
		l.begun = false
	}
	return n, err
}

// at returns the line of an offset. Offsets must not decrease from call to call.
func (l *lineReader) at(offset int64) int {
	passed := 0
	for passed < len(l.ends) && l.ends[passed] < offset {
		passed++
	}
	l.asked = offset
	l.line += passed
	l.ends = l.ends[passed:]
	return l.line
}

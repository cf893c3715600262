package eventlog

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/internal/stream"
)

// maxLine bounds a line of the log, in bytes; linkmilter writes no longer lines.
const maxLine = 1 << 20

// A Log is the log of one or more files.
type Log struct {
	// Now is the time at which the log is read. It gives times in the log their year.
	Now time.Time
	// Damaged counts lines about messages that give no event or no time, such as lines that were
	// cut or printed by `journalctl -o cat`.
	Damaged int
}

// Read iterates over the events in a log file, which may be compressed by gzip or bzip2. A line may
// be a JSON object (slog, `journalctl -o json`), a field of `journalctl -o export`, or key=value
// text, perhaps after the prefix of syslog or journalctl. An error comes last.
func (l *Log) Read(r io.Reader) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		br, err := unpacked(r)
		if err != nil {
			yield(nil, err)
			return
		}
		entry := exported{now: l.Now}
		for {
			line, err := readLine(br)
			if err != nil && !errors.Is(err, io.EOF) {
				yield(nil, err)
				return
			}
			switch e := entry.parse(line); {
			case e != nil && !e.Time.IsZero():
				if !yield(e, nil) {
					return
				}
			case e != nil, isAboutMessage(line):
				l.Damaged++
			}
			if err != nil {
				return
			}
		}
	}
}

// isAboutMessage reports whether a line without an event looks like a line about a message, or
// stands for a line of linkmilter that journalctl left out.
func isAboutMessage(line []byte) bool {
	return bytes.Contains(line, []byte("msg=message ")) || bytes.Contains(line, []byte(`"msg":"message"`)) ||
		bytes.Contains(line, []byte(`"MESSAGE":null`)) && bytes.Contains(line, []byte(`"SYSLOG_IDENTIFIER":"linkmilter"`))
}

// readLine reads a line of up to [maxLine] bytes; for a longer line it returns nothing.
func readLine(br *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		piece, err := br.ReadSlice('\n')
		if len(line)+len(piece) > maxLine {
			long, line = true, nil
		}
		if !long {
			line = append(line, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// exported reads lines one after the other. In the output of `journalctl -o export` each line is a
// field of an entry, and an empty line ends the entry.
type exported struct {
	now  time.Time
	at   time.Time // time of the entry
	host string
}

// parse returns the event of a line; nil if it has none.
func (x *exported) parse(line []byte) *Event {
	line = bytes.Trim(line, " \t\r\n\x1e") // in json-seq, byte 1E precedes each object
	key, value, _ := bytes.Cut(line, []byte("="))
	switch string(key) {
	case "":
		x.at, x.host = time.Time{}, ""
		return nil
	case "__REALTIME_TIMESTAMP":
		x.at = ofJournal(string(value))
		return nil
	case "_HOSTNAME":
		x.host = string(value)
		return nil
	case "MESSAGE":
		e := parseMessage(string(value), x.at)
		if e != nil && e.Node == "" {
			e.Node = x.host
		}
		return e
	}
	if line[0] == '{' {
		return parseJSON(line)
	}
	if i := bytes.Index(line, []byte(`{"`)); i >= 0 { // behind what syslog writes
		if e := parseJSON(line[i:]); e != nil {
			return e
		}
	}
	e := parseText(string(line), time.Time{})
	if e != nil && e.Time.IsZero() {
		e.Time = timeBefore(string(line), x.now)
	}
	return e
}

// parseJSON reads an object of slog, or of the journal.
func parseJSON(line []byte) *Event {
	var object map[string]any
	if json.Unmarshal(line, &object) != nil {
		return nil
	}
	message, isEntry := object["MESSAGE"]
	if !isEntry {
		return newEvent(func(key string) any { return object[key] }, time.Time{})
	}
	at := ofJournal(text(object["__REALTIME_TIMESTAMP"]))
	e := parseMessage(ofBytes(message), at)
	if message == nil { // journalctl leaves out fields longer than 4096 bytes
		e = newEvent(ofFields(object), at)
	}
	if e != nil && e.Node == "" {
		e.Node = text(object["_HOSTNAME"])
	}
	return e
}

// ofFields returns the attributes that package logging writes as fields of an entry. The message
// text is not among them. Only the line with the result of a message has the field outcome.
func ofFields(entry map[string]any) func(key string) any {
	return func(key string) any {
		if key == "msg" && entry["LINKMILTER_OUTCOME"] != nil {
			return "message"
		}
		return entry["LINKMILTER_"+strings.ToUpper(key)]
	}
}

// ofBytes returns a field of the journal, which is a list of bytes if some of them are not
// printable.
func ofBytes(field any) string {
	values, ok := field.([]any)
	if !ok {
		return text(field)
	}
	message := make([]byte, 0, len(values))
	for _, v := range values {
		b, _ := v.(float64)
		message = append(message, byte(b))
	}
	return string(message)
}

// parseMessage returns the event of an entry of the journal; at is its time.
func parseMessage(message string, at time.Time) *Event {
	if message == "" || message[0] != '{' {
		return parseText(message, at)
	}
	e := parseJSON([]byte(message))
	if e != nil && e.Time.IsZero() {
		e.Time = at
	}
	return e
}

// parseText reads key=value pairs. at is the time to use if the line has none.
func parseText(line string, at time.Time) *Event {
	pairs := pairsOf(line)
	if pairs == nil {
		return nil
	}
	return newEvent(func(key string) any {
		if value, ok := pairs[key]; ok {
			return value
		}
		return nil
	}, at)
}

// newEvent makes an event from the attributes of a line, or returns nil if the line is not about a
// message.
func newEvent(get func(string) any, at time.Time) *Event {
	if text(get("msg")) != "message" || get("queue_id") == nil {
		return nil
	}
	e := &Event{
		Time: at, Node: text(get("node")), QueueID: text(get("queue_id")), MessageID: text(get("message_id")), Client: text(get("client")),
		Sender: text(get("sender")), Recipients: list(get("recipients")), RecipientCount: number(get("recipient_count")),
		Rule: text(get("rule")), Outcome: text(get("outcome")), Worst: text(get("worst")),
		Edited: text(get("edited")) == "true", NotDone: text(get("not_done")),
		Findings: list(get("findings")), Hosts: list(get("hosts")), LooksLike: list(get("looks_like")), URLs: list(get("urls")),
		Action: text(get("action")), ActionNotDone: text(get("action_not_done")), DryRun: text(get("dry_run")) == "true",
	}
	if e.RecipientCount == 0 {
		e.RecipientCount = len(e.Recipients)
	}
	if written, err := time.Parse(time.RFC3339, text(get("time"))); err == nil {
		e.Time = written
	}
	return e
}

// notText are the beginnings of files that are not read, and what the user can do instead.
var notText = []struct{ begin, advice string }{
	{"\xFD7zXZ\x00", "compressed by xz (want xzcat FILE | linkmilter report)"},
	{"\x28\xB5\x2F\xFD", "compressed by zstd (want zstdcat FILE | linkmilter report)"},
	{"LPKSHHRH", "a file of the journal (want journalctl --file FILE -o json | linkmilter report)"},
}

// unpacked returns a reader of the text in r: log rotation compresses old files.
func unpacked(r io.Reader) (*bufio.Reader, error) {
	const size = 64 << 10
	br := bufio.NewReaderSize(r, size)
	begin, err := br.Peek(8)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	for _, other := range notText {
		if bytes.HasPrefix(begin, []byte(other.begin)) {
			return nil, errors.New(other.advice)
		}
	}
	if bytes.HasPrefix(begin, []byte("BZh")) {
		return bufio.NewReaderSize(bzip2.NewReader(br), size), nil
	}
	return stream.Unzipped(br)
}

// timeBefore returns the time that syslog or journalctl puts in front of a line, by RFC 3339 or RFC
// 3164. RFC 3164 has neither zone nor year: such a time is local, and its year is the latest in
// which it is at most a day after now. If the line has no time, the result is the zero time.
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
	// The year is parsed together with the day, because 29 February is a date only in leap years.
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

// pairsOf returns the key=value pairs of a line as slog's text handler writes them, or nil if it
// has none. It skips words without "=", such as the time and host that syslog adds.
func pairsOf(line string) map[string]string {
	var pairs map[string]string
	for line != "" {
		line = strings.TrimLeft(line, " \t")
		end := strings.IndexAny(line, " \t=")
		if end <= 0 || line[end] != '=' {
			if end < 0 {
				break
			}
			line = line[end+1:]
			continue
		}
		key := line[:end]
		var value string
		value, line = valueOf(line[end+1:])
		if pairs == nil {
			pairs = make(map[string]string)
		}
		if i := strings.LastIndexByte(key, '>'); i >= 0 { // <6>msg=
			key = key[i+1:]
		}
		pairs[key] = value
	}
	return pairs
}

// valueOf returns the value at the start of a text, and the text after it.
func valueOf(s string) (value, rest string) {
	if quoted, err := strconv.QuotedPrefix(s); err == nil {
		if value, err := strconv.Unquote(quoted); err == nil {
			return value, s[len(quoted):]
		}
	}
	value, rest, _ = strings.Cut(s, " ")
	return value, rest
}

// text returns an attribute as text.
func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// list returns an attribute that is a list, in JSON or as [a b].
func list(value any) []string {
	switch v := value.(type) {
	case []any:
		var texts []string
		for _, element := range v {
			texts = append(texts, text(element))
		}
		return texts
	case string:
		inner, ok := strings.CutPrefix(v, "[")
		inner, closed := strings.CutSuffix(inner, "]")
		if ok && closed {
			return strings.Fields(inner)
		}
	}
	return nil
}

// number returns an attribute that is a number; 0 for any other.
func number(value any) int {
	n, err := strconv.Atoi(text(value))
	if err != nil {
		return 0
	}
	return n
}

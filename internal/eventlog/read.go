package eventlog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strconv"
	"time"
)

// maxLine bounds a line of the log, in bytes; longer lines are not linkmilter's.
const maxLine = 1 << 20

// Read iterates over the events in a log. Each line may be an object in JSON as slog or
// `journalctl -o json` writes it, or text of key=value, also behind what syslog puts in
// front of it.
func Read(r io.Reader) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		br := bufio.NewReaderSize(r, 64<<10)
		for {
			line, err := readLine(br)
			if err != nil && !errors.Is(err, io.EOF) {
				yield(nil, err)
				return
			}
			if e := parse(line); e != nil && !yield(e, nil) {
				return
			}
			if err != nil {
				return
			}
		}
	}
}

// readLine reads a line of up to [maxLine] bytes; of a longer one it returns nothing.
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

// parse returns the event of a line; nil if it has none.
func parse(line []byte) *Event {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil
	}
	if line[0] == '{' {
		return parseJSON(line)
	}
	return parseText(string(line), time.Time{})
}

// parseJSON reads an object of slog, or of the journal.
func parseJSON(line []byte) *Event {
	var object map[string]any
	if json.Unmarshal(line, &object) != nil {
		return nil
	}
	if message, ok := object["MESSAGE"].(string); ok {
		var at time.Time
		if µs, err := strconv.ParseInt(text(object["__REALTIME_TIMESTAMP"]), 10, 64); err == nil {
			at = time.UnixMicro(µs)
		}
		e := parseMessage(message, at)
		if e != nil && e.Node == "" {
			e.Node = text(object["_HOSTNAME"])
		}
		return e
	}
	return newEvent(func(key string) any { return object[key] }, time.Time{})
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

// parseText reads key=value pairs. at is the time of a line that has none.
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

// newEvent makes an event of the attributes of a line; nil if it is not about a message.
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

//go:build linux

package e2e

import (
	"bytes"
	"slices"
	"strings"
)

// Delivered is a message from a mailbox: the trace fields of the server, the header and the body,
// with LF line ends.
type Delivered struct {
	Trace  []string // raw fields
	Header []string // raw fields, with their line ends
	Body   string
}

// SplitDelivered splits a message from a mailbox. The server's own trace fields are at the top, up
// to and including its Received field. Those that the message had before are below.
func SplitDelivered(raw []byte) Delivered {
	fields, body := splitMessage(raw)
	n := slices.IndexFunc(fields, func(field string) bool { return fieldName(field) == "received" }) + 1
	return Delivered{Trace: fields[:n], Header: fields[n:], Body: body}
}

// Message returns header and body, without the trace fields, with CRLF line
// ends: the message as a milter behind this server saw it.
func (d Delivered) Message() []byte {
	text := strings.Join(d.Header, "") + "\n" + d.Body
	return []byte(strings.ReplaceAll(text, "\n", "\r\n"))
}

// Field returns the raw value of the first header field of that name.
func (d Delivered) Field(name string) (string, bool) {
	for _, field := range d.Header {
		if fieldName(field) == strings.ToLower(name) {
			_, value, _ := strings.Cut(field, ":")
			return strings.TrimSpace(value), true
		}
	}
	return "", false
}

// splitMessage splits a message with LF or CRLF line ends into its header
// fields, each with its continuation lines, and its body. The result has LF
// line ends.
func splitMessage(raw []byte) (fields []string, body string) {
	text := string(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n")))
	for text != "" && text[0] != '\n' {
		line, rest, _ := strings.Cut(text, "\n")
		if len(fields) > 0 && (line[0] == ' ' || line[0] == '\t') {
			fields[len(fields)-1] += line + "\n"
		} else {
			fields = append(fields, line+"\n")
		}
		text = rest
	}
	return fields, strings.TrimPrefix(text, "\n")
}

// fieldName returns the name of a raw header field in lower case.
func fieldName(field string) string {
	name, _, _ := strings.Cut(field, ":")
	return strings.ToLower(strings.TrimSpace(name))
}

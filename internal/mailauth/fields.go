package mailauth

import (
	"bytes"
	"errors"
)

// errHeader: a line of the header is neither a field nor the continuation of one.
var errHeader = errors.New("malformed header")

// eachField calls yield with the name and the raw value of each field of a message. It returns
// the offset after the empty line that ends the header, or -1 for a message without that line.
func eachField(message []byte, yield func(name, value []byte)) (body int, err error) {
	var name []byte // of the current field; nil before the first
	valueStart := 0
	for pos := 0; ; {
		end := len(message)
		if i := bytes.IndexByte(message[pos:], '\n'); i >= 0 {
			end = pos + i + 1
		}
		line := bytes.TrimRight(message[pos:end], "\r\n")
		if len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
			if name == nil {
				return 0, errHeader
			}
			pos = end
			continue
		}
		if name != nil {
			yield(name, message[valueStart:pos])
		}
		switch {
		case pos == len(message):
			return -1, nil
		case len(line) == 0:
			return end, nil
		}
		if name = fieldName(line); name == nil {
			return 0, errHeader
		}
		valueStart = pos + bytes.IndexByte(line, ':') + 1
		pos = end
	}
}

// fieldName returns the name of the field that a line begins, or nil if it does not
// begin one. Old mail may have white space before the colon (RFC 5322 §4.5), which
// does not belong to the name.
func fieldName(line []byte) []byte {
	colon := bytes.IndexByte(line, ':')
	if colon < 0 {
		return nil
	}
	name := bytes.TrimRight(line[:colon], " \t")
	if len(name) == 0 || bytes.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil
	}
	return name
}

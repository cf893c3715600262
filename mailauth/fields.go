package mailauth

import (
	"bytes"
	"errors"
)

// errHeader: a line of the header is neither a field nor the continuation of one.
var errHeader = errors.New("malformed header")

// headerNames calls yield with the name of each field of a message, and returns
// the offset behind the empty line that ends the header, or -1 where there is
// none and the message is nothing but a header.
func headerNames(message []byte, yield func(name []byte)) (body int, err error) {
	for pos := 0; pos < len(message); {
		end := len(message)
		if i := bytes.IndexByte(message[pos:], '\n'); i >= 0 {
			end = pos + i + 1
		}
		line := bytes.TrimRight(message[pos:end], "\r\n")
		switch {
		case len(line) == 0:
			return end, nil
		case line[0] == ' ' || line[0] == '\t':
			if pos == 0 {
				return 0, errHeader
			}
		default:
			name := fieldName(line)
			if name == nil {
				return 0, errHeader
			}
			yield(name)
		}
		pos = end
	}
	return -1, nil
}

// fieldName returns the name of the field that a line begins, nil where it does
// not begin one. White space before the colon, of old mail, is no part of it.
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

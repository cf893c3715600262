package charset

import "bytes"

// cutLine splits a text after its first line, and returns the line without its CRLF or LF.
func cutLine(text []byte) (line, rest []byte) {
	line, rest, ended := bytes.Cut(text, []byte("\n"))
	if ended {
		line = bytes.TrimSuffix(line, []byte("\r"))
	}
	return line, rest
}

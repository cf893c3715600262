package mime

import (
	"bytes"
	"strings"
)

// longestEncoded is the limit of RFC 2045 §6.7 and §6.8 for an encoded line.
const longestEncoded = 76

// RFC 5322 §2.1.1: bytes in a line, without its line end.
const (
	preferredLine = 78
	longestLine   = 998
)

// lineEnd returns the offset after the line that begins at pos: after its LF
// or at the end of raw. A CR alone ends no line.
func lineEnd(raw []byte, pos int) int {
	if i := bytes.IndexByte(raw[pos:], '\n'); i >= 0 {
		return pos + i + 1
	}
	return len(raw)
}

// trimLineEnd returns line without its CRLF or LF.
func trimLineEnd(line []byte) []byte {
	return line[:trimLineEndAt(line, len(line))]
}

// trimLineEndAt returns the offset before the CRLF or LF that ends at end, or
// end itself.
func trimLineEndAt(raw []byte, end int) int {
	if end > 0 && raw[end-1] == '\n' {
		end--
		if end > 0 && raw[end-1] == '\r' {
			end--
		}
	}
	return end
}

// textLineEnd returns the offset after the line that begins at pos.
func textLineEnd(text string, pos int) int {
	if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
		return pos + i + 1
	}
	return len(text)
}

// cutLine splits off the first line of a text, without its line end. ended reports whether it had a
// line end.
func cutLine(stretch []byte) (line, rest []byte, ended bool) {
	i := bytes.IndexByte(stretch, '\n')
	if i < 0 {
		return stretch, nil, false
	}
	return bytes.TrimSuffix(stretch[:i], carriageReturn), stretch[i+1:], true
}

// longest returns the length of the longest line, without its line end.
func longest(data []byte) int {
	n := 0
	for line := range bytes.Lines(data) {
		n = max(n, len(trimLineEnd(line)))
	}
	return n
}

// trimBlanks returns line without the spaces and tabs at its end.
func trimBlanks(line []byte) []byte {
	for len(line) > 0 && (line[len(line)-1] == ' ' || line[len(line)-1] == '\t') {
		line = line[:len(line)-1]
	}
	return line
}

// isBlankLine reports whether a line holds nothing but spaces and tabs.
func isBlankLine(line []byte) bool { return len(trimBlanks(line)) == 0 }

// isBlank reports whether a body holds nothing but white space.
func isBlank(body []byte) bool { return len(trimSpace(body)) == 0 }

// carriageReturn and newline are for searches that need a slice.
var carriageReturn = []byte("\r")

var newline = []byte("\n")

// bareCR returns the offset of the first CR without an LF after it, or -1.
func bareCR(b []byte) int {
	for pos := 0; ; pos++ {
		i := bytes.IndexByte(b[pos:], '\r')
		if i < 0 {
			return -1
		}
		pos += i
		if pos+1 == len(b) || b[pos+1] != '\n' {
			return pos
		}
	}
}

// crBeforeText returns the offset of the first CR with text after it in the same line, or -1.
func crBeforeText(b []byte) int {
	for pos := 0; ; {
		i := bytes.IndexByte(b[pos:], '\r')
		if i < 0 {
			return -1
		}
		start := pos + i
		for pos = start; pos < len(b) && (b[pos] == '\r' || b[pos] == ' ' || b[pos] == '\t'); {
			pos++
		}
		if pos < len(b) && b[pos] != '\n' {
			return start
		}
	}
}

// bareEnds returns how many CRs have no LF after them, and how many LFs have no CR before them. If the
// line end of the message is LF, LFs do not count.
func bareEnds(b []byte, eol string) int {
	pairs := bytes.Count(b, []byte("\r\n"))
	bare := bytes.Count(b, carriageReturn) - pairs
	if eol == "\r\n" {
		bare += bytes.Count(b, newline) - pairs
	}
	return bare
}

// withoutCR passes on the bytes without each CR, in pieces.
func withoutCR(data []byte, piece func([]byte)) {
	for len(data) > 0 {
		i := bytes.IndexByte(data, '\r')
		if i < 0 {
			i = len(data)
		}
		piece(data[:i])
		data = data[min(i+1, len(data)):]
	}
}

// normalised returns text with LF line ends.
func normalised(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// withCRLF returns text with CRLF line ends.
func withCRLF(text string) string { return strings.ReplaceAll(normalised(text), "\n", "\r\n") }

// lineEndsToSpaces makes a folded value one line in which all offsets stay the same.
var lineEndsToSpaces = strings.NewReplacer("\r", " ", "\n", " ")

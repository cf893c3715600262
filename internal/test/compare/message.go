package main

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime/quotedprintable"
	"regexp"
	"strings"
)

// messageChanges compares two messages. The bytes decide whether they differ;
// transfer encodings are decoded only so that one can read how. A body that is encoded
// otherwise but holds the same text is shown as it is.
func messageChanges(old, new []byte) []change {
	old, new = alignDetails(old, new)
	if bytes.Equal(old, new) {
		return nil
	}
	a, b := decoded(old), decoded(new)
	if a == b {
		return lineChanges(string(old), string(new))
	}
	return lineChanges(a, b)
}

// findingField is a field of linkmilter with its folded lines.
var findingField = regexp.MustCompile(`(?m)^X-Linkmilter-Finding:.*\n(?:[ \t].*\n)*`)

// detailParameter is the wording in such a field, once it is unfolded (RFC 9651 §3.3.3,
// display strings included).
var detailParameter = regexp.MustCompile(`detail=(%?"(?:[^"\\]|\\.)*")`)

// alignDetails takes the wording out of those finding fields in which it alone
// differs. Where the fields cannot be paired, all stay as they are.
func alignDetails(old, new []byte) ([]byte, []byte) {
	oldHead, newHead := headerEnd(old), headerEnd(new)
	a, b := findingField.FindAllString(string(old[:oldHead]), -1), findingField.FindAllString(string(new[:newHead]), -1)
	if len(a) != len(b) {
		return old, new
	}
	same := make(map[int]bool)
	for i := range a {
		same[i] = unfolded(a[i]) != unfolded(b[i]) && withoutDetail(a[i]) == withoutDetail(b[i])
	}
	replace := func(message []byte, head int) []byte {
		i := -1
		header := findingField.ReplaceAllStringFunc(string(message[:head]), func(field string) string {
			i++
			if same[i] {
				return withoutDetail(field)
			}
			return field
		})
		return append([]byte(header), message[head:]...)
	}
	return replace(old, oldHead), replace(new, newHead)
}

var folding = regexp.MustCompile(`\r?\n[ \t]+`)

func unfolded(field string) string { return folding.ReplaceAllString(field, " ") }

// withoutDetail unfolds a field and takes the wording out of it. The reason of a
// message that was not read stays: it is a code.
func withoutDetail(field string) string {
	field = unfolded(field)
	if strings.Contains(field, " code=partial;") || strings.Contains(field, " code=unreadable;") {
		return field
	}
	return detailParameter.ReplaceAllString(field, `detail="`+detailWording+`"`)
}

func headerEnd(message []byte) int {
	for _, blank := range []string{"\r\n\r\n", "\n\n"} {
		if i := bytes.Index(message, []byte(blank)); i >= 0 {
			return i + len(blank)/2
		}
	}
	return len(message)
}

var transferEncoding = regexp.MustCompile(`(?i)^content-transfer-encoding:\s*(base64|quoted-printable)\s*$`)

// delimiterLine matches "--" and the characters of a boundary (RFC 2046 §5.1.1).
var delimiterLine = regexp.MustCompile(`^--[0-9A-Za-z'()+_,./:=? -]*[0-9A-Za-z'()+_,./:=?-][ \t]*$`)

// decoded returns a message with the bodies in base64 and quoted-printable decoded.
// It takes every line that looks like a delimiter for one, which is good enough to look at.
func decoded(message []byte) string {
	var out, body strings.Builder
	encoding, header := "", true
	flush := func() {
		out.WriteString(decodedBody(body.String(), encoding))
		body.Reset()
	}
	for line := range strings.Lines(string(message)) {
		plain := strings.TrimRight(line, "\r\n")
		switch {
		case delimiterLine.MatchString(plain):
			flush()
			encoding, header = "", true
			out.WriteString(line)
		case header:
			if m := transferEncoding.FindStringSubmatch(plain); m != nil {
				encoding = strings.ToLower(m[1])
			}
			header = plain != ""
			out.WriteString(line)
		default:
			body.WriteString(line)
		}
	}
	flush()
	return out.String()
}

// decodedBody returns the body as it is where it cannot be decoded.
func decodedBody(body, encoding string) string {
	var r io.Reader = strings.NewReader(body)
	switch encoding {
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, r)
	case "quoted-printable":
		r = quotedprintable.NewReader(r)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return body
	}
	return string(text)
}

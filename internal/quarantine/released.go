package quarantine

import (
	"bytes"
	"mime"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// Fields with linkmilter's tags.
const (
	fieldSummary = "X-Linkmilter"
	fieldFinding = "X-Linkmilter-Finding"
)

// released returns a message without the tags that brought it into quarantine, and without a text
// of subjectTags in front of its subject. Otherwise a recipe that files mail by its tags would put
// it away again.
func released(message []byte, subjectTags []string) []byte {
	end := bytes.Index(message, []byte("\r\n\r\n"))
	if end < 0 {
		return message
	}
	fields := fieldsOf(message[:end+2])
	id := ""
	for _, field := range fields {
		if name, value := split(field); ascii.EqualFold(name, fieldSummary) {
			id = idOf(value) // the last such field is linkmilter's own
		}
	}
	var b bytes.Buffer
	for _, field := range fields {
		name, value := split(field)
		isTag := ascii.EqualFold(name, fieldSummary) || ascii.EqualFold(name, fieldFinding)
		switch {
		case isTag && id != "" && idOf(value) == id:
		case ascii.EqualFold(name, "Subject"):
			b.WriteString(name + ":" + withoutTag(value, subjectTags))
		default:
			b.Write(field)
		}
	}
	b.Write(message[end+2:])
	return b.Bytes()
}

// fieldsOf splits a header into its fields, each with its continuation lines.
func fieldsOf(header []byte) (fields [][]byte) {
	for line := range bytes.Lines(header) {
		if n := len(fields); n > 0 && (line[0] == ' ' || line[0] == '\t') {
			fields[n-1] = append(fields[n-1], line...)
			continue
		}
		fields = append(fields, line)
	}
	return fields
}

// split returns the name and the value of a field.
func split(field []byte) (name, value string) {
	name, value, _ = strings.Cut(string(field), ":")
	return name, value
}

// idOf returns the first word of a tag.
func idOf(value string) string {
	id, _, _ := strings.Cut(value, ";")
	return strings.TrimSpace(id)
}

// withoutTag returns the value of a subject without the first text of tags with which it begins.
func withoutTag(value string, tags []string) string {
	text := strings.TrimSpace(value)
	decoded, err := new(mime.WordDecoder).DecodeHeader(strings.ReplaceAll(text, "\r\n", ""))
	for _, tag := range tags {
		if rest, found := strings.CutPrefix(text, tag+" "); found && tag != "" {
			return " " + rest + "\r\n"
		}
		if rest, found := strings.CutPrefix(decoded, tag+" "); found && tag != "" && err == nil {
			words := mime.QEncoding.Encode("utf-8", rest)
			return " " + strings.ReplaceAll(words, "?= =?", "?=\r\n =?") + "\r\n"
		}
	}
	return value
}

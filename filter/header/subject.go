package header

import (
	stdmime "mime"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/mime"
)

// maxSubjects is how many Subject fields are marked: programs show one of several, but not the same
// one.
const maxSubjects = 4

// markedSubjects returns the edits that put a text in front of the subject. A subject that already has
// the text stays, such as that of a reply. The encoding of the rest stays, too.
func markedSubjects(m *mime.Message, text string) []mime.HeaderEdit {
	var edits []mime.HeaderEdit
	found := 0
	for i, f := range m.Root.Fields {
		if !ascii.EqualFold(f.Name, "Subject") {
			continue
		}
		if found++; found > maxSubjects {
			break
		}
		if !strings.Contains(m.DecodedValue(f), text) {
			edits = append(edits, mime.HeaderEdit{Op: mime.OpChange, Field: i, Name: f.Name, Value: marked(m.FieldValue(f), text)})
		}
	}
	if found == 0 {
		return []mime.HeaderEdit{{Op: mime.OpAdd, Name: "Subject", Value: strings.TrimSuffix(marked("", text), " ")}}
	}
	return edits
}

// marked returns the value of a Subject field with a text in front, in ASCII (RFC 2047). Encoded words
// of the value stay.
func marked(value, text string) string {
	if !ascii.Is(value) { // linkmilter writes no raw bytes
		return encodedWords(text + " " + strings.ToValidUTF8(value, string(utf8.RuneError)))
	}
	if ascii.Is(text) {
		return text + " " + value
	}
	// The space is in the encoded word: programs drop a space between two encoded words.
	return encodedWords(text+" ") + " " + value
}

func encodedWords(text string) string { return stdmime.BEncoding.Encode("utf-8", text) }

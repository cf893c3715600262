package header

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/mime"
)

// wrote reports whether a field value is one that linkmilter writes with one of these ids: the id, then
// nothing or parameters.
func wrote(value string, ids []string) bool {
	id, _, _ := strings.Cut(value, ";")
	return slices.Contains(ids, strings.ToLower(id))
}

// claims reports whether a lenient reader may take one of the ids for the writer of a field (RFC 8601
// §2.2). Such a reader may decode the value, skip or stop at unknown characters, and read comments in
// its own way. The ids are in lower case.
func claims(value string, ids []string) bool {
	for _, decoded := range decodings(value) {
		decoded = foldWidth(decoded)
		for _, nested := range []bool{true, false} {
			for _, escapes := range []bool{true, false} {
				for _, reading := range readings(decoded, nested, escapes) {
					if slices.ContainsFunc(ids, func(id string) bool { return beginsWithID(reading, id) }) {
						return true
					}
				}
			}
			if !strings.Contains(decoded, "(") {
				break // all readings of comments are the same
			}
		}
	}
	return false
}

// beginsWithID reports whether the id is the first thing that a value names. Bytes that a lenient
// reader drops may be anywhere in it. Any byte that an id cannot have ends it ([ValidateID]), and so do
// dots without a name after them.
func beginsWithID(value, id string) bool {
	value = strings.TrimLeftFunc(value, func(r rune) bool { return r > '~' || r == '.' || !isIDByte(byte(r)) })
	for i := range len(id) {
		n := 0
		for n < len(value) && value[n] != id[i] && dropped(value[n]) {
			n++
		}
		if n == len(value) || value[n] != id[i] {
			return false
		}
		value = value[n+1:]
	}
	value = strings.TrimLeft(value, ".")
	return value == "" || !isIDByte(value[0])
}

func isIDByte(c byte) bool { return ascii.IsAlphanumeric(c) || c == '-' || c == '.' || c == '_' }

// dropped reports whether a lenient reader may drop a byte within an id: a control, white space, a
// quotation mark, a backslash, or a non-ASCII byte.
func dropped(c byte) bool {
	return c <= ' ' || c > '~' || c == '\\' || c == '"' || c == '\''
}

// readings returns the values that readers see who drop comments. A comment without an end may take the
// rest of the value with it, or its parenthesis or all parentheses may be text.
func readings(value string, nested, escapes bool) []string {
	reading, open := withoutComments(value, nested, escapes)
	if open < 0 {
		return []string{reading}
	}
	return []string{reading, reading + value[open:], value}
}

// withoutComments replaces comments (RFC 5322 §3.2.2) by spaces. Readers differ in whether comments
// nest, and whether a backslash escapes a parenthesis. open is the offset of a comment without an end,
// or -1.
func withoutComments(value string, nested, escapes bool) (reading string, open int) {
	var b strings.Builder
	depth, open := 0, -1
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '\\' && escapes && depth > 0:
			i++
		case c == '(' && (depth == 0 || nested):
			if depth == 0 {
				open = i
			}
			depth++
			b.WriteByte(' ')
		case c == ')' && depth > 0:
			depth--
		case depth == 0:
			b.WriteByte(c)
		}
	}
	if depth == 0 {
		open = -1
	}
	return b.String(), open
}

// maxDecodings bounds how often a value is decoded again.
const maxDecodings = 4

// decodings returns a value as written, and as decoders of encoded words, percent escapes and
// quoted-printable read it, in any combination.
func decodings(value string) []string {
	all := []string{value}
	for i := 0; i < len(all) && len(all) < 1<<maxDecodings; i++ {
		for _, decoded := range []string{decodeLooseWords(all[i]), percent.Decode(all[i]), percent.DecodeMarked(all[i], '=')} {
			if !slices.Contains(all, decoded) {
				all = append(all, decoded)
			}
		}
	}
	return all
}

// looseWord matches an encoded word (RFC 2047 §2) anywhere, with or without a language (RFC 2231 §5),
// and with white space in its text.
var looseWord = regexp.MustCompile(`=\?[^?]*\?([bBqQ])\?([^?]*)\?=`)

// decodeLooseWords decodes encoded words to bytes. The charset does not matter:
// ids are ASCII, and the zero bytes of wide charsets are dropped.
func decodeLooseWords(value string) string {
	if !strings.Contains(value, "=?") {
		return value
	}
	return looseWord.ReplaceAllStringFunc(value, func(word string) string {
		m := looseWord.FindStringSubmatch(word)
		if m[1] == "q" || m[1] == "Q" {
			return percent.DecodeMarked(strings.ReplaceAll(m[2], "_", " "), '=')
		}
		digits := strings.Map(func(r rune) rune {
			if ascii.IsAlphanumeric(r) || r == '+' || r == '/' {
				return r
			}
			return -1
		}, m[2])
		decoded, _ := base64.RawStdEncoding.DecodeString(digits)
		return string(decoded)
	})
}

// foldWidth returns a value in lower case, with full-width and other compatibility characters (NFKC)
// and the dots of IDNA (UTS #46 §4.5) in ASCII.
func foldWidth(value string) string {
	if ascii.Is(value) {
		return strings.ToLower(value)
	}
	return strings.ToLower(dots.Replace(norm.NFKC.String(value)))
}

var dots = strings.NewReplacer("。", ".", "．", ".", "｡", ".")

// own returns the indices of the fields that claim one of the ids, which are in lower case. In trusted
// mail these are fields as linkmilter writes them. In other mail a field counts if some lenient reader
// may take it for one.
func own(m *mime.Message, ids []string, trusted bool) []int {
	claimed := claims
	if trusted {
		claimed = wrote
	}
	var all []int
	for i, f := range m.Root.Fields {
		if (ascii.EqualFold(f.Name, fieldSummary) || ascii.EqualFold(f.Name, fieldFinding)) && claimed(m.FieldValue(f), ids) {
			all = append(all, i)
		}
	}
	return all
}

// problems returns the problems in the structure of a message without its forged fields. A sender must
// not cause a problem by these fields alone.
func problems(m *mime.Message, forged []int) []mime.Reason {
	if len(m.Problems) == 0 || len(forged) == 0 || len(forged) > MaxOther {
		return m.Problems
	}
	return m.Without(forged).Problems
}

// areTags reports whether the fields are exactly these tags. Then nothing is edited, so that filtering
// a message twice changes nothing more.
func areTags(m *mime.Message, fields []int, tags []mime.HeaderEdit) bool {
	if len(fields) != len(tags) {
		return false
	}
	for i, index := range fields {
		f := m.Root.Fields[index]
		if f.Name != tags[i].Name || m.FieldValue(f) != tags[i].Value {
			return false
		}
	}
	return true
}

// maxID is the length in bytes of an id, as of a host name.
const maxID = 253

// ValidateID returns an error for a text that cannot be the id of a filter in its fields.
func ValidateID(id string) error {
	odd := func(r rune) bool { return r > '~' || !isIDByte(byte(r)) }
	if !isToken(id) || strings.IndexFunc(id, odd) >= 0 || len(id) > maxID {
		return fmt.Errorf("id %q: not a host name that begins with a letter", id)
	}
	return nil
}

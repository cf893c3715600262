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

// wrote reports whether a field is one that linkmilter writes with one of these
// ids: the id, and then nothing or parameters.
func wrote(value string, ids []string) bool {
	id, _, _ := strings.Cut(value, ";")
	return slices.Contains(ids, strings.ToLower(id))
}

// claims reports whether a lenient reader may take one of the ids for who wrote
// a field (RFC 8601 §2.2). Such a reader may decode the value, drop or stop at
// what it does not know, and read comments in its own way. Ids are in lower case.
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

// beginsWithID reports whether the first thing that value names is the id. Bytes
// that a lenient reader drops may be anywhere in it, and any byte that is not in
// an id ends it ([ValidateID]); so do dots without a name behind them.
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

// dropped reports whether a lenient reader may drop a byte within an id:
// controls, white space, quotes, the backslash of a quoted-pair, and whatever is
// not ASCII.
func dropped(c byte) bool {
	return c <= ' ' || c > '~' || c == '\\' || c == '"' || c == '\''
}

// readings returns what readers take a value for that drop comments. To some of them,
// a comment that does not end takes all that follows. Others take its parenthesis for
// text, or then all parentheses.
func readings(value string, nested, escapes bool) []string {
	reading, open := withoutComments(value, nested, escapes)
	if open < 0 {
		return []string{reading}
	}
	return []string{reading, reading + value[open:], value}
}

// withoutComments replaces comments (RFC 5322 §3.2.2) by spaces. Readers differ on
// whether they nest, and whether a backslash escapes a parenthesis. open is where a
// comment begins that does not end, and -1 without one.
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

// maxDecodings bounds how often a value is decoded that was encoded again.
const maxDecodings = 4

// decodings returns a value and what decoders of encoded words, percent escapes
// and quoted-printable make of it, one after the other.
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

// looseWord is an encoded word (RFC 2047 §2) wherever it is, with or without a
// language (RFC 2231 §5), and with white space in its text.
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

// foldWidth returns a value in lower case, with the ASCII forms of full-width
// and other compatibility characters (NFKC) and of the dots of IDNA (UTS #46 §4.5).
func foldWidth(value string) string {
	if ascii.Is(value) {
		return strings.ToLower(value)
	}
	return strings.ToLower(dots.Replace(norm.NFKC.String(value)))
}

var dots = strings.NewReplacer("。", ".", "．", ".", "｡", ".")

// own returns the indices of the fields that claim one of ids, which are in lower
// case. On trusted mail these are the fields that linkmilter writes; on other mail
// all fields that some lenient reader may take for one.
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

// problems returns the problems in the structure of a message once the forged fields
// are removed: these fields alone do not change how the message is read.
func problems(m *mime.Message, forged []int) []mime.Reason {
	if len(m.Problems) == 0 || len(forged) == 0 || len(forged) > MaxOther {
		return m.Problems
	}
	return m.Without(forged).Problems
}

// areTags reports whether the fields are exactly the tags, so that filtering a
// message again changes nothing.
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

// ValidateID refuses a text that cannot name a filter in the fields that it writes.
func ValidateID(id string) error {
	odd := func(r rune) bool { return r > '~' || !isIDByte(byte(r)) }
	if !isToken(id) || strings.IndexFunc(id, odd) >= 0 || len(id) > maxID {
		return fmt.Errorf("id %q: not a host name that begins with a letter", id)
	}
	return nil
}

package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// A set is a character set that ISO 2022 designates, in the form of EUC.
type set struct {
	enc    encoding.Encoding
	prefix string // before the bytes of a character
	size   int    // bytes of a character
	more   *table // characters that enc lacks or has at other places; may be nil
}

// designations are the sets, by the escape sequences that designate them (RFC 1468, RFC 1554, RFC
// 1557, RFC 1922), and also the katakana of JIS X 0201 and plane 1 of JIS X 0213. US-ASCII and
// similar sets are left out.
var designations = map[string]set{
	"\x1b$@": {japanese.EUCJP, "", 2, nil}, "\x1b$B": {japanese.EUCJP, "", 2, nil}, "\x1b$(B": {japanese.EUCJP, "", 2, nil},
	"\x1b$(D": {japanese.EUCJP, "\x8f", 2, nil}, "\x1b(I": {japanese.EUCJP, "\x8e", 1, nil},
	"\x1b$(O": {japanese.EUCJP, "", 2, jisX0213}, "\x1b$(Q": {japanese.EUCJP, "", 2, jisX0213},
	"\x1b$A": {simplifiedchinese.GBK, "", 2, nil}, "\x1b$(A": {simplifiedchinese.GBK, "", 2, nil}, "\x1b$)A": {simplifiedchinese.GBK, "", 2, nil},
	"\x1b$)E": {simplifiedchinese.GBK, "", 2, isoIR165}, "\x1b$)G": {encoding.Replacement, "", 2, cns11643},
	"\x1b$(C": {korean.EUCKR, "", 2, nil}, "\x1b$)C": {korean.EUCKR, "", 2, nil},
	"\x1b.A": {charmap.ISO8859_1, "", 1, nil}, "\x1b.F": {charmap.ISO8859_7, "", 1, nil},
}

// designated returns the set that an escape sequence designates. Each character of an unknown
// set of more than 94 characters becomes U+FFFD.
func designated(escape []byte) set {
	known, ok := designations[string(escape)]
	switch {
	case ok:
		return known
	case escape[1] == '$':
		return set{enc: encoding.Replacement, size: 2}
	case escape[1] == '.':
		return set{enc: encoding.Replacement, size: 1}
	}
	return set{}
}

// designatesMore reports whether a content designates sets that ISO-2022-JP lacks.
func designatesMore(content []byte) bool {
	for _, start := range [...]string{"\x1b$A", "\x1b$(", "\x1b$)", "\x1b$*", "\x1b$+", "\x1b(I", "\x1b."} {
		if bytes.Contains(content, []byte(start)) {
			return true
		}
	}
	return false
}

// decodeISO2022 decodes ISO 2022 with 7 bits: the charsets of RFC 1554, RFC 1557 and RFC 1922, and
// those with JIS X 0213. SO shifts to the set that was designated for it, at first the Korean one,
// until SI or the end of the line.
func decodeISO2022(t *meter.Meter, content []byte) (string, error) {
	r := reader2022{sets: [4]set{1: designations["\x1b$)C"]}, decoders: make(map[encoding.Encoding]*encoding.Decoder)}
	r.text.Grow(len(content))
	for len(content) > 0 {
		n := r.next(content)
		content = content[n:]
		if err := t.Spend(n); err != nil {
			return "", err
		}
	}
	return r.text.String(), nil
}

// A reader2022 decodes ISO 2022.
type reader2022 struct {
	sets     [4]set // G0 to G3; the zero value is US-ASCII
	shifted  bool   // to G1, by SO
	decoders map[encoding.Encoding]*encoding.Decoder
	text     strings.Builder
}

// next decodes the character or the control that s begins with, and returns its length.
func (r *reader2022) next(s []byte) int {
	current := r.sets[0]
	if r.shifted {
		current = r.sets[1]
	}
	switch c := s[0]; {
	case c == '\x1b':
		return r.escape(s)
	case c == '\x0e' || c == '\x0f':
		r.shifted = c == '\x0e'
	case c == '\n':
		r.shifted, r.sets[0] = false, set{}
		r.text.WriteByte(c)
	case c >= utf8.RuneSelf:
		r.text.WriteRune(utf8.RuneError)
	case c <= ' ' || current.enc == nil || len(s) < current.size:
		r.text.WriteByte(c)
	default:
		r.character(current, s[:current.size])
		return current.size
	}
	return 1
}

// escape reads the escape sequence that s begins with, and returns its length. After a single
// shift, this includes the next character.
func (r *reader2022) escape(s []byte) int {
	if len(s) > 2 && (s[1] == 'N' || s[1] == 'O') {
		return 2 + r.single(r.sets[2+s[1]-'N'], s[2:])
	}
	n := escapeSequence(s)
	switch escape := s[:n]; {
	case n < 3:
	case bytes.IndexByte(escape, ')') > 0:
		r.sets[1] = designated(escape)
	case bytes.ContainsAny(escape, ".*"):
		r.sets[2] = designated(escape)
	case bytes.IndexByte(escape, '+') > 0:
		r.sets[3] = designated(escape)
	default:
		r.sets[0] = designated(escape)
	}
	return n
}

// single decodes the character after a single shift to a set, and returns its length.
func (r *reader2022) single(from set, s []byte) int {
	if from.enc == nil {
		return 1
	}
	n := min(from.size, len(s))
	r.character(from, s[:n])
	return n
}

// character writes the character of a set.
func (r *reader2022) character(from set, code []byte) {
	if len(code) == 2 {
		if c := from.more.at(code[0], code[1]); c != 0 {
			r.text.WriteRune(c)
			return
		}
	}
	decoder := r.decoders[from.enc]
	if decoder == nil {
		decoder = from.enc.NewDecoder()
		r.decoders[from.enc] = decoder
	}
	source := append(make([]byte, 0, 4), from.prefix...)
	for _, c := range code {
		source = append(source, c|0x80)
	}
	var buf [16]byte
	n, _, _ := decoder.Transform(buf[:], source, true) // the decoder repairs errors
	r.text.Write(buf[:n])
}

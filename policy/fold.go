package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// An imitation may combine several tricks. So the rules for typing errors and added words also read
// a second form of a name, its shape, in which letters that people confuse are the same letter:
// "cortóso" and "c0rtoso" are near "contoso" as "cortoso" is.

// letterForms maps Latin letters with a stroke, a hook or another form to the ASCII letter that
// people read.
var letterForms = func() map[rune]string {
	forms := make(map[rune]string)
	for text, letters := range readList("letter_forms").All() {
		for _, r := range letters {
			forms[r] = text
		}
	}
	return forms
}()

// fold returns a name in lower case, without marks, and with ASCII letters in place of letters that
// read as them. Letters that read as no ASCII letter stay.
func fold(name string) string {
	if ascii.Is(name) {
		return name
	}
	folded := foldBy(name, foldLetter)
	if ascii.Is(folded) {
		return folded
	}
	// In a name of another script each letter becomes one letter, so that a typing error stays one
	// error.
	return foldBy(name, func(r rune) string {
		if like := foldLetter(r); len(like) == 1 {
			return like
		}
		return string(r)
	})
}

// foldBy returns a name without marks. The function letter replaces its non-ASCII letters.
func foldBy(name string, letter func(r rune) string) string {
	var decomposed, buf [320]byte
	folded, isASCII := buf[:0], true
	for rest := norm.NFKD.AppendString(decomposed[:0], withoutJoiners(name)); len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		rest = rest[size:]
		switch {
		case r < utf8.RuneSelf:
			folded = append(folded, byte(unicode.ToLower(r)))
		case ucd.IsMark(r) && ucd.ScriptOf(r) == ucd.ScriptZinh:
		default:
			like := letter(r)
			isASCII = isASCII && ascii.Is(like)
			folded = append(folded, like...)
		}
	}
	if isASCII {
		return string(folded)
	}
	return norm.NFC.String(string(folded))
}

// foldHost returns a host with each of its labels folded.
func foldHost(name string) string {
	if ascii.Is(name) {
		return name
	}
	var buf [320]byte
	folded := buf[:0]
	for rest, more := name, true; more; {
		var label string
		label, rest, more = strings.Cut(rest, ".")
		if folded = append(folded, fold(label)...); more {
			folded = append(folded, '.')
		}
	}
	return string(folded)
}

// foldLetter returns what a non-ASCII letter reads as.
func foldLetter(r rune) string {
	if like, ok := latinLikes[r]; ok {
		return like.text
	}
	if p := prototype(r); p != "" && strings.IndexFunc(p, isNotOfHost) < 0 {
		return strings.ToLower(p)
	}
	if form, ok := letterForms[r]; ok {
		return form
	}
	if ucd.ScriptOf(r) == ucd.ScriptLatn {
		if p := prototype(unicode.ToUpper(r)); len(p) == 1 && ascii.IsAlphanumeric(p[0]) {
			return strings.ToLower(p)
		}
	}
	return string(r)
}

// appendShapeOf appends the shape of a name: its folded form, in which letters and digits of ASCII that read
// alike are one. A letter that looks like two, as ы, stays one, so that one typing error does.
func appendShapeOf(dst []byte, name string) []byte { return appendShapeOfFolded(dst, fold(name)) }

// appendShapeOfFolded is appendShapeOf for a folded name.
func appendShapeOfFolded(dst []byte, folded string) []byte {
	if ascii.Is(folded) {
		return appendShapeOfASCII(dst, folded)
	}
	var buf [320]byte
	key := buf[:0]
	for _, r := range folded {
		start := len(key)
		if key = appendKey(key, string(r)); r >= utf8.RuneSelf && utf8.RuneCount(key[start:]) != 1 {
			key = utf8.AppendRune(key[:start], r)
		}
	}
	return appendShape(dst, key)
}

// asciiShapes has the shape of each character of ASCII alone.
var asciiShapes = func() (shapes [0x80]byte) {
	for i := range shapes {
		shapes[i] = appendShape(nil, []byte(asciiKeys[i]))[0]
	}
	return shapes
}()

// appendShapeOfASCII is appendShapeOf for a name in ASCII.
func appendShapeOfASCII(dst []byte, name string) []byte {
	start := len(dst)
	for i := range len(name) {
		c := asciiShapes[name[i]]
		if last := len(dst) - 1; last >= start {
			switch before := dst[last]; {
			case c == 'n' && before == 'r':
				dst[last] = 'm'
				continue
			case c == 'l' && before == 'c':
				dst[last] = 'd'
				continue
			case c == 'v' && before == 'v':
				dst[last] = 'w'
				continue
			case c == 'w' && before == 'v': // vw and wv look alike
				dst[last], c = 'w', 'v'
			}
		}
		dst = append(dst, c)
	}
	return dst
}

// shapeOf returns the shape of a name.
func shapeOf(name string) string { return string(appendShapeOf(nil, name)) }

// appendLetters appends a name with ASCII letters in place of the digits that people read as
// letters.
func appendLetters(dst []byte, name string) []byte {
	for i := range len(name) {
		c := name[i]
		if at := strings.IndexByte("013458", c); at >= 0 {
			c = "oleasb"[at]
		}
		dst = append(dst, c)
	}
	return dst
}

// A disguise says whether a label has characters that people read as other ASCII letters. Then its
// shape is compared with names, too.
type disguise uint8

const (
	noDisguise disguise = iota
	swapped             // only an i or l, which people confuse
	disguised
)

// disguiseOf returns the disguise of a label.
func disguiseOf(label string) (found disguise) {
	for i := range len(label) {
		switch c := label[i]; {
		case c == 'i' || c == 'l' && (i == 0 || label[i-1] != 'c'):
			found = swapped
		case c >= utf8.RuneSelf, '0' <= c && c <= '8' && c != '2' && c != '6' && c != '7':
			return disguised
		case i > 0:
			switch before := label[i-1]; {
			case before == 'r' && c == 'n', before == 'v' && c == 'v', before == 'c' && c == 'l':
				return disguised
			}
		}
	}
	return found
}

// nameLength returns the length of a name in characters. A character that stands for a syllable or
// word counts twice.
func nameLength(name string) int {
	length := 0
	for _, r := range name {
		length++
		if r >= firstKanaLike {
			switch ucd.ScriptOf(r) {
			case ucd.ScriptHani, ucd.ScriptHang, ucd.ScriptHira, ucd.ScriptKana:
				length++
			}
		}
	}
	return length
}

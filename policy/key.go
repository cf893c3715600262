package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// appendDisplayedKey appends the key of s as displayed: with right-to-left
// letters in visual order (bidiSkeleton, UTS #39 §4).
func appendDisplayedKey(dst []byte, s string) []byte {
	if uts39.HasRightToLeft(s) {
		s = uts39.BidiSkeleton(uts39.LeftToRight, s)
	}
	return appendKey(dst, s)
}

// appendKey appends what of s the eye tells apart: the skeleton (UTS #39 §4)
// without the marks of European letters, in lower case, with vv for w and l
// for i, whose upper case looks like an l before it is mapped.
func appendKey(dst []byte, s string) []byte {
	if isASCII(s) {
		for i := range len(s) {
			dst = append(dst, asciiKeys[s[i]]...)
		}
		return dst
	}
	var buf [256]byte
	for rest := uts39.AppendSkeleton(buf[:0], s); len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		rest = rest[n:]
		switch {
		case r < 0x80:
			dst = append(dst, asciiKeys[r]...)
		case ucd.IsMark(r) && ucd.ScriptOf(r) == ucd.ScriptZinh:
		default:
			dst = appendLetterKey(dst, unicode.ToLower(r))
		}
	}
	return dst
}

// appendLetterKey appends the key of a non-ASCII lower-case letter of a
// skeleton: of the letter whose upper case looks like an ASCII letter, that
// letter.
func appendLetterKey(dst []byte, r rune) []byte {
	if ucd.ScriptOf(r) == ucd.ScriptLatn {
		if p := prototype(unicode.ToUpper(r)); len(p) == 1 {
			return append(dst, asciiKeys[p[0]]...)
		}
	}
	if p := prototype(r); p != "" {
		return append(dst, p...)
	}
	return utf8.AppendRune(dst, r)
}

// prototype returns the prototype of r, "" where it has none.
func prototype(r rune) string {
	if c := ucd.ConfusableOf(r); c != 0 {
		return c.Prototype()
	}
	return ""
}

// asciiKeys are the keys of single ASCII characters.
var asciiKeys = func() (keys [0x80]string) {
	for i := range keys {
		key := strings.ToLower(uts39.Skeleton(string(rune(i))))
		keys[i] = strings.NewReplacer("w", "vv", "i", "l").Replace(key)
	}
	return keys
}()

// appendWordKey appends the key without hyphens.
func appendWordKey(dst, key []byte) []byte {
	for _, c := range key {
		if c != '-' {
			dst = append(dst, c)
		}
	}
	return dst
}

// wordKey returns the key of s without hyphens.
func wordKey(s string) string { return string(appendWordKey(nil, appendDisplayedKey(nil, s))) }

// appendLabelKey appends the key of a label as displayed. Putting
// right-to-left letters in order costs time, so it is left undone for a label
// whose letters no protected domain has.
func (p *protectedSet) appendLabelKey(dst []byte, label string) []byte {
	start := len(dst)
	dst = appendKey(dst, label)
	if uts39.HasRightToLeft(label) && (p.rightToLeft || isASCII(string(dst[start:]))) {
		dst = appendDisplayedKey(dst[:start], label)
	}
	// A character that looks like a dot must not end the label.
	for i := start; i < len(dst); i++ {
		if dst[i] == '.' {
			dst[i] = '_'
		}
	}
	return dst
}

// looksWritten reports whether s has the skeleton of the name, but for the
// case of letters of the skeleton: O for zero is as good as o.
func looksWritten(s, name string) bool {
	return strings.EqualFold(uts39.BidiSkeleton(uts39.LeftToRight, s), uts39.BidiSkeleton(uts39.LeftToRight, name))
}

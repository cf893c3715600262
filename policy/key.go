package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// Strings that look alike to a reader have the same key. More strings share a key than share a
// skeleton (UTS #39 §4).

// appendDisplayedKey appends the key of s as displayed: with right-to-left
// letters in visual order (bidiSkeleton, UTS #39 §4).
func appendDisplayedKey(dst []byte, s string) []byte {
	if uts39.HasRightToLeft(s) {
		s = uts39.BidiSkeleton(s)
	}
	return appendKey(dst, s)
}

// appendKey appends the key of s: the skeleton (UTS #39 §4) in lower case, without the marks of
// European letters and of letters that read as ASCII. It has vv in place of w, cl in place of d,
// and l in place of i, since an upper case I looks like an l before UTS #46 maps it. Digits that
// people read as letters become these letters.
func appendKey(dst []byte, s string) []byte {
	if ascii.Is(s) {
		for i := range len(s) {
			dst = append(dst, asciiKeys[s[i]]...)
		}
		return dst
	}
	var buf [256]byte
	onASCII := false // the previous character reads as ASCII
	for rest := uts39.AppendSkeleton(buf[:0], s); len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		rest = rest[n:]
		switch {
		case r < 0x80:
			dst = append(dst, asciiKeys[r]...)
			onASCII = true
		case ucd.IsMark(r) && (onASCII || ucd.ScriptOf(r) == ucd.ScriptZinh), onASCII && isVoicing(r):
		default:
			onASCII = false
			dst = appendLetterKey(dst, unicode.ToLower(r))
		}
	}
	return dst
}

// isVoicing reports whether r is a voicing mark of kana that takes a place of its own. It is the
// prototype of the combining mark.
func isVoicing(r rune) bool { return r == '\uff9e' || r == '\uff9f' }

// appendLetterKey appends the key of r, a non-ASCII lower-case letter of a skeleton. If the upper
// case of r looks like an ASCII letter, the key is that of the ASCII letter.
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

// asciiKeys has the key of each ASCII character.
var asciiKeys = func() (keys [0x80]string) {
	looks := strings.NewReplacer("w", "vv", "d", "cl", "i", "l", "3", "e", "4", "a", "5", "s", "8", "b")
	for i := range keys {
		key := strings.ToLower(uts39.Skeleton(strings.ToLower(string(rune(i))))) // the skeletons of M and m differ
		keys[i] = looks.Replace(key)
	}
	return keys
}()

// appendWordKey appends a key without its hyphens.
func appendWordKey(dst, key []byte) []byte {
	for _, c := range key {
		if c != '-' {
			dst = append(dst, c)
		}
	}
	return dst
}

// wordKey returns the key of s without hyphens.
func wordKey(s string) string {
	var displayed, word [64]byte
	return string(appendWordKey(word[:0], appendDisplayedKey(displayed[:0], s)))
}

// appendLabelKey appends the key of a label as displayed. The visual order costs time: without
// displayed, it is computed only if all letters look like ASCII. Set displayed if the key is
// compared with keys that have right-to-left letters.
func appendLabelKey(dst []byte, label string, displayed bool) []byte {
	start := len(dst)
	dst = appendKey(dst, label)
	if uts39.HasRightToLeft(label) && (displayed || ascii.Is(string(dst[start:]))) {
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

// looksWritten reports whether s has the skeleton of the name (UTS #39 §4), apart from the case
// of its letters. An O for a zero counts like an o.
func looksWritten(s, name string) bool {
	a, b := strings.ToLower(uts39.BidiSkeleton(s)), strings.ToLower(uts39.BidiSkeleton(name))
	return a == b || strings.EqualFold(uts39.Skeleton(a), uts39.Skeleton(b)) // the skeletons of M and m differ
}

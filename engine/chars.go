package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// The classes of a byte, as bits of byteClass[c].
const (
	labelByte     = 1 << iota // ASCII letter, digit or hyphen: part of a label
	alnumByte                 // ASCII letter or digit
	digitByte                 // ASCII digit
	highByte                  // part of a non-ASCII code point
	initiatorByte             // begins a path, query or fragment
	authorityByte             // may be in an authority: not / ? # < >, a space or a control
	dotByte                   // the full stop
	wordByte                  // alnumByte or highByte: begins or ends a label
	localByte                 // Link_Email or the full stop: part of a local-part
	wwwByte                   // "w" or "W"

	runByte = labelByte | dotByte // part of a host
)

// byteClass has the classes of each byte, so that one load answers several questions.
var byteClass = func() (t [256]uint16) {
	for c := range t {
		switch {
		case '0' <= c && c <= '9':
			t[c] = labelByte | alnumByte | digitByte | wordByte
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			t[c] = labelByte | alnumByte | wordByte
		case c >= utf8.RuneSelf:
			t[c] = highByte | wordByte
		}
	}
	t['w'] |= wwwByte
	t['W'] |= wwwByte
	t['-'] = labelByte
	t['.'] = dotByte
	for _, c := range "/?#" {
		t[c] |= initiatorByte
	}
	for c := range t {
		if c > ' ' && c != 0x7f && !strings.ContainsRune("/?#<>", rune(c)) {
			t[c] |= authorityByte
		}
	}
	for c := range utf8.RuneSelf {
		if c == '.' || ucd.LinkEmail(rune(c)) {
			t[c] |= localByte
		}
	}
	return t
}()

// classAt returns the classes of text[i], or 0 at the end of the text.
func classAt(text string, i int) uint16 {
	if i < len(text) {
		return byteClass[text[i]]
	}
	return 0
}

// byteAt returns text[i], or 0 at the end of the text.
func byteAt(text string, i int) byte {
	if i < len(text) {
		return text[i]
	}
	return 0
}

// decode returns the code point at the offset i, which is before the end of the text, and its length in
// bytes. It returns utf8.RuneError and 1 for a byte that is not UTF-8. It is utf8.DecodeRuneInString
// with a shortcut for code points of two and three bytes, which most non-Latin scripts have.
func decode(text string, i int) (rune, int) {
	if i+2 < len(text) {
		c0, c1, c2 := text[i], text[i+1], text[i+2]
		if c0&0xf0 == 0xe0 && c1&0xc0 == 0x80 && c2&0xc0 == 0x80 {
			r := rune(c0&0x0f)<<12 | rune(c1&0x3f)<<6 | rune(c2&0x3f)
			if r >= 0x800 && r&^0x7ff != 0xd800 {
				return r, 3
			}
		} else if c0&0xe0 == 0xc0 && c0 >= 0xc2 && c1&0xc0 == 0x80 {
			return rune(c0&0x1f)<<6 | rune(c1&0x3f), 2
		}
	}
	return utf8.DecodeRuneInString(text[i:])
}

// linkTermAt returns the code point at the offset i, its length in bytes and its Link_Term. A byte that
// is not UTF-8 is Hard: it ends a link.
func linkTermAt(text string, i int) (r rune, size int, term ucd.LinkTerm) {
	if c := text[i]; c < utf8.RuneSelf {
		return rune(c), 1, ucd.LinkTermOf(rune(c))
	}
	r, size = decode(text, i)
	if r == utf8.RuneError && size == 1 {
		return r, size, ucd.Hard
	}
	return r, size, ucd.LinkTermOf(r)
}

// hasLetters reports whether text has the lower-case letters of s at the offset a, in any case.
func hasLetters(text string, a int, s string) bool {
	for i := range len(s) {
		if text[a+i]|0x20 != s[i] {
			return false
		}
	}
	return true
}

// labelDots maps the label separators of UTS #46 §2.3 to the full stop.
var labelDots = strings.NewReplacer("\u3002", ".", "\uff0e", ".", "\uff61", ".")

// separatorAt returns the length in bytes of the label separator at the offset i: 1 or 3, or 0 for any
// other character.
func separatorAt(text string, i int) int {
	if i < len(text) && text[i] == '.' {
		return 1
	}
	if i+3 <= len(text) && isWideDot(text[i:i+3]) {
		return 3
	}
	return 0
}

// separatorBefore returns the length in bytes of the label separator that ends at the offset i, or 0.
// It must not begin before floor.
func separatorBefore(text string, i, floor int) int {
	if i > floor && text[i-1] == '.' {
		return 1
	}
	if i-3 >= floor && isWideDot(text[i-3:i]) {
		return 3
	}
	return 0
}

// isWideDot reports whether three bytes are U+3002, U+FF0E or U+FF61.
func isWideDot(s string) bool {
	switch s {
	case "\u3002", "\uff0e", "\uff61":
		return true
	}
	return false
}

// trimSeparators returns b without the separators directly in front of it. It stops at the offset a.
func trimSeparators(text string, a, b int) int {
	for b > a {
		n := separatorBefore(text, b, a)
		if n == 0 {
			return b
		}
		b -= n
	}
	return b
}

// trimIgnored returns the end of the name text[a:b] without final characters that UTS #46 ignores, such
// as a zero width space, and without separators in front of them.
func trimIgnored(text string, a, b int) int {
	for b > a && text[b-1] >= utf8.RuneSelf {
		r, size := utf8.DecodeLastRuneInString(text[a:b])
		if ucd.HostClassOf(r) != ucd.HostIgnored {
			break
		}
		b = trimSeparators(text, a, b-size)
	}
	return b
}

// lastLabel returns the offset of the last label of the name text[a:b].
func lastLabel(text string, a, b int) int {
	for b > a {
		switch text[b-1] {
		case '.', 0x82, 0x8e, 0xa1: // the last bytes of the four dots
			if separatorBefore(text, b, a) != 0 {
				return b
			}
		}
		b--
	}
	return a
}

// nextLabel returns the offset of the label after the next separator at or after i, or end.
func nextLabel(text string, i, end int) int {
	for ; i < end; i++ {
		switch text[i] {
		case '.', 0xe3, 0xef: // the first bytes of the four dots
			if n := separatorAt(text, i); n != 0 {
				return i + n
			}
		}
	}
	return end
}

// skipIgnored returns the offset of the first character in text[a:b] that UTS #46 does not ignore. It
// ignores, for example, a byte order mark.
func skipIgnored(text string, a, b int) int {
	for a < b && text[a] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(text[a:b])
		if ucd.HostClassOf(r) != ucd.HostIgnored {
			break
		}
		a += size
	}
	return a
}

// isUnderscore reports whether UTS #46 maps r to "_".
func isUnderscore(r rune) bool {
	switch r {
	case '_', '＿', '︳', '︴', '﹍', '﹎', '﹏':
		return true
	}
	return false
}

// isSpaceless reports whether r is a letter of a script written without spaces. Full-width letters, the
// small hyphen and squared letters do not count, although lines break next to them (UAX #14, class ID):
// UTS #46 maps them to ASCII.
func isSpaceless(r rune) bool {
	return ucd.ScanOf(r).Spaceless() && r != '﹣' && (r < '！' || r > '～') && (r < 0x3250 || r > 0x33ff || !isSquare(r))
}

// isSquare reports whether r is a circled number or squared letters, such as "㉑" and "㎏".
func isSquare(r rune) bool {
	return r <= 0x325f || 0x32b1 <= r && r <= 0x32bf || 0x32cc <= r && r <= 0x32cf || 0x3371 <= r && r <= 0x337a || 0x3380 <= r && r <= 0x33df || r == 0x33ff
}

// isEdgeSymbol reports whether r is a symbol that texts put directly before or after a host. That is a
// symbol that UTS #46 allows, or a superscript, fraction or sign that it maps to letters and digits, or
// a wide currency sign.
func isEdgeSymbol(r rune) bool {
	switch ucd.HostClassOf(r) {
	case ucd.HostSymbol:
		return true
	case ucd.HostMapped:
		return isNumberSign(r) || isWideCurrency(r)
	}
	return false
}

// isWideCurrency reports whether r is a currency sign as wide as East Asian text, such as "￥". UTS #46
// maps some of them to the ordinary sign.
func isWideCurrency(r rune) bool { return r >= 0xff00 && unicode.Is(unicode.Sc, r) }

// isNumberSign reports whether r is a superscript, a fraction, a prime, or a sign such as "™".
func isNumberSign(r rune) bool {
	return r > unicode.MaxLatin1 && unicode.In(r, unicode.No, unicode.So, unicode.Po) || strings.ContainsRune("²³¹¼½¾", r)
}

// isLetterSign reports whether UTS #46 maps the sign r to letters, as it does "ⓐ" and "™".
func isLetterSign(r rune) bool {
	return unicode.Is(unicode.So, r) && ucd.HostClassOf(r) == ucd.HostMapped
}

// isMiddleDot reports whether r is a dot that separates items of lists. Hosts have it only within
// Catalan and Japanese words.
func isMiddleDot(r rune) bool { return r == '·' || r == '・' }

// isEastAsianText reports whether r is a letter of a script written without spaces, or punctuation that
// such text puts between words without a space.
func isEastAsianText(r rune) bool {
	switch r {
	case '！', '（', '）', '，', '：', '；', '？':
		return true
	}
	return 0x3001 <= r && r <= 0x301f || isSpaceless(r)
}

// wordEnd returns the end of the first word of the label text[i:end]: ASCII letters and digits, or
// non-ASCII letters and marks.
func wordEnd(text string, i, end int) int {
	if byteClass[text[i]]&highByte == 0 {
		for i < end && byteClass[text[i]]&alnumByte != 0 {
			i++
		}
		return i
	}
	for i < end && text[i] >= utf8.RuneSelf {
		r, size := decode(text, i)
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		i += size
	}
	return i
}

// continuesHost reports whether the character at the offset i belongs to the host in front of it, so
// that the host is not valid there. Names in use have "_", browsers decode "%" in a host, and "@" makes
// the host a user name.
func continuesHost(text string, i int) bool {
	switch byteAt(text, i) {
	case '_', '%', '@':
		return true
	}
	return false
}

// isSlash reports whether browsers read c as a slash.
func isSlash(c byte) bool { return c == '/' || c == '\\' }

// ellipses are the characters that people write in place of a host that they leave out. No host
// consists only of them.
const ellipses = ".․‥…⋯"

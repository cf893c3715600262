package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine/ucd"
)

// What an octet of the text is to the scanner, as bits of octets[c].
const (
	hostOctet      = 1 << iota // ASCII letter, digit or hyphen: part of a label
	alnumOctet                 // ASCII letter or digit
	digitOctet                 // ASCII digit
	highOctet                  // part of a code point beyond ASCII
	initiatorOctet             // begins a path, query or fragment
	authorityOctet             // does not end an authority, as / ? # < >, spaces and controls do
	dotOctet                   // the full stop
	wordOctet                  // alnumOctet or highOctet: begins or ends a label
	localOctet                 // Link_Email, or the full stop: part of a local-part

	runOctet = hostOctet | dotOctet // may stand in a host
)

// octets classifies every octet; one load answers several questions.
var octets = func() (t [256]uint16) {
	for c := range t {
		switch {
		case '0' <= c && c <= '9':
			t[c] = hostOctet | alnumOctet | digitOctet | wordOctet
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			t[c] = hostOctet | alnumOctet | wordOctet
		case c >= 0x80:
			t[c] = highOctet | wordOctet
		}
	}
	t['-'] = hostOctet
	t['.'] = dotOctet
	for _, c := range "/?#" {
		t[c] |= initiatorOctet
	}
	for c := range t {
		if c > ' ' && c != 0x7f && !strings.ContainsRune("/?#<>", rune(c)) {
			t[c] |= authorityOctet
		}
	}
	for c := range utf8.RuneSelf {
		if c == '.' || ucd.LinkEmail(rune(c)) {
			t[c] |= localOctet
		}
	}
	return t
}()

// octetAt returns the class of text[i], or 0 at the end of the text.
func (sc *scan) octetAt(i int) uint16 {
	if i < len(sc.text) {
		return octets[sc.text[i]]
	}
	return 0
}

// byteAt returns text[i], or 0 at the end of the text.
func (sc *scan) byteAt(i int) byte {
	if i < len(sc.text) {
		return sc.text[i]
	}
	return 0
}

// decode returns the code point that begins at the offset i, which is not
// the end of the text, and its length in octets; for an octet that belongs to
// none, utf8.RuneError and 1. It is utf8.DecodeRuneInString with a shorter way
// for what most scripts beyond Latin take, three octets and two.
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

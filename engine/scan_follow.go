package engine

import (
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine/ucd"
)

// Browsers read an authority up to "/", "?", "#" or "\" (WHATWG URL, authority
// state), so a host may go on behind what UTS #46 allows in one. Such a text is a
// suspect: a link to its first part would hide the host that a browser opens.
//
// The rest of a host is the text behind it, up to one of / ? # \ : < > [ ] or a
// character with Link_Term Hard that UTS #46 disallows (white space, controls,
// unassigned). Without a scheme, "@", "|" and East Asian text end the rest, too. The
// host goes on, in both modes, if
//
//   - a label follows a dot and a character of a label in the rest: after a
//     scheme, one that begins with an ASCII letter or is a top-level domain;
//     without one, a top-level domain that is not part of a local-part;
//   - the rest holds a percent-escape, after a scheme;
//   - the rest begins with dots, then "_" and a label, or a percent-escape.
//
// Otherwise the rest is text, as in "https://example.com" and https://example.com's.

// A restKind says what a character of the rest of a host is.
type restKind uint8

const (
	restEnd    restKind = iota // not part of the rest
	restMark                   // a character that is not part of a label
	restLabel                  // part of a label
	restDot                    // a label separator
	restEscape                 // a percent-escape
)

// restAt returns the kind of the character at the offset i and its length in
// bytes. url says that the host follows a scheme.
func (sc *scan) restAt(i int, url bool) (kind restKind, size int) {
	c := sc.byteAt(i)
	switch class := octets[c]; {
	case c == '.':
		return restDot, 1
	case class&hostOctet != 0, c == '_':
		return restLabel, 1
	case class&authorityOctet == 0, c == '\\', c == ':', c == '[', c == ']', !url && (c == '@' || c == '|'):
		return restEnd, 0
	case c == '%':
		if _, ok := escapedByte(sc.text[i:]); ok {
			return restEscape, 3
		}
		return restMark, 1
	case c < utf8.RuneSelf:
		return restMark, 1
	}
	r, size, term := linkTermAt(sc.text, i)
	switch {
	case term == ucd.Hard && ucd.HostClassOf(r) == ucd.HostDisallowed:
		return restEnd, 0
	case sc.separatorAt(i) != 0:
		return restDot, size
	case !url && isEastAsianText(r):
		return restEnd, 0
	case ucd.HostClassOf(r) == ucd.HostDisallowed && !isUnderscore(r), ucd.HostClassOf(r) == ucd.HostPunctuation:
		return restMark, size
	}
	return restLabel, size
}

// isEastAsianText reports whether r is a letter of a script written without
// spaces, or a mark that such text puts between words without a space.
func isEastAsianText(r rune) bool {
	switch r {
	case '！', '（', '）', '，', '：', '；', '？':
		return true
	}
	return 0x3001 <= r && r <= 0x301f || isSpaceless(r)
}

// isUnderscore reports whether UTS #46 maps r to "_".
func isUnderscore(r rune) bool {
	switch r {
	case '_', '＿', '︳', '︴', '﹍', '﹎', '﹏':
		return true
	}
	return false
}

// goesOn reports whether the host that ends at the offset i goes on behind it.
// end is then the end of its last label, or of the whole authority if a path,
// query or fragment follows.
func (sc *scan) goesOn(i int, url bool) (end int, ok bool) {
	if sc.octetAt(i)&authorityOctet == 0 {
		return 0, false
	}
	ok = sc.goesOnAtOnce(i)
	if !ok && !url && sc.textFrom <= i && i < sc.textTo {
		return 0, false
	}
	from, end, label := i, i, false
	for {
		kind, size := sc.restAt(i, url)
		afterLabel := label
		label = kind == restLabel || kind == restEscape
		switch kind {
		case restEnd:
			if !ok {
				sc.keepText(from, i, url)
			} else if sc.octetAt(i)&initiatorOctet != 0 {
				end = i
			}
			return end, ok
		case restDot:
			if name, found := sc.nameAt(i+size, url); afterLabel && found {
				if !url && sc.isLocalPart(i+size, name) {
					if !ok {
						sc.keepText(from, i, url)
					}
					return end, ok
				}
				ok, label, end, size = true, true, name, name-i
			}
		case restLabel:
			end = i + size
		case restEscape:
			ok, end = ok || url, i+size
		}
		i += size
	}
}

// keepText remembers that text[from:to], without a scheme before it, holds no
// part of a host that ends at from or later. So a long text of many hosts takes
// linear time.
func (sc *scan) keepText(from, to int, url bool) {
	if !url {
		sc.textFrom, sc.textTo = from, to
	}
}

// goesOnAtOnce reports whether a dot and a label that begins with "_" or a
// percent-escape follow the host that ends at the offset i. Characters that
// UTS #46 ignores do not matter.
func (sc *scan) goesOnAtOnce(i int) bool {
	if c := sc.byteAt(i); c < utf8.RuneSelf && c != '.' {
		return false
	}
	dots, underscores := false, false
	for i < len(sc.text) {
		r, size := decode(sc.text, i)
		switch {
		case !underscores && sc.separatorAt(i) != 0:
			dots = true
		case (dots || underscores) && r == '%':
			kind, _ := sc.restAt(i, true)
			return kind == restEscape
		case (dots || underscores || r != '_') && isUnderscore(r):
			underscores = true
		case ucd.HostClassOf(r) == ucd.HostIgnored:
			dots = true // as if the name ended with it
		default:
			if !underscores {
				return false
			}
			kind, _ := sc.restAt(i, false)
			return kind == restLabel
		}
		i += size
	}
	return false
}

// nameAt returns the end of the name that makes a host of a label and a dot
// before the offset i: a top-level domain, perhaps with East Asian text behind it,
// or, after a scheme, what begins with an ASCII letter.
func (sc *scan) nameAt(i int, url bool) (end int, ok bool) {
	end = sc.labelEnd(i)
	if sc.s.tlds.Contains(sc.text[i:end]) {
		return end, true
	}
	i = sc.skipIgnored(i, end)
	if i == end {
		return 0, false
	}
	if c := octets[sc.text[i]]; url && c&alnumOctet != 0 && c&digitOctet == 0 {
		return end, true
	}
	k := i
	for k < end && octets[sc.text[k]]&hostOctet != 0 {
		k++
	}
	return k, k > i && sc.s.tlds.Contains(sc.text[i:k])
}

// isUserinfo reports whether an "@" follows at the offset i or later in the
// authority: then what looks like the host of a URL is a user name (WHATWG URL,
// authority state). A backslash ends the authority for browsers, but not for others.
func (sc *scan) isUserinfo(i int) bool { return sc.userinfoEnd(i) > i }

// userinfoEnd returns the offset behind the last "@" of the authority that goes
// on at the offset i, or i.
func (sc *scan) userinfoEnd(i int) int {
	end := i
	for i < len(sc.text) {
		c := octets[sc.text[i]]
		size := 1
		switch {
		case c&highOctet != 0:
			var r rune
			if r, size = decode(sc.text, i); ucd.IsWhiteSpace(r) || r == utf8.RuneError && size == 1 {
				return end
			}
		case c&authorityOctet == 0 && !isHiddenControl(sc.text[i]):
			return end
		case sc.text[i] == '@':
			end = i + 1
		}
		i += size
	}
	return end
}

// isHiddenControl reports whether c is a control character of ASCII other than white
// space. Browsers escape it in userinfo (WHATWG URL, userinfo percent-encode set).
func isHiddenControl(c byte) bool {
	return c == 0x7f || c < ' ' && !ucd.IsWhiteSpace(rune(c))
}

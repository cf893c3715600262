package engine

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// Readable returns the link for people to read. It decodes percent-escapes that are
// not needed and writes the host in the form wanted. The result opens the same URL
// as Href, and detection finds it whole if it found the link whole.
//
// Readable decodes only well-formed non-ASCII UTF-8 and unreserved ASCII. It keeps or makes an
// escape of every character that would end the link, is invisible, looks like the syntax of a
// URL, or would change under normalisation. Everything else stays as typed, so a link that is
// readable already is returned unchanged, usually without allocation. So is a suspect.
func (l Link) Readable(form HostForm) string {
	switch {
	case l.Kind != KindURL && l.Kind != KindEmail, isReadable(l.Text):
		return l.Text
	case l.Kind == KindEmail:
		return l.readableAddress(form)
	case isBareIPv6(l.host()), l.isOther():
		// Browsers do not open it as shown, so it stays as typed.
		return l.Text
	}
	var room [512]byte
	dst := append(room[:0], l.Text[:l.bounds.schemeEnd]...)
	if l.bounds.hostStart > l.bounds.schemeEnd {
		dst = append(appendVisible(dst, l.userinfo()), '@')
	}
	dst = append(dst, l.displayHost(form)...)
	dst = append(dst, l.Text[l.bounds.hostEnd:l.bounds.portEnd]...)
	after, rest := len(dst), l.Text[l.bounds.portEnd:]
	dst = appendReadableParts(dst, rest, l.inText)
	if string(dst) == l.Text {
		return l.Text
	}
	text := string(dst)
	if isWhole(l.Text, l.bounds.portEnd) && !isWhole(text, after) {
		return wholeForm(dst[:after], rest, l.inText)
	}
	return text
}

// wholeForm returns the readable form of a link whose host and port are head and which an
// adjustment of default mode would cut: the adjustment sees text behind ASCII where a character
// became an escape, or an escape ASCII. So all of rest is escaped that is not ASCII, and shown
// only as far as nothing is cut.
func wholeForm(head []byte, rest string, keepASCII bool) string {
	escaped := string(appendASCII(nil, rest))
	text := string(appendReadableParts(head, escaped, keepASCII))
	if isWhole(text, len(head)) {
		return text
	}
	return string(head) + escaped
}

// isWhole reports whether no adjustment of default mode ends a link before its end. Its host and
// port end at the offset after.
func isWhole(text string, after int) bool {
	return adjustedEnd(text, 0, after, len(text)) == len(text)
}

// appendASCII appends text with all but ASCII escaped.
func appendASCII(dst []byte, s string) []byte {
	for _, r := range s {
		if r < utf8.RuneSelf {
			dst = append(dst, byte(r))
		} else {
			dst = percent.AppendRune(dst, r)
		}
	}
	return dst
}

// readableAddress is Readable for an e-mail address. Percent-escapes have a meaning
// only in a mailto: URL; there it decodes the local-part if it can show all of it.
func (l Link) readableAddress(form HostForm) string {
	local := l.userinfo()
	dst := make([]byte, 0, len(l.Text))
	dst = append(dst, l.Text[:l.bounds.schemeEnd]...)
	if l.bounds.schemeEnd > 0 {
		local = readableLocalPart(local)
	}
	dst = append(append(dst, local...), '@')
	dst = append(dst, l.displayHost(form)...)
	if rest := l.Text[l.bounds.portEnd:]; rest != "" {
		dst = appendReadableParts(dst, rest, false)
	}
	return string(dst)
}

// readableLocalPart decodes the local-part of a mailto: URL. It returns local
// unchanged if a character must stay escaped.
func readableLocalPart(local string) string {
	var decoded []byte
	for i := 0; i < len(local); {
		u := percent.Next(local[i:])
		switch {
		case u.Spelling == percent.Typed:
		case u.Spelling == percent.Stray, u.Rune < utf8.RuneSelf && !percent.IsUnreserved(u.Rune):
			return local
		case isHidden(u.Rune), ucd.IsUnknownToIDNA(u.Rune):
			return local
		}
		if u.Spelling != percent.Typed && completesEscape(decoded, u.Rune) {
			return local
		}
		decoded = utf8.AppendRune(decoded, u.Rune)
		i += u.Size
	}
	if s := string(decoded); isLinkLocalPart(s) && norm.NFC.IsNormalString(s) {
		return s
	}
	return local
}

// isReadable reports whether Readable would not change the link: it has no escapes,
// no A-labels and nothing beyond ASCII.
func isReadable(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= utf8.RuneSelf, c == '%':
			return false
		case c == '-' && i >= 3 && s[i-1] == '-' && strings.EqualFold(s[i-3:i-1], "xn"):
			return false
		}
	}
	return true
}

// appendVisible appends text that Readable never decodes, with invisible characters
// escaped.
func appendVisible(dst []byte, s string) []byte {
	for _, r := range s {
		if isHidden(r) || r == zeroWidthJoiner || r == zeroWidthNonJoiner {
			dst = percent.AppendRune(dst, r)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

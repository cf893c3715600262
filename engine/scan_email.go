package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine/ucd"
)

// mailto is the scheme of addresses with its colon (RFC 6068).
const mailtoPrefix = "mailto:"

// address deals with the "@" at the offset p (UTS #58 §5.2). Before a domain
// name it makes an address, or, where the local-part is missing or broken,
// hides that domain name; without one it means nothing. What follows the
// domain like a port or path is left out of the link and not looked at again.
// It reports whether l was set.
func (sc *scan) address(p int, l *Link) bool {
	t, ok := sc.domainFrom(p + 1)
	if !ok {
		return false
	}
	end := t.name
	after := end
	if port, ok := sc.port(end); ok {
		after = port
	}
	after = sc.partsEnd(after)
	start, ok := sc.localPart(p)
	if !ok {
		sc.finish(after)
		return false
	}
	scheme := 0
	if a := start - len(mailtoPrefix); a >= sc.done && sc.text[start-1] == ':' && strings.EqualFold(sc.text[a:start], mailtoPrefix) {
		start, scheme = a, len(mailtoPrefix)
	}
	if last, ok := sc.goesOn(end, false); ok {
		return sc.suspectName(opening{start: start, scheme: start + scheme, authority: p + 1}, last, l)
	}
	if sc.continuesHost(end) && sc.text[end] != '@' {
		sc.finish(after)
		return false
	}
	l.Kind, l.Reason, l.Start, l.End = KindEmail, "", start, end
	l.parts = parts{schemeEnd: scheme, hostStart: p + 1 - start, hostEnd: end - start, portEnd: end - start}
	sc.emit(l)
	if after > end {
		sc.finish(after)
	}
	return true
}

// localPart returns where the local-part before the "@" at the offset p
// begins: at the first of the Link_Email characters and dots before it. A dot
// at either end, two in a row, and more than 64 octets (RFC 5321 §4.5.3.1.1)
// make it none; so does "//" after a colon, since then the address is the
// userinfo of a URL, of whatever scheme.
func (sc *scan) localPart(p int) (start int, ok bool) {
	// after is the class of the octet after the one looked at; the "@" counts
	// as a dot, so that one before it is one of two in a row.
	text, i, after, twoDots := sc.text, p, uint16(dotOctet), uint16(0)
	floor := max(sc.done, p-maxLocalPart-utf8.UTFMax)
	for i > floor {
		c := octets[text[i-1]]
		if c&(localOctet|highOctet) == 0 {
			break
		}
		twoDots |= c & after & dotOctet
		after = c
		size := 1
		if c&highOctet != 0 {
			var r rune
			if r, size = utf8.DecodeLastRuneInString(text[floor:i]); !ucd.LinkEmail(r) {
				break
			}
		}
		i -= size
	}
	if i == p || p-i > maxLocalPart || text[i] == '.' || twoDots != 0 {
		return 0, false
	}
	if strings.HasPrefix(text[i:p], "//") && i > 0 && text[i-1] == ':' {
		return 0, false
	}
	return i, true
}

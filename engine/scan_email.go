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
	if !ok || sc.continuesHost(end) && sc.text[end] != '@' {
		sc.finish(after)
		return false
	}
	scheme := 0
	if a := start - len(mailtoPrefix); a >= sc.done && sc.text[start-1] == ':' && strings.EqualFold(sc.text[a:start], mailtoPrefix) {
		start, scheme = a, len(mailtoPrefix)
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
	text, i := sc.text, p
	for i > sc.done {
		c := octets[text[i-1]]
		if c&localOctet != 0 {
			i--
		} else if c&highOctet == 0 {
			break
		} else if r, size := utf8.DecodeLastRuneInString(text[sc.done:i]); ucd.LinkEmail(r) {
			i -= size
		} else {
			break
		}
		if p-i > maxLocalPart {
			return 0, false
		}
	}
	local := text[i:p]
	if local == "" || local[0] == '.' || local[len(local)-1] == '.' || strings.Contains(local, "..") {
		return 0, false
	}
	if strings.HasPrefix(local, "//") && i > 0 && sc.text[i-1] == ':' {
		return 0, false
	}
	return i, true
}

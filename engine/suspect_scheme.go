package engine

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/scheme"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// A schemeHost is what other programs take for the host of a URL because of its scheme, as offsets.
type schemeHost struct {
	start, end int  // the host; empty for mailto: without an "@"
	linkStart  int  // where the scheme begins
	linkEnd    int  // after the host, or after the local-part
	isNumber   bool // it is a number found by numberAfterColon
}

// refuseAfterColon records the host or number that hostAfterColon finds after the ":" at the offset
// p.
func (sc *scan) refuseAfterColon(p int) {
	if !sc.suspects {
		return
	}
	if h, ok := sc.hostAfterColon(p); ok {
		sc.refuse(p, h.linkEnd, true)
	}
}

// nextColon returns the offset of the next ":" in text[from:to] after which hostAfterColon finds a
// host, or to or more. The host must end before the next link. sc.colonHost keeps it for the next
// call, because nextRefusedHost may find several hosts in front of the colon first.
func (sc *scan) nextColon(from, to int) int {
	i := max(from, sc.colonFrom)
	if i == sc.colonFrom && i < to && sc.colonHost.linkEnd > 0 && sc.colonHost.linkEnd <= sc.end && sc.colonHost.linkStart >= sc.lastEnd {
		return i
	}
	for sc.colonHost = (schemeHost{}); i < to; i++ {
		j := strings.IndexByte(sc.text[i:to], ':')
		if j < 0 {
			i = to
			break
		}
		i += j
		if h, ok := sc.hostAfterColon(i); ok && h.linkEnd <= sc.end {
			sc.colonHost = h
			break
		}
	}
	sc.colonFrom = i
	return i
}

// hostAfterColon returns what numberAfterColon or schemeHostAt finds after the ":" at the offset p.
func (sc *scan) hostAfterColon(p int) (h schemeHost, ok bool) {
	if a, end := sc.numberAfterColon(p); a < end {
		return schemeHost{start: a, end: end, linkStart: p, linkEnd: end, isNumber: true}, true
	}
	if sc.onlyNames {
		return h, false
	}
	return sc.schemeHostAt(p)
}

// emitAfterColon sets l to the suspect that nextColon found.
func (sc *scan) emitAfterColon(l *Link) {
	if h := sc.colonHost; h.isNumber {
		sc.emitRefused(h.start, h.end, l)
	} else {
		sc.emitSchemeHost(h, l)
	}
}

// schemeHostAt returns the host after the ":" at the offset p that other programs link because of its
// scheme, or because it is an IPv6 address after "//". It leaves out hosts that nextRefusedHost finds.
func (sc *scan) schemeHostAt(p int) (h schemeHost, ok bool) {
	if a := openBefore(sc.text, p); a >= 0 {
		end, ok := bracketedIPv6(sc.text, a)
		return schemeHost{start: a, end: end, linkStart: a, linkEnd: end}, ok
	}
	a := skipSlashes(sc.text, p+1)
	name, hasSlashes := plainScheme(sc.text, p), strings.HasPrefix(sc.text[p+1:a], "//")
	if name == "" && !hasSlashes {
		return h, false
	}
	h = schemeHost{start: a, linkStart: sc.otherScheme(p, name)}
	if h.linkStart < 0 {
		return h, false
	}
	if h.end = sc.numberEnd(a); h.end > a && hasSlashes {
		h.linkEnd = h.end
		return h, true
	}
	if end, ok := bracketedIPv6(sc.text, a); ok && hasSlashes {
		h.end, h.linkEnd = end, end
		return h, true
	}
	from := a
	if a == p+1 {
		if from = sc.localEnd(a); name != scheme.Mailto || from == a || byteAt(sc.text, from) != '@' {
			return h, false
		}
		from++
	}
	h.start, h.end = sc.runAfterScheme(from, name == scheme.Mailto && a > p+1)
	h.linkEnd = h.end
	if strings.Trim(sc.text[h.start:h.end], ellipses) == "" || a > p+1 && sc.isLeftOut(sc.text[a:h.end]) || a == p+1 && h.start > from && sc.text[h.start-1] != '@' || sc.hasHost(a, h.end) {
		return h, false
	}
	switch {
	case name == scheme.Mailto:
		if sc.text[h.start-1] != '@' {
			h.start, h.end = a, a
		}
	case name != "" && name != "file" && !hasSlashes:
		host := sc.text[h.start:h.end]
		return h, strings.Contains(host, ".") && strings.ContainsFunc(host, ascii.IsLetter[rune])
	}
	return h, true
}

// emitSchemeHost sets l to the suspect with the host h. Detection does not find the scheme of that URL,
// or the host has no top-level domain.
func (sc *scan) emitSchemeHost(h schemeHost, l *Link) {
	l.Start, l.End, l.Text = h.linkStart, h.linkEnd, sc.text[h.linkStart:h.linkEnd]
	name, _ := scheme.Name(l.Text)
	if name != "" && !scheme.MayLink(name) {
		h.end = h.start // file:///etc/hosts has no name that browsers look up
	}
	host := sc.text[h.start:h.end]
	l.Kind, l.ascii, l.inText = KindSuspect, sc.asciiOf(host), false
	d := h.linkStart
	l.bounds = bounds{schemeEnd: skipSlashes(sc.text, h.linkStart+strings.IndexByte(l.Text, ':')+1) - d, hostStart: h.start - d, hostEnd: h.end - d, portEnd: h.end - d}
	if h.end == h.start {
		l.bounds.portEnd = h.linkEnd - d
	}
	if l.Reason = cmp.Or(sc.hostReason(host), ReasonTouching); h.start == h.linkStart {
		l.bounds.schemeEnd, l.Reason = 0, ReasonNoScheme
	}
	if name == scheme.Mailto {
		l.bounds.schemeEnd = len(mailtoPrefix)
	}
}

// hasHost reports whether nextRefusedHost finds a host in text[a:b].
func (sc *scan) hasHost(a, b int) bool {
	if nextSeparator(sc.text, a, b, true) < 0 {
		return false
	}
	var l Link
	return sc.firstRefusedHost(a, b, &l)
}

// numberAfterColon returns the number after the ":" at the offset p and slashes that hides an IPv4
// address, or an empty range. It must follow "mailto:", or "://" and a word that ends in a scheme, as
// in seehttp://0: other programs open it.
func (sc *scan) numberAfterColon(p int) (a, end int) {
	a = skipSlashes(sc.text, p+1)
	if classAt(sc.text, a)&digitByte == 0 || a == p+1 {
		return a, a
	}
	if sc.endsInMailto(p) || sc.text[p+1:a] == "//" && anySchemeBefore(sc.text, p, 0) >= 0 {
		return a, sc.numberEnd(a)
	}
	return a, a
}

// maxNumber is the length in bytes up to which a number is tried as an IPv4 address.
const maxNumber = 64

// numberEnd returns the end of the number at the offset a if it hides an IPv4 address, otherwise a.
func (sc *scan) numberEnd(a int) int {
	end := a
	for end < len(sc.text) && end-a < maxNumber && (classAt(sc.text, end)&alnumByte != 0 || sc.text[end] == '.') {
		end++
	}
	if end < len(sc.text) {
		r, size := decode(sc.text, end)
		if strings.ContainsRune("-_%@.", r) || classAt(sc.text, end)&alnumByte != 0 || r >= utf8.RuneSelf && (r != utf8.RuneError || size > 1) && sc.isInHost(r) {
			return a // the host goes on
		}
	}
	number := strings.TrimRight(strings.ToLower(sc.text[a:end]), ".")
	if !endsInNumber(number) || isIPv4(number) {
		return a
	}
	if _, err := ipv4(number); err != nil {
		return a
	}
	return a + len(number)
}

// addressIn finds an IPv4 address in text[from:to] that no ASCII letter or digit touches. After ASCII
// text and a dot it does not count, because it is the end of another name. Where other programs expect
// a host, its numbers may be octal.
func addressIn(text string, from, to int) (start, end int, ok bool) {
	for i := from; i < to; i++ {
		if byteClass[text[i]]&digitByte == 0 {
			continue
		}
		start := i
		for i < to && byteClass[text[i]]&(digitByte|dotByte) != 0 {
			i++
		}
		end := start + len(strings.TrimRight(text[start:i], "."))
		if (isIPv4(text[start:end]) || expectsHost(text[:start]) && isOctal(text[start:end])) && (end < i || classAt(text, i)&alnumByte == 0) &&
			(start == from || byteClass[text[start-1]]&(alnumByte|dotByte) == 0 || start-1 > from && text[start-1] == '.' && text[start-2] >= utf8.RuneSelf) {
			return start, end, true
		}
	}
	return 0, 0, false
}

// isOctal reports whether browsers read s as an IPv4 address of four numbers, some of which may be
// octal.
func isOctal(s string) bool {
	if len(s) > maxNumber || strings.Count(s, ".") != 3 || strings.Contains(s, "..") {
		return false
	}
	_, err := ipv4(s)
	return err == nil
}

// expectsHost reports whether a text ends in "//", or in the "@" of a mailto: URL.
func expectsHost(text string) bool {
	local, ok := strings.CutSuffix(text, "@")
	if !ok {
		return strings.HasSuffix(text, "//")
	}
	return mailtoStart(local, len(local), 0) >= 0
}

// plainSchemes are the schemes that other programs link without two slashes (xurls).
var plainSchemes = []string{scheme.Mailto, "file", "cid", "mid", "tel", "sms", "geo", "xmpp", "matrix", "magnet", "bitcoin"}

// plainScheme returns the scheme of plainSchemes in which text[:p] ends, or "".
func plainScheme(text string, p int) string {
	if p < len("cid") || strings.IndexByte("delmnopstx", text[p-1]|0x20) < 0 {
		return ""
	}
	i := slices.IndexFunc(plainSchemes, func(s string) bool { return p >= len(s) && hasLetters(text, p-len(s), s) })
	if i < 0 {
		return ""
	}
	return plainSchemes[i]
}

// isPlainColon reports whether the ":" at the offset p follows one of plainSchemes, and a slash follows
// it.
func isPlainColon(text string, p int) bool {
	return byteAt(text, p+1) == '/' && plainScheme(text, p) != ""
}

// colonInBrackets returns the offset of the first ":" of an IPv6 address in brackets, which follow two
// slashes; or 0. The second slash is at the offset i. openBefore must accept the colon.
func colonInBrackets(text string, i int) int {
	if byteAt(text, i+1) != '[' {
		return 0
	}
	c := i + len("/[")
	for c < len(text) && ascii.IsHex(text[c]) {
		c++
	}
	if byteAt(text, c) != ':' || openBefore(text, c) < 0 {
		return 0
	}
	return c
}

// openBefore returns the offset of the "[" of an IPv6 address whose first ":" is at the offset p, if
// "//" without a scheme is in front of the bracket. Otherwise it returns -1.
func openBefore(text string, p int) int {
	a := p
	for a > 0 && p-a < len("ffff") && ascii.IsHex(text[a-1]) {
		a--
	}
	before, ok := strings.CutSuffix(text[:a], "//[")
	if !ok || strings.HasSuffix(before, ":") {
		return -1
	}
	return a - len("[")
}

// otherScheme returns the start of the scheme in front of the ":" at the offset p, after the latest
// link. If name is not empty, it is the scheme. Otherwise the scheme is one that detection finds, even
// at the end of a word, or the whole word. otherScheme returns -1 if no ASCII letter begins it.
func (sc *scan) otherScheme(p int, name string) int {
	if a := p - len(name); name != "" {
		if a < sc.lastEnd {
			return -1
		}
		return a
	}
	if a := anySchemeBefore(sc.text, p, sc.lastEnd); a >= 0 {
		return a
	}
	i := p
	for i > sc.lastEnd && p-i < maxScheme && isSchemeByte(sc.text[i-1]) {
		i--
	}
	for i < p && !ascii.IsLetter(sc.text[i]) {
		i++
	}
	if i == p {
		return -1
	}
	return i
}

// maxScheme is the length in bytes up to which a word counts as a scheme.
const maxScheme = 64

// isSchemeByte reports whether a scheme may have the byte c (RFC 3986 §3.1).
func isSchemeByte(c byte) bool { return ascii.IsAlphanumeric(c) || c == '+' || c == '-' || c == '.' }

// localEnd returns the end of the ASCII local-part at the offset i.
func (sc *scan) localEnd(i int) int {
	end := min(len(sc.text), i+maxLocalPart)
	for i < end && byteClass[sc.text[i]]&localByte != 0 {
		i++
	}
	return i
}

// runAfterScheme returns the bounds of the labels after the offset i, without leading punctuation and
// without text up to the last "@". Dots and underscores may be between labels, but not after the last
// one. In a mailto: URL the labels may have any character of a local-part.
func (sc *scan) runAfterScheme(i int, mailto bool) (start, end int) {
	limit := i + maxLocalPart
	for i < len(sc.text) && !sc.isLabelAt(i) {
		if c := sc.text[i]; i >= limit || c <= ' ' || strings.IndexByte(`"<>:`, c) >= 0 || c >= utf8.RuneSelf && sc.isSpaceAt(i) {
			return i, i
		}
		_, size := decode(sc.text, i)
		i += size
	}
	start, end = i, i
	for i < len(sc.text) {
		_, size := decode(sc.text, i)
		c := sc.text[i]
		switch {
		case sc.isLabelAt(i):
			end = i + size
		case c == '@' && i+1 < len(sc.text) && sc.isLabelAt(i+1):
			start, end = i+1, i+1
		case mailto && byteClass[c]&localByte != 0:
		case c != '_' && c != '-' && separatorAt(sc.text, i) == 0:
			return start, end
		}
		i += size
	}
	return start, end
}

// isLabelAt reports whether the character at the offset i can be in a label and is neither a hyphen nor
// other punctuation.
func (sc *scan) isLabelAt(i int) bool {
	r, size := decode(sc.text, i)
	return r != '-' && ucd.HostClassOf(r) != ucd.HostPunctuation && sc.isInRefusedLabel(r, size, true)
}

// isSpaceAt reports whether white space or no character is at the offset i.
func (sc *scan) isSpaceAt(i int) bool {
	r, size := decode(sc.text, i)
	return ucd.IsWhiteSpace(r) || r == utf8.RuneError && size == 1
}

// isLeftOut reports whether an authority is an ellipsis in place of a host, as in "begins with
// https://…". Words without a dot may follow, as in https://…で, and further non-ASCII sentences.
func (sc *scan) isLeftOut(authority string) bool {
	rest := strings.TrimLeft(authority, ellipses)
	if rest == "" {
		return true
	}
	return (strings.HasPrefix(authority, "…") || strings.HasPrefix(authority, "...")) && !strings.ContainsAny(rest, ellipses+`@:\`) && sc.areSentences(rest)
}

// areSentences reports whether each dot in a text is between two non-ASCII characters and is not
// followed by a top-level domain.
func (sc *scan) areSentences(text string) bool {
	for i := strings.IndexAny(text, wideDots); i >= 0; i = strings.IndexAny(text, wideDots) {
		before := text[:i]
		text = text[i+separatorAt(text, i):]
		if before == "" || before[len(before)-1] < utf8.RuneSelf || text == "" || text[0] < utf8.RuneSelf || separatorAt(text, 0) > 0 {
			return false
		}
		word := strings.IndexFunc(text, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M) })
		if word < 0 {
			word = len(text)
		}
		if sc.tlds.Contains(text[:word]) {
			return false
		}
	}
	return true
}

// wideDots are the non-ASCII label separators.
const wideDots = "。．｡"

// notInWord are the wide dots, and other characters after which a host may follow.
const notInWord = `@:\` + wideDots

// schemeOf returns the start of the scheme in front of the host at the offset a, and the slashes
// between them; otherwise a and "".
func (sc *scan) schemeOf(a int) (start int, slashes string) {
	floor := sc.lastEnd
	i := a
	for i > floor && isSlash(sc.text[i-1]) {
		i--
	}
	if i == floor || sc.text[i-1] != ':' {
		return a, ""
	}
	if start := anySchemeBefore(sc.text, i-1, floor); start >= 0 {
		return start, sc.text[i:a]
	}
	return a, ""
}

// mailtoBefore returns the start of the mailto: URL in front of the host text[a:end], if its "@" is
// escaped. Then a "%" is in front of the host, and the host begins with the digits 40.
func (sc *scan) mailtoBefore(a, end int) (start int, ok bool) {
	if a == 0 || !strings.HasPrefix(sc.text[a-1:end], escapedAt) || !strings.Contains(sc.text[a+2:end], ".") || sc.text[a+2] == '.' {
		return a, false
	}
	start = mailtoStart(sc.text, a-1, sc.lastEnd)
	return start, start >= 0
}

// localBefore returns the start of the local-part in front of the "@" before the host at the offset a,
// or a if there is no "@".
func (sc *scan) localBefore(a int) int {
	i := a - 1
	if i < sc.lastEnd || sc.text[i] != '@' {
		return a
	}
	return localStart(sc.text, i, max(sc.lastEnd, i-maxLocalPart))
}

package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// atSign handles the next "@". It reports whether l was set; the trigger moves on in
// any case.
func (sc *scan) atSign(l *Link) bool {
	p := sc.at
	if sc.address(p, l) {
		return true
	}
	sc.at = sc.findByte('@', max(p+1, sc.done))
	return false
}

// address handles the "@" at the offset p (UTS #58 §5.2). If a domain name follows, it makes an
// address. If the local-part is missing or broken, it skips that name. A port or path after the domain
// is not part of the link; the scan skips it. address reports whether l was set.
func (sc *scan) address(p int, l *Link) bool {
	e, ok := sc.domainFrom(p + 1)
	if !ok {
		if m := mailtoStart(sc.text, p, sc.lastEnd); m >= 0 {
			sc.refuse(m, max(e.run, p+1), true)
		} else if sc.pseudoEnd(p+1, e.run) > 0 {
			sc.refuse(p, e.run, true)
		}
		return false
	}
	end := e.name
	after := end
	if port, ok := portFrom(sc.text, end); ok {
		after = port
	}
	after = linkEnd(sc.text, after, sc.strict, &sc.openStack)
	start, isASCII, ok := sc.localPart(p)
	if !ok {
		sc.refuse(p, after, true)
		sc.finish(after)
		return false
	}
	if !sc.strict {
		start = sc.cutLocal(start, p, end, isASCII)
	}
	schemeLen := 0
	if a := start - len(mailtoPrefix); a >= sc.done && sc.text[start-1] == ':' && strings.EqualFold(sc.text[a:start], mailtoPrefix) {
		start, schemeLen = a, len(mailtoPrefix)
	}
	if last, ok := sc.goesOn(end, false); ok {
		return sc.suspectName(opening{start: start, scheme: start + schemeLen, authority: p + 1}, last, l)
	}
	if continuesHost(sc.text, end) && sc.text[end] != '@' && !sc.isBetweenMarks(start, end) {
		sc.refuse(p, after, true)
		sc.finish(after)
		return false
	}
	l.Kind, l.Reason, l.Start, l.End, l.ascii = KindEmail, "", start, end, sc.asciiOf(sc.text[p+1:end])
	l.inText = false
	l.bounds = bounds{schemeEnd: schemeLen, hostStart: p + 1 - start, hostEnd: end - start, portEnd: end - start}
	sc.emit(l)
	if after > end {
		sc.finish(after)
	}
	return true
}

// localPart returns where the local-part in front of the "@" at the offset p begins: at the first of
// the adjacent Link_Email characters and dots. ok is false for a dot at either end, two dots in a row,
// and more than 64 bytes (RFC 5321 §4.5.3.1.1). It is also false after "://", where the address is the
// userinfo of a URL. isASCII says that the local-part is ASCII.
func (sc *scan) localPart(p int) (start int, isASCII, ok bool) {
	// after has the classes of the next byte to the right. The "@" counts as a dot, so that a dot in
	// front of it is one of two in a row.
	text, i, after, twoDots, classes := sc.text, p, uint16(dotByte), uint16(0), uint16(0)
	floor := max(sc.done, p-maxLocalPart-utf8.UTFMax)
	for i > floor {
		c := byteClass[text[i-1]]
		if c&(localByte|highByte) == 0 {
			break
		}
		twoDots |= c & after & dotByte
		after = c
		classes |= c
		size := 1
		if c&highByte != 0 {
			var r rune
			if r, size = utf8.DecodeLastRuneInString(text[floor:i]); !ucd.LinkEmail(r) {
				break
			}
		}
		i -= size
	}
	if i == p || p-i > maxLocalPart || text[i] == '.' || twoDots != 0 {
		return 0, false, false
	}
	if strings.HasPrefix(text[i:p], "//") && i > 0 && text[i-1] == ':' {
		return 0, false, false
	}
	return i, classes&highByte == 0, true
}

// cutLocal returns where the local-part text[start:p] begins in default mode, for an address whose
// domain ends at the offset end. It skips text in front of ASCII letters (adjustment "neighbouring
// text"), the hyphens of a list (adjustment "list mark"), and marks that are also after the address
// (adjustment "marks").
func (sc *scan) cutLocal(start, p, end int, isASCII bool) int {
	if !isASCII {
		start = sc.afterText(sc.afterEmoji(start, p), p)
	}
	for start < p-1 && sc.text[start] == '-' {
		start++
	}
	return sc.afterMarks(start, p, end)
}

// afterEmoji returns where the local-part text[start:p] begins after the rest of an emoji, or after a
// letter that is shown as a symbol (adjustment "punctuation").
func (sc *scan) afterEmoji(start, p int) int {
	_, size := utf8.DecodeLastRuneInString(sc.text[start:p])
	if i := strings.LastIndex(sc.text[start:p-size], letterEmoji); i >= 0 {
		if k := start + i + len(letterEmoji); sc.text[k] != '.' {
			return k
		}
	}
	if r, _ := utf8.DecodeLastRuneInString(sc.text[:start]); !isEmojiPart(r) {
		return start
	}
	k := p - len(strings.TrimLeftFunc(sc.text[start:p], isEmojiSuffix))
	if k == p || sc.text[k] == '.' {
		return start
	}
	return k
}

// afterText returns where the ASCII end of the local-part text[start:p] begins, if the text in front
// of that does not belong to it.
func (sc *scan) afterText(start, p int) int {
	text := sc.text
	i := p
	for i > start && text[i-1] < utf8.RuneSelf {
		i--
	}
	if i > start && i < p {
		r, _ := utf8.DecodeLastRuneInString(text[start:i])
		k := i
		for !isSpaceless(r) && k < p && text[k] == '-' {
			k++
		}
		if k < p && isPrefixLetter(r) && byteClass[text[k]]&alnumByte != 0 && strings.ContainsFunc(text[k:p], ascii.IsLetter[rune]) {
			return k
		}
	}
	return start
}

// afterMarks returns the offset after the marks at the offset start, if the last of them also follows
// the address, which ends at the offset end.
func (sc *scan) afterMarks(start, p, end int) int {
	k := start
	for k < p-1 && strings.IndexByte("*_~|'`{", sc.text[k]) >= 0 {
		k++
	}
	if k == start {
		return start
	}
	mark := sc.text[k-1]
	if mark == '{' {
		mark = '}'
	}
	if byteAt(sc.text, end) != mark {
		return start
	}
	return k
}

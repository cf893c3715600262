package engine

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/scheme"
)

// url handles the ":" at the offset p, which slashes follow. After a scheme with "://", everything up
// to the end of the URL is a link, a suspect or nothing. url reports whether l was set.
func (sc *scan) url(p int, l *Link) bool {
	if !strings.HasPrefix(sc.text[p+1:], "//") {
		return sc.numberURL(p, l)
	}
	start := sc.schemeBefore(p, sc.done)
	if start < 0 {
		sc.refuseAfterColon(p)
		return false
	}
	a := p + len("://")
	h, ok := sc.hostAfterScheme(a, start)
	if ok {
		return sc.emitURL(start, h, l)
	}
	o := opening{start: start}
	if b := sc.skipSchemes(a); b > a {
		a, o.reason = b, ReasonSlashes
		h.reach = sc.userinfoEnd(a)
	}
	o.scheme, o.authority = a, a
	if sc.suspect(o, h.reach, l) {
		return true
	}
	sc.refuse(p, max(sc.done, a), true)
	return false
}

// bareURL handles the label separator of size bytes at the offset p, which may be in a host without a
// scheme. It reports whether l was set; the triggers move on in any case.
func (sc *scan) bareURL(p, size int, l *Link) bool {
	e, ok := sc.bareEnding(p + size)
	if !ok && (!sc.suspects || size == 1 && !sc.mayHaveOther(p+1, e.run)) {
		return sc.noHost(p, e.run, l)
	}
	var h foundHost
	if ok {
		h, ok = sc.bareHost(p, e, sc.done)
	}
	wide := size > 1 && sc.suspects && (sc.done > sc.lastEnd || sc.mayFollowSyntax(p))
	if h.start > p {
		sc.refuse(p, h.start, wide) // the text in front of the host has dots, too
	}
	switch {
	case ok && sc.isClosed(h):
		return sc.emitURL(h.start, h, l)
	case h.reach > 0:
		return sc.suspectName(opening{start: h.start, scheme: h.start, authority: h.start}, h.reach, l)
	}
	// After most ideographic full stops a sentence without "." follows: no name is there.
	if sc.suspects && (size == 1 || wide || strings.IndexByte(sc.text[p:e.run], '.') >= 0) && sc.mayHaveOther(p+size, e.run) {
		sc.refuse(p, e.run, wide)
	}
	return sc.noHost(p, e.run, l)
}

// isClosed reports whether underscores around a bare host are complete: none is in front of it, or one
// also follows the link (adjustment "marks").
func (sc *scan) isClosed(h foundHost) bool {
	return h.start == 0 || sc.text[h.start-1] != '_' || byteAt(sc.text, sc.linkEnd(sc.text, h.start, h.port)) == '_'
}

// emitURL sets l to the URL that begins at the offset start and has the host h. It
// returns true.
func (sc *scan) emitURL(start int, h foundHost, l *Link) bool {
	l.Kind, l.Reason, l.Start, l.ascii = KindURL, "", start, sc.asciiOf(sc.text[h.start:h.end])
	end := linkEnd(sc.text, h.port, sc.strict, &sc.openStack)
	l.End = sc.adjust(sc.text, start, h.port, end)
	l.inText = l.End < end
	schemeEnd := h.start - start
	l.bounds = bounds{schemeEnd: schemeEnd, hostStart: schemeEnd, hostEnd: h.end - start, portEnd: h.port - start}
	return sc.emit(l)
}

// noHost moves on to the end of a run that has no bare host. If the first label, in front of the dot at
// the offset p, is "www", it may be a suspect. If an "@" follows the run, it may be a local-part.
// noHost reports whether l was set.
func (sc *scan) noHost(p, run int, l *Link) bool {
	found := false
	if p > sc.done && sc.text[p-1]|0x20 == 'w' && sc.isWWW(p) {
		found = sc.suspectWWW(p, l)
	}
	if sc.done <= p && sc.at == run && run < len(sc.text) {
		found = sc.atSign(l)
	}
	if sc.done <= p {
		sc.skipDots(run)
	}
	return found
}

// mayHaveOther reports whether other programs may find a link in the latest run, which has no bare
// host. The link is in the labels from the offset i on, or begins at the end of the run.
func (sc *scan) mayHaveOther(i, end int) bool { return sc.mayHaveHost(i) || sc.endsInMailto(end) }

// mayHaveHost reports whether other programs may find a host in the labels of the latest run from the
// offset i on. It is false for nearly all words and numbers, such as "e.g" and "v5.18.0".
func (sc *scan) mayHaveHost(i int) bool {
	if sc.known == 0 {
		return true
	}
	dots, number := 1, byteClass[sc.text[i]]&digitByte != 0
	for ; i < sc.known; i++ {
		label := i
		for i < sc.known && byteClass[sc.text[i]]&alnumByte != 0 {
			i++
		}
		if sc.text[i] != '.' || sc.tlds.Contains(sc.text[label:i]) || isPseudoTLD(sc.text[label:i]) {
			return true
		}
		dots++
	}
	// An IPv4 address has three dots. After skipped text, some of them may be in front of the dot at
	// the offset i.
	return dots > 2 || number && sc.done > sc.lastEnd || isPseudoTLD(sc.text[sc.known:sc.labelEnd(sc.known)])
}

// mailtoPrefix is the scheme of addresses with its colon (RFC 6068).
const mailtoPrefix = scheme.Mailto + ":"

// schemeBefore returns where the scheme in front of the ":" at the offset p begins, or -1. It does not
// go below floor. If a longer word ends in the name of a scheme, it is another scheme.
func (sc *scan) schemeBefore(p, floor int) int {
	if a := anySchemeBefore(sc.text, p, floor); a >= 0 && !sc.goesOnBefore(a) {
		return a
	}
	return -1
}

// anySchemeBefore is schemeBefore, but also accepts the end of a longer word. If one scheme's name is
// the beginning of another's, the shorter one counts.
func anySchemeBefore(text string, p, floor int) int {
	for _, s := range scheme.Linked {
		if a := p - len(s); a >= floor && hasLetters(text, a, s) {
			return a
		}
	}
	return -1
}

// endsInMailto reports whether text[:end] ends in "mailto" in front of a ":". An address begins there,
// even in the middle of a label, and the name in front of it ends.
func (sc *scan) endsInMailto(end int) bool {
	a := end - len(scheme.Mailto)
	return byteAt(sc.text, end) == ':' && a >= 0 && hasLetters(sc.text, a, scheme.Mailto)
}

// goesOnBefore reports whether the scheme whose known name begins at the offset a is longer. Then a
// letter comes earlier in the same word, with letters, digits, "+" and "-" after it (RFC 3986 §3.1). In
// default mode a hyphen is text, as in "-https://example.com" and "see-https://example.com", and so is
// a "+" without a word in front of it (adjustment "list mark").
func (sc *scan) goesOnBefore(a int) bool {
	for a--; a >= 0; a-- {
		c := sc.text[a]
		switch {
		case byteClass[c]&digitByte != 0:
		case c == '-', c == '+':
			return sc.strict || c == '+' && a > 0 && byteClass[sc.text[a-1]]&alnumByte != 0
		default:
			return byteClass[c]&alnumByte != 0
		}
	}
	return false
}

// skipSchemes returns the offset after further slashes and schemes at the offset i, after a scheme.
// Browsers skip the slashes, and people mean the last of two schemes.
func (sc *scan) skipSchemes(i int) int {
	for {
		if c := byteAt(sc.text, i); c == '/' || c == '\\' {
			i++
			continue
		}
		n := schemeLen(sc.text[i:])
		if n == 0 {
			return i
		}
		i += n
	}
}

// schemeLen returns the length of the scheme with "://" that text begins with, or 0.
func schemeLen(text string) int {
	for _, s := range scheme.Linked {
		if n := len(s) + len("://"); len(text) >= n && text[len(s):n] == "://" && hasLetters(text, 0, s) {
			return n
		}
	}
	return 0
}

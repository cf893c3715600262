package engine

import "github.com/linkmilter/linkmilter/internal/scheme"

// schemeBefore returns where the scheme before the ":" at the offset p begins, at
// floor or after it, or -1. A longer word that ends in the name of a scheme is
// another scheme.
func schemeBefore(text string, p, floor int) int {
	for _, s := range scheme.Linked {
		a := p - len(s)
		if a < floor || !hasLetters(text, a, s) {
			continue
		}
		if a > 0 {
			c := text[a-1]
			if byteClass[c]&(alnumByte|digitByte) == alnumByte || c == '+' || c == '-' {
				return -1
			}
		}
		return a
	}
	return -1
}

// url handles the "://" at the offset p. Behind a scheme, everything up to the end
// of the URL is a link, a suspect or nothing. url reports whether l was set.
func (sc *scan) url(p int, l *Link) bool {
	start := schemeBefore(sc.text, p, sc.done)
	if start < 0 {
		return false
	}
	a := p + len("://")
	h, ok := sc.hostAfterScheme(a)
	if !ok {
		return sc.suspect(opening{start: start, scheme: a, authority: a}, h.reach, l)
	}
	return sc.emitURL(start, h, l)
}

// bareURL handles the label separator of size bytes at the offset p, which may be
// in a host without a scheme. It reports whether l was set; the triggers move on in
// any case.
func (sc *scan) bareURL(p, size int, l *Link) bool {
	h, ok := sc.bareHost(p, size, sc.done)
	switch {
	case ok:
		return sc.emitURL(h.start, h, l)
	case h.reach > 0:
		return sc.suspectName(opening{start: h.start, scheme: h.start, authority: h.start}, h.reach, l)
	}
	return sc.noHost(p, h.run, l)
}

// emitURL sets l to the URL that begins at the offset start and has the host h. It
// returns true.
func (sc *scan) emitURL(start int, h foundHost, l *Link) bool {
	l.Kind, l.Reason, l.Start, l.ascii = KindURL, "", start, sc.asciiOf(sc.text[h.start:h.end])
	l.End = linkEnd(sc.text, h.port, sc.strict, &sc.openStack)
	schemeEnd := h.start - start
	l.bounds = bounds{schemeEnd: schemeEnd, hostStart: schemeEnd, hostEnd: h.end - start, portEnd: h.port - start}
	return sc.emit(l)
}

// noHost moves on behind the run that ends at the offset run and has no bare host.
// If its first label, before the dot at the offset p, is "www", it may be a suspect.
// If an "@" follows, it may be a local-part. noHost reports whether l was set.
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

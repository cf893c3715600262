package engine

// url handles the "://" at the offset p. Behind a scheme, everything up to the end
// of the URL is a link, a suspect or nothing. url reports whether l was set.
func (sc *scan) url(p int, l *Link) bool {
	start := sc.schemeBefore(p, sc.done)
	if start < 0 {
		return false
	}
	a := p + len("://")
	h, ok := sc.hostAfterScheme(a)
	if ok {
		return sc.emitURL(start, h, l)
	}
	o := opening{start: start}
	if b := sc.skipSchemes(a); b > a {
		a, o.reason = b, ReasonSlashes
		h.reach = sc.userinfoEnd(a)
	}
	o.scheme, o.authority = a, a
	return sc.suspect(o, h.reach, l)
}

// bareURL handles the label separator of size bytes at the offset p, which may be
// in a host without a scheme. It reports whether l was set; the triggers move on in
// any case.
func (sc *scan) bareURL(p, size int, l *Link) bool {
	h, ok := sc.bareHost(p, size, sc.done)
	if h.start > p {
		sc.refuse(p, h.start) // the text before the host has dots, too
	}
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
	if sc.mayHaveHost(p+1, run) {
		sc.refuse(p, run)
	}
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

// mayHaveHost reports whether the run to the offset end may have a host with the labels
// from the offset i on, as nearly none of the words of a text have, such as "e.g".
func (sc *scan) mayHaveHost(i, end int) bool {
	k := i
	for k < end && byteClass[sc.text[k]]&alnumByte != 0 {
		k++
	}
	return k < end && (sc.text[k] != '.' || k+1 < end) || sc.tlds.Contains(sc.text[i:k])
}

package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/scheme"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// looseHost sets l to the next suspect in the refused texts, and reports whether there
// was one.
func (sc *scan) looseHost(l *Link) bool {
	for !sc.nextInLabels(l) {
		if sc.current == sc.count {
			return false
		}
		r := sc.refused[sc.current]
		from, to := max(sc.unread, r.from), min(r.to, sc.end)
		c := sc.nextNumber(from, to)
		p := nextSeparator(sc.text, from, min(c, to), r.wide)
		if p < 0 && c < to {
			host, end := sc.gluedNumber(c)
			sc.emitLoose(host, end, l)
			sc.unread = l.End
			return true
		}
		if p < 0 {
			sc.current++
			continue
		}
		a, b := sc.dottedLabels(p)
		sc.unread = max(b, p+separatorAt(sc.text, p))
		if strings.IndexByte(sc.text[a:b], '.') >= 0 || sc.isBehindSyntax(a, nextLabel(sc.text, a, b)) {
			sc.labels = sc.labelsIn(a, b)
		}
	}
	return true
}

// nextInLabels sets l to the next suspect in the latest labels, and reports whether there
// was one.
func (sc *scan) nextInLabels(l *Link) bool {
	p := &sc.labels
	p.from = max(p.from, sc.lastEnd)
	if p.from >= p.to {
		return false
	}
	if p.host < p.from {
		sc.nextName()
	}
	if a, end, ok := addressIn(sc.text[:sc.end], p.from, p.host); ok {
		p.from = end
		sc.emitLoose(a, end, l)
	} else if p.from <= p.host && p.host < p.end {
		a, end := p.host, p.end
		p.from = end
		sc.emitLoose(a, end, l)
	} else {
		p.from = p.to
		return false
	}
	sc.unread = max(l.End, sc.unread)
	return true
}

// addressIn finds an IPv4 address in text[from:to] that no letter or digit of ASCII is beside.
// A dot before it makes it the end of another name. It may have octal numbers where other programs
// expect a host.
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
			(start == from || byteClass[text[start-1]]&(alnumByte|dotByte) == 0) {
			return start, end, true
		}
	}
	return 0, 0, false
}

// nextSeparator returns the offset of the next full stop in text[from:to], or of the next label
// separator of any kind if wide is true; or -1.
func nextSeparator(text string, from, to int, wide bool) int {
	for i := from; wide && i < to; i++ {
		if separatorAt(text[:to], i) > 0 {
			return i
		}
	}
	if from >= to || wide {
		return -1
	}
	if i := strings.IndexByte(text[from:to], '.'); i >= 0 {
		return from + i
	}
	return -1
}

// dottedLabels returns the bounds of the labels around the label separator at the offset
// p, with single ones between them. A label with a hyphen at its end ends them. Labels that were
// read before are not read again: the numbers of libx.so.1.2.3.4 are not an address.
func (sc *scan) dottedLabels(p int) (a, b int) {
	floor, end := max(sc.lastEnd, sc.unread), sc.end
	size := separatorAt(sc.text, p)
	for a = p; ; {
		label := sc.looseLabelStart(a, floor)
		if label == a || sc.text[a-1] == '-' {
			a += size // the dot is not between labels
			break
		}
		a = label
		if sc.text[a] == '-' {
			for sc.text[a] == '-' {
				a++
			}
			break
		}
		if size = separatorBefore(sc.text, a, floor); size == 0 {
			break
		}
		a -= size
	}
	for b = p; b < end; {
		size := separatorAt(sc.text[:end], b)
		label := sc.looseLabelEnd(b+size, end)
		if size == 0 || label == b+size || sc.text[b+size] == '-' {
			break
		}
		for b = label; sc.text[b-1] == '-'; {
			b--
		}
		if b < label {
			break
		}
	}
	return min(a, b), b
}

// looseLabelStart returns the start of the label that ends at the offset i, at floor or
// after it.
func (f *hostFinder) looseLabelStart(i, floor int) int {
	for i > floor {
		r, size := utf8.DecodeLastRuneInString(f.text[floor:i])
		if !f.isInLooseLabel(r, size) {
			break
		}
		i -= size
	}
	return i
}

// looseLabelEnd returns the end of the label that begins at the offset i, at end or
// before it.
func (f *hostFinder) looseLabelEnd(i, end int) int {
	for i < end {
		r, size := decode(f.text[:end], i)
		if !f.isInLooseLabel(r, size) {
			break
		}
		i += size
	}
	return i
}

// isInLooseLabel reports whether a label may have the character r of size bytes: as in a
// host, without symbols and middle dots.
func (f *hostFinder) isInLooseLabel(r rune, size int) bool {
	if r < utf8.RuneSelf {
		return byteClass[r]&labelByte != 0
	}
	class := ucd.HostClassOf(r)
	return (r != utf8.RuneError || size > 1) && f.isInHost(r) &&
		class != ucd.HostSeparator && class != ucd.HostSymbol && !isMiddleDot(r)
}

// emitLoose sets l to the suspect with the host text[host:end], with its port and path,
// and with a scheme before it, however many slashes are between.
func (sc *scan) emitLoose(host, end int, l *Link) {
	text := sc.text[:sc.end]
	port, ok := portFrom(text, end)
	start, slashes := sc.schemeOf(host)
	hasScheme := start < host
	if a, ok := sc.mailtoBefore(host, end); ok {
		start, host = a, host+len("40")
	} else if !hasScheme {
		start = sc.localBefore(host)
	}
	l.Kind, l.ascii, l.inText = KindSuspect, sc.asciiOf(text[host:end]), false
	switch l.Reason = sc.hostReason(text[host:end]); {
	case l.Reason != "" && l.Reason != ReasonObfuscatedIP:
	case !ok:
		l.Reason = ReasonInvalidPort
	case hasScheme && slashes != "//":
		l.Reason = ReasonSlashes
	case hasScheme && l.Reason == ReasonObfuscatedIP && !isIPv4(text[host:end]):
	case l.Reason == ReasonObfuscatedIP && start == host:
		l.Reason = ReasonNoScheme
	default:
		l.Reason = ReasonTouching
	}
	if !ok {
		port = end
	}
	l.Start, l.End = start, sc.linkEnd(text, start, port)
	l.bounds = bounds{hostStart: host - start, hostEnd: end - start, portEnd: port - start}
	if hasScheme {
		l.bounds.schemeEnd = l.bounds.hostStart
	} else if strings.HasSuffix(text[start:host], escapedAt) {
		l.bounds.schemeEnd = len(mailtoPrefix)
	}
	l.Text = text[l.Start:l.End]
	if sc.maxLinkLen > 0 && len(l.Text) > sc.maxLinkLen {
		l.Reason = ReasonTooLong
	}
}

// mailtoBefore returns the start of the mailto: URL before the host text[a:end] that has
// its "@" escaped: the escape is before the host and the first two digits of it.
func (sc *scan) mailtoBefore(a, end int) (start int, ok bool) {
	if a == 0 || !strings.HasPrefix(sc.text[a-1:end], escapedAt) || !strings.Contains(sc.text[a+2:end], ".") || sc.text[a+2] == '.' {
		return a, false
	}
	start = mailtoStart(sc.text, a-1, sc.lastEnd)
	return start, start >= 0
}

// localBefore returns the start of the local-part before the host at the offset a, if an
// "@" is between them, or a.
func (sc *scan) localBefore(a int) int {
	i := a - 1
	if i < sc.lastEnd || sc.text[i] != '@' {
		return a
	}
	return localStart(sc.text, i, max(sc.lastEnd, i-maxLocalPart))
}

// schemeOf returns the start of the scheme before the host at the offset a, and the
// slashes between them; or a and "".
func (sc *scan) schemeOf(a int) (start int, slashes string) {
	floor := sc.lastEnd
	i := a
	for i > floor && isSlash(sc.text[i-1]) {
		i--
	}
	if i == floor || sc.text[i-1] != ':' {
		return a, ""
	}
	for _, s := range scheme.Linked {
		if start := i - 1 - len(s); start >= floor && hasLetters(sc.text, start, s) {
			return start, sc.text[i:a]
		}
	}
	return a, ""
}

package engine

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/scheme"
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
		c := sc.nextColon(from, to)
		p := nextSeparator(sc.text, from, min(c, to), r.wide)
		if p < 0 && c < to {
			sc.emitBehind(l)
			sc.unread = l.End
			return true
		}
		if p < 0 {
			sc.current++
			continue
		}
		a, b := sc.looseLabels(p)
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
	l.Start, l.End = start, sc.looseEnd(text, start, end, port)
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

// looseEnd returns the end of the suspect that begins at the offset start, whose host ends at the
// offset host and its port at port. Its path ends where other programs end it, so that the hosts
// behind are suspects of their own.
func (sc *scan) looseEnd(text string, start, host, port int) int {
	end := sc.linkEnd(text, start, port)
	if !sc.tlds.Contains(text[lastLabel(text, start, host):host]) && isPseudoTLD(text[lastLabel(text, start, host):host]) {
		return port
	}
	if i := strings.IndexAny(text[port:end], "\"[{<\\"); i >= 0 {
		end = port + i
	}
	return end
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

// refuseBehind notes the host or number that behindColon finds behind the ":" at the offset p.
func (sc *scan) refuseBehind(p int) {
	if !sc.suspects {
		return
	}
	if h, ok := sc.behindColon(p); ok {
		sc.refuse(p, h.linkEnd, true)
	}
}

// nextColon returns the offset of the next ":" in text[from:to] behind which behindColon finds a
// host before the next link, or to or more. The host is sc.behind. It is kept for the next call,
// since texts before the colon may be read in many steps.
func (sc *scan) nextColon(from, to int) int {
	i := max(from, sc.named)
	if i == sc.named && i < to && sc.behind.linkEnd > 0 && sc.behind.linkEnd <= sc.end && sc.behind.linkStart >= sc.lastEnd {
		return i
	}
	for sc.behind = (namedHost{}); i < to; i++ {
		j := strings.IndexByte(sc.text[i:to], ':')
		if j < 0 {
			i = to
			break
		}
		i += j
		if h, ok := sc.behindColon(i); ok && h.linkEnd <= sc.end {
			sc.behind = h
			break
		}
	}
	sc.named = i
	return i
}

// behindColon returns what gluedNumber or namedHost finds behind the ":" at the offset p.
func (sc *scan) behindColon(p int) (h namedHost, ok bool) {
	if a, end := sc.gluedNumber(p); a < end {
		return namedHost{start: a, end: end, linkStart: p, linkEnd: end, glued: true}, true
	}
	if sc.onlyNames {
		return h, false
	}
	return sc.namedHost(p)
}

// emitBehind sets l to the suspect that nextColon found.
func (sc *scan) emitBehind(l *Link) {
	if h := sc.behind; h.glued {
		sc.emitLoose(h.start, h.end, l)
	} else {
		sc.emitNamed(h, l)
	}
}

// namedHost returns the host behind the ":" at the offset p that other programs link because of the
// scheme there, or because it is an IPv6 address behind "//". It is not one that looseHost finds.
func (sc *scan) namedHost(p int) (h namedHost, ok bool) {
	if a := openBefore(sc.text, p); a >= 0 {
		end, ok := bracketedIPv6(sc.text, a)
		return namedHost{start: a, end: end, linkStart: a, linkEnd: end}, ok
	}
	a := skipSlashes(sc.text, p+1)
	name, hasSlashes := plainScheme(sc.text, p), strings.HasPrefix(sc.text[p+1:a], "//")
	if name == "" && !hasSlashes {
		return h, false
	}
	h = namedHost{start: a, linkStart: sc.otherScheme(p, name)}
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
	h.start, h.end = sc.looseRun(from, name == scheme.Mailto && a > p+1)
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

// localEnd returns the end of the local-part in ASCII at the offset i.
func (sc *scan) localEnd(i int) int {
	end := min(len(sc.text), i+maxLocalPart)
	for i < end && byteClass[sc.text[i]]&localByte != 0 {
		i++
	}
	return i
}

// hasHost reports whether looseHost finds a host in text[a:b].
func (sc *scan) hasHost(a, b int) bool {
	if nextSeparator(sc.text, a, b, true) < 0 {
		return false
	}
	within := scan{hostFinder: hostFinder{hostJudge: sc.hostJudge, text: sc.text}}
	within.suspects, within.onlyNames, within.lastEnd, within.end = true, true, a, b
	within.refuse(a, b, true)
	var l Link
	return within.looseHost(&l)
}

// emitNamed sets l to the suspect with the host h. The scheme of the URL is not one that detection
// finds, or the host has no top-level domain.
func (sc *scan) emitNamed(h namedHost, l *Link) {
	l.Start, l.End, l.Text = h.linkStart, h.linkEnd, sc.text[h.linkStart:h.linkEnd]
	name, _ := scheme.Name(l.Text)
	if name != "" && !scheme.MayLink(name) {
		h.end = h.start // as in file:///etc/hosts: no name that browsers look up
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

// isLeftOut reports whether an authority is an ellipsis in place of any host, as in "begins with
// https://…". Words without a dot may follow, as in https://…で, and further sentences beyond ASCII.
func (sc *scan) isLeftOut(authority string) bool {
	rest := strings.TrimLeft(authority, ellipses)
	if rest == "" {
		return true
	}
	return (strings.HasPrefix(authority, "…") || strings.HasPrefix(authority, "...")) && !strings.ContainsAny(rest, ellipses+`@:\`) && sc.areSentences(rest)
}

// areSentences reports whether each dot in a text is between two characters beyond ASCII, and no
// top-level domain is behind one.
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

// wideDots are the dots between labels beyond ASCII.
const wideDots = "。．｡"

// notInWord are the characters that may have a host behind them, and these dots.
const notInWord = `@:\` + wideDots

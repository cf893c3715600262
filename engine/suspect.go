package engine

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// How suspects are found, from top to bottom:
//
//   - suspect.go: a URL, a text with "www.", an address or a bare host that detection refuses is
//     a suspect as a whole. passSuspect ends it, reason says why it is no link.
//   - suspect_refused.go: nextWithSuspects looks for names in the other texts that detection
//     refused, between the links.
//   - suspect_scheme.go: hostAfterColon and addressIn find the hosts there that are no names:
//     numbers, addresses, and what follows the scheme of another program.

// An opening is the beginning of text that looks like a link, as offsets.
type opening struct {
	start     int
	scheme    int    // after "http://" or "mailto:"; start without a scheme
	authority int    // start of a URL's authority, or of an address's domain
	reason    Reason // why it is not a link even if its authority is valid
	www       bool   // text that begins with "www."
}

// suspect handles a URL that is not a link, or text that begins with "www.". Its authority goes on at
// least to the offset reach. suspect reports whether l was set.
func (sc *scan) suspect(o opening, reach int, l *Link) bool {
	return sc.passSuspect(o, sc.authorityOf(o.authority, reach, o.scheme > o.start), l)
}

// authorityOf returns where other programs end the authority at the offset a, which is at reach or
// later. url says that the authority follows a scheme.
func (f *hostFinder) authorityOf(a, reach int, url bool) int {
	end := authorityEnd(f.text, a, reach)
	if end > a {
		if more, ok := f.goesOn(end, url); ok {
			end = authorityEnd(f.text, a, more)
		}
	}
	return end
}

// suspectName is suspect for a bare host or an address that goes on to the offset end.
func (sc *scan) suspectName(o opening, end int, l *Link) bool {
	if port, ok := portFrom(sc.text, end); ok {
		end = port
	}
	return sc.passSuspect(o, end, l)
}

// passSuspect skips a suspect as a whole, so that no part of it becomes a link. With Options.Suspects
// it sets l to the suspect. Its authority ends at the offset end. passSuspect reports whether l was
// set.
func (sc *scan) passSuspect(o opening, end int, l *Link) bool {
	end = sc.nextScheme(o.authority, end)
	if o.scheme > o.start {
		end = oneLabelEnd(sc.text, o.authority, end)
	}
	authority := sc.text[o.authority:end]
	ellipsis := sc.isLeftOut(authority)
	after := end
	end = sc.linkEnd(sc.text, o.start, end)
	if end == o.authority || ellipsis && end == after || !sc.suspects {
		sc.finish(end)
		return false
	}
	if ellipsis {
		authority = ""
	}
	l.Kind, l.Reason, l.Start, l.End, l.ascii = KindSuspect, sc.reason(authority, o.reason), o.start, end, ""
	l.inText = false
	l.bounds = suspectBounds(authority, o.authority-o.start)
	if o.authority > o.scheme {
		l.bounds.schemeEnd = o.scheme - o.start // an address has a local-part between scheme and domain
	}
	sc.endAtNumber(o, authority, l)
	if sc.lacksHost(o, authority) && !sc.hostAfter(o, o.authority+len(authority), l) {
		sc.refuse(o.start, end, true)
		sc.finish(end)
		return false
	}
	sc.emit(l)
	sc.finish(end) // after a link that hostAfter found, the rest is searched as refused text
	return true
}

// nextScheme returns the end of the authority text[a:end]. If another URL follows directly, the
// authority ends earlier: in http://x,http://example.com in front of the comma.
func (sc *scan) nextScheme(a, end int) int {
	p := end
	if p > a && sc.text[p-1] == ':' {
		p--
	}
	if !strings.HasPrefix(sc.text[p:], "://") {
		return end
	}
	i := anySchemeBefore(sc.text, p, a)
	if i < 0 {
		return end
	}
	for i > a && classAt(sc.text, i-1)&wordByte == 0 {
		i--
	}
	return i
}

// oneLabelEnd returns the end of the authority text[a:end]. If non-ASCII punctuation follows an ASCII
// host of one label, it returns the end of that host and port, as in http://localhost:80、または. If a dot
// follows as well, the whole may be a host.
func oneLabelEnd(text string, a, end int) int {
	host := a
	for host < end && byteClass[text[host]]&labelByte != 0 {
		host++
	}
	i, ok := portFrom(text[:end], host)
	if host == a || !ok || i == end || text[i] < utf8.RuneSelf || strings.ContainsAny(text[i:end], ellipses+notInWord) {
		return end
	}
	r, _ := decode(text, i)
	if class := ucd.HostClassOf(r); !unicode.IsPunct(r) || class != ucd.HostPunctuation && class != ucd.HostDisallowed {
		return end
	}
	return i
}

// endAtNumber ends the host of the suspect l after a number that hides an IPv4 address, as in
// http://42:x. It does so if browsers refuse the host, or if the host is one label. Other programs end
// the link there.
func (sc *scan) endAtNumber(o opening, authority string, l *Link) {
	if o.scheme == o.start || strings.Contains(authority, "@") {
		return
	}
	end := sc.numberEnd(o.authority)
	if end == o.authority || end-o.start >= l.bounds.hostEnd {
		return
	}
	host := sc.text[o.authority : o.start+l.bounds.hostEnd]
	if _, err := hostToASCII(host); err != nil || !strings.Contains(host, ".") {
		l.Reason = ReasonObfuscatedIP
		l.bounds.hostEnd, l.bounds.portEnd = end-o.start, end-o.start
	}
}

// lacksHost reports whether an authority has no host that a program would open: no word after a scheme,
// or no top-level domain after "www.".
func (sc *scan) lacksHost(o opening, authority string) bool {
	host, _, _ := strings.Cut(authority, ":")
	host = labelDots.Replace(host)
	if o.scheme > o.start {
		hasWord := strings.ContainsFunc(host, func(r rune) bool { return r >= utf8.RuneSelf || byteClass[r]&alnumByte != 0 })
		return !hasWord && !strings.Contains(authority, "@")
	}
	host = strings.TrimRight(host, ".")
	return o.www && !sc.tlds.Contains(host[strings.LastIndexByte(host, '.')+1:])
}

// hostAfter looks in the suspect l, whose authority has no host, for the first host that other
// programs link. The authority ends at the offset end. After a scheme, l gets that host and ends with
// its link. After "www.", l ends in front of that host. hostAfter returns false if nothing is left of
// l.
func (sc *scan) hostAfter(o opening, end int, l *Link) bool {
	var w Link
	if !sc.firstRefusedHost(o.authority, l.End, &w) || o.www && w.Start == o.authority {
		return true
	}
	if o.www {
		l.End = end
		return w.Start >= l.End
	}
	d := w.Start - o.start
	l.End, l.ascii = w.End, w.ascii
	l.bounds.hostStart, l.bounds.hostEnd, l.bounds.portEnd = d+w.bounds.hostStart, d+w.bounds.hostEnd, d+w.bounds.portEnd
	return true
}

// suspectBounds divides the authority of a suspect into userinfo, host and port, as far as possible.
// scheme is the offset of the authority in the suspect.
func suspectBounds(authority string, scheme int) bounds {
	// Browsers read a backslash as a slash: in https://evil.example\@example.com the host ends in front
	// of it (WHATWG URL, authority state).
	authority, _, _ = strings.Cut(authority, `\`)
	host := strings.LastIndexByte(authority, '@') + 1
	b := bounds{schemeEnd: scheme, hostStart: scheme + host, portEnd: scheme + len(authority)}
	b.hostEnd = b.portEnd
	colon := strings.LastIndexByte(authority, ':')
	if colon >= host && !isIPv6(authority[host:]) && strings.Trim(authority[colon+1:], "0123456789") == "" {
		b.hostEnd = scheme + colon
	} else if name, port, ok := strings.Cut(authority[host:], ":"); ok && (strings.Contains(name, ".") || classAt(port, 0)&digitByte != 0) && !strings.HasPrefix(name, "[") {
		b.hostEnd = b.hostStart + len(name) // no port follows, but other programs link the name
	}
	return withoutBrackets(b, authority[host:b.hostEnd-scheme])
}

// withoutBrackets returns b without the brackets around a host that is a name. Browsers refuse such a
// host, but other programs link the name.
func withoutBrackets(b bounds, host string) bounds {
	if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") && !strings.Contains(host, ":") {
		b.hostStart++
		b.hostEnd--
	}
	return b
}

// isWWW reports whether "www" in front of the dot at the offset p begins text that people would take
// for a host.
func (sc *scan) isWWW(p int) bool {
	a := p - len("www")
	if a < sc.done || !hasLetters(sc.text, a, "www") || !mayStart(sc.text, a) {
		return false
	}
	return a == 0 || byteClass[sc.text[a-1]]&runByte == 0
}

// suspectWWW is suspect for text that begins with "www" and the dot at the offset p. It skips text with
// an "@", which may be an address. It also skips text with a "_", after which other programs begin the
// host: see nextRefusedHost.
func (sc *scan) suspectWWW(p int, l *Link) bool {
	start := p - len("www")
	end := authorityEnd(sc.text, start, start)
	if end = sc.nextScheme(start, end); end <= p+separatorAt(sc.text, p) || strings.ContainsAny(sc.text[start:end], "@_") || sc.isLocalPart(start, end) {
		return false
	}
	return sc.suspect(opening{start: start, scheme: start, authority: start, reason: ReasonTouching, www: true}, start, l)
}

// authorityEnd returns the end of the text that other programs would take for the authority at the
// offset a. The authority goes on at least to reach. It ends in front of a path, query or fragment, or
// in front of white space, a quotation mark or a bracket. In the latter case, punctuation there is left
// out, too.
func authorityEnd(text string, a, reach int) int {
	safe := reach
	literal := false // inside the brackets of an IPv6 address
	for i := reach; i < len(text); {
		c := text[i]
		if byteClass[c]&initiatorByte != 0 {
			return i
		}
		if c == '"' {
			return safe
		}
		_, size, term := linkTermAt(text, i)
		switch {
		case c == '[' && (i == a || text[i-1] == '@'):
			literal = true
			term = ucd.Include
		case c == ']' && literal:
			literal = false
			term = ucd.Include
		}
		switch term {
		case ucd.Hard, ucd.Open, ucd.Close:
			return safe
		case ucd.Include:
			safe = i + size
		}
		i += size
	}
	return safe
}

// numberURL handles the ":" at the offset p in front of one slash or backslashes. In default mode, a
// number after them that browsers read as an IPv4 address is the host of a suspect, as in
// http:/2130706433. Neither a full stop nor "://" would lead the scan to it. A number that may be a
// port does not count, as in http:/8080. numberURL reports whether l was set.
func (sc *scan) numberURL(p int, l *Link) bool {
	a := skipSlashes(sc.text, p+1)
	if sc.refuseAfterColon(p); sc.strict || classAt(sc.text, a)&digitByte == 0 {
		return false
	}
	end := sc.numberEnd(a)
	start := sc.schemeBefore(p, sc.done)
	if end == a || start < 0 {
		return false
	}
	if isPort(sc.text[a:end]) {
		return false
	}
	return sc.suspectName(opening{start: start, scheme: a, authority: a, reason: ReasonSlashes}, end, l)
}

// reason returns why an authority is not valid, or otherwise if it is valid. It tries the reasons in
// the order of their declaration, except those that need a valid host.
func (h *hostRules) reason(authority string, otherwise Reason) Reason {
	host, port, hasPort := strings.Cut(authority, ":")
	switch {
	case strings.Contains(authority, "@"):
		return ReasonUserinfo
	case strings.HasPrefix(authority, "["), isIPv6(authority):
		return ReasonInvalidIP
	case host == "":
		return ReasonNoHost
	}
	if r := h.hostReason(host); r != "" {
		return r
	}
	switch {
	case hasPort && port != "" && (!isPort(port) || otherwise == ""):
		return ReasonInvalidPort
	case otherwise != "":
		return otherwise
	}
	return ReasonInvalidHost
}

// isPort reports whether port is a port number.
func isPort(port string) bool {
	_, err := strconv.ParseUint(port, 10, 16)
	return err == nil
}

// hostReason returns why a host is not valid, or "".
func (h *hostRules) hostReason(host string) Reason {
	name := strings.TrimSuffix(labelDots.Replace(host), ".")
	labels := strings.Split(name, ".")
	last := labels[len(labels)-1]
	switch {
	case name == "":
		return ReasonNoHost
	case hasEmptyLabel(name), strings.HasSuffix(name, "."):
		return ReasonEmptyLabel
	case strings.ContainsFunc(name, func(r rune) bool { return r != '.' && r != '_' && !h.isInHost(r) }):
		return ReasonInvalidHost
	case strings.Contains(name, "_"):
		return ReasonUnderscore
	}
	if len(host) <= maxTyped {
		// An IP address may have full-width digits, too.
		if ascii, err := detection.ToASCII(name); err == nil {
			name, last = ascii, ascii[strings.LastIndexByte(ascii, '.')+1:]
		}
		if endsInNumber(name) {
			if _, err := ipv4(name); err != nil {
				return ReasonInvalidIP
			}
			return ReasonObfuscatedIP
		}
	}
	for _, l := range labels {
		if strings.HasPrefix(l, "-") || strings.HasSuffix(l, "-") {
			return ReasonHyphen
		}
	}
	switch {
	case len(labels) == 1:
		return ReasonSingleLabel
	case !h.tlds.Contains(last):
		return ReasonUnknownTLD
	}
	if _, ok := h.names.judge(name); ok {
		return ""
	}
	if isTooLong(host) {
		return ReasonTooLong
	}
	return ReasonInvalidIDNA
}

// isTooLong reports whether a label or the name exceeds the limits of RFC 1035 §2.3.4. It is false for
// a host without an ASCII form.
func isTooLong(host string) bool {
	if len(host) > maxTyped {
		return true
	}
	ascii, err := lookup.ToASCII(host)
	if err != nil {
		return false
	}
	for label := range strings.SplitSeq(ascii, ".") {
		if len(label) > maxLabel {
			return true
		}
	}
	return len(strings.TrimSuffix(ascii, ".")) > maxName
}

package engine

import (
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine/ucd"
)

// schemes are those whose URLs begin with "://" and a host, as UASG's good
// practice lists them.
var schemes = [...]string{"https", "http", "ftp"}

// schemeBefore returns where the scheme begins whose ":" is at the offset p,
// or -1. A longer word that ends in a scheme's name is another scheme.
func (sc *scan) schemeBefore(p int) int {
	for _, s := range schemes {
		a := p - len(s)
		if a < sc.done || !hasLetters(sc.text, a, s) {
			continue
		}
		if a > 0 {
			c := sc.text[a-1]
			if octets[c]&(alnumOctet|digitOctet) == alnumOctet || c == '+' || c == '-' {
				return -1
			}
		}
		return a
	}
	return -1
}

// hasLetters reports whether text has the letters of s, which are small, at
// the offset a, in any case.
func hasLetters(text string, a int, s string) bool {
	for i := range len(s) {
		if text[a+i]|0x20 != s[i] {
			return false
		}
	}
	return true
}

// scheme deals with the "://" at the offset p: where it ends a scheme,
// everything up to the end of the URL is a link or is none. It reports whether
// l was set.
func (sc *scan) scheme(p int, l *Link) bool {
	start := sc.schemeBefore(p)
	if start < 0 {
		return false
	}
	a := p + 3
	o := opening{start: start, scheme: a, authority: a}
	host, port, ok := sc.authority(a)
	if !ok {
		return sc.suspect(o, sc.userinfoEnd(a), l)
	}
	if port == host {
		if end, ok := sc.goesOn(host, true); ok {
			return sc.suspect(o, end, l)
		}
	}
	end := sc.partsEnd(port)
	l.Kind, l.Reason, l.Start, l.End = KindURL, "", start, end
	l.parts = parts{schemeEnd: a - start, hostStart: a - start, hostEnd: host - start, portEnd: port - start}
	return sc.emit(l)
}

// authority parses what follows a scheme: a host, perhaps a port, and no
// userinfo. It returns the ends of host and port.
func (sc *scan) authority(a int) (host, port int, ok bool) {
	host, ok = sc.hostFrom(a)
	if !ok {
		return 0, 0, false
	}
	port, ok = sc.port(host)
	if !ok || sc.continuesHost(port) || sc.isUserinfo(port) {
		return 0, 0, false
	}
	if port == host && sc.byteAt(host) == ':' && sc.octetAt(host+1)&initiatorOctet != 0 {
		port++ // an empty port (RFC 3986 §3.2.3)
	}
	return host, port, true
}

// hostFrom returns the end of the host that begins at the offset a, after a
// scheme: a domain name, an IPv4 address in decimal, or an IPv6 address in
// brackets. In default mode the brackets may be missing.
func (sc *scan) hostFrom(a int) (end int, ok bool) {
	if sc.byteAt(a) == '[' {
		return sc.ipv6Literal(a)
	}
	t, ok := sc.domainFrom(a)
	if ok {
		return t.host, true
	}
	if end, ok := sc.ipv4(a, t.run); ok {
		return end, true
	}
	if sc.s.opts.Mode == ModeDefault {
		return sc.bareIPv6(a)
	}
	return 0, false
}

// continuesHost reports whether the character at the offset i, which no host
// has, belongs to what the host would be: then it is none. That is "_", which
// names in use have though links have not; "%", by which a browser would
// decode the host; and "@", which makes it a user name.
func (sc *scan) continuesHost(i int) bool {
	switch sc.byteAt(i) {
	case '_', '%', '@':
		return true
	}
	return false
}

// port returns the end of the port that begins at the offset i with ":", or
// i where there is none. A colon before a digit must begin a port, of 0 to
// 65535, which ends where no letter or digit follows; else ok is false.
func (sc *scan) port(i int) (end int, ok bool) {
	if sc.byteAt(i) != ':' || sc.octetAt(i+1)&digitOctet == 0 {
		return i, true
	}
	n := 0
	for i++; sc.octetAt(i)&digitOctet != 0; i++ {
		n = min(n*10+int(sc.text[i]-'0'), maxPort+1)
	}
	return i, n <= maxPort && sc.octetAt(i)&alnumOctet == 0
}

// maxPort is the highest port number.
const maxPort = 65535

// bareHost deals with the label separator of size octets at the offset p:
// it looks for a host without a scheme around it. It reports whether l was
// set; in any case the triggers move on.
func (sc *scan) bareHost(p, size int, l *Link) bool {
	t, ok := sc.bareTailFrom(p + size)
	if !ok {
		return sc.noHost(p, t.run, l)
	}
	run := sc.runStart(p, sc.done)
	a, port := run, t.host
	if !sc.isPlainDomain(run, t.name) {
		a = sc.skipIgnored(run, p)
		if sc.s.opts.Mode == ModeDefault {
			a = sc.cutHead(a, t.name)
			ok = !sc.isSentence(a, t)
		}
		ok = ok && sc.isDomain(a, t.name)
	}
	if ok = ok && sc.mayStart(run); ok {
		port, ok = sc.port(t.host)
	}
	if !ok || sc.isLocalPart(a, port) {
		return sc.noHost(p, t.run, l)
	}
	if port == t.host {
		if end, ok := sc.goesOn(t.host, false); ok {
			return sc.suspectName(opening{start: a, scheme: a, authority: a}, end, l)
		}
	}
	if sc.continuesHost(port) {
		return sc.noHost(p, t.run, l)
	}
	l.Kind, l.Reason, l.Start, l.End = KindURL, "", a, sc.partsEnd(port)
	l.parts = parts{hostEnd: t.host - a, portEnd: port - a}
	return sc.emit(l)
}

// noHost moves on behind the run that ends at the offset run and holds no
// bare host. If the run's first label, before the dot at the offset p, is
// "www", it may be a suspect; if an "@" follows the run, it belongs to an
// address. noHost reports whether l was set.
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

// skipIgnored returns the first offset from a on, before p, that is not of a
// character that UTS #46 ignores: a byte order mark, a zero width space.
func (sc *scan) skipIgnored(a, p int) int {
	for a < p && sc.text[a] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(sc.text[a:p])
		if ucd.HostClassOf(r) != ucd.HostIgnored {
			break
		}
		a += size
	}
	return a
}

// mayStart reports whether the run of a bare host may begin at the offset a. It may not
// be what follows the "@" of an address, the path of a URL or of a file, an
// underscore that would belong to it, a percent-escape, or the colon of a
// scheme that lacks its "//".
func (sc *scan) mayStart(a int) bool {
	if a == 0 {
		return true
	}
	switch sc.text[a-1] {
	case '@', '/', '\\', '_', '%':
		return false
	case ':':
		return !sc.endsInScheme(a - 1)
	}
	return true
}

// endsInScheme reports whether the text up to the offset p ends in the name
// of a scheme.
func (sc *scan) endsInScheme(p int) bool {
	for _, s := range schemes {
		if a := p - len(s); a >= 0 && hasLetters(sc.text, a, s) {
			return true
		}
	}
	return false
}

// isLocalPart reports whether the bare host text[a:i] is part of the
// local-part of an address, which counts before a host: only Link_Email
// characters, and none that would begin a path, lie between it and an "@"
// before a domain name.
func (sc *scan) isLocalPart(a, i int) bool {
	for i < len(sc.text) && i-a <= maxLocalPart {
		c := sc.text[i]
		if octets[c]&initiatorOctet != 0 {
			return false
		}
		if c == '@' {
			_, ok := sc.domainFrom(i + 1)
			return ok
		}
		r, size := utf8.DecodeRuneInString(sc.text[i:])
		if !ucd.LinkEmail(r) && r != '.' {
			return false
		}
		i += size
	}
	return false
}

// emit completes the link l, of which Kind, Start, End and parts are set, and
// moves on behind it. It reports true: a link was found.
func (sc *scan) emit(l *Link) bool {
	l.Text = sc.text[l.Start:l.End]
	if limit := sc.s.opts.MaxLinkLen; limit > 0 && len(l.Text) > limit {
		l.Kind, l.Reason = KindSuspect, ReasonTooLong
	}
	sc.finish(l.End)
	return true
}

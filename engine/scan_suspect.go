package engine

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine/ucd"
)

// An opening is where something begins that looks like a link, as offsets.
type opening struct {
	start     int
	scheme    int // after "http://" or "mailto:"; start if none was typed
	authority int // of a URL, or the domain of an address
}

// suspect deals with a URL, or what begins with "www.", that is not a link. Its
// authority goes on at least to the offset reach. suspect reports whether l was set.
func (sc *scan) suspect(o opening, reach int, l *Link) bool {
	end := sc.authorityEnd(o.authority, reach)
	if end > o.authority {
		if more, ok := sc.goesOn(end, o.scheme > o.start); ok {
			end = sc.authorityEnd(o.authority, more)
		}
	}
	return sc.pass(o, end, l)
}

// suspectName is suspect for a bare host, or an address, that goes on up to the
// offset end.
func (sc *scan) suspectName(o opening, end int, l *Link) bool {
	if port, ok := sc.port(end); ok {
		end = port
	}
	return sc.pass(o, end, l)
}

// pass passes over a suspect as a whole, so that no part of it becomes a link, and
// reports it with Options.Suspects. Its authority ends at the offset end. pass
// reports whether l was set.
func (sc *scan) pass(o opening, end int, l *Link) bool {
	authority := sc.text[o.authority:end]
	end = sc.partsEnd(end)
	if end == o.authority {
		return false
	}
	if !sc.s.opts.Suspects {
		sc.finish(end)
		return false
	}
	l.Kind, l.Reason, l.Start, l.End = KindSuspect, sc.s.reason(authority), o.start, end
	l.parts = suspectParts(authority, o.authority-o.start)
	if o.authority > o.scheme {
		l.parts.schemeEnd = o.scheme - o.start // of an address
	}
	return sc.emit(l)
}

// suspectParts divides an authority that is none into userinfo, host and
// port, as far as they can be told; it begins at the offset scheme of the
// suspect.
func suspectParts(authority string, scheme int) parts {
	// To browsers a backslash is a slash: in https://evil.example\@example.com
	// the host ends before it (WHATWG URL, authority state).
	authority, _, _ = strings.Cut(authority, `\`)
	host := strings.LastIndexByte(authority, '@') + 1
	p := parts{schemeEnd: scheme, hostStart: scheme + host, portEnd: scheme + len(authority)}
	p.hostEnd = p.portEnd
	colon := strings.LastIndexByte(authority, ':')
	if colon >= host && !isIPv6(authority[host:]) && strings.Trim(authority[colon+1:], "0123456789") == "" {
		p.hostEnd = scheme + colon
	}
	return p
}

// isWWW reports whether "www" before the dot at the offset p begins what
// people would take for a host.
func (sc *scan) isWWW(p int) bool {
	a := p - len("www")
	if a < sc.done || !hasLetters(sc.text, a, "www") || !sc.mayStart(a) {
		return false
	}
	return a == 0 || octets[sc.text[a-1]]&runOctet == 0
}

// suspectWWW is suspect for what begins with "www" and the dot at the
// offset p. What holds an "@" is left alone: it may be an address.
func (sc *scan) suspectWWW(p int, l *Link) bool {
	start := p - len("www")
	end := sc.authorityEnd(start, start)
	if end <= p+sc.separatorAt(p) || strings.IndexByte(sc.text[start:end], '@') >= 0 {
		return false
	}
	return sc.suspect(opening{start: start, scheme: start, authority: start}, start, l)
}

// authorityEnd returns the end of what others would take for the authority
// that begins at the offset a and goes on at least to reach: up to a path, query
// or fragment, white space, a quotation mark or a bracket, without the punctuation
// before that unless a path, query or fragment follows.
func (sc *scan) authorityEnd(a, reach int) int {
	safe := reach
	literal := false // inside the brackets of an IPv6 address
	for i := reach; i < len(sc.text); {
		c := sc.text[i]
		if octets[c]&initiatorOctet != 0 {
			return i
		}
		if c == '"' {
			return safe
		}
		_, size, term := linkTermAt(sc.text, i)
		switch {
		case c == '[' && (i == a || sc.text[i-1] == '@'):
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

// reason says why an authority is none; the reasons are looked for in the
// order of their declaration, but for those that need a valid host.
func (s *Scanner) reason(authority string) Reason {
	host, port, hasPort := strings.Cut(authority, ":")
	switch {
	case strings.Contains(authority, "@"):
		return ReasonUserinfo
	case strings.HasPrefix(authority, "["), isIPv6(authority):
		return ReasonInvalidIP
	case host == "":
		return ReasonNoHost
	}
	if r := s.hostReason(host); r != "" {
		return r
	}
	if hasPort && port != "" {
		return ReasonInvalidPort
	}
	return ReasonInvalidHost
}

// hostReason says why a host is none, or returns "".
func (s *Scanner) hostReason(host string) Reason {
	name := strings.TrimSuffix(labelDots.Replace(host), ".")
	labels := strings.Split(name, ".")
	last := labels[len(labels)-1]
	switch {
	case name == "":
		return ReasonNoHost
	case hasEmptyLabel(name), strings.HasSuffix(name, "."):
		return ReasonEmptyLabel
	case strings.Contains(name, "_"):
		return ReasonUnderscore
	case strings.ContainsFunc(name, func(r rune) bool { return r != '.' && !s.isInHost(r) }):
		return ReasonInvalidHost
	}
	if len(host) <= maxTyped {
		// Full-width digits, too, make an address.
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
	case !s.tlds.Contains(last):
		return ReasonUnknownTLD
	case isTooLong(host):
		return ReasonTooLong
	case !s.hosts.isValid(name):
		return ReasonInvalidIDNA
	}
	return ""
}

// isTooLong reports whether a label or the name is over the limits of RFC
// 1035 §2.3.4, as far as it can be written in ASCII at all.
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

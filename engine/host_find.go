package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// How detection finds a host, from top to bottom:
//
//   - host_find.go: hostAfterScheme and bareHost find a host and its port, and check
//     that the text after them does not belong to the host, too.
//   - host_edges.go: domainFrom, for addresses as well, and bareEnding find where a
//     name ends, portFrom where a port ends, runStart and cutHead where a name begins.
//   - host_valid.go: isDomain decides which names are valid, isIPv4 and isIPv6 which
//     addresses.
//
// chars.go classifies characters. link_host.go has the forms of a host that was found.

// A foundHost is a host in the text, as offsets.
type foundHost struct {
	start int // offset of its first byte
	end   int // offset after the host, with its final dot or brackets
	port  int // offset after the port; end if it has none

	// reach is set if a browser reads a longer authority than this host, and so another host. It is the
	// end of the last label, or of the userinfo, of that authority. A link to the shorter host would
	// hide where the text leads.
	reach int
}

// hostAfterScheme finds the host of a URL and its port at the offset a, after "://". The host is a
// domain name, an IPv4 address or an IPv6 address. If ok is false, the URL is not a link, and reach is
// set. The URL begins at the offset start.
func (f *hostFinder) hostAfterScheme(a, start int) (h foundHost, ok bool) {
	h.start = a
	if h.end, ok = f.hostAt(a); ok {
		h.port, ok = portFrom(f.text, h.end)
	}
	if !ok || continuesHost(f.text, h.port) && !f.isBetweenMarks(start, h.port) {
		h.reach = f.userinfoEnd(a)
		return h, false
	}
	if reach := f.userinfoEnd(h.port); reach > h.port && (byteAt(f.text, h.port) == ':' || f.mayOpen(a, reach)) {
		h.reach = reach
		return h, false
	}
	if h.port == h.end && byteAt(f.text, h.end) == ':' && classAt(f.text, h.end+1)&initiatorByte != 0 {
		h.port++ // an empty port (RFC 3986 §3.2.3)
	}
	if h.port == h.end {
		if reach, ok := f.goesOn(h.end, true); ok && (f.goesOnAtOnce(h.end) || f.mayOpen(a, reach)) {
			h.reach = reach
			return h, false
		}
	}
	return h, true
}

// mayOpen reports whether a browser may open the authority at the offset a. It tries two ends:
// where other programs end the authority, at the offset reach or later, and the next white space.
// If neither gives a valid host with a top-level domain, the text has two links, as in
// https://example.com：或www.example.org: a host ends where no character of a host follows (UTS #58
// §1.4).
func (f *hostFinder) mayOpen(a, reach int) bool {
	end := f.authorityOf(a, reach, true)
	if f.opens(f.text[a:end], classAt(f.text, end)&initiatorByte != 0) {
		return true
	}
	for end < len(f.text) && end-a <= maxHost {
		c := byteClass[f.text[end]]
		size := 1
		if c&initiatorByte != 0 || f.text[end] <= ' ' || strings.IndexByte(`"<>\`, f.text[end]) >= 0 {
			break
		}
		if c&highByte != 0 {
			var r rune
			if r, size = decode(f.text, end); ucd.IsWhiteSpace(r) {
				break
			}
		}
		end += size
	}
	return f.opens(f.text[a:end], classAt(f.text, end)&initiatorByte != 0)
}

// opens reports whether browsers open an authority. beforePart says that a path, query or fragment
// follows: then the last label may also be a name that only some networks know.
func (h *hostRules) opens(authority string, beforePart bool) bool {
	authority, _, _ = strings.Cut(authority, `\`)
	host := authority[strings.LastIndexByte(authority, '@')+1:]
	if colon := strings.LastIndexByte(host, ':'); colon >= 0 && isPort("0"+host[colon+1:]) {
		host = host[:colon]
	}
	if len(host) > maxTyped {
		return false
	}
	known := h.opened.Get(host)
	if known == nil {
		host = strings.Clone(host) // or the cache would keep the whole text in memory
		judged := h.openable(host)
		h.opened.Put(host, judged)
		known = &judged
	}
	return *known == openedAnywhere || *known == openedSomewhere && beforePart
}

// An opened says where browsers open a host.
type opened uint8

const (
	openedNowhere   opened = iota // the host is not valid
	openedSomewhere               // its last label is no top-level domain
	openedAnywhere
)

// openable returns where browsers open a host.
func (h *hostRules) openable(host string) opened {
	// The tables of an older toolchain do not know all characters that UTS #46 ignores.
	host = strings.Map(func(r rune) rune {
		if ucd.HostClassOf(r) == ucd.HostIgnored {
			return -1
		}
		return r
	}, host)
	ascii, err := hostToASCII(host)
	if err != nil {
		return openedNowhere
	}
	name := strings.TrimSuffix(ascii, ".")
	last := name[strings.LastIndexByte(name, '.')+1:]
	if len(last) == len(name) || endsInNumber(name) || h.tlds.Contains(last) || reservedTLDs[last] {
		return openedAnywhere
	}
	return openedSomewhere
}

// hostAt returns the end of the host at the offset a behind a scheme.
func (f *hostFinder) hostAt(a int) (end int, ok bool) {
	if byteAt(f.text, a) == '[' {
		return bracketedIPv6(f.text, a)
	}
	e, ok := f.domainFrom(a)
	if ok {
		return e.host, true
	}
	if end, ok := f.ipv4From(a, e.run); ok {
		return end, true
	}
	switch {
	case f.strict:
		return 0, false
	case byteAt(f.text, e.run) == '_':
		return f.underscored(a)
	}
	return bareIPv6(f.text, a)
}

// underscored returns the end of the host at the offset a whose labels have underscores. Browsers open
// such a host (WHATWG URL, forbidden domain code point), and blogs have such names (adjustment
// "underscores"). A host without underscores must not end in front of one: a browser would read a
// longer host.
func (f *hostFinder) underscored(a int) (end int, ok bool) {
	run := f.runEnd(a)
	for byteAt(f.text, run) == '_' {
		run = f.runEnd(run + 1)
	}
	for run > a && f.text[run-1] == '_' {
		run-- // a mark after the link
	}
	name := trimSeparators(f.text, a, run)
	if strings.IndexByte(f.text[a:name], '_') < 0 || !f.tlds.Contains(f.text[lastLabel(f.text, a, name):name]) {
		return 0, false
	}
	e, ok := f.withFinalDot(ending{run: run, name: name, host: name})
	return e.host, ok && f.isUnderscored(f.text[a:name])
}

// bareHost finds the host without a scheme around the label separator at the offset p. It does not
// begin before floor. e is the ending that bareEnding found after the separator. If ok is false and
// reach is not 0, the host is a suspect.
func (f *hostFinder) bareHost(p int, e ending, floor int) (h foundHost, ok bool) {
	ok = true
	run := f.runStart(p, floor)
	h.start, h.end, h.port = run, e.host, e.host
	if !isPlainDomain(f.text[run:e.name]) {
		h.start = skipIgnored(f.text, run, p)
		if !f.strict {
			h.start = f.cutHead(h.start, e.name)
			ok = !f.isSentence(h.start, e.name)
		}
		ok = ok && f.isDomain(f.text[h.start:e.name])
	}
	if ok && f.beginsSentence(h.start, e.name) {
		return h, false
	}
	if ok = ok && (mayStart(f.text, run) || h.start == run && f.opensMark(run)); ok {
		h.port, ok = portFrom(f.text, h.end)
	}
	if !ok || f.isLocalPart(h.start, h.port) || f.isWideLocalPart(h.start, h.end) {
		return h, false
	}
	if h.port == h.end {
		if reach, ok := f.goesOn(h.end, false); ok {
			h.reach = reach
			return h, false
		}
	}
	return h, !continuesHost(f.text, h.port) || f.isBetweenMarks(h.start, h.port)
}

// opensMark reports whether underscores in front of the offset a begin marked text, because no word is
// in front of them (adjustment "marks").
func (f *hostFinder) opensMark(a int) bool {
	i := a
	for i > 0 && f.text[i-1] == '_' {
		i--
	}
	return !f.strict && i < a && (i == 0 || strings.IndexByte(" \t\r\n([{\"'*~|>", f.text[i-1]) >= 0)
}

// isBetweenMarks reports whether text[a:end] is between underscores that no word touches.
func (f *hostFinder) isBetweenMarks(a, end int) bool {
	i := end
	for byteAt(f.text, i) == '_' {
		i++
	}
	return i > end && f.opensMark(a) && isOutside(f.text, i)
}

// mayStart reports whether a bare host may begin at the offset a. It may not follow the "@" of an
// address, the slash of a path, an underscore, a percent sign, or a scheme without "//".
func mayStart(text string, a int) bool {
	if a == 0 {
		return true
	}
	switch text[a-1] {
	case '@', '/', '\\', '_', '%':
		return false
	case ':':
		return anySchemeBefore(text, a-1, 0) < 0
	}
	return true
}

// ipv4From returns the end of the IPv4 address at the offset a, with its final dot if that belongs to
// it. run is the end of the run.
func (f *hostFinder) ipv4From(a, run int) (end int, ok bool) {
	end = trimSeparators(f.text, a, run)
	if !isIPv4(f.text[a:end]) {
		return 0, false
	}
	e, ok := f.withFinalDot(ending{run: run, name: end, host: end})
	return e.host, ok
}

// isLocalPart reports whether the bare host text[a:i] belongs to the local-part of
// an address, which has precedence: between it and an "@" before a domain name are
// only Link_Email characters. Without "mailto:" they do not begin a path.
func (f *hostFinder) isLocalPart(a, i int) bool {
	if classAt(f.text, i)&initiatorByte != 0 && !f.isBehindMailto(a) {
		return false
	}
	for i < len(f.text) && i-a <= maxLocalPart {
		c := f.text[i]
		if c == '@' {
			_, ok := f.domainFrom(i + 1)
			return ok
		}
		r, size := utf8.DecodeRuneInString(f.text[i:])
		if !ucd.LinkEmail(r) && r != '.' {
			return false
		}
		i += size
	}
	return false
}

// isBehindMailto reports whether only Link_Email characters are between "mailto:" and the offset a.
func (f *hostFinder) isBehindMailto(a int) bool {
	i := a
	for i > 0 && a-i <= maxLocalPart {
		r, size := utf8.DecodeLastRuneInString(f.text[:i])
		if !ucd.LinkEmail(r) && r != '.' {
			break
		}
		i -= size
	}
	m := i - len(mailtoPrefix)
	return m >= 0 && strings.EqualFold(f.text[m:i], mailtoPrefix)
}

// isWideLocalPart reports whether the last label of the bare host text[a:i] is in fact the
// local-part of an address with a wide "@", which follows the ideographic full stop of a sentence.
func (f *hostFinder) isWideLocalPart(a, i int) bool {
	if byteAt(f.text, i) < utf8.RuneSelf || f.strict {
		return false
	}
	if rest := f.text[i:]; !strings.HasPrefix(rest, "\uff20") && !strings.HasPrefix(rest, "\ufe6b") {
		return false
	}
	if _, ok := f.domainFrom(i + len("\uff20")); !ok {
		return false
	}
	sentence, ok := strings.CutSuffix(f.text[a:lastLabel(f.text, a, i)], "。")
	r, _ := utf8.DecodeLastRuneInString(sentence)
	return ok && isSpaceless(r)
}

// userinfoEnd returns the offset after the last "@" of the authority that goes on at the offset i, or
// i. In front of an "@", what looks like a host is a user name (WHATWG URL, authority state). A
// backslash ends the authority for browsers, but not for other programs.
func (f *hostFinder) userinfoEnd(i int) int {
	end := i
	for i < len(f.text) {
		c := byteClass[f.text[i]]
		size := 1
		switch {
		case c&highByte != 0:
			var r rune
			if r, size = decode(f.text, i); ucd.IsWhiteSpace(r) || r == utf8.RuneError && size == 1 {
				return end
			}
		case c&authorityByte == 0 && !isHiddenControl(f.text[i]):
			return end
		case f.text[i] == '@':
			end = i + 1
		}
		i += size
	}
	return end
}

// isHiddenControl reports whether c is an ASCII control character other than white space. Browsers
// escape it in userinfo (WHATWG URL, userinfo percent-encode set).
func isHiddenControl(c byte) bool {
	return c == 0x7f || c < ' ' && !ucd.IsWhiteSpace(rune(c))
}

// Browsers read an authority up to "/", "?", "#" or "\\" (WHATWG URL, authority state). So a host may
// go on after characters that are no part of a name. Such a text is a suspect: a link to its first part
// would hide the host that a browser opens.
//
// The rest of a host is the text after it, up to one of / ? # \ : < > [ ] or a character that is
// Link_Term Hard and that UTS #46 disallows (white space, controls, unassigned). Without a scheme, "@",
// "|", list separators and East Asian text also end the rest. In both modes, the host goes on if
//
//   - the rest has a label, a dot and a top-level domain; without a scheme the label must
//     be whole, and the top-level domain not part of a local-part;
//   - after a scheme, the rest has a character of a label, a dot and a label that begins
//     with an ASCII letter, and then a path, query, fragment or port follows;
//   - after a scheme, the rest has a percent-escape;
//   - the rest begins with dots, and then a percent-escape, or "_" and a label, follows.
//
// Otherwise the rest is text, as in "https://example.com" and https://example.com's.

// goesOn reports whether the host that ends at the offset i goes on; url says that it
// follows a scheme. end is the end of its last label, or of the whole authority if a path,
// query or fragment follows.
func (f *hostFinder) goesOn(i int, url bool) (end int, ok bool) {
	// Most hosts are followed by a space, a slash, or an ASCII character and a space.
	if c := classAt(f.text, i); c&authorityByte == 0 || c&highByte == 0 && classAt(f.text, i+1)&authorityByte == 0 {
		return 0, false
	}
	ok = f.goesOnAtOnce(i)
	if !ok && !url && f.textFrom <= i && i < f.textTo {
		return 0, false
	}
	from, end, label, whole := i, i, false, url
	for {
		kind, size := restAt(f.text, i, url)
		if !url && !ok && isUnderscore(rune(byteAt(f.text, i))) {
			kind = restEnd // other programs begin a host after it
		}
		afterLabel := label && whole
		label = kind == restLabel || kind == restEscape
		switch kind {
		case restEnd:
			if !ok {
				f.keepText(from, i, url)
			} else if classAt(f.text, i)&initiatorByte != 0 {
				end = i
			}
			return end, ok
		case restDot:
			if name, found := f.nameAt(i+size, url); afterLabel && found {
				if !url && f.isLocalPart(i+size, name) {
					if !ok {
						f.keepText(from, i, url)
					}
					return end, ok
				}
				ok, label, end, size = true, true, name, name-i
			}
			whole = true
		case restMark:
			whole = url
		case restLabel:
			end = i + size
		case restEscape:
			ok, end = ok || url, i+size
		}
		i += size
	}
}

// keepText remembers that in text[from:to] no host without a scheme goes on. So a long text of many
// hosts takes linear time.
func (f *hostFinder) keepText(from, to int, url bool) {
	if !url {
		f.textFrom, f.textTo = from, to
	}
}

// goesOnAtOnce reports whether a dot and a label that begins with "_" or a percent-escape follow the
// host that ends at the offset i. It skips characters that UTS #46 ignores.
func (f *hostFinder) goesOnAtOnce(i int) bool {
	if c := byteAt(f.text, i); c < utf8.RuneSelf && c != '.' {
		return false
	}
	dots, underscores := false, false
	for i < len(f.text) {
		r, size := decode(f.text, i)
		switch {
		case !underscores && separatorAt(f.text, i) != 0:
			dots = true
		case (dots || underscores) && r == '%':
			kind, _ := restAt(f.text, i, true)
			return kind == restEscape
		case (dots || underscores || r != '_') && isUnderscore(r):
			underscores = true
		case ucd.HostClassOf(r) == ucd.HostIgnored:
			dots = true // the name ends before it
		default:
			if !underscores {
				return false
			}
			kind, _ := restAt(f.text, i, false)
			return kind == restLabel
		}
		i += size
	}
	return false
}

// nameAt returns the end of the label at the offset i if a label and a dot in front of it and this
// label make a host. The label must be a top-level domain; East Asian text may follow directly.
// After a scheme it may be any label that begins with an ASCII letter.
func (f *hostFinder) nameAt(i int, url bool) (end int, ok bool) {
	end = f.labelEnd(i)
	if f.tlds.Contains(f.text[i:end]) {
		return end, true
	}
	i = skipIgnored(f.text, i, end)
	if i == end {
		return 0, false
	}
	if c := byteClass[f.text[i]]; url && c&alnumByte != 0 && c&digitByte == 0 && f.endsAuthority(i, end) {
		return end, true
	}
	in := labelByte
	if url {
		in = alnumByte
	}
	k := i
	for k < end && byteClass[f.text[k]]&uint16(in) != 0 {
		k++
	}
	return k, k > i && f.tlds.Contains(f.text[i:k])
}

// reservedTLDs are last labels of names that only some networks resolve (RFC 6761, RFC
// 6762, RFC 7686, RFC 9476, and ICANN's internal).
var reservedTLDs = map[string]bool{
	"alt": true, "example": true, "internal": true, "invalid": true, "local": true,
	"localhost": true, "onion": true, "test": true,
}

// endsAuthority reports whether the label text[i:end] ends the authority of a URL rather than a
// sentence: a path, query, fragment or port follows, or the label is reserved.
func (f *hostFinder) endsAuthority(i, end int) bool {
	return classAt(f.text, end)&initiatorByte != 0 || byteAt(f.text, end) == ':' && classAt(f.text, end+1)&digitByte != 0 ||
		reservedTLDs[strings.ToLower(f.text[i:end])]
}

// A restKind is the kind of a character in the rest of a host: see goesOn.
type restKind uint8

const (
	restEnd    restKind = iota // not in the rest
	restMark                   // not part of a label
	restLabel                  // part of a label
	restDot                    // a label separator
	restEscape                 // a percent-escape
)

// restAt returns the kind of the character at the offset i in the rest of a host,
// and its length in bytes. url says that the host follows a scheme.
func restAt(text string, i int, url bool) (kind restKind, size int) {
	c := byteAt(text, i)
	switch class := byteClass[c]; {
	case c == '.':
		return restDot, 1
	case class&labelByte != 0, c == '_':
		return restLabel, 1
	case class&authorityByte == 0, c == '\\', c == ':', c == '[', c == ']', !url && strings.IndexByte("@|,;", c) >= 0:
		return restEnd, 0
	case c == '%':
		if _, ok := percent.Byte(text[i:]); ok {
			return restEscape, 3
		}
		return restMark, 1
	case c < utf8.RuneSelf:
		return restMark, 1
	}
	r, size, term := linkTermAt(text, i)
	switch {
	case term == ucd.Hard && ucd.HostClassOf(r) == ucd.HostDisallowed:
		return restEnd, 0
	case separatorAt(text, i) != 0:
		return restDot, size
	case !url && isEastAsianText(r):
		return restEnd, 0
	case ucd.HostClassOf(r) == ucd.HostDisallowed && !isUnderscore(r), ucd.HostClassOf(r) == ucd.HostPunctuation:
		return restMark, size
	}
	return restLabel, size
}

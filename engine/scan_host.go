package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine/ucd"
)

// Hosts are found as runs: a maximal sequence of characters that may stand
// in a host, labels and separators alike. A run is a host as a whole or not
// at all, so that no part of a name that is none is made a link.

// hostClasses returns the classes of characters that runs consist of. UTS #46
// lets more characters stand in a domain name than IDNA2008, quotes and dashes
// among them. In strict mode they belong to the host, and usually spoil it; in
// default mode a punctuation character ends the host (adjustment
// "punctuation", see adjust.go).
func hostClasses(m Mode) uint {
	in := uint(1<<ucd.HostValid | 1<<ucd.HostMapped | 1<<ucd.HostIgnored | 1<<ucd.HostSeparator | 1<<ucd.HostSymbol)
	if m == ModeStrict {
		in |= 1 << ucd.HostPunctuation
	}
	return in
}

// isInHost reports whether r may stand in a host.
func (s *Scanner) isInHost(r rune) bool { return s.inHost>>ucd.HostClassOf(r)&1 != 0 }

// runEnd returns the end of the run that goes on at the offset i. The end of
// the latest run is remembered: where a host is cut out of a long run, the
// rest of it is asked for again.
func (sc *scan) runEnd(i int) int {
	if sc.runFrom <= i && i < sc.runTo {
		return sc.runTo
	}
	text, high, from := sc.text, false, i
	var ascii uint16
	for i < len(text) {
		c := octets[text[i]]
		if c&runOctet != 0 {
			ascii |= c
			i++
			continue
		}
		if c&highOctet == 0 {
			break
		}
		r, size := decode(text, i)
		if r == utf8.RuneError || !sc.s.isInHost(r) {
			break
		}
		high = true
		i += size
	}
	sc.runFrom, sc.runTo, sc.runHigh, sc.runAlnum = from, i, high, ascii&alnumOctet != 0
	return i
}

// runStart returns the start of the run that lies before the offset i; it is
// not before floor.
func (sc *scan) runStart(i, floor int) int {
	for i > floor {
		c := octets[sc.text[i-1]]
		if c&runOctet != 0 {
			i--
			continue
		}
		if c&highOctet == 0 {
			return i
		}
		r, size := utf8.DecodeLastRuneInString(sc.text[floor:i])
		if r == utf8.RuneError || !sc.s.isInHost(r) {
			return i
		}
		i -= size
	}
	return i
}

// separatorAt returns the number of octets of the label separator that
// begins at the offset i: 1, 3 or, where there is none, 0.
func (sc *scan) separatorAt(i int) int {
	if i < len(sc.text) && sc.text[i] == '.' {
		return 1
	}
	if i+3 <= len(sc.text) && isWideDot(sc.text[i:i+3]) {
		return 3
	}
	return 0
}

// separatorBefore returns the number of octets of the label separator that
// ends at the offset i and begins at floor or after it, or 0.
func (sc *scan) separatorBefore(i, floor int) int {
	if i > floor && sc.text[i-1] == '.' {
		return 1
	}
	if i-3 >= floor && isWideDot(sc.text[i-3:i]) {
		return 3
	}
	return 0
}

// isWideDot reports whether three octets are U+3002, U+FF0E or U+FF61.
func isWideDot(s string) bool {
	switch s {
	case "\u3002", "\uff0e", "\uff61":
		return true
	}
	return false
}

// trimSeparators returns the end of the run that ends at b and begins at a
// or before, without the separators at its end.
func (sc *scan) trimSeparators(a, b int) int {
	for b > a {
		n := sc.separatorBefore(b, a)
		if n == 0 {
			return b
		}
		b -= n
	}
	return b
}

// trimIgnored returns the end of the name text[a:e] without characters at its
// end that UTS #46 ignores, such as a zero width space, and separators before
// them: they are no part of a label.
func (sc *scan) trimIgnored(a, e int) int {
	for e > a && sc.text[e-1] >= utf8.RuneSelf {
		r, size := utf8.DecodeLastRuneInString(sc.text[a:e])
		if ucd.HostClassOf(r) != ucd.HostIgnored {
			break
		}
		e = sc.trimSeparators(a, e-size)
	}
	return e
}

// lastLabel returns where the last label of the name text[a:e] begins.
func (sc *scan) lastLabel(a, e int) int {
	text := sc.text
	for e > a {
		switch text[e-1] {
		case '.', 0x82, 0x8e, 0xa1: // the last octets of the four dots
			if sc.separatorBefore(e, a) != 0 {
				return e
			}
		}
		e--
	}
	return a
}

// A tail is where a run that may be a host ends.
type tail struct {
	run  int // end of the run
	name int // end of the domain name, without separators at its end
	host int // end of the host: with the final dot where it belongs to it
}

// tailFrom finds the end of the host whose last labels begin at the offset
// i, which is after a separator, where the host begins after a scheme or an
// "@". It reports whether the last label is a known top-level domain; run is
// set in any case. As for a browser, a host that is one as a whole is taken
// whole.
func (sc *scan) tailFrom(i int) (t tail, ok bool) {
	return sc.wholeTail(i, sc.runTail(i))
}

// wholeTail takes the tail t of the run whole, if it ends in a top-level
// domain. Only if it does not, and only in default mode, is it cut.
func (sc *scan) wholeTail(i int, t tail) (tail, bool) {
	if sc.endsInTLD(i, t) {
		return sc.withFinalDot(t)
	}
	if sc.runAlnum && sc.s.opts.Mode == ModeDefault {
		return sc.cutTail(i, t, cutAnywhere)
	}
	return t, false
}

// bareTailFrom is tailFrom for a bare host. Around it there is text, so in
// default mode the host ends where the text goes on without a space, even if
// it would be one as a whole. A run before an "@" is no host.
func (sc *scan) bareTailFrom(i int) (t tail, ok bool) {
	if run, name, last, _, ok := sc.plainRun(i); ok {
		t = tail{run: run, name: name, host: name}
		switch {
		case sc.byteAt(run) == '@':
			return t, false // the local-part of an address
		case sc.s.tlds.Contains(sc.text[last:name]):
			return sc.withFinalDot(t)
		case strings.IndexByte(sc.text[last:name], '-') < 0:
			return t, false
		}
	}
	t = sc.runTail(i)
	if sc.byteAt(t.run) == '@' {
		return t, false
	}
	if sc.runHigh && sc.runAlnum && sc.s.opts.Mode == ModeDefault {
		if t, ok := sc.cutTail(i, t, cutAtText); ok {
			return t, true
		}
	}
	return sc.wholeTail(i, t)
}

// runTail returns the tail of the run that goes on at the offset i, which is
// after a separator.
func (sc *scan) runTail(i int) tail {
	run := sc.runEnd(i)
	t := tail{run: run, name: sc.trimSeparators(i, run)}
	if sc.runHigh && !sc.hasParts(run) {
		t.name = sc.trimIgnored(i, t.name)
	}
	t.host = t.name
	return t
}

// endsInTLD reports whether the last label of the name text[i:t.name] is a
// known top-level domain.
func (sc *scan) endsInTLD(i int, t tail) bool {
	return i < t.name && sc.s.tlds.Contains(sc.text[sc.lastLabel(i, t.name):t.name])
}

// withFinalDot decides whether the final dot of the run belongs to the host.
// It ends a sentence, unless something that only follows a host follows it;
// then more than one dot makes it no host.
func (sc *scan) withFinalDot(t tail) (tail, bool) {
	if t.name == t.run || !sc.hasParts(t.run) && !sc.isPortBeforePart(t.run) {
		return t, true
	}
	t.host = t.run
	return t, t.name+sc.separatorAt(t.name) == t.run
}

// isPortBeforePart reports whether a port and then a path, query or fragment
// follow at the offset i.
func (sc *scan) isPortBeforePart(i int) bool {
	if sc.byteAt(i) != ':' {
		return false
	}
	end, ok := sc.port(i)
	return ok && end > i && sc.hasParts(end)
}

// domainFrom finds the domain name that begins at the offset a, as it does
// after a scheme or an "@".
func (sc *scan) domainFrom(a int) (t tail, ok bool) {
	if run, name, last, valid, ok := sc.plainRun(a); ok && last > a && sc.s.tlds.Contains(sc.text[last:name]) {
		t, ok := sc.withFinalDot(tail{run: run, name: name, host: name})
		return t, ok && (valid || sc.isDomain(a, name))
	}
	i := sc.labelEnd(a)
	n := sc.separatorAt(i)
	if n == 0 || i == a {
		return tail{run: i}, false
	}
	t, ok = sc.tailFrom(i + n)
	return t, ok && sc.isDomain(a, t.name)
}

// labelEnd returns the end of the label that begins at the offset i.
func (sc *scan) labelEnd(i int) int {
	text := sc.text
	for i < len(text) {
		c := octets[text[i]]
		if c&hostOctet != 0 {
			i++
			continue
		}
		if c&highOctet == 0 || sc.separatorAt(i) != 0 {
			break
		}
		r, size := decode(text, i)
		if r == utf8.RuneError || !sc.s.isInHost(r) {
			break
		}
		i += size
	}
	return i
}

// isDomain reports whether text[a:e] is a valid domain name: UTS #46
// non-transitional with CheckBidi and CheckJoiners, no label empty or with a
// hyphen at either end, labels of at most 63 and 253 octets in all as
// A-labels. A name in plain ASCII is judged here, others by the host cache.
func (sc *scan) isDomain(a, e int) bool {
	if sc.isPlainDomain(a, e) {
		return true
	}
	text, label := sc.text, a
	for i := a; i < e; i++ {
		c := text[i]
		if octets[c]&alnumOctet != 0 {
			continue
		}
		switch {
		case c >= utf8.RuneSelf:
			return sc.s.hosts.isValid(text[a:e])
		case c == '.':
			if !sc.isLabel(label, i) {
				return false
			}
			label = i + 1
		case i == label+3 && strings.EqualFold(text[label:i+1], acePrefix):
			return sc.s.hosts.isValid(text[a:e])
		}
	}
	return sc.isLabel(label, e) && e-a <= maxName
}

// isLabel reports whether text[a:e], letters, digits and hyphens in ASCII,
// is a label.
func (sc *scan) isLabel(a, e int) bool {
	return a < e && e-a <= maxLabel && sc.text[a] != '-' && sc.text[e-1] != '-'
}

// The limits of RFC 1035 §2.3.4, in octets of the form in ASCII.
const (
	maxLabel = 63
	maxName  = 253
)

// acePrefix begins an A-label (RFC 5890 §2.3.2.5).
const acePrefix = "xn--"

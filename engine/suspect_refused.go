package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// A suspectSearch finds suspects in the text between links. There detection refused a host because of
// the text around it: "//host", "http:host", "_x.host", "host%". Other programs link such hosts, so
// they are suspects, judged by the host alone.
//
// refuse records the texts that detection passes over. Before each link, nextWithSuspects reads them
// again. labelsAround finds the labels around a dot, and namesInLabels the names in them.
// hostAfterColon finds hosts after a scheme that are no names.
type suspectSearch struct {
	lastEnd int        // the end of the latest link or suspect
	refused [8]refusal // texts after it that are not links
	count   int        // number of refused texts

	// The state of the search in the refused texts.
	current   int // index of the current text
	unread    int // where the search continues
	labels    refusedLabels
	colonFrom int        // where nextColon continues
	colonHost schemeHost // what nextColon found there, or zero
	end       int        // the start of the next link, or the end of the text
	isAhead   bool       // ahead is set
	symbols   int        // end of labels with symbols that have no top-level domain
	onlyNames bool       // skip what schemeHostAt finds
	ahead     Link       // the link after the refused texts; KindNone at the end of the text
}

// A refusal is text[from:to] that looks like a host or like a URL of another scheme, but is not a link.
// wide says that its dots may all be non-ASCII, or that it may have none.
type refusal struct {
	from, to int
	wide     bool
}

// refusedLabels are the labels text[from:to] in which nextRefusedHost continues. Other programs link
// the name text[host:end] in them, and IPv4 addresses next to it. If host is less than from,
// nextRefusedHost looks for the next name in front of the last one.
type refusedLabels struct {
	from, host, end, to int
	last, lastEnd       int // the last name
	plain               int // end of a text in which only ASCII names are left
}

// refuse records that text[from:to] looks like a host, but is not a link: see refusal. It merges
// the text with recorded ones that begin after the offset from. If there is no room for another
// text, it extends the last one.
func (sc *scan) refuse(from, to int, wide bool) {
	for ; sc.count > 0 && from < sc.refused[sc.count-1].from; sc.count-- {
		last := sc.refused[sc.count-1]
		to, wide = max(to, last.to), wide || last.wide
	}
	switch last := len(sc.refused) - 1; {
	case !sc.suspects:
	case sc.count <= last:
		sc.refused[sc.count] = refusal{from, to, wide}
		sc.count++
	default:
		sc.refused[last].to = max(sc.refused[last].to, to)
		sc.refused[last].wide = sc.refused[last].wide || wide
	}
}

// maxRefusedLabel is the length in bytes of the longest label in front of a non-ASCII dot for which the
// scan searches a refused host.
const maxRefusedLabel = 256

// followsSyntax reports whether the label that begins at the offset a follows a character of URLs, not
// of sentences. The label ends with a dot before the offset p.
func (sc *scan) followsSyntax(a, p int) bool {
	return a > 0 && strings.IndexByte(`/\_%@:[`, sc.text[a-1]) >= 0 && p-a <= maxRefusedLabel
}

// mayFollowSyntax is followsSyntax for a label that ends at the offset p.
func (sc *scan) mayFollowSyntax(p int) bool {
	i := p
	for i-8 >= sc.done && p-i <= maxRefusedLabel && word(sc.text[i-8:i])&highBits == highBits {
		i -= 8 // words of scripts without spaces are long
	}
	for i > sc.done && p-i <= maxRefusedLabel && byteClass[sc.text[i-1]]&(labelByte|highByte) != 0 {
		i--
	}
	return sc.followsSyntax(i, p+len("。"))
}

// nextWithSuspects is nextLink with the suspects between links.
func (sc *scan) nextWithSuspects(l *Link) bool {
	if !sc.isAhead {
		sc.count = 0
		if sc.done > sc.lastEnd {
			sc.refuse(sc.lastEnd, min(sc.done+1, len(sc.text)), true) // the text directly after an address, with its dot
		}
		found := sc.nextLink(l)
		if sc.count == 0 || found && sc.refused[0].from >= l.Start {
			sc.lastEnd = l.End
			return found
		}
		sc.end = len(sc.text)
		if found {
			sc.end = l.Start
		}
		sc.current, sc.unread, sc.symbols, sc.labels, sc.isAhead, sc.ahead = 0, 0, 0, refusedLabels{}, true, *l
		if !found {
			sc.ahead.Kind = KindNone
		}
	}
	if !sc.nextRefusedHost(l) {
		sc.isAhead, *l = false, sc.ahead
	}
	sc.lastEnd = l.End
	return l.Kind != KindNone
}

// nextRefusedHost sets l to the next suspect in the refused texts, and reports whether there is one.
func (sc *scan) nextRefusedHost(l *Link) bool {
	for !sc.nextInRefusedLabels(l) {
		if sc.current == sc.count {
			return false
		}
		r := sc.refused[sc.current]
		from, to := max(sc.unread, r.from), min(r.to, sc.end)
		c := sc.nextColon(from, to)
		p := nextSeparator(sc.text, from, min(c, to), r.wide)
		if p < 0 && c < to {
			sc.emitAfterColon(l)
			sc.unread = l.End
			return true
		}
		if p < 0 {
			sc.current++
			continue
		}
		a, b := sc.labelsAround(p)
		sc.unread = max(b, p+separatorAt(sc.text, p))
		if strings.IndexByte(sc.text[a:b], '.') >= 0 || sc.followsSyntax(a, nextLabel(sc.text, a, b)) {
			sc.labels = sc.namesInLabels(a, b)
		}
	}
	return true
}

// firstRefusedHost sets l to the first suspect that nextRefusedHost finds in text[a:b], and reports
// whether there is one.
func (sc *scan) firstRefusedHost(a, b int, l *Link) bool {
	within := scan{hostFinder: hostFinder{hostJudge: sc.hostJudge, text: sc.text}}
	within.suspects, within.onlyNames, within.lastEnd, within.end = true, true, a, b
	within.refuse(a, b, true)
	return within.nextRefusedHost(l)
}

// nextInRefusedLabels sets l to the next suspect in the latest labels, and reports whether there is
// one.
func (sc *scan) nextInRefusedLabels(l *Link) bool {
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
		sc.emitRefused(a, end, l)
	} else if p.from <= p.host && p.host < p.end {
		a, end := p.host, p.end
		p.from = end
		sc.emitRefused(a, end, l)
	} else {
		p.from = p.to
		return false
	}
	sc.unread = max(l.End, sc.unread)
	return true
}

// emitRefused sets l to the suspect with the host text[host:end], its port and its path. It includes a
// scheme in front of the host, with any number of slashes between them.
func (sc *scan) emitRefused(host, end int, l *Link) {
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
	l.Start, l.End = start, sc.refusedEnd(text, start, end, port)
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

// refusedEnd returns the end of the suspect that begins at the offset start. Its host ends at the
// offset host and its port at port. Its path ends where other programs end it, so that hosts after it
// are suspects of their own.
func (sc *scan) refusedEnd(text string, start, host, port int) int {
	end := sc.linkEnd(text, start, port)
	if !sc.tlds.Contains(text[lastLabel(text, start, host):host]) && isPseudoTLD(text[lastLabel(text, start, host):host]) {
		return port
	}
	if i := strings.IndexAny(text[port:end], "\"[{<\\"); i >= 0 {
		end = port + i
	}
	return end
}

// nextSeparator returns the offset of the next full stop in text[from:to], or -1. If wide is true, any
// label separator counts.
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

// labelsAround returns the bounds of the labels around the label separator at the offset p. It accepts
// symbols in labels only if the labels without symbols have no top-level domain.
func (sc *scan) labelsAround(p int) (a, b int) {
	a, b = sc.dottedLabels(p, max(sc.lastEnd, sc.unread), false)
	if sc.isASCII || p < sc.symbols || sc.topLevelEnd(a, b) > 0 || sc.pseudoEnd(a, b) > 0 {
		return a, b
	}
	k, end := sc.dottedLabels(p, sc.lastEnd, true)
	if k > p {
		return a, b
	}
	if top := sc.topLevelEnd(k, end); top > 0 {
		last := lastLabel(sc.text, k, top)
		from, to := sc.dottedLabels(last-separatorBefore(sc.text, last, k), sc.lastEnd, false)
		if sc.topLevelEnd(from, to) == 0 {
			return k, end
		}
	}
	sc.symbols = end
	return a, b
}

// dottedLabels returns the bounds of the labels around the label separator at the offset p, with single
// separators between them. They do not begin before floor. symbols says whether labels may have
// symbols. A label with a hyphen at its edge ends the labels. Labels that were read before are not read
// again: the numbers of libx.so.1.2.3.4 are not an address.
func (sc *scan) dottedLabels(p, floor int, symbols bool) (a, b int) {
	end := sc.end
	size := separatorAt(sc.text, p)
	for a = p; ; {
		label := sc.refusedLabelStart(a, floor, symbols)
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
		label := sc.refusedLabelEnd(b+size, end, symbols)
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

// refusedLabelStart returns the start of the label that ends at the offset i. It does not go below
// floor.
func (f *hostFinder) refusedLabelStart(i, floor int, symbols bool) int {
	for i > floor {
		r, size := utf8.DecodeLastRuneInString(f.text[floor:i])
		if !f.isInRefusedLabel(r, size, symbols) {
			break
		}
		i -= size
	}
	return i
}

// refusedLabelEnd returns the end of the label that begins at the offset i, but at most end.
func (f *hostFinder) refusedLabelEnd(i, end int, symbols bool) int {
	for i < end {
		r, size := decode(f.text[:end], i)
		if !f.isInRefusedLabel(r, size, symbols) {
			break
		}
		i += size
	}
	return i
}

// isInRefusedLabel reports whether a label may have the character r of size bytes. It is as in a host,
// but without middle dots, and with symbols only if symbols is true, as in //I❤.com.
func (f *hostFinder) isInRefusedLabel(r rune, size int, symbols bool) bool {
	if r < utf8.RuneSelf {
		return byteClass[r]&labelByte != 0
	}
	switch class := ucd.HostClassOf(r); {
	case isMiddleDot(r), class == ucd.HostSeparator, r == utf8.RuneError && size == 1:
		return false
	case class == ucd.HostSymbol:
		return symbols
	}
	return f.isInHost(r)
}

// namesInLabels finds the names that other programs would link in the labels text[a:b]: up to the last
// label that is a top-level domain or begins with one. If browsers refuse the whole, there may be
// several names.
func (sc *scan) namesInLabels(a, b int) refusedLabels {
	end := sc.topLevelEnd(a, b)
	if end == 0 {
		end = sc.pseudoEnd(a, b)
	}
	if end == 0 {
		return refusedLabels{from: a, host: b, end: b, to: b, last: b, lastEnd: b}
	}
	p := refusedLabels{from: a, host: sc.openableStart(a, end), end: end, to: b}
	p.last, p.lastEnd = p.host, p.end
	if p.host > a {
		p.host = a - 1
	}
	return p
}

// pseudoEnd returns the end of the last label of text[a:b] that other programs take for a top-level
// domain although it is none, or 0. The first label does not count. Such a label is a pseudo top-level
// domain after "@", "//" or a scheme; localhost and A-labels count everywhere.
func (sc *scan) pseudoEnd(a, b int) int {
	end := 0
	named := a > 0 && (sc.text[a-1] == '@' || strings.HasSuffix(sc.text[:a], "//") || sc.text[a-1] == ':' && a > 1 && classAt(sc.text, a-2)&alnumByte != 0)
	for i := nextLabel(sc.text, a, b); i < b; {
		next := nextLabel(sc.text, i, b)
		k := i
		for k < next && byteClass[sc.text[k]]&labelByte != 0 {
			k++
		}
		if label := sc.text[i:k]; isPseudoTLD(label) && (named || strings.EqualFold(label, "localhost") || ascii.HasPrefixFold(label, acePrefix)) {
			end = k
		}
		i = next
	}
	return end
}

// isPseudoTLD reports whether other programs take a label for a top-level domain although it is none:
// it is a name that the program xurls knows, or an A-label.
func isPseudoTLD(label string) bool {
	if len(label) < len("bit") || len(label) > maxLabel || strings.IndexByte("begiltxz", label[0]|0x20) < 0 {
		return false
	}
	switch strings.ToLower(label) {
	case "bit", "example", "exit", "gnu", "i2p", "invalid", "local", "localhost", "test", "zkey":
		return true
	}
	return len(label) > len(acePrefix) && ascii.HasPrefixFold(label, acePrefix)
}

// nextName goes on to the next name in the latest labels. Names in front of the last one must be valid.
// They are separated by characters that end a link, or are ASCII runs among other characters; openStart
// decides where such a run begins.
func (sc *scan) nextName() {
	p := &sc.labels
	for from := p.from; from < p.last; {
		if from >= p.plain {
			p.plain = pieceEnd(sc.text, from, p.last)
			if p.plain == from {
				_, size := decode(sc.text, from)
				from += size
				continue
			}
			if sc.takeName(from, p.plain) {
				return
			}
		}
		for from < p.plain && byteClass[sc.text[from]]&runByte == 0 {
			from++
		}
		a := from
		for from < p.plain && byteClass[sc.text[from]]&runByte != 0 {
			from++
		}
		if sc.takeName(a, from) {
			if k, ok := sc.openStart(p.from, p.host, p.end); ok {
				p.host = k
			}
			return
		}
	}
	p.host, p.end = p.last, p.lastEnd
	if p.host < p.from {
		p.host, p.end = p.to, p.to
	}
}

// pieceEnd returns the offset of the first character in text[i:to] at which other programs end a name:
// an invisible character or a sign.
func pieceEnd(text string, i, to int) int {
	for i < to {
		r, size := decode(text[:to], i)
		if r >= utf8.RuneSelf && (ucd.IsDefaultIgnorable(r) || ucd.HostClassOf(r) == ucd.HostMapped && isNumberSign(r)) {
			return i
		}
		i += size
	}
	return to
}

// takeName makes text[a:b] the name of the latest labels if it is valid, and reports whether it is.
func (sc *scan) takeName(a, b int) bool {
	for a < b && byteClass[sc.text[a]]&(alnumByte|highByte) == 0 {
		a++
	}
	for a < b && sc.text[b-1] == '-' {
		b--
	}
	end := sc.topLevelEnd(a, b)
	if end == 0 || !sc.isDomain(sc.text[a:end]) {
		return false
	}
	sc.labels.host, sc.labels.end = a, end
	return true
}

// topLevelEnd returns the end of the last top-level domain in the labels text[a:b], or 0. The first
// label does not count.
func (sc *scan) topLevelEnd(a, b int) int {
	end := 0
	for i := nextLabel(sc.text, a, b); i < b; {
		next := nextLabel(sc.text, i, b)
		if k := sc.topLevelIn(i, next-separatorBefore(sc.text, next, i)); k > i {
			end = k
		}
		i = next
	}
	return end
}

// topLevelIn returns the end of the top-level domain that the label text[i:end] is or begins with, or
// i. The beginning may be its ASCII, its first word, or its letters.
func (sc *scan) topLevelIn(i, end int) int {
	if sc.tlds.Contains(sc.text[i:end]) {
		return end
	}
	k := i
	for k < end && byteClass[sc.text[k]]&labelByte != 0 {
		k++
	}
	if k < end && sc.tlds.Contains(sc.text[i:k]) {
		return k
	}
	if k := wordEnd(sc.text, i, end); k < end && sc.tlds.Contains(sc.text[i:k]) {
		return k
	}
	if k := lettersEnd(sc.text, i, end); k < end && classAt(sc.text, k)&highByte != 0 && sc.tlds.Contains(sc.text[i:k]) {
		return k
	}
	return i
}

// lettersEnd returns the end of the letters in text[i:end].
func lettersEnd(text string, i, end int) int {
	return skipRun(text[:end], i, unicode.IsLetter)
}

// openableStart returns the start of the host in the name text[a:end] that a browser would open. If UTS
// #46 refuses the whole name, that is the end of the name after a sign, a mark or the like, or its
// final ASCII labels.
func (sc *scan) openableStart(a, end int) int {
	if sc.isDomain(sc.text[a:end]) {
		return a
	}
	if k := afterLastSign(sc.text, a, end); k > a && strings.Contains(sc.text[k:end], ".") && sc.isDomain(sc.text[k:end]) {
		return k
	}
	first, found := sc.openStart(a, end, end)
	i := end
	for i > a && byteClass[sc.text[i-1]]&runByte != 0 {
		i--
	}
	for i < end && byteClass[sc.text[i]]&alnumByte == 0 {
		i++
	}
	if found && first <= i {
		return first
	}
	if name := sc.text[i:end]; strings.Contains(name, ".") && sc.isDomain(name) {
		return i
	}
	if found {
		return first
	}
	return a
}

// maxStarts is how many places in a name openStart tries.
const maxStarts = 16

// openStart returns the first place in the name text[a:end] at which a host begins that a browser would
// open. It tries the last maxStarts places up to the offset to: after each label separator or
// isNameBreak character.
func (sc *scan) openStart(a, to, end int) (start int, ok bool) {
	var starts [maxStarts]int
	n := 0
	for i := to; i > a && n < maxStarts && end-i <= maxName; {
		r, size := utf8.DecodeLastRuneInString(sc.text[a:i])
		if i < end && (isNameBreak(r) || ucd.HostClassOf(r) == ucd.HostSeparator) {
			starts[n] = i
			n++
		}
		i -= size
	}
	for n--; n >= 0; n-- {
		if name := sc.text[starts[n]:end]; strings.Contains(name, ".") && sc.isDomain(name) {
			return starts[n], true
		}
	}
	return 0, false
}

// isNameBreak reports whether other programs may begin a name after the non-ASCII character r: an
// invisible character, punctuation or a mark.
func isNameBreak(r rune) bool {
	return r >= utf8.RuneSelf && (ucd.IsDefaultIgnorable(r) || unicode.In(r, unicode.P, unicode.M))
}

// afterLastSign returns the offset after the last sign in text[a:end], or a.
func afterLastSign(text string, a, end int) int {
	i := strings.LastIndexFunc(text[a:end], func(r rune) bool {
		return r >= utf8.RuneSelf && ucd.HostClassOf(r) == ucd.HostMapped && isNumberSign(r)
	})
	if i < 0 {
		return a
	}
	_, size := decode(text[:end], a+i)
	return a + i + size
}

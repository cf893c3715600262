package engine

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// The oracle finds the suspects between links as follows: it divides the text there into labels,
// and joins labels with a dot between them.

// isSign reports whether r is a symbol, or a superscript, fraction or the like.
func isSign(r rune) bool {
	switch ucd.HostClassOf(r) {
	case ucd.HostSymbol:
		return true
	case ucd.HostMapped:
		return unicode.In(r, unicode.No, unicode.So) || r >= 0x100 && unicode.Is(unicode.Po, r) || strings.ContainsRune("￠￡￥￦", r)
	}
	return false
}

// inRefusedLabel reports whether the code point with the index i is part of a label.
func (o *oracle) inRefusedLabel(i int) bool {
	r := o.at(i)
	if r < utf8.RuneSelf {
		return r == '-' || isLetterOrDigit(r)
	}
	return o.inHost(i) && !o.isDot(i) && ucd.HostClassOf(r) != ucd.HostSymbol && r != '·' && r != '・'
}

// A labelSpan is a label, as indices.
type labelSpan struct{ start, end int }

// refusedSuspects returns the suspects from the index a to e.
func (o *oracle) refusedSuspects(a, e int) []oracleLink { return o.refusedSuspectsWith(a, e, true) }

// refusedSuspectsWith is refusedSuspects, with the hosts of schemeHost or without.
func (o *oracle) refusedSuspectsWith(a, e int, named bool) []oracleLink {
	whole := o
	o = &oracle{text: o.text, strict: o.strict, tlds: o.tlds, cp: o.cp[:e], off: o.off[:e+1]}
	var all []oracleLink
	add := func(host, end int) {
		l, port := o.refusedSuspect(a, host, end)
		all, a = append(all, l), port
	}
	read := a // labels are not read again
	for i := a; i < e; i = max(i, a) {
		if host, end, ok := o.gluedNumber(i); ok {
			add(host, end)
			i++
			continue
		}
		if start, end, ok := whole.schemeHost(a, i); ok && named && end <= e {
			all, a = append(all, oracleLink{KindSuspect, o.off[start], o.off[end]}), end
			i, read = max(i+1, end), max(read, end)
			continue
		}
		if !o.isDot(i) || i < read {
			i++
			continue
		}
		floor := max(a, read)
		labels := o.around(i, floor, false)
		if o.topLevelEnd(labels[1:]) == 0 && o.pseudoEnd(labels) == 0 {
			if more := o.around(i, a, true); more[0].start < i && o.topLevelEnd(more[1:]) > i {
				last := o.around(o.lastLabel(more[0].start, o.topLevelEnd(more[1:]))-1, a, false)
				if o.topLevelEnd(last[1:]) == 0 {
					labels = more
				}
			}
		}
		from, to := labels[0].start, labels[len(labels)-1].end
		i = max(i+1, to)
		read = i
		if len(labels) < 2 || !o.hasDots(labels) {
			continue
		}
		for _, name := range o.refusedNames(labels) {
			o.addresses(from, name.start, add)
			add(name.start, name.end)
			from = name.end
		}
		o.addresses(from, to, add)
		read = max(read, a)
	}
	return all
}

// around returns the labels around the dot with the index p: those that single dots join, none
// before floor. If symbols is true, labels may have symbols. A hyphen at the end of a label
// separates it from the next.
func (o *oracle) around(p, floor int, symbols bool) []labelSpan {
	in := func(i int) bool {
		return o.inRefusedLabel(i) || symbols && ucd.HostClassOf(o.at(i)) == ucd.HostSymbol && o.at(i) != '·' && o.at(i) != '・'
	}
	a := p
	for {
		k := a
		for k > floor && in(k-1) {
			k--
		}
		if k == a || o.at(a-1) == '-' {
			a++
			break
		}
		a = k
		for o.at(a) == '-' {
			a++
		}
		if a > k || a == floor || !o.isDot(a-1) {
			break
		}
		a--
	}
	b := p
	for o.isDot(b) {
		k := b + 1
		for in(k) {
			k++
		}
		if k == b+1 || o.at(b+1) == '-' {
			break
		}
		b = k
		for o.at(b-1) == '-' {
			b--
		}
		if b < k {
			break
		}
	}
	labels := []labelSpan{{min(a, b), min(a, b)}}
	for i := min(a, b); i < b; i++ {
		if o.isDot(i) {
			labels = append(labels, labelSpan{i + 1, i + 1})
		} else {
			labels[len(labels)-1].end = i + 1
		}
	}
	return labels
}

// refusedSuspect returns the suspect with the host from the index host to end, which begins at the index
// a or behind it, and the index of its end.
func (o *oracle) refusedSuspect(a, host, end int) (l oracleLink, next int) {
	port, ok := o.port(end)
	if !ok {
		port = end
	}
	start := host
	for start > a && strings.ContainsRune(`/\`, o.at(start-1)) {
		start--
	}
	for _, s := range []string{"https:", "http:", "ftp:", ""} {
		if k := start - len(s); s == "" {
			start = host
		} else if k >= a && o.folds(k, s) {
			start = k
			break
		}
	}
	if m := mailtoAt.FindStringSubmatch(o.slice(a, host) + o.slice(host, end)); m != nil && len(m[2]) == o.off[end]-o.off[host]-2 && len(m[1]) <= 64 {
		start = host - 1 - len(m[1]) - len("mailto:")
	} else if start == host && host > a && o.at(host-1) == '@' {
		for start--; start > a && host-1-start < 64 && (ucd.LinkEmail(o.at(start-1)) || o.at(start-1) == '.') && o.at(start-1) < utf8.RuneSelf; {
			start--
		}
	}
	next = o.end(start, port)
	last := o.slice(o.lastLabel(host, end), end)
	if !o.tlds.Contains(last) && pseudoTLD.MatchString(last) {
		next = port
	}
	for k := port; k < next; k++ {
		if strings.ContainsRune(`"[{<\`, o.at(k)) {
			next = k
		}
	}
	return oracleLink{KindSuspect, o.off[start], o.off[next]}, next
}

// addresses adds the IPv4 addresses from the index i to e.
func (o *oracle) addresses(i, e int, add func(host, end int)) {
	for _, at := range numbersWithDots.FindAllStringIndex(o.slice(i, e), -1) {
		host := i
		for o.off[host] < o.off[i]+at[0] {
			host++
		}
		end := host + at[1] - at[0]
		for o.at(end-1) == '.' {
			end--
		}
		ends := o.at(end) == '.' || !isLetterOrDigit(o.at(end))
		_, err := ipv4(o.slice(host, end))
		octal := err == nil && octalNumbers.MatchString(o.slice(host, end)) && behindHost.MatchString(o.text[:o.off[host]])
		if (isIPv4(o.slice(host, end)) || octal) && ends && (host == i || !isLetterOrDigit(o.at(host-1)) && (o.at(host-1) != '.' || host-1 > i && o.at(host-2) >= utf8.RuneSelf)) {
			add(host, end)
		}
	}
}

var (
	octalNumbers = regexp.MustCompile(`^(?:[0-9]+[.]){3}[0-9]+$`)
	behindHost   = regexp.MustCompile("(?i)(?://|mailto:[0-9A-Za-z!#$%&'*+/=?^_`{|}~.-]{1,64}@)$")
)

var numbersWithDots = regexp.MustCompile(`[0-9][0-9.]*`)

// gluedNumber returns the place of a number that hides an IPv4 address. Before it are slashes, the
// colon i, and a scheme or a word that ends in one.
func (o *oracle) gluedNumber(i int) (a, end int, ok bool) {
	m := numberBehind.FindStringSubmatch(o.rest(i))
	if m == nil || !schemeAtEnd.MatchString(o.text[:o.off[i]]) || m[1] != "//" && !mailtoAtEnd.MatchString(o.text[:o.off[i]]) {
		return 0, 0, false
	}
	a = i + 1 + len(m[1])
	name, ok := o.hiddenNumber(a)
	return a, a + len(name), ok
}

var (
	numberBehind = regexp.MustCompile(`^:([/\\]+)[0-9]`)
	schemeAtEnd  = regexp.MustCompile(`(?i)(?:http|https|ftp|mailto)$`)
	mailtoAtEnd  = regexp.MustCompile(`(?i)mailto$`)
)

// mailtoAt matches an address with an escaped "@" behind the last "mailto:".
var mailtoAt = regexp.MustCompile("(?i)^(?s:.*)mailto:([0-9A-Za-z!#$%&'*+/=?^_`{|}~.-]+)%40((?s:[^.].*[.].*))$")

// hasDots reports whether a full stop is between labels, or, behind the syntax of a URL, another
// dot.
func (o *oracle) hasDots(labels []labelSpan) bool {
	first, last := labels[0], labels[len(labels)-1]
	name := o.slice(first.start, last.end)
	return strings.Contains(name, ".") || strings.ContainsRune(`/\_%@:[`, o.at(first.start-1)) && o.off[first.end]+3-o.off[first.start] <= 256
}

// refusedNames returns the names in labels. If all of them are not one valid name, it returns the
// names in the pieces of them.
func (o *oracle) refusedNames(labels []labelSpan) (names []labelSpan) {
	host, end, ok := o.lastRefusedName(labels)
	if !ok {
		return nil
	}
	take := func(a, b int) (end int, ok bool) {
		for a < b && o.at(a) < utf8.RuneSelf && !isLetterOrDigit(o.at(a)) {
			a++
		}
		for a < b && o.at(b-1) == '-' {
			b--
		}
		var labels []labelSpan
		for i := a; i < b; i++ {
			if l := (labelSpan{i, i}); i == a || o.isDot(i-1) {
				for l.end < b && !o.isDot(l.end) {
					l.end++
				}
				labels = append(labels, l)
			}
		}
		if len(labels) < 2 {
			return 0, false
		}
		if end = o.topLevelEnd(labels[1:]); end == 0 || !isValidName(o.slice(a, end)) {
			return 0, false
		}
		names = append(names, labelSpan{a, end})
		return end, true
	}
	isASCII := func(i int) bool { return isLetterOrDigit(o.at(i)) || o.at(i) == '-' || o.at(i) == '.' }
	from := labels[0].start // behind the name before
	for i := labels[0].start; i < host; {
		piece := i
		for piece < host && !o.endsPiece(piece) {
			piece++
		}
		if end, ok := take(i, piece); ok {
			i, from = end, end
		}
		for ; i < piece; i++ {
			a := i
			for i < piece && isASCII(i) {
				i++
			}
			if end, ok := take(a, i); ok {
				name := &names[len(names)-1]
				if k, ok := o.firstStart(from, name.start, end); ok {
					name.start = k
				}
				i, from = end-1, end
			}
		}
		i = piece + 1
	}
	return append(names, labelSpan{host, end})
}

// endsPiece reports whether other programs end a name at the code point with the index i: at an
// invisible character or a sign.
func (o *oracle) endsPiece(i int) bool {
	r := o.at(i)
	return r >= utf8.RuneSelf && (ucd.IsDefaultIgnorable(r) || ucd.HostClassOf(r) == ucd.HostMapped && isNumberSign(r))
}

// topLevelEnd returns the end of the last label that is a top-level domain or begins with one, or
// 0.
func (o *oracle) topLevelEnd(labels []labelSpan) (end int) {
	for _, l := range labels {
		if o.knows(l.start, l.end) {
			end = l.end
			continue
		}
		k := l.start
		for k < l.end && o.inHostASCII(k) {
			k++
		}
		if o.knows(l.start, k) {
			end = k
			continue
		}
		k = l.start
		for k < l.end && o.isSameWord(l.start, k) {
			k++
		}
		if o.knows(l.start, k) {
			end = k
			continue
		}
		k = l.start
		for k < l.end && unicode.IsLetter(o.at(k)) {
			k++
		}
		if k < l.end && o.at(k) >= utf8.RuneSelf && o.knows(l.start, k) {
			end = k
		}
	}
	return end
}

// pseudoTLD is a label that xurls takes for a top-level domain although it is not one.
var pseudoTLD = regexp.MustCompile(`^(?i)(?:bit|example|exit|gnu|i2p|invalid|local|localhost|test|zkey|xn--.{1,59})$`)

// pseudoEnd returns the end of the last pseudo top-level domain that begins one of labels, or 0.
func (o *oracle) pseudoEnd(labels []labelSpan) (end int) {
	before := o.text[:o.off[labels[0].start]]
	named := strings.HasSuffix(before, "@") || strings.HasSuffix(before, "//") || regexp.MustCompile(`[0-9A-Za-z]:$`).MatchString(before)
	for _, l := range labels[1:] {
		k := l.start
		for k < l.end && (isLetterOrDigit(o.at(k)) || o.at(k) == '-') {
			k++
		}
		label := strings.ToLower(o.slice(l.start, k))
		if pseudoTLD.MatchString(label) && (named || label == "localhost" || strings.HasPrefix(label, "xn--")) {
			end = k
		}
	}
	return end
}

// lastRefusedName returns the last name in labels.
func (o *oracle) lastRefusedName(labels []labelSpan) (start, end int, ok bool) {
	start, end = labels[0].start, o.topLevelEnd(labels[1:])
	if end == 0 {
		end = o.pseudoEnd(labels)
	}
	if end == 0 {
		return 0, 0, false
	}
	if isValidName(o.slice(start, end)) {
		return start, end, true
	}
	k := end
	for k > start && !(ucd.HostClassOf(o.at(k-1)) == ucd.HostMapped && isNumberSign(o.at(k-1)) && o.at(k-1) >= utf8.RuneSelf) {
		k--
	}
	if name := o.slice(k, end); k > start && strings.Contains(name, ".") && isValidName(name) {
		return k, end, true
	}
	first, found := o.firstStart(start, end, end)
	k = end
	for k > start && (isLetterOrDigit(o.at(k-1)) || o.at(k-1) == '-' || o.at(k-1) == '.') {
		k--
	}
	for k < end && !isLetterOrDigit(o.at(k)) {
		k++
	}
	name := o.slice(k, end)
	switch valid := strings.Contains(name, ".") && isValidName(name); {
	case found && (!valid || first < k):
		return first, end, true
	case valid:
		return k, end, true
	}
	return start, end, true
}

// firstStart returns the first place, between the indices a and b, behind which a valid name goes
// on to the index end. It tries the last 16 places behind dots and characters that may end a name,
// within 253 bytes.
func (o *oracle) firstStart(a, b, end int) (start int, ok bool) {
	places := 0
	for k := b; k > a && places < 16 && o.off[end]-o.off[k] <= 253; k-- {
		r := o.at(k - 1)
		if k == end || !o.isDot(k-1) && (r < utf8.RuneSelf || !ucd.IsDefaultIgnorable(r) && !unicode.IsPunct(r) && !unicode.IsMark(r)) {
			continue
		}
		places++
		if name := o.slice(k, end); strings.Contains(name, ".") && isValidName(name) {
			start, ok = k, true
		}
	}
	return start, ok
}

// isSameWord reports whether the code points with the indices a and k may be in one word: both
// ASCII letters or digits, or both letters or marks beyond ASCII.
func (o *oracle) isSameWord(a, k int) bool {
	if isLetterOrDigit(o.at(a)) {
		return isLetterOrDigit(o.at(k))
	}
	r := o.at(k)
	return r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r))
}

var (
	plainAtEnd   = regexp.MustCompile(`(?i)(?:mailto|file|cid|mid|tel|sms|geo|xmpp|matrix|magnet|bitcoin)$`)
	wordAtEnd    = regexp.MustCompile(`[0-9A-Za-z+.-]{1,64}$`)
	localAtStart = regexp.MustCompile("^[0-9A-Za-z!#$%&'*+/=?^_`{|}~.-]{1,64}@")
	openAtEnd    = regexp.MustCompile(`(?:^|[^:])//\[[0-9A-Fa-f]{0,4}$`)
)

// maxBefore is the number of bytes before a colon that these expressions get; none of them matches
// more.
const maxBefore = 80

// schemeHost returns the bounds of the suspect that the colon i makes: an IPv6 address behind "//",
// or a scheme and a host that is not one of refusedSuspects. It begins at the index a or behind it.
func (o *oracle) schemeHost(a, i int) (start, end int, ok bool) {
	if o.at(i) != ':' {
		return 0, 0, false
	}
	offset := o.off
	before := o.text[max(0, offset[i]-maxBefore):offset[i]]
	if m := openAtEnd.FindString(before); m != "" {
		open := i
		for o.at(open) != '[' {
			open--
		}
		end, ok := o.ipv6(open)
		return open, end, ok
	}
	k := i + 1
	for o.at(k) == '/' || o.at(k) == '\\' {
		k++
	}
	scheme := strings.ToLower(plainAtEnd.FindString(before))
	slashes := o.folds(i+1, "//")
	start = -1
	if scheme != "" {
		start = i - len(scheme)
	} else if !slashes {
		return 0, 0, false
	} else {
		for _, s := range []string{"https", "http", "ftp"} {
			if i-len(s) >= a && o.folds(i-len(s), s) {
				start = i - len(s)
				break
			}
		}
		if start < 0 && i >= a {
			word := wordAtEnd.FindString(o.text[offset[a]:offset[i]])
			if n := strings.IndexFunc(word, func(r rune) bool { return isLetterOrDigit(r) && r > '9' }); n >= 0 {
				start = i - len(word) + n
			}
		}
	}
	if start < a {
		return 0, 0, false
	}
	if name, ok := o.hiddenNumber(k); ok && slashes {
		return start, k + len(name), true
	}
	if end, ok := o.ipv6(k); ok && slashes {
		return start, end, true
	}
	from := k
	if k == i+1 {
		m := localAtStart.FindStringSubmatch(o.text[offset[k]:])
		if scheme != "mailto" || m == nil {
			return 0, 0, false
		}
		from += len(m[0])
	}
	host, end := o.namedRun(from, scheme == "mailto" && k > i+1)
	switch name := o.slice(host, end); {
	case k == i+1 && host > from && o.at(host-1) != '@':
		return 0, 0, false
	case dotsOnly.MatchString(name), k > i+1 && o.leavesOut(k, end), strings.ContainsAny(o.slice(k, end), ".。．｡") && len(o.refusedSuspectsWith(k, end, false)) > 0:
		return 0, 0, false
	case scheme != "" && scheme != "mailto" && scheme != "file" && !slashes:
		return start, end, strings.Contains(name, ".") && strings.ContainsFunc(name, func(r rune) bool { return isLetterOrDigit(r) && r > '9' })
	}
	return start, end, true
}

// namedRun returns the labels between punctuation and the index i, with the characters between
// them. In a mailto: URL, all characters of a local-part may be between labels.
func (o *oracle) namedRun(i int, mailto bool) (start, end int) {
	label := func(i int) bool {
		return o.at(i) != '-' && ucd.HostClassOf(o.at(i)) != ucd.HostPunctuation && (o.inRefusedLabel(i) || ucd.HostClassOf(o.at(i)) == ucd.HostSymbol && o.at(i) != '·' && o.at(i) != '・')
	}
	for first := i; !label(i); i++ {
		if r := o.at(i); r < 0 || o.off[i]-o.off[first] >= 64 || ucd.IsWhiteSpace(r) || r <= ' ' || strings.ContainsRune(`"<>:`, r) {
			return i, i
		}
	}
	for start, end = i, i; i < len(o.cp); i++ {
		switch r := o.at(i); {
		case label(i):
			end = i + 1
		case r == '@' && label(i+1):
			start, end = i+1, i+1
		case mailto && r > ' ' && r < utf8.RuneSelf && (ucd.LinkEmail(r) || r == '.'):
		case r != '_' && r != '-' && !o.isDot(i):
			return start, end
		}
	}
	return start, end
}

// ipv6 returns the end of the IPv6 address in brackets at the index a.
func (o *oracle) ipv6(a int) (end int, ok bool) {
	if o.at(a) != '[' {
		return 0, false
	}
	for i := a + 1; i <= a+46 && i < len(o.cp); i++ {
		if o.at(i) == ']' {
			return i + 1, isIPv6(o.slice(a+1, i))
		}
	}
	return 0, false
}

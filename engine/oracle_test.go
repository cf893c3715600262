package engine

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// An oracle finds links the way the standards are written. It goes through the text one code point
// after the other, and looks to both sides of each colon, "@" and dot. It skips nothing, remembers
// nothing, and maps every name by UTS #46. It is slow, and simple enough to judge the scanner.
type oracle struct {
	cp     []rune // -1 for a byte that belongs to no code point
	off    []int  // the offset of each code point, and the length of the text
	text   string
	strict bool
	tlds   *tld.Set
	done   int // index of the first code point that is not part of a link or suspect
}

// An oracleLink is what the oracle says of a link.
type oracleLink struct {
	kind       Kind
	start, end int
}

// judge returns the links and suspects of a text.
func judge(text string, strict bool) []oracleLink {
	o := &oracle{text: text, strict: strict, tlds: tld.Builtin()}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			r = -1
		}
		o.cp = append(o.cp, r)
		o.off = append(o.off, i)
		i += size
	}
	o.off = append(o.off, len(text))
	var links []oracleLink
	last := 0 // index behind the latest link or suspect
	add := func(kind Kind, start, end int) {
		links = append(links, o.refusedSuspects(last, start)...)
		if last = end; kind != KindNone {
			links = append(links, oracleLink{kind, o.off[start], o.off[end]})
		}
	}
	refused := 0 // index after the latest run that was found to be no bare host
	for i := 0; i < len(o.cp); i++ {
		if i < o.done {
			continue
		}
		kind, start, end := KindNone, 0, 0
		switch {
		case o.cp[i] == ':':
			kind, start, end = o.scheme(i)
		case o.cp[i] == '@':
			kind, start, end = o.email(i)
		case o.cp[i] == '.' && (!o.isWord(i-1) || !o.isWord(i+1) || i == o.done):
			// A label is missing or ends with a hyphen, so the run is no host.
			if i >= refused {
				kind, start, end = o.www(i)
			}
		case o.isDot(i) && i >= refused:
			kind, start, end = o.bare(i)
			if kind == KindNone && o.done <= i { // the run goes on behind a suspect that was dropped
				refused = o.runEnd(i)
			}
		}
		if kind != KindNone {
			add(kind, start, end)
			o.done = max(o.done, end)
		}
	}
	add(KindNone, len(o.cp), len(o.cp))
	return links
}

// at returns the code point with the index i; -1 beyond the ends.
func (o *oracle) at(i int) rune {
	if i < 0 || i >= len(o.cp) {
		return -1
	}
	return o.cp[i]
}

func (o *oracle) slice(a, e int) string { return o.text[o.off[a]:o.off[e]] }

func (o *oracle) isDot(i int) bool { return ucd.HostClassOf(o.at(i)) == ucd.HostSeparator }

func (o *oracle) isInitiator(i int) bool {
	return o.at(i) == '/' || o.at(i) == '?' || o.at(i) == '#'
}

// inHost reports whether the code point with the index i may be in a host.
func (o *oracle) inHost(i int) bool {
	class := ucd.HostClassOf(o.at(i))
	return class != ucd.HostDisallowed && class != ucd.HostPunctuation
}

func (o *oracle) runEnd(i int) int {
	for o.inHost(i) {
		i++
	}
	return i
}

func isLetterOrDigit(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// folds reports whether the code points from index a on are s, ignoring the
// case of ASCII letters.
func (o *oracle) folds(a int, s string) bool {
	for i, want := range []rune(s) {
		r := o.at(a + i)
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		if r != want {
			return false
		}
	}
	return true
}

// scheme looks for http://, https:// and ftp:// around the colon i.
func (o *oracle) scheme(i int) (kind Kind, start, end int) {
	if o.at(i+1) != '/' || o.at(i+2) != '/' {
		return o.number(i)
	}
	for _, s := range []string{"https", "http", "ftp"} {
		a := i - len(s)
		if a < o.done || !o.folds(a, s) {
			continue
		}
		if o.isLongerScheme(a) {
			return
		}
		host, port, ok := o.authority(i+3, a)
		reach := o.userinfo(i + 3)
		if ok && reach > i+3 && (o.at(port) == ':' || o.opens(i+3, reach)) {
			ok = false
		} else if end, more := o.continues(host, true); ok && port == host && more && (o.continuesAtOnce(host) || o.opens(i+3, end)) {
			reach, ok = end, false
		}
		if ok {
			if port == host && o.at(host) == ':' && o.isInitiator(host+1) {
				port++
			}
			return KindURL, a, o.end(a, port)
		}
		b := o.lastScheme(i + 3)
		if b > i+3 {
			reach = o.userinfo(b)
		}
		return o.suspect(a, b, reach, true)
	}
	return
}

// opens reports whether a browser may open the authority at the index a, either as it is or up to
// white space. The authority goes on at least to reach.
func (o *oracle) opens(a, reach int) bool {
	end := o.authorityEnd(a, reach)
	if more, ok := o.continues(end, true); ok && end > a {
		end = o.authorityEnd(a, more)
	}
	far := end
	for o.at(far) > ' ' && !o.isInitiator(far) && !ucd.IsWhiteSpace(o.at(far)) && !strings.ContainsRune(`"<>\`, o.at(far)) {
		far++
	}
	return o.isOpened(a, end) || o.isOpened(a, far)
}

// isOpened reports whether browsers open the authority from the index a to end.
func (o *oracle) isOpened(a, end int) bool {
	m := authorityParts.FindStringSubmatch(o.slice(a, end))
	name, err := hostToASCII(m[1])
	if err != nil || len(m[1]) > maxTyped {
		return false
	}
	labels := strings.Split(strings.TrimSuffix(name, "."), ".")
	last := labels[len(labels)-1]
	local := slices.Contains(strings.Fields("alt example internal invalid local localhost onion test"), last)
	return len(labels) == 1 || likeNumber.MatchString(last) || o.tlds.Contains(last) || local || o.isInitiator(end)
}

// authorityParts has the host of an authority as its group.
var authorityParts = regexp.MustCompile(`^(?s:(?:[^\\]*@)?([^\\]*?)(?::[0-9]*)?(?:\\.*)?)$`)

// number looks for an IPv4 address as a number behind a scheme, the colon i and slashes other
// than "//".
func (o *oracle) number(i int) (kind Kind, start, end int) {
	a := i + 1
	for o.at(a) == '/' || o.at(a) == '\\' {
		a++
	}
	host, ok := o.hiddenNumber(a)
	if _, err := strconv.ParseUint(host, 10, 16); o.strict || a == i+1 || !ok || err == nil {
		return
	}
	for _, s := range []string{"https", "http", "ftp"} {
		if k := i - len(s); k >= o.done && o.folds(k, s) {
			if o.isLongerScheme(k) {
				return
			}
			return KindSuspect, k, o.nameEnd(k, a, a+len(host))
		}
	}
	return
}

// hiddenNumber returns the number at the index a that hides an IPv4 address.
func (o *oracle) hiddenNumber(a int) (string, bool) {
	host := likeNumber.FindString(o.text[o.off[a]:])
	next, _ := utf8.DecodeRuneInString(o.text[o.off[a]+len(host):])
	goesOn := next != utf8.RuneError && (&oracle{strict: o.strict, cp: []rune{next}}).inHost(0)
	if host == "" || len(host) > maxNumber || goesOn || strings.ContainsRune("_%@", next) {
		return "", false
	}
	host = strings.TrimRight(host, ".")
	if isIPv4(host) || !endsInNumber(strings.ToLower(host)) {
		return "", false
	}
	_, err := ipv4(strings.ToLower(host))
	return host, err == nil
}

// likeNumber matches a host whose last label is a number, so browsers read it as an IPv4 address.
var likeNumber = regexp.MustCompile(`^(?i)[0-9][0-9a-z.]*`)

// userinfo returns the index behind the last "@" of the authority that begins at the
// index a, or a.
func (o *oracle) userinfo(a int) int {
	end := a
	for k := a; ; k++ {
		if r := o.at(k); r < 0 || ucd.IsWhiteSpace(r) || strings.ContainsRune("/?#<>", r) {
			return end
		}
		if o.at(k) == '@' {
			end = k + 1
		}
	}
}

// isLongerScheme reports whether the scheme that begins at the index a is only the end
// of one.
func (o *oracle) isLongerScheme(a int) bool {
	k := a - 1
	for '0' <= o.at(k) && o.at(k) <= '9' {
		k--
	}
	switch r := o.at(k); r {
	case '-':
		return o.strict
	case '+':
		return o.strict || isLetterOrDigit(o.at(k-1))
	default:
		return isLetterOrDigit(r)
	}
}

// lastScheme returns the index behind slashes and schemes at the index i.
func (o *oracle) lastScheme(i int) int {
	for {
		n := 0
		for _, s := range []string{"/", `\`, "https://", "http://", "ftp://"} {
			if o.folds(i, s) {
				n = len(s)
				break
			}
		}
		if n == 0 {
			return i
		}
		i += n
	}
}

// authority parses host and port at the index a, after a scheme at the index start.
func (o *oracle) authority(a, start int) (host, port int, ok bool) {
	host, ok = o.host(a)
	if !ok {
		return
	}
	port, ok = o.port(host)
	if !ok || strings.ContainsRune("_%@", o.at(port)) && !o.betweenMarks(start, port) {
		return 0, 0, false
	}
	return host, port, true
}

// host parses what may follow a scheme: domain name, IPv4, IPv6.
func (o *oracle) host(a int) (end int, ok bool) {
	if o.at(a) == '[' {
		for i := a + 1; i <= a+46; i++ {
			if o.at(i) == ']' {
				return i + 1, isIPv6(o.slice(a+1, i))
			}
			if i >= len(o.cp) {
				break
			}
		}
		return 0, false
	}
	if _, host, ok := o.domain(a); ok {
		return host, true
	}
	run := o.runEnd(a)
	name := run
	for name > a && o.isDot(name-1) {
		name--
	}
	if isIPv4(o.slice(a, name)) {
		_, host, ok := o.finalDot(run, name)
		return host, ok
	}
	if o.strict {
		return 0, false
	}
	if host, ok := o.underscored(a); ok {
		return host, true
	}
	i := a
	for i-a <= maxIPv6 && o.at(i) >= 0 && o.at(i) < utf8.RuneSelf && isIPv6Byte(byte(o.at(i))) {
		i++
	}
	if isLetterOrDigit(o.at(i)) || o.at(i) == '-' {
		return 0, false
	}
	if i > a && !isIPv6(o.slice(a, i)) && (o.at(i-1) == '.' || o.at(i-1) == ':') {
		i--
	}
	return i, o.slice(a, i) != "::" && isIPv6(o.slice(a, i))
}

// underscored parses a host with underscores, by what browsers make of it.
func (o *oracle) underscored(a int) (end int, ok bool) {
	run := a
	for o.inHost(run) || o.at(run) == '_' {
		run++
	}
	for run > a && o.at(run-1) == '_' {
		run--
	}
	name := run
	for name > a && o.isDot(name-1) {
		name--
	}
	opened, err := hostToASCII(o.slice(a, name))
	if err != nil || !strings.Contains(o.slice(a, name), "_") || !o.knows(o.lastLabel(a, name), name) || !ordinaryLabels.MatchString(opened) || underscoreInACE.MatchString(opened) || len(opened) > 253 {
		return 0, false
	}
	_, host, ok := o.finalDot(run, name)
	return host, ok
}

var ordinaryLabels = regexp.MustCompile(`^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:[.]|$))+$`)

var underscoreInACE = regexp.MustCompile(`(?:^|[.])xn--[^.]*_`)

// domain parses the domain name at the index a, after a scheme or an "@".
// It returns the ends of the name and of the host, which may have a final dot.
func (o *oracle) domain(a int) (name, host int, ok bool) {
	first := a
	for o.inHost(first) && !o.isDot(first) {
		first++
	}
	if first == a || !o.isDot(first) {
		return 0, 0, false
	}
	name, host, ok = o.tail(first + 1)
	return name, host, ok && isValidName(o.slice(a, name))
}

// tail returns the end of the name and that of the host. i is the index of the label after the
// first dot.
func (o *oracle) tail(i int) (name, host int, ok bool) {
	run, name := o.trim(i)
	if o.knows(o.lastLabel(i, name), name) {
		return o.finalDot(run, name)
	}
	if o.strict {
		return 0, 0, false
	}
	k, ok := o.cut(i, name, true)
	if w, found := o.suffix(i, name); found && (!ok || w < k) {
		k, ok = w, true
	}
	if ok {
		return k, k, true
	}
	// Hyphens at the end of the last label, or two as a dash.
	last := o.lastLabel(i, name)
	for k := last; k < name; k++ {
		if r := o.at(k); !isLetterOrDigit(r) && r != '-' {
			return 0, 0, false
		}
	}
	label := o.slice(last, name)
	if j := strings.Index(label, "--"); j >= 0 {
		label = label[:j]
	}
	label = strings.TrimRight(label, "-")
	if len(label) < name-last && o.tlds.Contains(label) {
		return last + len(label), last + len(label), true
	}
	return 0, 0, false
}

// trim returns the ends of the run from i on and of the name in it, without
// dots at its end, and, unless a path, query or fragment follows, without
// characters that UTS #46 ignores.
func (o *oracle) trim(i int) (run, name int) {
	run = o.runEnd(i)
	name = run
	for name > i && o.isDot(name-1) {
		name--
	}
	if o.parts(run) > run {
		return run, name
	}
	for name > i && ucd.HostClassOf(o.at(name-1)) == ucd.HostIgnored {
		name--
		for name > i && o.isDot(name-1) {
			name--
		}
	}
	return run, name
}

func (o *oracle) lastLabel(i, name int) int {
	last := name
	for last > i && !o.isDot(last-1) {
		last--
	}
	return last
}

func (o *oracle) knows(a, e int) bool { return a < e && o.tlds.Contains(o.slice(a, e)) }

// finalDot decides whether one final dot belongs to the host.
func (o *oracle) finalDot(run, name int) (int, int, bool) {
	port, ok := o.port(run)
	if o.parts(run) > run || ok && port > run && o.parts(port) > port {
		return name, run, run == name || run == name+1 && o.isDot(name)
	}
	return name, name, true
}

// cut finds the first top-level domain in ASCII, from the label at i on, that
// is followed by text in a script without spaces, or, if symbols is true, by
// a symbol.
func (o *oracle) cut(i, name int, symbols bool) (int, bool) {
	for i < name {
		k := i
		for k < name && (isLetterOrDigit(o.at(k)) || o.at(k) == '-') {
			k++
		}
		next := k
		if o.isDot(k) && o.at(k) != '.' {
			next++
		}
		// What follows is part of the run.
		if o.inHost(k) && o.inHost(next) && (spaceless(o.at(next)) ||
			symbols && (isSign(o.at(k)) || o.at(k) == '·' || o.at(k) == '・')) && o.knows(i, k) && !o.joins(i, k, name) {
			return k, true
		}
		for k < name && !o.isDot(k) {
			k++
		}
		i = k + 1
	}
	return 0, false
}

// joins reports whether a label is part of the host whose name ends at the index name. The label
// begins at the index i, and from k up to a full stop has only characters beyond ASCII.
func (o *oracle) joins(i, k, name int) bool {
	m := beyondASCII.FindString(o.slice(k, name))
	return m != "" && o.off[name]-o.off[i] <= maxName && !strings.ContainsAny(m, "。．｡") && o.knows(o.lastLabel(i, name), name) && isValidName(o.slice(i, name))
}

var beyondASCII = regexp.MustCompile(`^[^\x00-\x7f]+[.]`)

// port parses the port at the index i.
func (o *oracle) port(i int) (end int, ok bool) {
	isDigit := func(i int) bool { return o.at(i) >= '0' && o.at(i) <= '9' }
	if o.at(i) != ':' || !isDigit(i+1) {
		return i, true
	}
	n := 0
	for i++; isDigit(i); i++ {
		n = min(n*10+int(o.at(i)-'0'), 65536)
	}
	word := isLetterOrDigit(o.at(i)) || o.at(i) == '-' && isLetterOrDigit(o.at(i+1))
	return i, n <= 65535 && !word
}

// bare looks for a host without scheme around the dot i.
func (o *oracle) bare(i int) (kind Kind, start, end int) {
	a := i
	for a > o.done && o.inHost(a-1) {
		a--
	}
	if start, name, host, ok := o.bareHost(a, i); ok {
		if port, ok := o.port(host); ok && isValidName(o.slice(start, name)) && !o.isLocalPart(start, port) && !o.isWideLocalPart(start, host) {
			if end, more := o.continues(host, false); more && port == host {
				return KindSuspect, start, o.nameEnd(start, start, end)
			}
			end := o.end(start, port)
			closed := o.at(start-1) != '_' || o.at(end) == '_'
			if closed && (!strings.ContainsRune("_%@", o.at(port)) || o.betweenMarks(start, port)) {
				return KindURL, start, end
			}
		}
	}
	return o.www(i)
}

// isWord reports whether a label may begin or end with the code point i.
func (o *oracle) isWord(i int) bool {
	return i >= 0 && i < len(o.cp) && (isLetterOrDigit(o.at(i)) || o.at(i) >= utf8.RuneSelf || o.at(i) < 0)
}

// www looks for "www" before the dot i, if no link begins there.
func (o *oracle) www(i int) (kind Kind, start, end int) {
	w := i - 3
	if o.isDot(i) && w >= o.done && o.folds(w, "www") && o.mayStart(w) && !o.inHostASCII(w-1) {
		end := o.beforeURL(w, o.authorityEnd(w, w))
		if end > i+1 && !strings.ContainsAny(o.slice(w, end), "@_") && !o.isLocalPart(w, end) {
			return o.suspect(w, w, w, false)
		}
	}
	return
}

func (o *oracle) inHostASCII(i int) bool {
	r := o.at(i)
	return isLetterOrDigit(r) || r == '-' || r == '.'
}

// bareHost finds the bounds of a bare host in the run from index a on, of
// which i is a dot.
func (o *oracle) bareHost(a, i int) (start, name, host int, ok bool) {
	run, end := o.trim(i + 1)
	if !o.strict {
		if k, cut := o.cut(i+1, end, false); cut {
			name, host, ok = k, k, true
		}
	}
	if !ok {
		name, host, ok = o.tail(i + 1)
	}
	if !ok || o.at(run) == '@' {
		return 0, 0, 0, false
	}
	first := a
	for a < i && ucd.HostClassOf(o.at(a)) == ucd.HostIgnored {
		a++
	}
	if o.strict {
		return a, name, host, o.mayStart(first)
	}
	a = o.cutStart(a, name)
	ok = o.mayStart(first) || a == first && o.opensMark(a)
	return a, name, host, ok && !o.isSentence(a, name) && !o.beginsSentence(a, name)
}

// cutStart skips symbols and hyphens before the first label, and text before a host in ASCII.
func (o *oracle) cutStart(a, name int) int {
	pointed := false // behind the last sign of text
	for k := name - 1; k >= a; k-- {
		r := o.at(k)
		catalan := k > a && o.at(k-1)|0x20 == 'l' && k+1 < name && o.at(k+1)|0x20 == 'l'
		footnote := isSign(r) && ucd.HostClassOf(r) == ucd.HostMapped && !unicode.In(r, unicode.So, unicode.Sc) && k+1 < name && !o.isDot(k+1)
		price := k > a && spaceless(o.at(k-1)) && unicode.Is(unicode.Sc, r) && o.at(k+1) >= '0' && o.at(k+1) <= '9'
		www := len(o.slice(k+1, name)) > len("www.") && strings.EqualFold(o.slice(k+1, name)[:len("www.")], "www.") && strings.Contains(o.slice(k+1, name)[len("www."):], ".")
		pointer := false
		if !pointed && textSign.MatchString(string(r)) {
			pointed = true
			host := o.slice(o.pastEdge(k+1, name), name)
			before := strings.TrimLeftFunc(o.slice(a, k), func(r rune) bool { return ucd.HostClassOf(r) == ucd.HostIgnored })
			pointer = len(before) != 1 && strings.Contains(host, ".") && isValidName(host)
		}
		if r == '·' && !catalan || footnote || price || pointer || www && (ucd.HostClassOf(r) == ucd.HostSymbol || strings.ContainsRune("￠￡￥￦", r)) {
			a = k + 1
			break
		}
	}
	a = o.pastEdge(a, name)
	k := name
	for k > a && o.inHostASCII(k-1) {
		k--
	}
	label := k
	for o.at(label) == '-' {
		label++
	}
	if r := o.at(k - 1); k > a && label > k && label < name && isPrefix(r) && !spaceless(r) && o.hasLetter(label, name) && strings.Contains(o.slice(k, name), ".") {
		return label
	}
	before := k - 1
	if o.isDot(before) {
		before--
	}
	if r := o.at(before); k > a && before >= a && isPrefix(r) && !spaceless(r) && o.hasLetter(k, name) && isLetterOrDigit(o.at(k)) && strings.Contains(o.slice(k, name), ".") {
		return k
	}
	if k > a && before >= a && (spaceless(o.at(before)) || o.at(before) == '・') && isLetterOrDigit(o.at(k)) && strings.Contains(o.slice(k, name), ".") {
		return k
	}
	return a
}

// textSign is an arrow, a pointing hand, a box line, a geometric shape, a star, a note, © or ®.
var textSign = regexp.MustCompile(`^[©®←-⇿≪≫─-╿■-◿★☆☚-☟♩-♯➔➘-➯➱-➾⟰-⟿⤀-⥿⬀-⬑⬰-⭏⭚-⮸👆-👉🖘-🖣\x{1f800}-\x{1f8ff}]`)

// pastEdge returns where a label may begin at the index a or behind hyphens and symbols there.
func (o *oracle) pastEdge(a, name int) int {
	for k := a; k < name; k++ {
		c := ucd.HostClassOf(o.at(k))
		if c == ucd.HostSeparator {
			break
		}
		if m := keycapFirst.FindString(o.slice(k, name)); m != "" {
			k += utf8.RuneCountInString(m) - 1
			continue
		}
		sign := isSign(o.at(k)) && !(c == ucd.HostMapped && unicode.Is(unicode.So, o.at(k)))
		if o.at(k) != '-' && !sign && c != ucd.HostIgnored {
			return k
		}
	}
	return a
}

// keycapFirst matches a keycap with a digit at the start.
var keycapFirst = regexp.MustCompile(`^[0-9]\x{fe0f}?\x{20e3}`)

// hasLetter reports whether the label at the index i has a letter of ASCII.
func (o *oracle) hasLetter(i, name int) bool {
	first, _, _ := strings.Cut(o.slice(i, name), ".")
	return strings.ContainsFunc(first, func(r rune) bool { return isLetterOrDigit(r) && r > '9' })
}

// isSentence reports whether the dots are all ideographic full stops, and the last of several
// labels is in a script without spaces.
func (o *oracle) isSentence(a, name int) bool {
	if strings.Contains(o.slice(a, name), ".") || !spaceless(o.at(o.lastLabel(a, name))) {
		return false
	}
	apart := func(i int) bool {
		if i < 0 || i >= len(o.cp) {
			return true
		}
		r := o.at(i)
		return r >= 0 && r < utf8.RuneSelf || ucd.IsWhiteSpace(r)
	}
	return !apart(a-1) || !apart(name)
}

// mayStart reports whether a bare host may begin at the index a, which depends on the character
// before.
func (o *oracle) mayStart(a int) bool {
	switch o.at(a - 1) {
	case '@', '/', '\\', '_', '%':
		return false
	case ':':
		for _, s := range []string{"https", "http", "ftp"} {
			if a-1-len(s) >= 0 && o.folds(a-1-len(s), s) {
				return false
			}
		}
	}
	return true
}

// isLocalPart reports whether the host is part of the local-part of an address.
func (o *oracle) isLocalPart(a, i int) bool {
	start := a
	for o.at(start-1) == '.' || ucd.LinkEmail(o.at(start-1)) {
		start--
	}
	isMail := start >= len("mailto:") && o.off[a]-o.off[start] <= 64 && o.folds(start-len("mailto:"), "mailto:")
	if o.isInitiator(i) && !isMail {
		return false
	}
	for ; i < len(o.cp) && o.off[i]-o.off[a] <= 64; i++ {
		if o.at(i) == '@' {
			_, _, ok := o.domain(i + 1)
			return ok
		}
		if !ucd.LinkEmail(o.at(i)) && o.at(i) != '.' {
			return false
		}
	}
	return false
}

// isWideLocalPart reports whether an address with a full-width "@" stands behind a sentence, and
// the last label of the host from the index a to i belongs to the address (adjustment "sentence").
func (o *oracle) isWideLocalPart(a, i int) bool {
	if o.strict || o.at(i) != '＠' && o.at(i) != '﹫' {
		return false
	}
	dot := o.lastLabel(a, i) - 1
	_, _, ok := o.domain(i + 1)
	return ok && dot > a && o.at(dot) == '。' && spaceless(o.at(dot-1))
}

// email returns the address around the "@" with the index n, by UTS #58 §5.2.
func (o *oracle) email(n int) (kind Kind, start, end int) {
	name, _, ok := o.domain(n + 1)
	if !ok {
		return
	}
	after := name
	if port, ok := o.port(name); ok {
		after = port
	}
	after = o.parts(after)
	start, ok = o.localPart(n)
	if ok {
		start = o.local(start, n, name)
	}
	if ok && start-7 >= o.done && o.folds(start-7, "mailto:") {
		start -= 7
	}
	if end, more := o.continues(name, false); ok && more {
		return KindSuspect, start, o.nameEnd(start, n+1, end)
	}
	if !ok || strings.ContainsRune("_%", o.at(name)) && !o.betweenMarks(start, name) {
		o.done = after
		return KindNone, 0, 0
	}
	o.done = after
	return KindEmail, start, name
}

// localPart scans backward from the "@" with the index n.
func (o *oracle) localPart(n int) (start int, ok bool) {
	start = n
	for start > o.done && (ucd.LinkEmail(o.at(start-1)) || o.at(start-1) == '.') {
		start--
	}
	local := o.slice(start, n)
	switch {
	case local == "", len(local) > 64,
		strings.HasPrefix(local, "."), strings.HasSuffix(local, "."), strings.Contains(local, ".."),
		strings.HasPrefix(local, "//") && o.at(start-1) == ':':
		return 0, false
	}
	return start, true
}

// suspect returns the bounds of a suspect whose authority begins at a and goes
// on at least to reach.
func (o *oracle) suspect(start, a, reach int, url bool) (Kind, int, int) {
	end := o.authorityEnd(a, reach)
	if more, ok := o.continues(end, url); ok && end > a {
		end = o.authorityEnd(a, more)
	}
	authority := o.beforeURL(a, end)
	if url {
		authority = o.beforeText(a, authority)
	}
	if end = o.end(start, authority); end == a || end == authority && o.leavesOut(a, authority) {
		o.done = max(o.done, a)
		return KindNone, 0, 0
	}
	host, _, _ := strings.Cut(o.slice(a, authority), ":")
	host = labelDots.Replace(host)
	lacksHost := (!hasWord.MatchString(host) || o.leavesOut(a, authority)) && !strings.Contains(o.slice(a, authority), "@")
	if !url {
		host = strings.TrimRight(host, ".")
		lacksHost = !o.tlds.Contains(host[strings.LastIndex(host, ".")+1:])
	}
	if found := o.refusedSuspectsWith(a, end, false); lacksHost && len(found) > 0 && (url || found[0].start > o.off[a]) {
		o.done = max(o.done, end)
		last := found[0].end
		if !url {
			if last = o.off[authority]; found[0].start < last {
				return KindNone, 0, 0
			}
		}
		for end > a && o.off[end] > last {
			end--
		}
	}
	return KindSuspect, start, end
}

// leavesOut reports whether text[a:e] stands for a host in prose, such as an ellipsis, without a
// dot and a top-level domain.
func (o *oracle) leavesOut(a, e int) bool {
	words := behindWideDot.FindAllStringSubmatch(o.slice(a, e), -1)
	return leftOut.MatchString(o.slice(a, e)) && !slices.ContainsFunc(words, func(m []string) bool { return o.tlds.Contains(m[1]) })
}

var behindWideDot = regexp.MustCompile(`[。．｡]([\p{L}\p{M}]*)`)

// leftOut matches what people write in place of a host: an ellipsis, alone or before text in which
// each dot is between two characters beyond ASCII.
var leftOut = func() *regexp.Regexp {
	const char, other = `[^.․‥…⋯@:\\。．｡]`, `[^.․‥…⋯@:\\。．｡\x00-\x7f]`
	sentences := char + `*` + other + `[。．｡](?:` + other + `(?:` + char + `*` + other + `)?[。．｡])*` + other + char + `*`
	return regexp.MustCompile(`^(?:[.․‥…⋯]*|(?:…|\.\.\.)[.․‥…⋯]*(?:` + char + `*|` + sentences + `))$`)
}()

// oneLabel is a label in ASCII with a port or without.
var oneLabel = regexp.MustCompile(`^[0-9A-Za-z-]+(?::[0-9]+)?`)

// beforeText returns where to cut the authority from the index a to end: behind one ASCII label,
// before punctuation of a sentence, if no dot follows.
func (o *oracle) beforeText(a, end int) int {
	authority := o.slice(a, end)
	label := oneLabel.FindString(authority)
	if _, number, ok := strings.Cut(label, ":"); ok {
		if n, err := strconv.Atoi(number); err != nil || n > 65535 {
			return end
		}
	}
	rest := authority[len(label):]
	r, _ := utf8.DecodeRuneInString(rest)
	class := ucd.HostClassOf(r)
	if label == "" || rest == "" || r < utf8.RuneSelf || strings.ContainsAny(rest, `.․‥…⋯@:\\。．｡`) || !unicode.IsPunct(r) || class != ucd.HostPunctuation && class != ucd.HostDisallowed {
		return end
	}
	return a + len(label)
}

var dotsOnly = regexp.MustCompile(`^[.․‥…⋯]*$`)

var hasWord = regexp.MustCompile(`[0-9A-Za-z]|[^\x00-\x7f]`)

// beforeURL returns where to cut the authority from the index a to end: before the scheme of
// another URL and the punctuation before that.
func (o *oracle) beforeURL(a, end int) int {
	p := end
	if p > a && o.at(p-1) == ':' {
		p--
	}
	if !o.folds(p, "://") {
		return end
	}
	for _, s := range []string{"https", "http", "ftp"} {
		k := p - len(s)
		if k < a || !o.folds(k, s) {
			continue
		}
		for k > a && !o.isWord(k-1) {
			k--
		}
		return k
	}
	return end
}

func (o *oracle) authorityEnd(a, reach int) int {
	safe := reach
	literal := false
	for i := reach; i < len(o.cp); i++ {
		r := o.at(i)
		switch {
		case o.isInitiator(i):
			return i
		case r == '[' && (i == a || o.at(i-1) == '@'):
			literal, safe = true, i+1
			continue
		case r == ']' && literal:
			literal, safe = false, i+1
			continue
		case r == '"', r < 0:
			return safe
		}
		switch ucd.LinkTermOf(r) {
		case ucd.Include:
			safe = i + 1
		case ucd.Soft:
		default:
			return safe
		}
	}
	return safe
}

// A standardPart is a row of table 3-3 of UTS #58.
type standardPart struct{ initiator, terminators, clearStackOpen []string }

var standardParts = []*standardPart{
	{[]string{"/"}, []string{"?", "#"}, []string{"/"}},
	{[]string{"?"}, []string{"#"}, []string{"=", "&"}},
	{[]string{"#"}, []string{":~:"}, nil},
	{[]string{":~:"}, nil, []string{"&", ",", ":~:"}},
}

// matches returns the number of code points of the string of set that stands at i.
func (o *oracle) matches(i int, set []string) int {
	for _, s := range set {
		n := len([]rune(s))
		if i+n <= len(o.cp) && o.slice(i, i+n) == s {
			return n
		}
	}
	return 0
}

// parts is the algorithm of UTS #58 §3.5.1, step by step, for a host and port that end at the index
// start. Comments mark where default mode differs.
func (o *oracle) parts(start int) int {
	lastSafe := start
	var part, previousPart *standardPart
	var openStack []rune
	fragment, directive := standardParts[2], standardParts[3]
	for i := start; i < len(o.cp); {
		if part != nil && o.matches(i, part.terminators) > 0 {
			previousPart = part
			part = nil
		}
		if part == nil {
			n := 0
			for _, p := range standardParts {
				if n = o.matches(i, p.initiator); n > 0 {
					part = p
					break
				}
			}
			if n == 0 {
				return lastSafe
			}
			if part == directive && previousPart != fragment && previousPart != directive {
				return lastSafe
			}
			i += n
			if o.strict || o.at(i-1) != '?' { // the adjustment "question mark"
				lastSafe = i
			}
			openStack = nil
			continue
		}
		if n := o.matches(i, part.clearStackOpen); n > 0 {
			i += n
			lastSafe = i
			openStack = nil
			continue
		}
		lt := ucd.Hard
		if o.at(i) >= 0 {
			lt = ucd.LinkTermOf(o.at(i))
		}
		switch lt {
		case ucd.Include:
			lastSafe = i + 1
		case ucd.Soft:
		case ucd.Hard:
			return lastSafe
		case ucd.Open:
			if len(openStack) == 125 || !o.strict && o.at(i) == '<' { // the adjustment "less-than sign"
				return lastSafe
			}
			openStack = append(openStack, o.at(i))
			lastSafe = i + 1
		case ucd.Close:
			if len(openStack) == 0 {
				return lastSafe
			}
			lastOpen := openStack[len(openStack)-1]
			openStack = openStack[:len(openStack)-1]
			if ucd.LinkBracket(o.at(i)) != lastOpen {
				return lastSafe
			}
			lastSafe = i + 1
		}
		i++
	}
	return lastSafe
}

// isValidName reports whether name is a valid domain name.
func isValidName(name string) bool {
	if len(name) > maxTyped {
		return false
	}
	_, ok := validName(name)
	return ok
}

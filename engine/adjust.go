package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine/ucd"
)

// The default mode is the standard plus these adjustments of the bounds of a
// link, which UTS #58 §8 leaves to a higher level. Strict mode has none.
//
//   - "question mark": a "?" that nothing of a query follows ends a sentence
//     (seen example.com?). Strict mode takes it for an initiator. See partsEnd.
//   - "punctuation": quotes and dashes beyond ASCII are no part of a host,
//     though UTS #46 lets them be, and hyphens, symbols and emoji at the
//     edges of a bare host are left off (“example.com”, → example.com). See
//     hostClasses, cutHead and cutTail.
//   - "neighbouring text": letters of scripts that are written without a
//     space next to foreign words end a host in ASCII on either side
//     (請看example.com的). See cutHead and cutTail.
//   - "sentence": no bare host is made of a sentence that happens to end in
//     a top-level domain (ありがとう。みんな、). See isSentence.
//   - "bare IPv6": an IPv6 address after a scheme needs no brackets, as UASG's
//     good practice has it (https://2001:db8::1). See bareIPv6.

// cutHead returns where a bare host begins that lies in text[a:name], so far
// a whole run (adjustments "punctuation" and "neighbouring text").
func (sc *scan) cutHead(a, name int) int {
	a = sc.skipEdge(a, name)
	i := name
	dotted := false
	for i > a && octets[sc.text[i-1]]&runOctet != 0 {
		i--
		dotted = dotted || sc.text[i] == '.'
	}
	if i == a || !dotted || octets[sc.text[i]]&alnumOctet == 0 {
		return a
	}
	// All is ASCII from i on, and before it is a character beyond.
	j := i
	if n := sc.separatorBefore(j, a); n != 0 {
		j -= n
	}
	if r, _ := utf8.DecodeLastRuneInString(sc.text[a:j]); isSpaceless(r) {
		return i
	}
	return a
}

// skipEdge returns the first offset from a on that a label may begin at:
// hyphens and symbols are passed over unless they are all there is of the
// first label.
func (sc *scan) skipEdge(a, name int) int {
	for i := a; i < name; {
		r, size := utf8.DecodeRuneInString(sc.text[i:name])
		switch {
		case r == '-':
		case ucd.HostClassOf(r) == ucd.HostSymbol, ucd.HostClassOf(r) == ucd.HostIgnored:
		case ucd.HostClassOf(r) == ucd.HostSeparator:
			return a
		default:
			return i
		}
		i += size
	}
	return a
}

// A cut says where a run may be cut.
type cut uint8

const (
	cutAtText   cut = iota // before neighbouring text
	cutAnywhere            // before symbols, too, and at hyphens
)

// cutTail looks for the end of a host before the end of its run t: a
// top-level domain in ASCII that is followed, in place of a separator, by what
// cannot belong to it (adjustments "punctuation" and "neighbouring text"). The
// labels begin at the offset i; it is the first such place that counts.
func (sc *scan) cutTail(i int, t tail, c cut) (tail, bool) {
	for i < t.name {
		k := i
		for k < t.name && octets[sc.text[k]]&hostOctet != 0 {
			k++
		}
		if k > i && sc.endsHost(k, t, c) && sc.s.tlds.Contains(sc.text[i:k]) {
			t.name, t.host = k, k
			return t, true
		}
		if k == t.name && c == cutAnywhere {
			return sc.cutHyphens(i, t)
		}
		i = sc.nextLabel(k, t.name)
	}
	return t, false
}

// nextLabel returns where the label after the next separator from the offset
// k on begins, or end.
func (sc *scan) nextLabel(k, end int) int {
	for ; k < end; k++ {
		switch sc.text[k] {
		case '.', 0xe3, 0xef: // the first octets of the four dots
			if n := sc.separatorAt(k); n != 0 {
				return k + n
			}
		}
	}
	return end
}

// endsHost reports whether the character at the offset k of the run ends a
// host in ASCII: a letter of a script written without spaces, an ideographic
// full stop before one, or a symbol.
func (sc *scan) endsHost(k int, t tail, c cut) bool {
	if k >= t.run || sc.text[k] < utf8.RuneSelf {
		return false
	}
	n := sc.separatorAt(k)
	r, _ := utf8.DecodeRuneInString(sc.text[k+n : t.run])
	if n == 0 && c == cutAnywhere && ucd.HostClassOf(r) == ucd.HostSymbol {
		return true
	}
	return isSpaceless(r)
}

// cutHyphens cuts the last label text[i:t.name] before hyphens at its end, or
// before two in a row, which stand for a dash.
func (sc *scan) cutHyphens(i int, t tail) (tail, bool) {
	label := sc.text[i:t.name]
	name := label
	if j := strings.Index(label, "--"); j >= 0 {
		name = label[:j]
	}
	name = strings.TrimRight(name, "-")
	if len(name) == len(label) || !sc.s.tlds.Contains(name) {
		return t, false
	}
	t.name = i + len(name)
	t.host = t.name
	return t, true
}

// isSentence reports whether the bare host text[a:t.name] is rather the end
// of one sentence and the whole of another: its labels are only separated by
// ideographic full stops, the last is of a script written without spaces,
// and it does not stand alone between spaces or ASCII (adjustment
// "sentence").
func (sc *scan) isSentence(a int, t tail) bool {
	name := sc.text[a:t.name]
	last := sc.lastLabel(a, t.name)
	r, _ := utf8.DecodeRuneInString(sc.text[last:t.name])
	if !isSpaceless(r) || strings.Contains(name, ".") {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(sc.text[:a])
	after, _ := utf8.DecodeRuneInString(sc.text[t.name:])
	return a > 0 && !standsApart(before) || t.name < len(sc.text) && !standsApart(after)
}

// isSpaceless reports whether r is of a script written without spaces. Full-width
// letters and the small hyphen are not, though lines break beside them (UAX #14,
// class ID): UTS #46 maps them to ASCII.
func isSpaceless(r rune) bool {
	return ucd.ScanOf(r).Spaceless() && r != '﹣' && (r < '！' || r > '～')
}

// standsApart reports whether r keeps a host apart from the text.
func standsApart(r rune) bool { return r < utf8.RuneSelf || ucd.IsWhiteSpace(r) }

// bareIPv6 returns the end of the IPv6 address without brackets that begins
// at the offset a (adjustment "bare IPv6").
func (sc *scan) bareIPv6(a int) (end int, ok bool) {
	i := a
	for i < len(sc.text) && i-a <= maxIPv6 && isIPv6Octet(sc.text[i]) {
		i++
	}
	if sc.octetAt(i)&hostOctet != 0 {
		return 0, false
	}
	// A dot or colon after it belongs to the sentence.
	if i > a && (sc.text[i-1] == '.' || sc.text[i-1] == ':') && !isIPv6(sc.text[a:i]) {
		i--
	}
	return i, isIPv6(sc.text[a:i])
}

package engine

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxNumber is the length in bytes of a number that is looked at as an IPv4 address.
const maxNumber = 64

// numberURL handles the ":" at the offset p, behind which are a slash or backslashes. In
// default mode, a number behind them that browsers read as an IPv4 address is the host of a
// suspect, as in http:/2130706433: no full stop or "://" leads to it. numberURL reports
// whether l was set.
func (sc *scan) numberURL(p int, l *Link) bool {
	a := p + 1
	for c := byteAt(sc.text, a); c == '/' || c == '\\'; c = byteAt(sc.text, a) {
		a++
	}
	if sc.strict || classAt(sc.text, a)&digitByte == 0 {
		return false
	}
	end := sc.numberEnd(a)
	start := sc.schemeBefore(p, sc.done)
	if end == a || start < 0 {
		return false
	}
	return sc.suspectName(opening{start: start, scheme: a, authority: a, reason: ReasonSlashes}, end, l)
}

// numberEnd returns the end of the number at the offset a that hides an IPv4 address, or a. One
// that may be a port does not, as in http:/8080.
func (sc *scan) numberEnd(a int) int {
	end := a
	for end < len(sc.text) && end-a < maxNumber && (classAt(sc.text, end)&alnumByte != 0 || sc.text[end] == '.') {
		end++
	}
	if end < len(sc.text) {
		r, size := decode(sc.text, end)
		if strings.ContainsRune("-_%@", r) || classAt(sc.text, end)&alnumByte != 0 || r >= utf8.RuneSelf && (r != utf8.RuneError || size > 1) && sc.isInHost(r) {
			return a // the host goes on
		}
	}
	number := strings.TrimRight(strings.ToLower(sc.text[a:end]), ".")
	if _, err := strconv.ParseUint(number, 10, 16); err == nil || !endsInNumber(number) || isIPv4(number) {
		return a
	}
	if _, err := ipv4(number); err != nil {
		return a
	}
	return a + len(number)
}

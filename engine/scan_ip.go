package engine

import "strings"

// ipv4 returns the end of the IPv4 address that begins at the offset a in a
// run that ends at run: four decimal numbers of 0 to 255 without leading
// zeros, which is the only notation that means the same to everybody. The
// others that browsers take are suspects (WHATWG URL, IPv4 parser).
func (sc *scan) ipv4(a, run int) (end int, ok bool) {
	end = sc.trimSeparators(a, run)
	if !isIPv4(sc.text[a:end]) {
		return 0, false
	}
	t, ok := sc.withFinalDot(tail{run: run, name: end, host: end})
	return t.host, ok
}

// isIPv4 reports whether s is an IPv4 address as four decimal numbers.
func isIPv4(s string) bool {
	if len(s) > len("255.255.255.255") {
		return false
	}
	numbers := 0
	for part := range strings.SplitSeq(s, ".") {
		if part == "" || len(part) > 3 || part[0] == '0' && len(part) > 1 {
			return false
		}
		n := 0
		for _, c := range []byte(part) {
			if c < '0' || c > '9' {
				return false
			}
			n = n*10 + int(c-'0')
		}
		if n > 255 {
			return false
		}
		numbers++
	}
	return numbers == 4
}

// maxIPv6 is the length in octets of the longest IPv6 address.
const maxIPv6 = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")

// ipv6Literal returns the end of the IPv6 address in brackets that begins at
// the offset a with "[".
func (sc *scan) ipv6Literal(a int) (end int, ok bool) {
	i := a + 1
	for i < len(sc.text) && i-a <= maxIPv6 && isIPv6Octet(sc.text[i]) {
		i++
	}
	if sc.byteAt(i) != ']' || !isIPv6(sc.text[a+1:i]) {
		return 0, false
	}
	return i + 1, true
}

// isIPv6Octet reports whether c may stand in an IPv6 address.
func isIPv6Octet(c byte) bool { return c == ':' || c == '.' || isHex(c) }

// isHex reports whether c is a hexadecimal digit.
func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// isIPv6 reports whether s is an IPv6 address (RFC 4291 §2.2): eight groups
// of up to four hexadecimal digits, of which the last two may be an IPv4
// address and at least one may be left out at "::".
func isIPv6(s string) bool {
	if len(s) < 2 || len(s) > maxIPv6 || !strings.Contains(s, ":") {
		return false
	}
	head, rest, compressed := strings.Cut(s, "::")
	if !compressed {
		n, ok := ipv6Groups(head, true)
		return ok && n == 8
	}
	n, ok1 := ipv6Groups(head, false)
	m, ok2 := ipv6Groups(rest, true)
	return ok1 && ok2 && n+m < 8
}

// ipv6Groups counts the groups of a part of an IPv6 address without "::".
// An IPv4 address counts for two and may come only last.
func ipv6Groups(s string, last bool) (n int, ok bool) {
	for s != "" {
		group, rest, more := strings.Cut(s, ":")
		if more && rest == "" {
			return 0, false
		}
		if last && !more && isIPv4(group) {
			return n + 2, true
		}
		if group == "" || len(group) > 4 {
			return 0, false
		}
		for _, c := range []byte(group) {
			if !isHex(c) {
				return 0, false
			}
		}
		n++
		s = rest
	}
	return n, true
}

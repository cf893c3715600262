package engine

import (
	"net/netip"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// isIPv4 reports whether s is an IPv4 address in the only notation that means the
// same to all programs: four decimal numbers of 0 to 255 without leading zeros.
// Other notations that browsers accept are suspects (WHATWG URL, IPv4 parser).
func isIPv4(s string) bool {
	if len(s) > len("255.255.255.255") {
		return false
	}
	numbers := 0
	for number := range strings.SplitSeq(s, ".") {
		if number == "" || len(number) > 3 || number[0] == '0' && len(number) > 1 {
			return false
		}
		n := 0
		for _, c := range []byte(number) {
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

// maxIPv6 is the length in bytes of the longest IPv6 address.
const maxIPv6 = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")

// isIPv6Byte reports whether an IPv6 address may have the byte c.
func isIPv6Byte(c byte) bool { return c == ':' || c == '.' || ascii.IsHex(c) }

// isIPv6 reports whether s is an IPv6 address without brackets and zone (RFC 4291 §2.2).
func isIPv6(s string) bool {
	if len(s) > maxIPv6 || !strings.Contains(s, ":") {
		return false // without the allocation of an error
	}
	address, err := netip.ParseAddr(s)
	return err == nil && address.Zone() == ""
}

// bracketedIPv6 returns the end of the IPv6 address in brackets that begins at the
// offset a with "[".
func bracketedIPv6(text string, a int) (end int, ok bool) {
	i := ipv6End(text, a+1)
	if byteAt(text, i) != ']' || !isIPv6(text[a+1:i]) {
		return 0, false
	}
	return i + 1, true
}

// bareIPv6 returns the end of the IPv6 address without brackets at the offset a
// (adjustment "bare IPv6").
func bareIPv6(text string, a int) (end int, ok bool) {
	i := ipv6End(text, a)
	if classAt(text, i)&labelByte != 0 {
		return 0, false
	}
	// A dot or colon behind it belongs to the sentence.
	if i > a && (text[i-1] == '.' || text[i-1] == ':') && !isIPv6(text[a:i]) {
		i--
	}
	return i, i > a+len("::") && isIPv6(text[a:i])
}

// ipv6End returns the end of the bytes from the offset a on that an IPv6 address
// may have, and of no more than it may have.
func ipv6End(text string, a int) int {
	i := a
	for i < len(text) && i-a <= maxIPv6 && isIPv6Byte(text[i]) {
		i++
	}
	return i
}

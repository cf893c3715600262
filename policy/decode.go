package policy

import "unicode/utf8"

// A unit is a character of a path, query or fragment, typed or as
// percent-escapes of its UTF-8 octets.
type unit struct {
	r       rune
	size    int // octets it is written with
	escaped bool
	fault   fault
}

// A fault is what is wrong with the spelling of a unit.
type fault uint8

const (
	sound     fault = iota
	malformed       // a percent sign without two hexadecimal digits
	stray           // an escape that is no part of well-formed UTF-8
	overlong        // an escape that begins a UTF-8 form longer than it may be
)

// nextUnit reads the unit that s, which is not empty, begins with.
func nextUnit(s string) unit {
	if s[0] != '%' {
		r, size := utf8.DecodeRuneInString(s)
		return unit{r: r, size: size}
	}
	b, ok := escape(s)
	switch {
	case !ok:
		return unit{r: '%', size: 1, fault: malformed}
	case b < utf8.RuneSelf:
		return unit{r: rune(b), size: 3, escaped: true}
	}
	var buf [utf8.UTFMax]byte
	buf[0] = b
	n := 1
	for n < len(buf) {
		c, ok := escape(s[3*n:])
		if !ok || c&0xc0 != 0x80 {
			break
		}
		buf[n] = c
		n++
	}
	r, size := utf8.DecodeRune(buf[:n])
	switch {
	case r != utf8.RuneError || size > 1:
		return unit{r: r, size: 3 * size, escaped: true}
	case n > 1 && (b == 0xc0 || b == 0xc1 || b == 0xe0 && buf[1] < 0xa0 || b == 0xf0 && buf[1] < 0x90):
		return unit{r: rune(b), size: 3 * n, escaped: true, fault: overlong}
	}
	return unit{r: rune(b), size: 3, escaped: true, fault: stray}
}

// escape returns the octet that s begins with as a percent-escape, or false
// where it does not begin with one.
func escape(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' || !isHex(s[1]) || !isHex(s[2]) {
		return 0, false
	}
	return hexValue(s[1])<<4 | hexValue(s[2]), true
}

// isHex reports whether c is a hexadecimal digit.
func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// hexValue returns the value of a hexadecimal digit.
func hexValue(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

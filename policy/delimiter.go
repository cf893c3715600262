package policy

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// delimiter returns the length of "://" at the start of s, and how often it is percent-encoded; or
// 0 if s does not begin with it.
func delimiter(s string) (size, times int) {
	colon, times := encoded(s, ':', "3a")
	if colon == 0 {
		return 0, 0
	}
	size, more := slashes(s[colon:])
	if size == 0 {
		return 0, 0
	}
	return colon + size, max(times, more)
}

// slashes returns the length of "//" at the start of s, and how often it is percent-encoded; or 0
// if s does not begin with it. Browsers read a backslash as a slash.
func slashes(s string) (size, times int) {
	for range 2 {
		n, more := encoded(s[size:], '/', "2f")
		if n == 0 {
			n, more = encoded(s[size:], '\\', "5c")
		}
		if n == 0 {
			return 0, 0
		}
		size, times = size+n, max(times, more)
	}
	return size, times
}

// maxEncoded is how often a URL within another can be percent-encoded.
const maxEncoded = 4

// encoded returns the length of the character c at the start of s, and how often it is
// percent-encoded. digits are the two digits of its escape. The length is 0 if s does not begin
// with c.
func encoded(s string, c byte, digits string) (size, times int) {
	switch {
	case s == "":
		return 0, 0
	case s[0] == c:
		return 1, 0
	case s[0] != '%':
		return 0, 0
	}
	size, times = 1, 1
	for strings.HasPrefix(s[size:], "25") && times < maxEncoded {
		size += len("25")
		times++
	}
	if !ascii.HasPrefixFold(s[size:], digits) {
		return 0, 0
	}
	return size + len(digits), times
}

// beforeNext cuts s, which begins with a URL inside another one, in front of the next parameter, or
// of an asterisk and the next URL.
func beforeNext(s string) string {
	if i := strings.IndexAny(s, "&;\"<> "); i >= 0 {
		s = s[:i]
	}
	s, _, _ = strings.Cut(s, "*http")
	return s
}

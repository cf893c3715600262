package policy

import (
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/percent"
)

// overlong returns the escapes at the start of s if they are an overlong UTF-8
// form, else "". Programs that do not check UTF-8 read such a form as the
// character that a shorter form spells (RFC 3629 §10).
func overlong(s string) string {
	first, ok := percent.Byte(s)
	if !ok {
		return ""
	}
	n := 1
	var second byte
	for ; n < utf8.UTFMax; n++ {
		c, ok := percent.Byte(s[3*n:])
		if !ok || utf8.RuneStart(c) {
			break
		}
		if n == 1 {
			second = c
		}
	}
	switch {
	case n == 1:
		return ""
	case first == 0xc0, first == 0xc1, first == 0xe0 && second < 0xa0, first == 0xf0 && second < 0x90:
		return s[:3*n]
	}
	return ""
}

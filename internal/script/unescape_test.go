package script

import "testing"

func TestUnescape(t *testing.T) {
	for escaped, want := range map[string]string{
		`plain`: "plain", `\x41\u0042\u{43}\104`: "ABCD", `\/\"\\`: `/"\`, "a\\\nb\\\r\nc": "abc", `\n\t\r`: "\n\t\r", `\0x`: "\x00x", `\`: `\`, `a\`: `a\`, `\u12`: "u12", `\u{`: "u{", `\u{}x`: "u{}x",
		`\x4`: "x4", `\400`: " 0", `\ud83d`: "\ufffd", `\u{110000}`: "\ufffd", `\é`: "é",
	} {
		if got := Unescape(escaped); got != want {
			t.Errorf("%q: %q, want %q", escaped, got, want)
		}
	}
}

func FuzzUnescape(f *testing.F) {
	f.Add(`\u{43}\104\x`)
	f.Fuzz(func(t *testing.T, s string) {
		if got := Unescape(s); len(got) > 3*len(s) {
			t.Errorf("%q: %q", s, got)
		}
	})
}

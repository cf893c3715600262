package printable

import "testing"

func TestText(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "https://example.com/a?b#c", "https://example.com/a?b#c"},
		{"scripts", "महात्मा_गांधी 日本語 العربية", "महात्मा_गांधी 日本語 العربية"},
		{"zero width non-joiner in Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"line ends", "a\r\nb", `a\u{000D}\u{000A}b`},
		{"terminal escape", "\x1b[2Jx", `\u{001B}[2Jx`},
		{"right-to-left override", "a\u202Egpj.exe", `a\u{202E}gpj.exe`},
		{"isolates", "\u2066x\u2069", `\u{2066}x\u{2069}`},
		{"soft hyphen and BOM", "a\u00adb\ufeff", `a\u{00AD}b\u{FEFF}`},
		{"tag character", "a\U000E0041", `a\u{E0041}`},
		{"private use", "\U00100000", `\u{100000}`},
		{"line separator", "a\u2028b", `a\u{2028}b`},
		{"broken UTF-8", "a\xff\xc3b", `a\x{FF}\x{C3}b`},
		{"a real U+FFFD", "a\ufffdb\x00", "a\ufffdb\\u{0000}"},
		{"no-break space", "a\u00a0b", `a\u{00A0}b`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Text(c.in); got != c.want {
				t.Errorf("Text(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestTextLeavesPlainTextAlone(t *testing.T) {
	text := "https://example.com/größe"
	if n := testing.AllocsPerRun(10, func() { Text(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

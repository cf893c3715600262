package rtf

import (
	"strings"
	"testing"
)

// TestRead: the texts, the links and what is not known of rich text.
func TestRead(t *testing.T) {
	for source, want := range map[string]Document{
		"": {},
		`{\rtf1\ansi caf\'e9 \u1072?\{x\}\par y}`:                                                     {Text: "café а{x}\ny"},
		`{\rtf1\uc2 \u1072\'41\'42b\uc0\u1073 c}`:                                                     {Text: "аbбc"},
		`{\rtf1 a{\v b}c<}`:                                                                           {Text: "abc<", HTML: `a<span hidden>b</span>c&lt;`},
		`{\rtf1{\field{\*\fldinst{HYPERLINK "http://a/"}}{\fldrslt{\ul b}}}c}`:                        {Text: `HYPERLINK "http://a/"bc`, HTML: `<a href="http://a/">b</a>c`},
		`{\rtf1{\field{\*\fldinst{HYPERLINK {\field{\*\fldinst X}{\fldrslt y}}}}{\fldrslt b}}}`:       {Text: `HYPERLINK Xyb`, HTML: `<a href="Xy">b</a>`, Unknown: true},
		`{\rtf1\fromhtml1{\*\htmltag64 <b>}a}`:                                                        {Text: "<b>a", HTML: "a", WrapsHTML: true},
		`{\rtf1 a{\object{\*\objdata 0105}}b}`:                                                        {Text: "ab", HasObjects: true},
		"{\\ansicpg932 \\'82\r\n\\'81\\'83\r\nAx}":                                                    {Text: "\uff41\u30a2x"}, // an ASCII second byte
		`{\rtf1\ansicpg1251{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset161 B;}}\f0\'e0\f1\'e1\plain\'e0}`: {Text: "A;B;аαа"},
		`{\rtf1\bin3 }}}a`: {Text: "a"},
	} {
		if got := Read(t.Context(), source); got != want {
			t.Errorf("%s:\n%+v, want\n%+v", source, got, want)
		}
	}
}

// TestDeepGroups: groups deeper than the parser distinguishes are read, and may have a link.
func TestDeepGroups(t *testing.T) {
	source := `{\rtf1` + strings.Repeat("{", 2*maxGroups) + "a" + strings.Repeat("}", 2*maxGroups) + "b}"
	if got := Read(t.Context(), source); got.Text != "ab" || !got.Unknown {
		t.Errorf("%+v", got)
	}
}

// TestDecompress: the example of MS-OXRTFCP §4.1.1, overlapping references, and broken input.
func TestDecompress(t *testing.T) {
	for compressed, want := range map[string]string{
		"\x03\x00\x0a\x00rcpg125\x42\x32\x0a\xf3 hel\x09\x00\x20bw\x05\xb0ld}\x0a\x80\x0f\xa0": "{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n",
		"\x06{\x0c\xf5\x0d\x70": "{{{{{{{{",
		"":                      "",
		"\xff\x00":              "",
	} {
		if got := decompress([]byte(compressed), 1<<20); got != want {
			t.Errorf("%q: %q, want %q", compressed, got, want)
		}
	}
}

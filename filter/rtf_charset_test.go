package filter_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/policy"
)

// escapedForRTF returns a text in a charset with escapes of RTF for bytes beyond ASCII.
func escapedForRTF(t *testing.T, name, text string) string {
	t.Helper()
	e, err := htmlindex.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	content, err := e.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i := range len(content) {
		if content[i] < 0x80 {
			b.WriteByte(content[i])
		} else {
			fmt.Fprintf(&b, `\'%02x`, content[i])
		}
	}
	return b.String()
}

// TestCharsetsOfRTF: escaped bytes are read in the code page of the document, or in the charset of
// the font.
func TestCharsetsOfRTF(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const fonts = `{\fonttbl{\f0\fnil\fcharset0 Arial;}{\f1\fnil\fcharset204{\*\fname Arial;}Arial Cyr;}{\f2\fnil\fcharset128 MS Gothic;}{\f3\cpg1251 Arial;}}`
	for _, test := range []struct{ charset, head string }{
		{"windows-1251", `\ansi\ansicpg1251`},
		{"windows-1251", `\ansi\ansicpg1251\deff0` + fonts + `\f0 `},
		{"windows-1251", `\ansi\ansicpg1252\deff0` + fonts + `\pard\f1\fs20 `},
		{"windows-1251", `\ansi` + fonts + `\f1{\f0 x}`},
		{"windows-1251", `\ansi` + fonts + `\f3 `},
		{"windows-1251", `\ansi\ansicpg1251` + fonts + `\f2\plain `},
		{"windows-1251", `\ansi\ansicpg1252\deff1` + fonts},
		{"windows-1251", `\ansi\ansicpg1252\deff01` + fonts + `\f0\plain `},
		{"windows-1251", `\ansi\ansicpg1252\deff0` + fonts + `\f01 `},
		{"windows-1251", `\ansi\ansicpg1252\deff{\fonttbl{\f00\fcharset204 A;}}`},
		{"shift_jis", `\ansi\ansicpg932`},
		{"shift_jis", `\ansi\ansicpg1252` + fonts + `\f2 `},
		{"gbk", `\ansi\ansicpg936`},
		{"euc-kr", `\ansi\ansicpg949`},
		{"ibm866", `\pc\ansicpg866`},
		{"x-mac-cyrillic", `\mac\ansicpg10007`},
	} {
		host := escapedForRTF(t, test.charset, "http://g\u043e\u043egle.com/x")
		for _, body := range []string{
			` See ` + host + ` now`,
			`{\field{\*\fldinst HYPERLINK "` + host + `"}{\fldrslt x}}`,
			`{\field{\*\fldinst HYPERLINK "` + evil + `"}{\fldrslt ` + strings.ReplaceAll(host, "gle", `{\b gle}`) + `}}`,
		} {
			if r := f.Scan(attached("application/rtf", "", `{\rtf1`+test.head+body+`}`)); worstLink(r) < policy.SeverityMedium {
				t.Errorf("%s: %s: %v", test.head, body, placed(r))
			}
		}
	}
	for _, honest := range []string{
		`{\rtf1\ansi\ansicpg1252` + fonts + `\f0 \'93www.example.com\'94 und www.example.de\'b9s, \f1 \'abwww.example.com\'bb}`,
		`{\rtf1\ansi\ansicpg1251` + fonts + `\f1 ` + escapedForRTF(t, "windows-1251", "«www.example.com» — сайт:www.example.ru…") + `}`,
		`{\rtf1\ansi\ansicpg932` + fonts + `\f2 ` + escapedForRTF(t, "shift_jis", "こちらwww.example.comをご覧ください。") + `}`,
	} {
		if r := f.Scan(attached("application/rtf", "", honest)); worstLink(r) >= policy.SeverityMedium {
			t.Errorf("%s: %v", honest, placed(r))
		}
	}
}

// TestLinesWithinCharactersOfRTF: a line break between the bytes of a character does not end it.
func TestLinesWithinCharactersOfRTF(t *testing.T) {
	f := newFilter(t, filter.Options{})
	host := escapedForRTF(t, "shift_jis", "http://g\u043e\u043egle.com/x")
	for _, lineBreak := range []string{"\n", "\r\n", "\r\n\r\n"} {
		for i := range len(host) {
			rest, isSecond := strings.CutPrefix(host[i:], `\'84`)
			if !isSecond {
				continue
			}
			source := `{\rtf1\ansi\ansicpg932 See ` + host[:i] + `\'84` + lineBreak + rest + `}`
			if r := f.Scan(attached("application/rtf", "", source)); worstLink(r) < policy.SeverityMedium {
				t.Errorf("%q: %v", source, placed(r))
			}
		}
	}
}

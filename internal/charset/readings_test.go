package charset

import (
	"context"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// readings returns the readings of a content.
func readings(tb testing.TB, label string, content []byte) []string {
	tb.Helper()
	var all []string
	for text, err := range Readings(context.Background(), label, content) {
		if err != nil {
			tb.Fatal(err)
		}
		if slices.Contains(all, text) {
			tb.Errorf("%s: %q twice", label, text)
		}
		all = append(all, text)
	}
	return all
}

// encodedIn returns a text in an encoding of x/text.
func encodedIn(tb testing.TB, name, text string) string {
	tb.Helper()
	encoded, err := Lookup(name).NewEncoder().String(text)
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return encoded
}

// TestReadings: each text that a program may show is a reading.
func TestReadings(t *testing.T) {
	const spoof = "http://faceboo\u043a.com/"
	ebcdic, _ := charmap.CodePage037.NewEncoder().String("http://a.example/")
	for _, test := range []struct {
		name, label, content string
		want                 []string
	}{
		{"UTF-8", "utf-8", spoof, []string{spoof}},
		{"a stray byte in UTF-8", "utf-8", "\xff " + spoof, []string{"\uFFFD " + spoof, " " + spoof}},
		{"a stray byte in a host", "utf-8", "pay\xffpal.com", []string{"paypal.com", "payÿpal.com"}},
		{"windows-1252 as UTF-8", "utf-8", "J\xfcrgen", []string{"Jürgen", "J\uFFFDrgen"}},
		{"windows-1252 as ISO 8859-1", "iso-8859-1", "\x93J\xfcrgen\x94", []string{"“Jürgen”"}},
		{"UTF-8 as ISO 8859-1", "iso-8859-1", spoof, []string{spoof}},
		{"UTF-8 as KOI8-R", "koi8-r", spoof, []string{spoof}},
		{"UTF-8 without a charset", "", spoof, []string{spoof}},
		{"KOI8-R", "koi8-r", encodedIn(t, "koi8-r", "http://пример.рф/"), []string{"http://пример.рф/"}},
		{"KOI8-R by another name", "\"KOI8_R; x", encodedIn(t, "koi8-r", "пример"), []string{"пример"}},
		{"windows-1251 as cp1251", "cp-1251", encodedIn(t, "windows-1251", "пример"), []string{"пример"}},
		{"GB 18030 as GB 2312", "gb2312", encodedIn(t, "gb18030", "http://p\u24d0ypal.com/\u2044"), []string{"http://p\u24d0ypal.com/\u2044"}},
		{"Cyrillic of Macs", "mac-cyrillic", encodedIn(t, "x-mac-cyrillic", "пример"), []string{"пример"}},
		{"Cyrillic as UTF-16", "utf-16", encodedIn(t, "koi8-r", "http://facebooк.com/"), []string{"http://facebooË.com/"}},
		{"UTF-16 with a hyphen", "utf-16-be", "\x04\x3a\x00a", []string{"\u043aa"}},
		{"UTF-8 as a code page", "cp65001", spoof + "\xff", []string{spoof + "\uFFFD"}},
		{"Cyrillic with a year", "ISO_8859-5:1988", encodedIn(t, "iso-8859-5", "пример"), []string{"пример"}},
		{"Japanese of Windows", "sjis-win", encodedIn(t, "shift_jis", "日本"), []string{"日本"}},
		{"EBCDIC", "ibm037", ebcdic, []string{"http://a.example/"}},
		{"ASCII as EBCDIC", "ibm037", "http://a.example/", []string{"http://a.example/"}},
		{"ASCII as EBCDIC by another name", "EBCDIC-CP-US", "http://a.example/", []string{"http://a.example/"}},
		{"ASCII as UTF-16", "utf-16", "http://a.example/", []string{"http://a.example/"}},
		{"ASCII as an unknown charset", "x-nothing", "http://a.example/", []string{"http://a.example/"}},
		{"UTF-8 as an unknown charset", "x-nothing", spoof, []string{spoof}},
		{"UTF-7", "utf-7", "http://faceboo+BDo-.com/ +- a", []string{spoof + " + a", "http://faceboo+BDo-.com/ +- a"}},
		{"UTF-7 with a mark", "", "+/v8-http://faceboo+BDo-.com/", []string{"\ufeff" + spoof}},
		{"UTF-16LE with a mark", "", "\xff\xfea\x00:\x04", []string{"a\u043a"}},
		{"UTF-16BE with a mark", "iso-8859-1", "\xfe\xff\x00a\x04:", []string{"a\u043a"}},
		{"UTF-16 without a mark", "", "a\x00b\x00", []string{"ab"}},
		{"UTF-16BE as UTF-16LE", "utf-16le", "\x00a\x00b", []string{"ab"}},
		{"UTF-32LE with a mark", "", "\xff\xfe\x00\x00a\x00\x00\x00", []string{"a"}},
		{"UTF-32BE", "utf-32", "\x00\x00\x00a", []string{"a"}},
		{"mark of UTF-8", "windows-1251", "\xEF\xBB\xBF" + spoof, []string{spoof}},
		{"meta", "", "<meta charset=windows-1251>" + encodedIn(t, "windows-1251", "фейсбук"), []string{"<meta charset=windows-1251>фейсбук"}},
		{"http-equiv", "iso-8859-1", "<META http-equiv=Content-Type content='text/html; charset=koi8-r'>" + encodedIn(t, "koi8-r", "фейсбук"), []string{"<META http-equiv=Content-Type content='text/html; charset=koi8-r'>фейсбук"}},
		{"blanks in meta", "", "<meta http-equiv=content-type content='text/html; charset" + strings.Repeat(" ", 99) + "=" + strings.Repeat("\n", 99) + "koi8-r'>" + encodedIn(t, "koi8-r", "да"), []string{"<meta http-equiv=content-type content='text/html; charset" + strings.Repeat(" ", 99) + "=" + strings.Repeat("\n", 99) + "koi8-r'>да"}},
		{"references in meta", "", "<meta charset='&#107;oi8-r'>" + encodedIn(t, "koi8-r", "да"), []string{"<meta charset='&#107;oi8-r'>да"}},
		{"references before a charset in meta", "", "<META content='x; char&#x73;et&equals;koi8-r' http-equiv=content-type>" + encodedIn(t, "koi8-r", "да"), []string{"<META content='x; char&#x73;et&equals;koi8-r' http-equiv=content-type>да"}},
		{"meta behind others in comments", "", "<!--" + strings.Repeat("<meta charset=utf-8>", 5) + "--><meta charset=koi8-r>" + encodedIn(t, "koi8-r", "да"), []string{"<!--" + strings.Repeat("<meta charset=utf-8>", 5) + "--><meta charset=koi8-r>да"}},
		{"meta in a title behind others", "", "<!--" + strings.Repeat("<meta charset=utf-8>", 3) + "--><meta charset=x-none><title><meta charset=koi8-r></title>" + encodedIn(t, "koi8-r", "да"), []string{"<!--" + strings.Repeat("<meta charset=utf-8>", 3) + "--><meta charset=x-none><title><meta charset=koi8-r></title>да"}},
		{"XML behind others", "", strings.Repeat("<p charset=utf-8>", 3) + "<?xml encoding='koi8-r'?>" + encodedIn(t, "koi8-r", "да"), []string{strings.Repeat("<p charset=utf-8>", 3) + "<?xml encoding='koi8-r'?>да"}},
		{"http-equiv behind other tags", "", strings.Repeat("<p charset=utf-8>", 3) + "<meta content='x; charset=utf-8'><meta http-equiv=content-type content='x; charset=koi8-r'>" + encodedIn(t, "koi8-r", "да"), []string{strings.Repeat("<p charset=utf-8>", 3) + "<meta content='x; charset=utf-8'><meta http-equiv=content-type content='x; charset=koi8-r'>да"}},
		{"meta of UTF-7", "", "<meta charset=utf-7>+BDo-", []string{"<meta charset=utf-7>\u043a", "<meta charset=utf-7>+BDo-"}},
		{"XML", "", "<?xml version='1.0' encoding='koi8-r'?>" + encodedIn(t, "koi8-r", "да"), []string{"<?xml version='1.0' encoding='koi8-r'?>да"}},
		{"ISO-2022-JP", "iso-2022-jp", encodedIn(t, "iso-2022-jp", "日本 http://a.example/"), []string{"日本 http://a.example/"}},
		{"ISO-2022-JP without a charset", "", encodedIn(t, "iso-2022-jp", "日本 http://a.example/"), []string{"日本 http://a.example/"}},
		{"escapes in a link", "us-ascii", "http://a.exa\x1b(Bmple/", []string{"http://a.example/"}},
		{"ASCII in a shift", "iso-2022-jp", "\x1b$Bhttp://a.example/", []string{"http://a.example/"}},
		{"ISO-2022-KR", "iso-2022-kr", "\x1b$)C\x0e0!\x0f http://a.example/", []string{"가 http://a.example/"}},
		{"ISO-2022-CN", "iso-2022-cn", "\x1b$)A\x0eVP'\\\x0f http://a.example/", []string{"中к http://a.example/"}},
		{"Chinese in ISO-2022-JP-2", "iso-2022-jp-2", "\x1b$AVP#h'\\\x1b(B http://a.example/", []string{"中ｈк http://a.example/"}},
		{"Korean in ISO-2022-JP-2", "iso-2022-jp", "\x1b$(C0!,\\\x1b(B http://a.example/", []string{"가к http://a.example/"}},
		{"more Japanese in ISO-2022-JP-1", "iso-2022-jp-1", "\x1b$(D\"/\x1b$B'\\\x1b(I1\x1b(B", []string{"˘кｱ"}},
		{"JIS X 0213", "iso-2022-jp-3", "p\x1b$(O'Q\x1b(Bypal \x1b$(O+9,A\x1b(B", []string{"pаypal ɑⓐ"}},
		{"JIS X 0213 of 2004", "iso-2022-jp-2004", "p\x1b$(Q'Q\x1b(Bypal \x1b$B'Q\x1b(B", []string{"pаypal а"}},
		{"plane 2 of JIS X 0213", "iso-2022-jp-2004", "p\x1b$(P!\"!#\x1b(Bypal", []string{"p\uFFFD\uFFFDypal"}},
		{"ISO-IR-165", "iso-2022-cn-ext", "\x1b$)E\x0e'Q*p\x0fypal", []string{"аpypal"}},
		{"CNS 11643", "ISO_2022_CN", "\x1b$)G\x0e$u$jDA\x0fypal", []string{"Αｐ\uFFFDypal"}},
		{"planes 2 and 3 of CNS 11643", "iso-2022-cn-ext", "\x1b$*H\x1b$+Ia\x1bN!!b\x1bO!!c", []string{"a\uFFFDb\uFFFDc"}},
		{"unknown sets of ISO 2022", "iso-2022-kr", "a\x1b$(Z!!\x1b(Bb\x1b.Z\x1bN!c", []string{"a\uFFFDb\uFFFDc"}},
		{"Greek in ISO-2022-JP-2", "iso-2022-jp-2", "\x1b.Fpayp\x1bNal", []string{"paypαl"}},
		{"open set of ISO-2022-JP-2", "us-ascii", "\x1b$AVP\nhttp://a.example/", []string{"中\nhttp://a.example/"}},
		{"UTF-32LE as UTF-16", "utf-16", "a\x00\x00\x00:\x04\x00\x00", []string{"a\u043a"}},
		{"UTF-32BE as an unknown charset", "x-nothing", "\x00\x00\x00a\x00\x00\x04:", []string{"a\u043a"}},
		{"NUL beside a character beyond ASCII", "utf-8", "http://faceb\x00oo\u043a.com/", []string{spoof}},
		{"HZ by a short name", "hz", "http://faceboo~{'\\~}.com/", []string{spoof}},
		{"HZ", "hz-gb-2312", "~{VP~} http://a~{~}.example/", []string{"VP http://a.example/", "中 http://a.example/"}},
		{"trail byte of Shift_JIS", "shift_jis", "\x83http://a.example/", []string{" http://a.example/"}},
		{"trail byte of GBK", "gbk", "\x81http://a.example/", []string{" http://a.example/"}},
		{"trail byte of GB18030", "gb18030", "\x811\x812.example", []string{" 1 2.example"}},
		{"trail byte of Big5", "big5", "\xa4http://a.example/", []string{" http://a.example/"}},
		{"trail byte of UHC", "ks_c_5601-1987", "\x81http://a.example/", []string{" http://a.example/"}},
		{"Shift_JIS with JIS X 0213", "shift_jisx0213", "\x84p\x86X\x86\xbf", []string{"аɑⓐ"}},
		{"EUC-JP with JIS X 0213", "euc-jis-2004", "\xa7\xd1\xab\xb9\x8f\xa1\xa2a", []string{"аɑ\uFFFDa"}},
		{"EUC-TW", "euc-tw", "p\xa4\xf5ypal\xc4\xa1", []string{"pΑypal\uFFFD"}},
		{"Cyrillic in Big5", "big5", "\xa4\xa4p\xc7\xc8ypal", []string{"中pヌypal", "中pаypal"}},
		{"Cyrillic in Big5 of Windows", "cp950", "p\xc7\xc8ypal", []string{"pヌypal", "pаypal"}},
		{"trail byte of Big5 as a lead byte", "big5", "\xa4\xc7\xc8a", []string{"匹л"}},
		{"EBCDIC of Turkey", "cp1026", "\x4c\x81\x40\x88\x7e\xfc\xec\xad\xdc\x68\xac\x48\x8c\x5f\x4f\xbb\xcc\x8d\xae\xfc\x6e", []string{"<a h=\"#$\\[]{}^!|~`@\">"}},
		{"Ukrainian Cyrillic of DOS", "cp1125", encodedIn(t, "ibm866", "пример"), []string{"пример"}},
		{"Kazakh Cyrillic", "strk1048-2002", encodedIn(t, "windows-1251", "пример"), []string{"пример"}},
		{"unusual signs in a name", "koi8!r", encodedIn(t, "koi8-r", "пример"), []string{"пример"}},
		{"UTF-7 of IMAP", "utf-7-imap", "http://faceboo&BDo-.com/ &- a", []string{spoof + " & a"}},
		{"slash in UTF-7 of IMAP", "utf-7-imap", "&BD,-", []string{"п"}},
		{"escapes", "unicode_escape", `\x50\141y\u0430\U00000430\n\'\N{CYRILLIC SMALL LETTER A}\z\`, []string{"Payаа\n'\uFFFD\\z\\"}},
		{"raw escapes", "raw-unicode-escape", `\x50\u0430\\u0430`, []string{`\x50а\\u0430`}},
		{"Punycode", "punycode", "PyPal.com-0yh", []string{"PаyPal.com"}},
		{"IDNA", "idna", "xn--pypal-4ve.com", []string{"pаypal.com"}},
		{"EUC-JP", "euc-jp", encodedIn(t, "euc-jp", "日本"), []string{"日本"}},
		{"NUL", "", "a\x00b", []string{"ab", "a b"}},
	} {
		got := readings(t, test.label, []byte(test.content))
		for _, want := range test.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s: %q, without %q", test.name, got, want)
			}
		}
	}
}

// TestKanjiAreNoASCII: the bytes of kanji in ISO-2022-JP, as declared, are not read as ASCII, and join no
// host behind them.
func TestKanjiAreNoASCII(t *testing.T) {
	content := encodedIn(t, "iso-2022-jp", "http://例え.jp/")
	if got := readings(t, "ISO-2022-JP", []byte(content)); !slices.Equal(got, []string{"http://例え.jp/", strings.Replace(content, "\x1b(B", "\x1b(B ", 1)}) {
		t.Errorf("%q", got)
	}
}

// TestOtherNamesOfSingleBytes: a single-byte charset with an unusual name is not read as UTF-8,
// which would damage its characters.
func TestOtherNamesOfSingleBytes(t *testing.T) {
	for _, label := range []string{"cp1253", "latin1", "x-cp1251", "ibm866", "cp850"} {
		for _, got := range readings(t, label, []byte("http://pay\xf1al.com/")) {
			if strings.Contains(got, "\uFFFD") {
				t.Errorf("%s: %q", label, got)
			}
		}
	}
}

// TestUsualNames: usualNames has only known charsets, and no name that the indexes of encodings
// have.
func TestUsualNames(t *testing.T) {
	for other, name := range usualNames {
		if !known(name) {
			t.Errorf("%s: unknown charset %s", other, name)
		}
		if other != compact(other) {
			t.Errorf("%s: not compact", other)
		}
	}
}

// TestIsReadable: a charset of which only most letters are known is not readable.
func TestIsReadable(t *testing.T) {
	for label, want := range map[string]bool{
		"iso-2022-jp": true, "iso-2022-jp-2": true, "iso-2022-kr": true, "utf-7-imap": true, "cp1026": true, "big5": true,
		"iso-2022-jp-3": false, "ISO2022-JP-2004": false, "iso-2022-cn": false, "iso-2022-cn-ext": false,
		"sjis-2004": false, "euc_jisx0213": false, "euc-tw": false, "unicode_escape": false, "punycode": false,
		"cp1125": false, "ptcp154": false, "x-nothing": false,
	} {
		if got := IsReadable(label); got != want {
			t.Errorf("%s: %t", label, got)
		}
	}
}

// TestOneReading: content on which programs agree has one reading.
func TestOneReading(t *testing.T) {
	for _, test := range []struct{ label, content string }{
		{"", "ascii"},
		{"us-ascii", "ascii"},
		{"utf-8", "Grüße"},
		{"utf-8", "<meta charset=utf-8>Grüße"},
		{"iso-8859-1", "Gr\xfc\xdfe"},
		{"windows-1251", encodedIn(t, "windows-1251", "Привет")},
		{"iso-8859-1", "<meta name=a content='b &amp; c'><meta charset=iso-8859-1>Gr\xfc\xdfe"},
		{"gbk", "ascii"},
		{"shift_jis", "ascii"},
		{"", "Grüße"},
	} {
		if got := readings(t, test.label, []byte(test.content)); len(got) != 1 {
			t.Errorf("%s %q: %q", test.label, test.content, got)
		}
	}
}

// TestReadingsEnd: reading ends with the context and with the caller.
func TestReadingsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	content := []byte(strings.Repeat("\x83a\x1b\x00\xff", 100_000))
	for _, label := range []string{"", "utf-7", "shift_jis", "utf-16", "iso-2022-kr", "hz-gb-2312", "ibm037", "cp1026", "utf-7-imap", "unicode-escape", "sjis-2004"} {
		var last error
		n := 0
		for _, err := range Readings(ctx, label, content) {
			last = err
			n++
		}
		if last == nil || n > 2 {
			t.Errorf("%s: %d readings, error %v", label, n, last)
		}
		for range Readings(context.Background(), label, content) {
			break
		}
	}
}

// FuzzReadings reads any bytes in any charset. The readings are few, valid UTF-8, and at most a few
// times as long as the content. If the planted ASCII link is between other bytes, a reading has it.
func FuzzReadings(f *testing.F) {
	const planted = "http://paypa1.com/login"
	for _, label := range []string{"", "utf-8", "iso-8859-1", "shift_jis", "gbk", "gb18030", "big5", "euc-kr", "iso-2022-jp", "iso-2022-kr", "hz-gb-2312", "utf-7", "utf-16", "utf-32", "ibm037", "x", "koi8-r", "iso-2022-jp-3", "iso-2022-cn", "sjis-2004", "euc-tw", "unicode-escape", "punycode", "cp1026", "utf-7-imap"} {
		f.Add(label, []byte("a\xff "), []byte(" \x83\x1b$B"))
		f.Add(label, []byte("\x1b$(C0!\x1b.F\x1bNa\x1b(B\x0e0!\x0f"), []byte("\x00\x1b$A"))
		f.Add(label, []byte("<meta charset=koi8-r>\x83"), []byte("~{"))
	}
	f.Fuzz(func(t *testing.T, label string, before, after []byte) {
		content := slices.Concat(before, []byte(planted+" "), after)
		all := readings(t, label, content)
		if len(all) > maxTexts {
			t.Errorf("%d readings", len(all))
		}
		found := false
		for _, text := range all {
			if len(text) > 6*len(content)+16 || strings.ToValidUTF8(text, "") != text {
				t.Errorf("%q: %d bytes of %d, valid UTF-8 %t", label, len(text), len(content), strings.ToValidUTF8(text, "") == text)
			}
			found = found || strings.Contains(text, planted)
		}
		if !found && !hidesASCII(before) {
			t.Errorf("%q: not found in %q", label, all)
		}
	})
}

// hidesASCII reports whether bytes begin a character that may include the first byte after them.
func hidesASCII(before []byte) bool {
	return strings.ContainsAny(string(before), "\x1b+~") || strings.HasPrefix(string(before), "\xff\xfe") || strings.HasPrefix(string(before), "\xfe\xff")
}

// TestMultibyte: texts of charsets with several bytes for a character, and of those with one.
func TestMultibyte(t *testing.T) {
	for content, want := range map[string]bool{
		"\xc7\xeb\xb7\xc3\xce\xca www.a.com": true, "\x83e\x83X\x83g\x82\xcd": true, "\xe6\x97\xa5\xe6\x9c\xac": true,
		"": false, "plain": false, "Gr\xfc\xdfe aus K\xf6ln": false, "\xe9t\xe9 fran\xe7ais, d\xe9j\xe0 vu": false, "\xbamicrosoft.com": false, "Gr\xc3\xbc\xc3\x9fe aus K\xc3\xb6ln": false,
	} {
		if got := Multibyte([]byte(content)) != nil; got != want {
			t.Errorf("%q: %t", content, got)
		}
	}
}

// TestIsMojibake: letters of Latin in a row, or replacement characters, are another charset's.
func TestIsMojibake(t *testing.T) {
	for text, want := range map[string]bool{
		"ÇëµÇÂ½www.a.com²é¿´": true, "\ufffd\ufffdwww.a.com": true, "日本\ufffd": false, "Grüße aus Köln": false, "été à Málaga": false,
		"": false, "——— “Größe” ———": false, "請訪問": false, "Привет": false, "ÄÖÜ und mehr: Größe, Höhe, Länge, für Übung": false,
	} {
		if got := IsMojibake(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// TestIsTrail: a letter may belong to the character before it only where a byte beyond ASCII always is.
func TestIsTrail(t *testing.T) {
	for content, want := range map[string]bool{
		"\x83e\x83X\x83gabc.com\x82\xcd": true, "\x83e\x83X\x83Gabc.com\x82\xcd": true, "\x83e\x83X gabc.com\x82\xcd": false, "gabc.com\x82\xcd\x82\xcd": false,
		"\x83gabc.com \x83gabc.com\x82\xcd\x82\xcd": true, "\x83gabc.com gabc.com\x82\xcd\x82\xcd\x82\xcd": false, "much English text \x83gabc.com": false,
	} {
		if got := IsTrail([]byte(content), "gabc.com"); got != want {
			t.Errorf("%q: %t", content, got)
		}
	}
}

// TestPagesHaveTwoReadings: a page whose letters beyond ASCII are in words only was read up to five times.
// Where they touch a host, a tag or a reference, each reading counts.
func TestPagesHaveTwoReadings(t *testing.T) {
	latin := "<html><body><p>Sch\xf6ne Gr\xfc\xdfe aus K\xf6ln. <a href=\"https://www.example.com/a?b=c\">f\xfcr Sie!</a></p>"
	chinese := "<p>\xc7\xeb\xb7\xc3\xce\xca\xce\xd2\xc3\xc7 <a href=\"https://www.example.com/\">\xcd\xf8\xd5\xbe</a>\xc8</p>"
	for _, label := range []string{"", "us-ascii", "utf-8", "x-none", "gb2312"} {
		for _, page := range []string{latin, chinese} {
			if got := readings(t, label, []byte(page)); len(got) > maxUnmixed {
				t.Errorf("%s: %q", label, got)
			}
			for _, mixed := range []string{"www.p\xe1ypal.com", "<a\xff href=x>", "&am\xffp;", "http:\xff//a", "joe\xff@a.de", "\xffwww.a.de", "a.de\xff", "<\xffa>", "~{"} {
				if got := readings(t, label, []byte(page+mixed)); len(got) <= maxUnmixed {
					t.Errorf("%s: only %q", label, got)
				}
			}
		}
	}
}

// TestFurtherReadingsHaveNoOtherHosts: of random contents that do not mix, further readings have no host
// that the first ones lack.
func TestFurtherReadingsHaveNoOtherHosts(t *testing.T) {
	host := regexp.MustCompile(`(?i)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}|[a-z]+:/?/?|<[a-z!/]+|&#?\w+;`)
	random := rand.New(rand.NewPCG(52, 8))
	pieces := []string{"a", "www.a.de", " ", "\r\n", "\xfc", "\xc8\xcb", "\x83e", "<p>", "</p>", "<", ">", "\"", ".", ",", "K\xf6ln", "https://b.example/", "x@y.de", "&amp;", "=", "/", "wort ", "'"}
	alike := 0
	for range 20_000 {
		var b strings.Builder
		for range 1 + random.IntN(14) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		content := []byte(b.String())
		if mixes(content) || utf8.Valid(content) {
			continue
		}
		alike++
		for _, label := range []string{"", "gb2312", "shift_jis"} {
			first := strings.Join(readings(t, label, content), "\n")
			for _, name := range []string{"utf-8", "windows-1252", readingDropped, readingASCII} {
				text, err := decoderOf(name)(meter.New(t.Context()), content)
				if err != nil {
					t.Fatal(err)
				}
				for _, found := range host.FindAllString(text, -1) {
					if !strings.Contains(first, found) {
						t.Errorf("%q as %q: %q is in no reading %q", content, name, found, first)
					}
				}
			}
		}
	}
	if alike < 2000 {
		t.Errorf("only %d contents", alike)
	}
}

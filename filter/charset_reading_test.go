package filter_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/policy"
)

// TestCharsets: a spoof is found in each text that a mail program may show for its bytes, as plain
// text and HTML, in each transfer encoding.
func TestCharsets(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const spoof = "http://faceboo\u043a.com/"
	in := func(name, text string) string {
		e, err := htmlindex.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := e.NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		return encoded
	}
	inUTF32 := func(order utf32.Endianness) string {
		encoded, _ := utf32.UTF32(order, utf32.IgnoreBOM).NewEncoder().String("See " + spoof + " now")
		return encoded
	}
	ebcdic, _ := charmap.CodePage037.NewEncoder().String("see " + planted + " now")
	for _, test := range []struct{ name, charset, content string }{
		{"a stray byte", "utf-8", "\xff See " + spoof + " now"},
		{"a stray byte behind", "utf-8", "See " + spoof + " now \xe9"},
		{"a stray byte in the host", "utf-8", "See http://pay\xffpa1.com/login now"},
		{"UTF-8 as ISO 8859-1", "iso-8859-1", "See " + spoof + " now"},
		{"UTF-8 with stray bytes as ISO 8859-1", "iso-8859-1", "Tha\u00efs \xe9 See " + spoof + " now \xff"},
		{"UTF-8 behind stray bytes as windows-1252", "windows-1252", "caf\xe9, caf\xe9 See " + spoof + " " + spoof + " now"},
		{"UTF-8 with stray bytes as EBCDIC", "ibm037", "caf\xe9 \xff See " + spoof + " now"},
		{"UTF-8 as windows-1251", "windows-1251", "See " + spoof + " now"},
		{"UTF-8 as Shift_JIS", "shift_jis", "See " + spoof + " now"},
		{"UTF-8 without a charset", "", "See " + spoof + " now"},
		{"UTF-8 in an unknown charset", "x-none", "See " + spoof + " now"},
		{"Cyrillic", "windows-1251", in("windows-1251", "Смотри "+spoof+" да")},
		{"Cyrillic by another name", "CP-1251", in("windows-1251", "Смотри "+spoof+" да")},
		{"Japanese", "iso-2022-jp", in("iso-2022-jp", "日本 "+spoof+" 語")},
		{"Japanese without a charset", "us-ascii", in("iso-2022-jp", "日本 "+spoof+" 語")},
		{"Chinese", "gbk", in("gbk", "中文 "+spoof+" 文")},
		{"EBCDIC", "ibm037", ebcdic},
		{"international EBCDIC", "ibm500", ebcdic},
		{"Turkish EBCDIC", "cp1026", ebcdic},
		{"UTF-7 by an old name", "x-unicode-2-0-utf-7", "see http:+AC8ALw-paypa1+AC4-com/login now"},
		{"ASCII as EBCDIC", "ibm037", "see " + planted + " now"},
		{"ASCII as UTF-16", "utf-16", "see " + planted + " now"},
		{"ASCII as UTF-32", "utf-32be", "see " + planted + " now"},
		{"ASCII as UTF-7", "utf-7", "see " + planted + " now"},
		{"UTF-7", "utf-7", "see http+ADo-//paypa1+AC4-com/login now"},
		{"escapes", "us-ascii", "see http://pay\x1b(Bpa1.com/login now"},
		{"shift", "iso-2022-jp", "\x1b$B see " + planted + " now"},
		{"Chinese of ISO 2022", "iso-2022-cn", "\x1b$)A\x0eVP\x0f http://faceboo\x0e'\\\x0f.com/"},
		{"Chinese in Japanese", "iso-2022-jp-2", "\x1b$AVP\x1b(B http://faceboo\x1b$A'\\\x1b(B.com/"},
		{"Korean in Japanese", "iso-2022-jp", "\x1b$(C0!\x1b(B http://faceboo\x1b$(C,\\\x1b(B.com/"},
		{"UTF-32 as UTF-16", "utf-16", inUTF32(utf32.LittleEndian)},
		{"UTF-32 in an unknown charset", "x-none", inUTF32(utf32.BigEndian)},
		{"NUL beside Cyrillic", "utf-8", "See http://face\x00boo\u043a.com/ now"},
		{"HZ", "hz-gb-2312", "~{ see ~} http://pay~{~}pa1.com/login now"},
		{"lead byte", "shift_jis", "see \x83" + planted + " now"},
		{"lead byte of Big5", "big5", "see \xa4" + planted + " now"},
		{"lead byte of GBK", "gb2312", "see \x81" + planted + " now"},
		{"lead byte of EUC", "euc-kr", "see \x81" + planted + " now"},
		{"NUL", "utf-8", "see http://pay\x00pa1.com/login now"},
		{"mark of another charset", "iso-8859-1", "\xEF\xBB\xBFSee " + spoof + " now"},
		{"Cyrillic of Macs by its usual name", "mac-cyrillic", in("x-mac-cyrillic", "Смотри "+spoof+" да")},
		{"another host in UTF-8 as windows-1252", "windows-1252", "See http://paypal.com\u2044login.evil.example.net/ now"},
		{"another host with a stray byte", "utf-8", "See http://paypal.com\u2044log\xffin.evil.example.net/ now"},
		{"international EBCDIC by an unknown name", "cp500", ebcdic},
		{"quotes", "'utf-8'", "See " + spoof + " now"},
	} {
		for _, mediaType := range []string{"text/plain", "text/html"} {
			fields := "Content-Type: " + mediaType
			if test.charset != "" {
				fields += "; charset=\"" + test.charset + "\""
			}
			fields += "\r\nContent-Transfer-Encoding: base64"
			result := f.Scan(beside(fields, base64.StdEncoding.EncodeToString([]byte(test.content))))
			high := false
			for _, l := range result.Links {
				high = high || l.Verdict.Worst() >= policy.SeverityHigh
			}
			if !high {
				t.Errorf("%s, %s: %s\n%s", test.name, mediaType, result, strings.Join(placed(result), "\n"))
			}
		}
	}
}

// TestCharsetsOfOtherLanguages: a lookalike is found even if only programs for another language
// show its deceptive letter.
func TestCharsetsOfOtherLanguages(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, name := range []string{"iso-8859-5", "ibm866", "koi8-r", "windows-1251", "shift_jis", "euc-jp", "gb18030"} {
		e, err := htmlindex.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, spoof := range []string{"http://faceboo\u043a.com/", "http://www.p\u0430ypal.com/x", "https://micr\u043esoft.com/login"} {
			content, err := e.NewEncoder().String("See " + spoof + " now")
			if err != nil {
				t.Fatal(err)
			}
			for _, label := range []string{"", "; charset=us-ascii", "; charset=utf-8", "; charset=utf-16", "; charset=x-none"} {
				result := f.Scan(beside("Content-Type: text/plain"+label+"\r\nContent-Transfer-Encoding: 8bit", content))
				if worstLink(result) < policy.SeverityMedium {
					t.Errorf("%s%s: %s: %v", name, label, spoof, placed(result))
				}
			}
		}
	}
}

// TestHostsOfOtherLanguages: the same for a lookalike with several such letters, in texts, HTML and
// files.
func TestHostsOfOtherLanguages(t *testing.T) {
	f := newFilter(t, filter.Options{})
	hosts := map[string][]string{
		"g\u043e\u043egle.com":                {"windows-1251", "koi8-r", "ibm866", "iso-8859-5", "x-mac-cyrillic", "shift_jis", "euc-jp", "gb18030", "euc-kr"},
		"\u0440\u0430\u0443\u0440\u0430l.com": {"windows-1251", "koi8-r", "ibm866", "iso-8859-5", "x-mac-cyrillic", "shift_jis", "euc-jp", "gb18030", "euc-kr"},
		"www.micr\u043es\u043eft.com":         {"windows-1251", "koi8-r", "ibm866", "iso-8859-5", "x-mac-cyrillic", "shift_jis", "euc-jp", "gb18030", "euc-kr"},
		"faceb\u03bf\u03bfk.com":              {"windows-1253", "iso-8859-7", "shift_jis", "gb18030", "big5", "euc-kr"},
	}
	for host, names := range hosts {
		for _, name := range names {
			e, err := htmlindex.Get(name)
			if err != nil {
				t.Fatal(err)
			}
			for fields, form := range map[string]string{
				"Content-Type: text/plain":                                  "See http://%s/x now",
				"Content-Type: text/plain; charset=utf-8":                   "See http://%s now",
				"Content-Type: text/plain; charset=x-none":                  "See <http://%s>.",
				"Content-Type: text/html":                                   "<a href=\"https://%s/x\">x</a>",
				"Content-Type: application/octet-stream; name=a.htm":        "<a href=//%s>x</a>",
				"Content-Type: application/octet-stream; name=a.url":        "[InternetShortcut]\r\nURL=https://%s/\r\n",
				"Content-Type: text/plain; charset=us-ascii; format=flowed": "http://%s:80/",
				"Content-Type: text/plain; charset=unknown-8bit; delsp=no":  "http://%s#x",
				"Content-Type: text/html; charset=x-user-defined":           `<a href="https:\%s\x">x</a><a href=HTTP:%s>`,
				"Content-Type: text/html; charset=none":                     "<a href=mailto:x@%s>x</a>",
				"Content-Type: text/markdown":                               "[x](https://%s)",
			} {
				content, err := e.NewEncoder().String(strings.ReplaceAll(form, "%s", host))
				if err != nil {
					t.Fatal(err)
				}
				fields, body := inBase64(fields, content)
				if r := f.Scan(beside(fields, body)); worstLink(r) < policy.SeverityMedium {
					t.Errorf("%s in %s: %s: %v", host, name, fields, placed(r))
				}
			}
		}
	}
}

// TestHonestHostsOfOtherLanguages: a charset that is not declared gives no finding to a host with a
// sign or letter beside it, or to an honest international host.
func TestHonestHostsOfOtherLanguages(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, texts := range map[string][]string{
		"windows-1252": {"\u201chttp://www.paypal.com\u201d", "http://www.paypal.com\u2019s", "so\u2014www.paypal.com\u2014is", "http://www.m\u00fcller.de/", "https://www.k\u00f6ln.de", "http://caf\u00e9.example.fr/\u00e9", "see\u2014facebook.com", "\u00abfacebook.com\u00bb", "x@m\u00fcller.de", "de:\u00abfacebook.com"},
		"windows-1251": {"\u00abhttp://www.paypal.com\u00bb", "\u0441\u0430\u0439\u0442 www.paypal.com\u2026", "http://\u043f\u0440\u0438\u043c\u0435\u0440.com/", "www.google.com\u2014\u044d\u0442\u043e"},
		"koi8-r":       {"http://\u043f\u0440\u0438\u043c\u0435\u0440.com/", "\u0441\u0430\u0439\u0442:http://www.google.com"},
		"gb18030":      {"\u8bf7\u8bbf\u95eewww.google.com\u3002", "http://www.paypal.com\uff0c", "http://\u4f8b\u5b50.com/"},
		"shift_jis":    {"\u3053\u3061\u3089www.amazon.com\u3092", "http://www.google.com/\u65e5\u672c", "http://\u65e5\u672c.com/"},
		"euc-kr":       {"www.google.com\uc5d0\uc11c"},
	} {
		e, err := htmlindex.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			content, err := e.NewEncoder().String(text + "\r\n")
			if err != nil {
				t.Fatal(err)
			}
			for _, label := range []string{"", "; charset=us-ascii", "; charset=utf-8", "; charset=x-none"} {
				if r := f.Scan(beside("Content-Type: text/plain"+label+"\r\nContent-Transfer-Encoding: 8bit", content)); worstLink(r) >= policy.SeverityMedium {
					t.Errorf("%s in %s%s: %v", text, name, label, placed(r))
				}
			}
		}
	}
}

// TestManyHostsOfOtherLanguages: names of files do not count as hosts. A host that has other
// letters in each charset counts once.
func TestManyHostsOfOtherLanguages(t *testing.T) {
	f := newFilter(t, filter.Options{})
	text := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format+"\r\n", i)
		}
		return b.String()
	}
	const fields = "Content-Type: text/plain\r\nContent-Transfer-Encoding: 8bit"
	for _, honest := range []string{text(20_000, "Pr\xfcfung%d.docx"), text(2_000, "http://m\xfcller%d.de/")} {
		if part := f.Scan(beside(fields, honest)).Parts[1]; part.Reason == "too-many-links" {
			t.Errorf("%.40q: %v", honest, part)
		}
	}
	spoof := "Pr\xfcfung.docx\r\nSee http://g\xee\xeegle.com.\r\n" // in windows-1251
	if r := f.Scan(beside(fields, spoof)); worstLink(r) < policy.SeverityMedium {
		t.Errorf("%q: %v", spoof, placed(r))
	}
}

// TestHonestHostsInWrongCharsets: a wrong charset or an invalid byte gives no finding to a host
// beside a quotation mark or another sign, or to a host beyond ASCII.
func TestHonestHostsInWrongCharsets(t *testing.T) {
	f := newFilter(t, filter.Options{})
	read := 0
	for _, text := range []string{
		"\u201cwww.example.com\u201d", "www.example.com\u2019s", "www.example.com\u2026", "www.example.de\u2013so", "\u00bbwww.example.de\u00ab", "www.example.com\u2122",
		"http://www.ex\u00e4mple.de/\u00e4", "info@ex\u00e4mple.de", "\u20acwww.example.com", "www.example.fr\u00a0!", "\u2022www.example.com",
	} {
		text = "Gr\u00f6\u00dfe, sp\u00e4ter: " + text + " f\u00fcr sch\u00f6n"
		latin, err := charmap.Windows1252.NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, content := range []string{text, latin, strings.Repeat("caf\u00e9 ", 3) + text + " \xe9"} {
			for _, mediaType := range []string{"text/plain", "text/plain; charset=us-ascii", "text/plain; charset=utf-8", "text/plain; charset=iso-8859-1", "text/html; charset=windows-1252"} {
				result := f.Scan(beside("Content-Type: "+mediaType+"\r\nContent-Transfer-Encoding: 8bit", content))
				for _, l := range result.Links {
					read++
					if l.Verdict.Worst() >= policy.SeverityMedium {
						t.Errorf("%s: %q: %s %v", mediaType, content, l.Link.Text, l.Verdict.Findings)
					}
				}
			}
		}
	}
	for name, text := range map[string]string{
		"windows-1251": "Во вложении отчет.zip и сайт www.пример.com или пример.рф.", "ibm866": "Во вложении отчет.zip.", "iso-8859-7": "Δείτε www.παράδειγμα.gr σήμερα.",
	} {
		e, err := htmlindex.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		content, err := e.NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, label := range []string{"", "; charset=us-ascii", "; charset=utf-8", "; charset=" + name} {
			for _, l := range f.Scan(beside("Content-Type: text/plain"+label+"\r\nContent-Transfer-Encoding: 8bit", content)).Links {
				read++
				if l.Verdict.Worst() >= policy.SeverityMedium {
					t.Errorf("%s%s: %s %v", name, label, l.Link.Text, l.Verdict.Findings)
				}
			}
		}
	}
	if read < 150 {
		t.Errorf("only %d links read", read)
	}
}

// TestMarkedCharsets: if the header declares no charset, or another one, the charset that HTML or
// XML declares inside counts, too.
func TestMarkedCharsets(t *testing.T) {
	f := newFilter(t, filter.Options{})
	cyrillic, _ := charmap.Windows1251.NewEncoder().String("<a href=\"http://faceboo\u043a.com/\">x</a>")
	for _, head := range []string{
		"<meta charset=windows-1251>", "<META CHARSET = 'Windows-1251'>", "<?xml version=\"1.0\" encoding=\"windows-1251\"?>",
		"<meta http-equiv=\"Content-Type\" content=\"text/html; charset=windows-1251\">", "<style>@charset \"x\";</style><meta charset=cp1251>",
	} {
		for _, fields := range []string{"Content-Type: text/html", "Content-Type: text/html; charset=iso-8859-1", "Content-Type: application/octet-stream; name=a.html"} {
			fields, body := inBase64(fields, head+cyrillic)
			result := f.Scan(beside(fields, body))
			if result.Worst() < policy.SeverityHigh {
				t.Errorf("%s, %s: %s\n%s", fields, head, result, strings.Join(placed(result), "\n"))
			}
		}
	}
}

// newsletter is a page in German with links, pictures and a table.
var newsletter = "<html><head><title>Grüße</title><style>p { color: #333; font: 12px Arial }</style></head><body>" + strings.Repeat(
	"<table width=\"600\"><tr><td align=\"left\"><p>Schöne Grüße aus Köln, <b>für Sie</b> geöffnet.\r\nÜber uns:</p>"+
		"<a href=\"https://www.example.com/angebot?id=12345&amp;u=1\">Hier können Sie günstig einkaufen</a>\r\n"+
		"<img src=\"https://img.example.com/a.png\" width=\"100\"></td></tr></table>\r\n", 50) + "</body></html>"

// TestSpoofInFurtherReading: a spoof that only a further reading of a page shows is found, also
// among honest links.
func TestSpoofInFurtherReading(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, spoof := range map[string]string{
		"target":      "<a href=\"http://faceboo\u043a.com/\">hier</a>",
		"text":        "<p>Siehe http://faceboo\u043a.com/ bitte",
		"bare text":   "<p>Siehe faceboo\u043a.com bitte",
		"in pieces":   "<p>Siehe http://face<b>boo\u043a</b>.com/ bitte",
		"form":        "<form action='http://faceboo\u043a.com/'><input name=a></form>",
		"text in tag": "<img alt='\u043e' usemap='#m'><map name=m><area href='http://faceboo\u043a.com/'></map>",
	} {
		for _, in := range []string{"koi8-r", "windows-1251", "iso-8859-5"} {
			content, err := charset.Lookup(in).NewEncoder().String(strings.NewReplacer("ö", "o", "ü", "u", "ß", "ss", "Ü", "U").Replace(newsletter) + spoof)
			if err != nil {
				t.Fatal(err)
			}
			meta := "<meta charset=" + in + ">"
			for _, label := range []string{"", "; charset=iso-8859-1", "; charset=x-none"} {
				fields, body := inBase64("Content-Type: text/html"+label, meta+content)
				if r := f.Scan(beside(fields, body)); worstLink(r) < policy.SeverityHigh {
					t.Errorf("%s in %s%s: %d links", name, in, label, len(r.Links))
				}
			}
		}
	}
}

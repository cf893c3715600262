package filter_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/policy"
)

// newsletter is a page in German with links, pictures and a table.
var newsletter = "<html><head><title>Grüße</title><style>p { color: #333; font: 12px Arial }</style></head><body>" + strings.Repeat(
	"<table width=\"600\"><tr><td align=\"left\"><p>Schöne Grüße aus Köln, <b>für Sie</b> geöffnet.\r\nÜber uns:</p>"+
		"<a href=\"https://www.example.com/angebot?id=12345&amp;u=1\">Hier können Sie günstig einkaufen</a>\r\n"+
		"<img src=\"https://img.example.com/a.png\" width=\"100\"></td></tr></table>\r\n", 50) + "</body></html>"

// TestFurtherReadingsOfHTML: of a page that only its letters make ambiguous, further readings cost next
// to nothing.
func TestFurtherReadingsOfHTML(t *testing.T) {
	content := charset.Lookup("iso-8859-1")
	latin, err := content.NewEncoder().String(newsletter)
	if err != nil {
		t.Fatal(err)
	}
	first, further := "", 0
	for text, err := range charset.Readings(t.Context(), "", []byte(latin)) {
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = text
			continue
		}
		further++
		if n := len(filter.Fresh(first, text)); n > len(text)/20 {
			t.Errorf("%d of %d bytes are read again: %.200q", n, len(text), filter.Fresh(first, text))
		}
	}
	if further == 0 {
		t.Error("one reading only")
	}
}

// TestFresh: what may hold a link in a further reading of HTML is read.
func TestFresh(t *testing.T) {
	for _, test := range []struct{ before, further, want string }{
		{"<p>Gr\ufffde an www.example.com", "<p>Gr\u00fc\u00dfe an www.example.com", ""},
		{"<p>x Caf\ufffd</p>", "<p>x Caf\u00e9</p>", ""},
		{"<a href=http://a.com/>Caf\ufffd hier</a>", "<a href=http://a.com/>Caf\u00e9 hier</a>", ""},
		{"x faceboo\ufffd.com y and much more text here", "x facebook.com y and much more text here", "facebook.com \n"},
		{"x faceboo\ufffd\u3002com y and much more text here", "x facebook\u3002com y and much more text here", "facebook\u3002com \n"},
		{"<p>and much more text here than there</p> <a\ufffd href='http://a.com/'>x y</a>", "<p>and much more text here than there</p> <a href='http://a.com/'>x y</a>", "<a href='http://a.com/'>x y</a>\n"},
		{"<p>and much, much, much more of a text here than there</p> <a href='http://a.com/'>www.b\ufffd.com now</a>", "<p>and much, much, much more of a text here than there</p> <a href='http://a.com/'>www.b.com now</a>", "<a href='http://a.com/'>www.b.com now</a>\n"},
		{"<p>and much more text here than there</p> pay<b>p\ufffd</b>.com", "<p>and much more text here than there</p> pay<b>pal</b>.com", "pay<b>pal</b>.com\n"},
		{"\u6c34\u6c34", "<a href=http://a.com>x</a>", "<a href=http://a.com>x</a>"},
	} {
		if got := filter.Fresh(test.before, test.further); got != test.want {
			t.Errorf("%q behind %q: %q, want %q", test.further, test.before, got, test.want)
		}
	}
}

// TestSpoofInFurtherReading: a spoof that only a further reading of a page shows is found among honest
// links.
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

package filter_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"mime/quotedprintable"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// A greeting is a text in a language, with a link, as a mail program encodes it.
type greeting struct {
	charset, encoding string
	text              string
	host, path        string
}

var greetings = []greeting{
	{"utf-8", "quoted-printable", "नमस्ते, यह देखें:", "hi.wikipedia.org", "/wiki/महात्मा_गांधी"},
	{"utf-8", "base64", "Привет, посмотри:", "ru.wikipedia.org", "/wiki/Заглавная_страница"},
	{"utf-8", "8bit", "Grüße, siehe:", "de.wikipedia.org", "/wiki/Märchen"},
	{"windows-1252", "quoted-printable", "Schöne Grüße – siehe:", "de.wikipedia.org", "/wiki/Königsstraße"},
	{"windows-1252", "8bit", "Schöne Grüße:", "ja.wikipedia.org", "/wiki/東京都写真美術館"},
	{"iso-2022-jp", "7bit", "こんにちは。次を見てください:", "ja.wikipedia.org", "/wiki/東京都写真美術館"},
	{"gb2312", "base64", "你好，请看：", "zh.wikipedia.org", "/wiki/北京市"},
	{"us-ascii", "7bit", "Hello, please see:", "el.wikipedia.org", "/wiki/Αθήνα"},
	{"koi8-r", "8bit", "Привет:", "ru.wikipedia.org", "/wiki/Москва"},
	{"utf-8", "7bit", "Hello:", "th.wikipedia.org", "/wiki/กรุงเทพมหานคร"},
}

// typed returns the URL of the greeting as programs send it.
func (l *greeting) typed() string {
	return "https://" + l.host + (&url.URL{Path: l.path}).EscapedPath()
}

// linkForms are what programs write for a link that shows itself: | is the URL, and ^ what
// is shown. The last one is a URL alone.
var linkForms = []string{
	`<a href="|">^</a>`,
	"<a class=\"moz-txt-link-freetext\"\n      href=\"|\">^</a>",
	`<a href="|" target="_blank" rel="noreferrer"><span style='color:#0563C1'>^</span></a>`,
	"<A HREF='|'><FONT SIZE=2>\n^</FONT></A>",
	"^",
}

// A styled message is one as a mail program writes it.
type styled struct {
	greeting
	name, source, want string // want is the HTML afterwards; "" where the message stays
}

// styledMessages returns messages in the styles of mail programs.
func styledMessages(tb testing.TB) (all []styled) {
	tb.Helper()
	paths, err := filepath.Glob("testdata/html_styles/*.html")
	if err != nil {
		tb.Fatal(err)
	}
	for i, path := range paths {
		template, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		for j, l := range greetings {
			write := func(link string) string {
				return strings.NewReplacer("{{charset}}", l.charset, "{{text}}", html.EscapeString(l.text), "{{link}}", link,
					"{{quoted}}", `<a href="`+l.typed()+`">`+l.typed()+`</a> `+l.typed()).Replace(string(template))
			}
			style := fmt.Sprintf("%s %s %s", strings.TrimSuffix(filepath.Base(path), ".html"), l.charset, l.encoding)
			form := linkForms[(i+j)%len(linkForms)]
			readable := form
			if form == "^" {
				readable = linkForms[0]
			}
			in := func(form, shown string) string { return strings.NewReplacer("|", l.typed(), "^", shown).Replace(form) }
			all = append(all,
				styled{l, style, write(in(form, l.typed())), write(in(readable, l.host+l.path))},
				styled{l, style + " readable", write(in(readable, "https://"+l.host+l.path)), ""},
				styled{l, style + " another text", write(in(linkForms[0], l.text)), ""},
			)
		}
	}
	return all
}

// message returns the styled message as it is sent, alone or beside a plain text.
func (s *styled) message(tb testing.TB, alone bool) []byte {
	tb.Helper()
	encoded := func(text string) string {
		text = strings.ReplaceAll(text, "\n", "\r\n")
		data := []byte(text)
		if s.charset != "utf-8" || s.encoding == "7bit" {
			data = withReferences(data, s.charset)
		}
		var b bytes.Buffer
		switch s.encoding {
		case "quoted-printable":
			w := quotedprintable.NewWriter(&b)
			if _, err := w.Write(data); err != nil {
				tb.Fatal(err)
			}
			w.Close()
		case "base64":
			for digits := base64.StdEncoding.EncodeToString(data); digits != ""; {
				n := min(len(digits), 64)
				b.WriteString(digits[:n] + "\r\n")
				digits = digits[n:]
			}
		default:
			b.Write(data)
		}
		return b.String()
	}
	fields := func(subtype string) string {
		return "Content-Type: text/" + subtype + "; charset=" + s.charset + "\r\nContent-Transfer-Encoding: " + s.encoding + "\r\n\r\n"
	}
	const header = "From: anna@example.com\r\nTo: bob@example.com\r\nSubject: Sample\r\nMIME-Version: 1.0\r\n"
	body := encoded(s.source)
	if alone {
		return []byte(header + fields("html") + body)
	}
	return []byte(header + "Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n" + fields("plain") + encoded(s.text+"\n"+s.typed()+"\n") +
		"\r\n--b\r\n" + fields("html") + body + "\r\n--b--\r\n")
}

// withReferences returns a text in a charset, with references as programs write them.
func withReferences(text []byte, name string) []byte {
	var b bytes.Buffer
	for _, c := range string(text) {
		encoded, err := []byte(string(c)), error(nil)
		if e := charset.Lookup(name); e != nil && name != "utf-8" && name != "us-ascii" {
			encoded, err = e.NewEncoder().Bytes(encoded)
		} else if c > 127 {
			err = os.ErrInvalid
		}
		if err != nil {
			encoded = fmt.Appendf(nil, "&#%d;", c)
		}
		b.Write(encoded)
	}
	return b.Bytes()
}

// htmlLeaf returns the text of the HTML part of a message.
func htmlLeaf(tb testing.TB, raw []byte) string {
	tb.Helper()
	m := mime.Parse(tb.Context(), raw, mime.Limits{})
	for leaf := range m.Leaves() {
		if leaf.MediaType == "text/html" {
			text, err := m.Text(leaf)
			if err != nil {
				tb.Fatal(err)
			}
			return text
		}
	}
	tb.Fatal("no HTML")
	return ""
}

// rendered returns the tree of HTML as text.
func rendered(tb testing.TB, source string) string {
	tb.Helper()
	doc, err := nethtml.Parse(strings.NewReader(strings.ReplaceAll(source, "\r\n", "\n")))
	if err != nil {
		tb.Fatal(err)
	}
	var b strings.Builder
	if err := nethtml.Render(&b, doc); err != nil {
		tb.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// TestStyles: messages of many mail programs become readable, keep all else, and stay as
// they are where nothing is to do.
func TestStyles(t *testing.T) {
	needTables(t)
	f := editing(t, rule.FlaggedUnlink)
	messages, wanted, done := 0, 0, 0
	reasons := make(map[report.Reason]int)
	for i, s := range styledMessages(t) {
		raw := s.message(t, i%2 == 0)
		messages++
		result := check(t, s.name, f, localUser(), raw)
		if s.want != "" {
			wanted++
		}
		before, after := htmlLeaf(t, raw), htmlLeaf(t, result.Message(raw))
		switch {
		case before == after && s.want == "":
		case s.want == "":
			t.Errorf("%s changed:\n%s", s.name, after)
		case before == after:
			reasons[result.Report.NotDone]++
		default:
			done++
			if got, want := rendered(t, after), rendered(t, s.want); got != want {
				t.Errorf("%s: got\n%s\nwant\n%s", s.name, got, want)
			}
		}
	}
	t.Logf("%d messages, %d of %d with an over-escaped link became readable, others: %v", messages, done, wanted, reasons)
	if messages < 400 || done*100 < 95*wanted {
		t.Errorf("%d messages, only %d of %d became readable: %v", messages, done, wanted, reasons)
	}
}

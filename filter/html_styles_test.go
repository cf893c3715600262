package filter_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"math/rand/v2"
	"mime/quotedprintable"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/htmledit"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// A greeting is a text in a language, with a link, as a mail program encodes it.
type greeting struct {
	charset, encoding string
	text              string
	host, path        string
	odd               bool // odd breaks of lines, and needless escapes
}

var greetings = []greeting{
	{"utf-8", "quoted-printable", "नमस्ते, यह देखें:", "hi.wikipedia.org", "/wiki/महात्मा_गांधी", false},
	{"utf-8", "base64", "Привет, посмотри:", "ru.wikipedia.org", "/wiki/Заглавная_страница", false},
	{"utf-8", "8bit", "Grüße, siehe:", "de.wikipedia.org", "/wiki/Märchen", false},
	{"windows-1252", "quoted-printable", "Schöne Grüße – siehe:", "de.wikipedia.org", "/wiki/Königsstraße", false},
	{"windows-1252", "8bit", "Schöne Grüße:", "ja.wikipedia.org", "/wiki/東京都写真美術館", false},
	{"iso-2022-jp", "7bit", "こんにちは。次を見てください:", "ja.wikipedia.org", "/wiki/東京都写真美術館", false},
	{"gb2312", "base64", "你好，请看：", "zh.wikipedia.org", "/wiki/北京市", false},
	{"us-ascii", "7bit", "Hello, please see:", "el.wikipedia.org", "/wiki/Αθήνα", false},
	{"koi8-r", "8bit", "Привет:", "ru.wikipedia.org", "/wiki/Москва", false},
	{"utf-8", "7bit", "Hello:", "th.wikipedia.org", "/wiki/กรุงเทพมหานคร", false},
}

// inCharsets are greetings in the charsets of mail.
var inCharsets = []greeting{
	{charset: "utf-8", text: "नमस्ते, यह देखें:", host: "hi.wikipedia.org", path: "/wiki/महात्मा_गांधी"},
	{charset: "iso-8859-1", text: "Schöne Grüße, siehe:", host: "de.wikipedia.org", path: "/wiki/Königsstraße"},
	{charset: "iso-8859-15", text: "À voir, œuvre à 5 €:", host: "fr.wikipedia.org", path: "/wiki/Œuvre_d’été"},
	{charset: "windows-1250", text: "Dobrý den, podívejte se:", host: "cs.wikipedia.org", path: "/wiki/Žižkov"},
	{charset: "windows-1251", text: "Привет, посмотри:", host: "ru.wikipedia.org", path: "/wiki/Москва"},
	{charset: "windows-1252", text: "Schöne Grüße – siehe:", host: "ja.wikipedia.org", path: "/wiki/東京都"},
	{charset: "windows-1253", text: "Γεια σου, δες:", host: "el.wikipedia.org", path: "/wiki/Αθήνα"},
	{charset: "windows-1254", text: "Şuna bakın:", host: "tr.wikipedia.org", path: "/wiki/Iğdır_Şehri"},
	{charset: "windows-1255", text: "שלום, ראה:", host: "he.wikipedia.org", path: "/wiki/ירושלים"},
	{charset: "windows-1256", text: "مرحبا، انظر:", host: "ar.wikipedia.org", path: "/wiki/القاهرة"},
	{charset: "windows-1257", text: "Sveiki, skatieties:", host: "lv.wikipedia.org", path: "/wiki/Rīga_šķiet"},
	{charset: "windows-1258", text: "Xin chào, hay xem:", host: "vi.wikipedia.org", path: "/wiki/Hà_Nội"},
	{charset: "koi8-r", text: "Привет:", host: "ru.wikipedia.org", path: "/wiki/Санкт-Петербург"},
	{charset: "iso-2022-jp", text: "次を見てください:", host: "ja.wikipedia.org", path: "/wiki/東京都写真美術館"},
	{charset: "gb2312", text: "你好，请看：", host: "zh.wikipedia.org", path: "/wiki/北京市"},
	{charset: "gb18030", text: "你好，请看：", host: "zh.wikipedia.org", path: "/wiki/上海市"},
	{charset: "big5", text: "你好，請看：", host: "zh.wikipedia.org", path: "/wiki/臺北市"},
	{charset: "euc-kr", text: "안녕하세요, 보세요:", host: "ko.wikipedia.org", path: "/wiki/서울특별시"},
	{charset: "shift_jis", text: "次を見てください:", host: "ja.wikipedia.org", path: "/wiki/表示"},
}

// inEncodings returns the greetings of all charsets in all transfer encodings.
func inEncodings() (all []greeting) {
	for _, l := range inCharsets {
		for _, encoding := range []string{"7bit", "8bit", "quoted-printable", "base64"} {
			l.encoding, l.odd = encoding, true
			all = append(all, l)
		}
	}
	return all
}

// typed returns the URL of the greeting as programs write it.
func (l *greeting) typed() string {
	return "https://" + l.host + (&url.URL{Path: l.path}).EscapedPath()
}

// linkForms are the ways in which programs write a link whose text is its URL: | is the URL, ^ the
// text. The last form is a bare URL.
var linkForms = []string{
	`<a href="|">^</a>`,
	"<a class=\"moz-txt-link-freetext\"\n      href=\"|\">^</a>",
	`<a href="|" target="_blank" rel="noreferrer"><span style='color:#0563C1'>^</span></a>`,
	"<A HREF='|'><FONT SIZE=2>\n^</FONT></A>",
	"^",
}

// A styled message is HTML in the style of a mail program.
type styled struct {
	greeting
	name, source, want string // want is the HTML after the edit; "" if the message stays
}

// shown returns the URL of the greeting as an edited part shows it, as a link if href is not "".
func (l *greeting) shown(href string) string {
	return htmledit.Apply("", []htmledit.Splice{{Text: l.host + l.path, URL: true, Href: href}})
}

// styledMessages returns messages in the styles of mail programs.
func styledMessages(tb testing.TB, greetings []greeting) (all []styled) {
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
			edited := in(form, l.shown(""))
			if form == "^" {
				edited = l.shown(l.typed())
			}
			all = append(all,
				styled{l, style, write(in(form, l.typed())), write(edited)},
				styled{l, style + " readable", write(in(readable, "https://"+l.host+l.path)), ""},
				styled{l, style + " another text", write(in(linkForms[0], l.text)), ""},
			)
		}
	}
	return all
}

// message returns the styled message as sent, alone or beside a plain text.
func (s *styled) message(tb testing.TB, alone bool) []byte {
	tb.Helper()
	encoded := func(text string) string {
		text = strings.ReplaceAll(text, "\n", "\r\n")
		data := []byte(text)
		switch {
		case s.encoding == "7bit" && s.charset != "iso-2022-jp":
			data = withReferences(data, "us-ascii")
		case s.charset != "utf-8":
			data = withReferences(data, s.charset)
		}
		var b bytes.Buffer
		switch encoding := s.encoding; {
		case encoding == "quoted-printable" && s.odd:
			b.WriteString(oddlyQuoted(data))
		case encoding == "quoted-printable":
			w := quotedprintable.NewWriter(&b)
			if _, err := w.Write(data); err != nil {
				tb.Fatal(err)
			}
			w.Close()
		case encoding == "base64":
			for digits := base64.StdEncoding.EncodeToString(data); digits != ""; {
				n := min(len(digits), 64)
				if s.odd {
					n = min(len(digits), 1+(len(digits)*7)%75)
				}
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

// oddlyQuoted returns data in quoted-printable, with soft line breaks inside tags and characters,
// and with needless escapes.
func oddlyQuoted(data []byte) string {
	var b strings.Builder
	r := rand.New(rand.NewPCG(1, uint64(len(data))))
	column, most := 0, 10
	for i, c := range data {
		piece := string(rune(c))
		switch {
		case c == '\r' || c == '\n':
			b.WriteByte(c)
			column = 0
			continue
		case c >= 127, c < ' ', c == '=', r.IntN(9) == 0, (c == ' ' || c == '.') && (column == 0 || i+1 < len(data) && data[i+1] == '\r'):
			piece = fmt.Sprintf("=%02X", c)
		}
		if column+len(piece) > most {
			b.WriteString("=\r\n")
			column, most = 0, 4+r.IntN(70)
		}
		b.WriteString(piece)
		column += len(piece)
	}
	return b.String()
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

// TestStylesInCharsets is TestStyles for all charsets and transfer encodings, in odd encodings.
func TestStylesInCharsets(t *testing.T) {
	var some []styled
	for i, message := range styledMessages(t, inEncodings()) {
		if i/3%3 == 0 { // of each style, other charsets and encodings
			some = append(some, message)
		}
	}
	becomeReadable(t, some)
}

// TestStyles: messages in the styles of many mail programs become readable and otherwise stay as
// they are.
func TestStyles(t *testing.T) { becomeReadable(t, styledMessages(t, greetings)) }

// becomeReadable fails if too few messages become readable, or if others change.
func becomeReadable(t *testing.T, all []styled) {
	t.Helper()
	needTables(t)
	f := editing(t, rule.FlaggedUnlink)
	messages, wanted, done := 0, 0, 0
	reasons := make(map[report.Reason]int)
	for i, s := range all {
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

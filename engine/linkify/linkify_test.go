package linkify_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/engine/linkify"
)

// all is a Linkifier with every option that keeps the text.
func all(t testing.TB) *linkify.Linkifier {
	t.Helper()
	s, err := engine.New(engine.Options{Suspects: true, Schemes: []string{"tel", "xmpp", "sftp"}})
	if err != nil {
		t.Fatal(err)
	}
	return &linkify.Linkifier{Scanner: s, Rel: `a"><b>`, Target: "_blank", Class: "x'y&z"}
}

func TestHTML(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{`a < b & c > "d" 'e'`, "a &lt; b &amp; c &gt; &#34;d&#34; &#39;e&#39;"},
		{"a.com", `<a href="http://a.com/">a.com</a>`},
		{"https://a.com/?a=1&b=2'x'.", `<a href="https://a.com/?a=1&amp;b=2%27x">https://a.com/?a=1&amp;b=2&#39;x</a>&#39;.`},
		{"<https://a.com/>", `&lt;<a href="https://a.com/">https://a.com/</a>&gt;`},
		{"http://paypal.com@evil.example/", "http://paypal.com@evil.example/"},
		{"javascript:alert(1) data:text/html,x", "javascript:alert(1) data:text/html,x"},
		{"\x00\xff\r\n", "\uFFFD\uFFFD&#13;\n"},
		{"ann@例え.jp", `<a href="mailto:ann@xn--r8jz45g.jp">ann@例え.jp</a>`},
	} {
		var l linkify.Linkifier
		if got := l.HTML(tt.text); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
		var out bytes.Buffer
		if err := l.WriteText(&out, tt.text); err != nil || out.String() != tt.want {
			t.Errorf("%q written: %s, %v", tt.text, out.String(), err)
		}
	}
	l := all(t)
	l.Skip = func(l engine.Link) bool { return l.Kind == engine.KindEmail }
	l.Label = func(l engine.Link) string { return "<" + l.Components().Scheme + ">" }
	if got, want := l.HTML("tel:1 a@b.com"), `<a href="tel:1" rel="a&#34;&gt;&lt;b&gt;" target="_blank" class="x&#39;y&amp;z">&lt;tel&gt;</a> a@b.com`; got != want {
		t.Errorf("all options: %s, want %s", got, want)
	}
}

// TestCopy: Copy reads a text in pieces and writes the same HTML, except that a link over 64 KiB
// stays text.
func TestCopy(t *testing.T) {
	l := all(t)
	for _, text := range []string{
		"", "a.com", strings.Repeat("See <https://example.com/größe?a=1&b=2> & a@b.com\xff, tel:1;\r\n", 10_000),
		strings.Repeat("https://example.com/a\u3000\x00\xe3\x80", 20_000), strings.Repeat("\xe3\x80\xff", 200_000),
	} {
		var out strings.Builder
		if err := l.Copy(&out, iotest.HalfReader(strings.NewReader(text))); err != nil {
			t.Fatal(err)
		}
		if want := l.HTML(text); out.String() != want {
			t.Errorf("%.30q: %d bytes, want %d", text, out.Len(), len(want))
		}
	}
	var out strings.Builder
	if err := l.Copy(&out, strings.NewReader("https://example.com/"+strings.Repeat("x", 1<<20)+" a.com")); err != nil || strings.Count(out.String(), "<a ") != 1 {
		t.Errorf("a link of 1 MiB: %d links, %v", strings.Count(out.String(), "<a "), err)
	}
	broken := errors.New("broken")
	if err := l.Copy(&out, iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("reading: %v", err)
	}
	if err := l.Copy(failing{broken}, strings.NewReader("a")); !errors.Is(err, broken) {
		t.Errorf("writing: %v", err)
	}
	if err := l.WriteText(failing{broken}, "a"); !errors.Is(err, broken) {
		t.Errorf("writing text: %v", err)
	}
}

// failing fails to write.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// FuzzHTML: a parser of HTML gets the same text from the result, and no elements but one a for each
// link.
func FuzzHTML(f *testing.F) {
	for _, text := range []string{"a.com", "<a href=x>a.com</a>", "tel:1\"onclick=x", "https://a.com/'>\"<&amp;", "\x00\r\xff", "</a></div><script>", "xmpp:<b>", "sftp://\"/x"} {
		f.Add(text)
	}
	l := all(f)
	f.Fuzz(func(t *testing.T, text string) {
		out := l.HTML(text)
		nodes, err := html.ParseFragment(strings.NewReader(out), &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
		if err != nil {
			t.Fatal(err)
		}
		var content strings.Builder
		var hrefs []string
		for _, n := range nodes {
			switch {
			case n.Type == html.TextNode:
				content.WriteString(n.Data)
			case n.DataAtom == atom.A && len(n.Attr) == 4 && n.FirstChild.Type == html.TextNode && n.FirstChild == n.LastChild:
				content.WriteString(n.FirstChild.Data)
				hrefs = append(hrefs, n.Attr[1].Val)
				if n.Attr[0].Val != l.Class || n.Attr[1].Key != "href" || n.Attr[2].Val != l.Rel || n.Attr[3].Val != l.Target { // in alphabetical order
					t.Fatalf("attributes %v", n.Attr)
				}
			default:
				t.Fatalf("%q has the node %+v", out, n)
			}
		}
		var want strings.Builder
		for _, r := range text { // a byte that is not UTF-8 is U+FFFD here
			if r == 0 {
				r = utf8.RuneError
			}
			want.WriteRune(r)
		}
		if content.String() != want.String() {
			t.Fatalf("content %q, want %q", content.String(), want.String())
		}
		i := 0
		for link := range l.Scanner.All(text) {
			if link.Kind == engine.KindSuspect || link.Href() == "" {
				continue
			}
			if i == len(hrefs) || hrefs[i] != link.Href() {
				t.Fatalf("links %q, want %q", hrefs, link.Href())
			}
			i++
		}
		if i != len(hrefs) {
			t.Fatalf("%d links, want %d", len(hrefs), i)
		}
	})
}

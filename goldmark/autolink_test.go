package autolink_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/linkmilter/linkmilter/engine"
	autolink "github.com/linkmilter/linkmilter/goldmark"
)

func ExampleExtension() {
	markdown := goldmark.New(goldmark.WithExtensions(new(autolink.Extension)))
	err := markdown.Convert([]byte("*See* https://例え.jp/パス, or write to ann@example.com."), os.Stdout)
	fmt.Println(err)
	// Output:
	// <p><em>See</em> <a href="https://xn--r8jz45g.jp/%E3%83%91%E3%82%B9">https://例え.jp/パス</a>, or write to <a href="mailto:ann@example.com">ann@example.com</a>.</p>
	// <nil>
}

// TestLinks: links in the syntax of Markdown.
func TestLinks(t *testing.T) {
	s, err := engine.New(engine.Options{Schemes: []string{"tel"}})
	if err != nil {
		t.Fatal(err)
	}
	a := func(href, text string) string { return `<a href="` + href + `">` + text + "</a>" }
	for markdown, want := range map[string]string{
		"example.com":                           a("http://example.com", "example.com"),
		"請看https://example.com/誰":               "請看" + a("https://example.com/%E8%AA%B0", "https://example.com/誰"),
		"(example.com)":                         "(" + a("http://example.com", "example.com") + ")",
		"“example.com”":                         "“" + a("http://example.com", "example.com") + "”",
		"x=\"https://a.com/\"":                  "x=&quot;" + a("https://a.com/", "https://a.com/") + "&quot;",
		"*a.com*, **a.com** _a.com_":            "<em>" + a("http://a.com", "a.com") + "</em>, <strong>" + a("http://a.com", "a.com") + "</strong> <em>" + a("http://a.com", "a.com") + "</em>",
		"*see https://a.com/b*":                 "<em>see " + a("https://a.com/b", "https://a.com/b") + "</em>",
		"_(ann@a.com)_":                         "<em>(" + a("mailto:ann@a.com", "ann@a.com") + ")</em>",
		"https://a.com/a_b_c and a*b.com*c":     a("https://a.com/a_b_c", "https://a.com/a_b_c") + " and a<em>" + a("http://b.com", "b.com") + "</em>c",
		"https://a.com/*b*/c":                   a("https://a.com/*b*/c", "https://a.com/*b*/c"),
		"ann@例え.jp":                             a("mailto:ann@xn--r8jz45g.jp", "ann@例え.jp"),
		"mailto:ann@a.com":                      a("mailto:ann@a.com", "mailto:ann@a.com"),
		"https://2001:db8::1/":                  "https://2001:db8::1/",
		"tel:+1 tel: x":                         a("tel:+1", "tel:+1") + " tel: x",
		"[a.com](https://b.com) ![c.com](/d)":   a("https://b.com", "a.com") + ` <img src="/d" alt="c.com">`,
		"`a.com` <https://b.com/> <b>c.com</b>": "<code>a.com</code> " + a("https://b.com/", "https://b.com/") + " <b>" + a("http://c.com", "c.com") + "</b>",
		"<i>https://a.com/b</i>":                "<i>" + a("https://a.com/b", "https://a.com/b") + "</i>",
		"http://paypal.com@evil.example/":       "http://paypal.com@evil.example/",
		"a.com&amp; b.com/x&copy;.":             a("http://a.com", "a.com") + "&amp; " + a("http://b.com/x", "b.com/x") + "©.",
		"\\*ann@a.com":                          "*ann@a.com",
		"a.com\\\nb.com":                        a("http://a.com", "a.com") + "<br>\n" + a("http://b.com", "b.com"),
	} {
		if got := strings.TrimSuffix(convert(t, s, markdown), "\n"); got != "<p>"+want+"</p>" {
			t.Errorf("%s\n got %s\nwant <p>%s</p>", markdown, got, want)
		}
	}
}

// TestBlocks: links in blocks whose text differs from the source, as in quotes and lists.
func TestBlocks(t *testing.T) {
	m := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, new(autolink.Extension)))
	for markdown, want := range map[string]string{
		"> # a.com\n> - b.com\n>   c.com": "<blockquote>\n<h1><a href=\"http://a.com\">a.com</a></h1>\n<ul>\n<li><a href=\"http://b.com\">b.com</a>\n<a href=\"http://c.com\">c.com</a></li>\n</ul>\n</blockquote>\n",
		"|a.com|x|\n|-|-|\n|b.com|c.com|": "<table>\n<thead>\n<tr>\n<th><a href=\"http://a.com\">a.com</a></th>\n<th>x</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><a href=\"http://b.com\">b.com</a></td>\n<td><a href=\"http://c.com\">c.com</a></td>\n</tr>\n</tbody>\n</table>\n",
		"-\ta.com\n\n\tb.com ~~c.com~~":   "<ul>\n<li>\n<p><a href=\"http://a.com\">a.com</a></p>\n<p><a href=\"http://b.com\">b.com</a> <del><a href=\"http://c.com\">c.com</a></del></p>\n</li>\n</ul>\n",
		"    a.com\n\n```\nb.com\n```":    "<pre><code>a.com\n</code></pre>\n<pre><code>b.com\n</code></pre>\n",
	} {
		var out bytes.Buffer
		if err := m.Convert([]byte(markdown), &out); err != nil || out.String() != want {
			t.Errorf("%q: %v\n%s\nwant\n%s", markdown, err, out.String(), want)
		}
	}
}

// TestLinear: the time for a line is linear in its length.
func TestLinear(t *testing.T) {
	for _, unit := range []string{"a.com ", "*a@b.com", "_a.com_", "a@b.com*", "https://", "(a.com", "&amp;", "a.com/&amp;", "\\a.com", "~x.com~", ",", "[a.com", "<a.com"} {
		for _, without := range []bool{true, false} {
			var extensions []goldmark.Extender
			if !without {
				extensions = append(extensions, new(autolink.Extension))
			}
			start := time.Now()
			var out bytes.Buffer
			if err := goldmark.New(goldmark.WithExtensions(extensions...)).Convert([]byte(strings.Repeat(unit, 100_000/len(unit))), &out); err != nil {
				t.Fatal(err)
			}
			took := time.Since(start)
			if took > 5*time.Second {
				t.Logf("%q: %s, without the extension %t", unit, took, without)
			}
			if without && took > 3*time.Second {
				break // not because of the extension
			}
			if !without && took > 5*time.Second {
				t.Errorf("%q: %s for 100 kB", unit, took)
			}
		}
	}
}

// plain is a text without the syntax of Markdown.
func plain(source string) bool {
	return !strings.ContainsAny(source, "*_~[]<>&\\`!#+-=|:\t\r\x00") && !strings.Contains(source, "  ")
}

// FuzzConvert: links are in order, their texts are in the source, and nothing else of the HTML
// changes.
func FuzzConvert(f *testing.F) {
	for _, markdown := range []string{"*a.com* _b.com_ <c.com>", "- a\n\tb.com", "> a.com\n\n1. b.com", "[a.com](b.com)", "a.com&amp;", "|a.com|\n|-|", "請看example.com的 (ann@b.com) a.com"} {
		f.Add(markdown)
	}
	with := goldmark.New(goldmark.WithExtensions(extension.Table, new(autolink.Extension)))
	without := goldmark.New(goldmark.WithExtensions(extension.Table))
	f.Fuzz(func(t *testing.T, markdown string) {
		source := []byte(markdown)
		doc := with.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext()))
		err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if l, ok := n.(*ast.AutoLink); ok && entering {
				if label := l.Label(source); len(label) == 0 || bytes.ContainsAny(label, " \n<") {
					t.Fatalf("link %q", label)
				}
			}
			return ast.WalkContinue, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var a, b bytes.Buffer
		if err := with.Convert(source, &a); err != nil {
			t.Fatal(err)
		}
		if err := without.Convert(source, &b); err != nil {
			t.Fatal(err)
		}
		if text := withoutLinks(a.String()); plain(markdown) && text != b.String() {
			t.Fatalf("with the extension %q, without %q", text, b.String())
		}
	})
}

// withoutLinks returns HTML without elements a.
func withoutLinks(html string) string {
	var b strings.Builder
	for i, part := range strings.Split(html, "<a href=\"") {
		if i > 0 {
			_, part, _ = strings.Cut(part, ">")
		}
		b.WriteString(strings.ReplaceAll(part, "</a>", ""))
	}
	return b.String()
}

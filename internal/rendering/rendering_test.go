package rendering

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func crlf(text string) []byte { return []byte(strings.ReplaceAll(text, "\n", "\r\n")) }

func TestOf(t *testing.T) {
	alternative := "Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\nthe text\n--b\nContent-Type: text/html; charset=utf-8\n\n<body bgcolor=\"#eee\"><p style=\"color:red\">the <b>HTML</b> <a href=\"https://example.com/x\">link</a></p>\n--b--\n"
	for name, c := range map[string]struct{ raw, want, not string }{
		"text":                      {"Subject: x\n\na <b> &amp; https://example.com/\n", `<pre wrap dir="auto">a &lt;b&gt; &amp;amp; https://example.com/`, "href"},
		"alternative":               {alternative, `<p style="color:red">the <b>HTML</b> <a title="https://example.com/x" class="link">link</a></p>|<div bgcolor="#eee">`, "the text|href"},
		"last not shown":            {"Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\nthe text\n--b\nContent-Type: text/calendar-x; name=x\nContent-Disposition: attachment\n\nBEGIN\n--b--\n", "the text", "BEGIN|Not shown"},
		"related":                   {"Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>one</p>\n--b\nContent-Type: text/html\n\n<p>two</p>\n--b--\n", "<p>one</p>", "two"},
		"mixed":                     {"Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\nContent-Type: application/pdf\n\n%PDF\n--b\n\ntwo\n--b--\n", "one|two|Not shown: application/pdf", "%PDF"},
		"charset":                   {"Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nGr=FC=DFe\n", "Grüße", "=FC"},
		"charset of HTML in a part": {"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html; charset=windows-1251\nContent-Transfer-Encoding: quoted-printable\n\n<p>=CF=F0=E8=E2=E5=F2\n--b--\n", "Привет", ""},
		"unknown":                   {"Content-Type: text/plain; charset=x-nothing\nContent-Transfer-Encoding: x-nothing\n\nplain \xff\n", "plain \ufffd", ""},
		"no text":                   {"Content-Type: image/png\n\nx\n", "no text to show", ""},
		"empty":                     {"", "", "<p><p>"},
		"style":                     {"Content-Type: text/html\n\n<head><style>p{color:red}</style></head><p>x</p>\n", "<style>p{color:red}</style>|<p>x</p>", ""},
	} {
		got := string(Of(crlf(c.raw)))
		for want := range strings.SplitSeq(c.want, "|") {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in %s", name, want, got)
			}
		}
		for not := range strings.SplitSeq(c.not, "|") {
			if not != "" && strings.Contains(got, not) {
				t.Errorf("%s: %q in %s", name, not, got)
			}
		}
	}
}

// A plain rendering has the texts and neither styles nor images.
func TestPlain(t *testing.T) {
	got := string(Plain(crlf("Content-Type: text/html\n\n<style>p{color:red}</style><p style=\"color:red\">x <b>y</b><img alt=z src=\"data:image/png;base64,AA\"></p>\n")))
	if !strings.Contains(got, `<p>x <b>y</b><img alt="z"/></p>`) || strings.Contains(got, "<style") {
		t.Error(got)
	}
}

// hostile documents try to load, to run or to open something.
var hostile = []string{
	`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `<img src="http://evil.example/x.png" srcset="http://evil.example/y">`, `<svg><script>alert(1)</script></svg>`,
	`<svg onload=alert(1)><style><img src=x onerror=alert(1)></style>`, `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
	`<meta http-equiv=refresh content="0;url=http://evil.example/">`, `<base href="http://evil.example/">`, `<link rel=dns-prefetch href="//evil.example">`, `<link rel=stylesheet href="http://evil.example/">`,
	`<iframe src="http://evil.example/"></iframe>`, `<iframe srcdoc="<script>1</script>"></iframe>`, `<object data="http://evil.example/"></object>`, `<embed src=x>`, `<form action="http://evil.example/"><input name=p><button formaction="http://evil.example/">`,
	`<p style="background:url(http://evil.example/)">`, `<p style="background:u\72l(http://evil.example/)">`, `<style>@import "http://evil.example/";</style>`, `<style>p{background:image-set("http://evil.example/" 1x)}</style>`,
	`<a href="javascript:alert(1)" ping="http://evil.example/" target=_top>x</a>`, `<body background="http://evil.example/" onload=alert(1)>`, `<video src="http://evil.example/" poster="http://evil.example/">`, `<table background="http://evil.example/">`,
	`<template><img src=x onerror=alert(1)></template>`, `<noscript><p title="</noscript><img src=x onerror=alert(1)>">`, `<textarea></textarea><script>alert(1)</script>`, `<plaintext><img src=x onerror=alert(1)>`, `<a xlink:href="http://evil.example/">`, `</div></body></html><script>alert(1)</script>`,
	`<img src="data:text/html,<script>alert(1)</script>">`, `<select><style></select><img src=x onerror=alert(1)></style>`,
}

// checkInert fails for a document that could load, run or open something.
func checkInert(tb testing.TB, document []byte) {
	tb.Helper()
	_, shown, _ := bytes.Cut(document, []byte(body))
	for tokens := html.NewTokenizer(bytes.NewReader(shown)); tokens.Next() != html.ErrorToken; {
		token := tokens.Token()
		if token.Type != html.StartTagToken && token.Type != html.SelfClosingTagToken {
			continue
		}
		if dropped[token.DataAtom] {
			tb.Fatalf("element %s in %q", token, document)
		}
		for _, a := range token.Attr {
			if !keptAttributes[a.Key] && (a.Key != "src" || !strings.HasPrefix(a.Val, "data:image/")) {
				tb.Fatalf("attribute %s of %s in %q", a.Key, token, document)
			}
		}
	}
}

func TestHostileMarkupIsInert(t *testing.T) {
	for _, document := range hostile {
		checkInert(t, Of(crlf("Content-Type: text/html\n\n"+document+"\n")))
		checkInert(t, Of(crlf("Subject: x\n\n"+document+"\n")))
		checkInert(t, Plain(crlf("Content-Type: text/html\n\n"+document+"\n")))
	}
}

func FuzzOf(f *testing.F) {
	for _, document := range hostile {
		f.Add([]byte("Content-Type: text/html\r\n\r\n" + document))
	}
	f.Add(crlf("Content-Type: multipart/alternative; boundary=b\n\n--b\n\nx\n--b\nContent-Type: text/html\n\n<p>x\n--b--\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		checkInert(t, Of(raw))
		checkInert(t, Plain(raw))
	})
}

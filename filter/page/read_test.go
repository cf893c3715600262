package page_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/filter/page"
)

// maxToken is the limit of most tests.
const maxToken = 1 << 20

// read returns the items of the first reading of a source, one a line. A reference is its element,
// its URLs, a bar and its text. Another text is in quotes. Hidden items begin with "hidden ".
func read(tb testing.TB, source string) []string {
	tb.Helper()
	var got []string
	for item, err := range page.Read(tb.Context(), source, maxToken) {
		if err != nil {
			tb.Fatal(err)
		}
		if item.Again {
			continue
		}
		line := fmt.Sprintf("%q", item.Text)
		if item.Element != "" {
			line = strings.TrimRight(fmt.Sprintf("%s %s | %s", item.Element, strings.Join(item.URLs, " "), item.Text), "| ")
		}
		if item.Hidden {
			line = "hidden " + line
		}
		got = append(got, line)
	}
	return got
}

func TestReferences(t *testing.T) {
	for _, test := range []struct {
		name, source string
		want         []string
	}{
		{"a", `<a href="https://example.com/">here</a>`, []string{"a https://example.com/ | here"}},
		{"text joined", `<a href=x.example>pay<b>pal</b>.<i>com</i></a>`, []string{"a x.example | paypal.com"}},
		{"text over lines", `<a href=x.example>one<br>two<p>three</p></a>`, []string{"a x.example | one two three"}},
		{"pictures in it", `<a href=x.example>pay<img src=x>pal.com</a>`, []string{"a x.example | paypal.com"}},
		{"around a table", `<a href=x.example><table><tr><td>Pay</td><td>now</td></tr></table></a>`, []string{"a x.example | Pay now"}},
		{"ends with its cell", `<table><td><a href=x.example>one<td>two`, []string{`"two"`, "a x.example | one"}},
		{"outlasts its block", `<div><a href=x.example>one</div>two</a>`, []string{"a x.example | one", "a x.example | two"}},
		{"next one ends it", `<a href=x.example>one<a href=y.example>two`, []string{"a x.example | one", "a y.example | two"}},
		{"anchor ends it", `<a href=x.example>one<a name=y>two`, []string{`"two"`, "a x.example | one"}},
		{"without text", `<a href=x.example></a>`, []string{"a x.example"}},
		{"area", `<map><area href="https://example.com/" alt=x>`, []string{"area https://example.com/"}},
		{"form", `<form action=https://example.com/f>Name<button formaction=https://example.com/b>Go</button></form>`, []string{`"Name"`, "form https://example.com/f", "button https://example.com/b | Go"}},
		{"input", `<input formaction=https://example.com/b>`, []string{"input https://example.com/b"}},
		{"base", `<a href=/x>x</a><base href=https://example.com/y/><base href=https://example.net/>`, []string{"a https://example.com/x https://example.net/x | x", "base https://example.com/y/", "base https://example.net/"}},
		{"refresh", `<meta http-equiv=Refresh content="0; URL='https://example.com/'"><meta name=x content="0;https://example.net">`, []string{"meta https://example.com/"}},
		{"VML", `<v:roundrect href="https://example.com/" style="x">Buy<w:anchorlock/></v:roundrect>now`, []string{`"now"`, "v:roundrect https://example.com/ | Buy"}},
		{"VML closed at once", `<v:rect href="https://example.com/"/>now`, []string{`"now"`, "v:rect https://example.com/"}},
		{"SVG", `<svg><a xlink:href=https://example.com/><text>x</text></a></svg>`, []string{"a https://example.com/ | x"}},
		{"several prefixes", `<svg><a xlink:href=https://example.com/ :href=https://example.net/ x:href=https://example.org/>x</a></svg>`, []string{"a https://example.com/ https://example.net/ https://example.org/ | x"}},
		{"not clickable", `<link href=https://example.com/><img src=https://example.com/ longdesc=x><script src=x></script>`, []string{"hidden script", "hidden link https://example.com/"}},
		{"places in the document", `<a href="#top">x</a><a href="">y</a>`, []string{`"xy"`}},
		{"upper case", `<A HREF="HTTPS://EXAMPLE.COM/">X</A>`, []string{"a HTTPS://EXAMPLE.COM/ | X"}},
		{"entities", `<a href="https&#58;//ex&#x61;mple&period;com/?a=1&amp;b=2&copy=3">x &amp; y&nbsp;z</a>`, []string{"a https://example.com/?a=1&b=2&copy=3 | x & y\u00a0z"}},
		{"white space", "<a href=' ht\ntps:\t//exam\r\nple.com/ '>x</a>", []string{"a https://example.com/ | x"}},
		{"first of two", `<a href=https://example.com/ href=https://example.net/>x</a>`, []string{"a https://example.com/ | x"}},
		{"slash for a space", `<a/href=https://example.com/>x</a>`, []string{"a https://example.com/ | x"}},
		{"in noscript", `<noscript><a href=https://example.com/>x</a></noscript>`, []string{"a https://example.com/ | x"}},
		{"in comments", `<!-- <a href=https://example.com/>x</a> --><!><!x <a href=https://example.com/>y</a>`, []string{`"y"`}},
		{"in conditional comments", `<!--[if mso]><a href=https://example.com/>x</a><![endif]--><![if !mso]><a href=https://example.net/>y</a><![endif]>`, []string{"a https://example.net/ | y"}},
		{"in scripts and styles", `<script>"<a href=https://example.com/>"</script><style><a href=https://example.com/></style>`, []string{"hidden script", "hidden script https://example.com/", `"\""`, "a https://example.com/ | \""}},
		{"in styles of SVG", `<svg><style><a href=https://example.com/>x</a></style></svg>`, []string{"a https://example.com/ | x"}},
		{"HTML within SVG", `<svg><foreignObject><a href=https://example.com/>x<u-x hidden/>y</u-x>z</a></foreignObject></svg>`, []string{`hidden "y"`, "a https://example.com/ | xz"}},
		{"SVG that is left", `<svg><p><style><!--</style><a href=https://example.com/>x</a>`, []string{"a https://example.com/ | x"}},
		{"elements without content", `<keygen hidden>x<bgsound hidden>y`, []string{`"xy"`}},
		{"in text areas", `<textarea><a href=x></textarea><xmp>&amp;<b></xmp><title>a&amp;b</title>`, []string{`"<a href=x>"`, `"&amp;<b>"`, `hidden "a&b"`, "a x"}},
		{"tag that is not closed", `x<a href="https://example.com/>y</a>`, []string{`"x"`}}, // the URL comes Again
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, read(t, test.source)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.source, diff)
			}
		})
	}
}

// TestLabels: texts that are shown beside the text of a reference, or in its place.
func TestLabels(t *testing.T) {
	var titles strings.Builder
	for i := range 18 {
		fmt.Fprintf(&titles, `<i title="n%d">x</i>`, i)
	}
	for _, test := range []struct {
		name, source string
		want         []string
	}{
		{"of the reference", `<a href=x.example title="one" aria-label="two &amp; three">x</a>`, []string{"one", "two & three"}},
		{"of a picture in it", `<a href=x.example><img src=x alt="one" title="two"></a>`, []string{"one", "two"}},
		{"of an area", `<map><area href=x.example alt="one">`, []string{"one"}},
		{"of a button", `<form action=y.example><input type=image formaction=x.example alt="one">`, []string{"one"}},
		{"of inputs in it", `<a href=x.example><input value="one" placeholder="two"><input type=Hidden value="three"></a>`, []string{"one", "two"}},
		{"outside", `<img alt="one"><a href=x.example>x</a><img alt="two">`, nil},
		{"blank", `<a href=x.example title=" ">x</a>`, nil},
		{"too many", `<a href=x.example>` + titles.String() + `</a>`, append(strings.Fields("n0 n1 n2 n3 n4 n5 n6 n7 n8 n9 n10 n11 n12 n13 n14"), "n15 n16 n17")},
		{"long", `<a href=x.example title="` + strings.Repeat("x", 3000) + `">x</a>`, []string{strings.Repeat("x", 3000)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for item, err := range page.Read(t.Context(), test.source, maxToken) {
				if err != nil {
					t.Fatal(err)
				}
				if slices.Contains(item.URLs, "x.example") {
					got = item.Labels
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.source, diff)
			}
		})
	}
}

func TestTexts(t *testing.T) {
	for _, test := range []struct {
		name, source string
		want         []string
	}{
		{"inline", `one <b>two</b><font size=1>three</font><wbr>four`, []string{`"one twothreefour"`}},
		{"blocks", `one<p>two</p>three<div>four</div><br>five<table><tr><td>six<td>seven</table>eight`, []string{`"one"`, `"two"`, `"three"`, `"four"`, `"five"`, `"six"`, `"seven"`, `"eight"`}},
		{"blocks by style", `one<span style="color:red;DISPLAY: Block">two</span>three<span style="display:inline-block">four</span>`, []string{`"one"`, `"two"`, `"threefour"`}},
		{"split by a reference", `one<a href=x.example>two</a>three`, []string{`"one"`, `"three"`, "a x.example | two"}},
		{"blank", " <p>\n</p>\u00a0 ", nil},
		{"lone signs", `a < b & c &; &#; d <3`, []string{`"a < b & c &; &#; d <3"`}},
		{"hidden", `a<span hidden>b</span>c<div style="display:none !important">d</div>`, []string{`hidden "b"`, `hidden "d"`, `"ac"`}},
		{"hidden apart", `<i hidden>b</i>c<i hidden>d</i>`, []string{`hidden "b"`, `"c"`, `hidden "d"`}},
		{"no size", `<p style="font-size: 0px">a<b style="font-size:2em">b</b><i style="font-size:12px">c</i></p>`, []string{`hidden "ab"`, `"c"`}},
		{"no size in font", `<p style="font:0/0 serif">a</p><p style="font:italic 400 12px/1.5 serif">b</p>`, []string{`hidden "a"`, `"b"`}},
		{"invisible", `<p style="visibility:hidden">a<b style="visibility:visible">b</b></p>`, []string{`hidden "a"`, `"b"`}},
		{"opacity", `<p style="opacity:0.0">a</p><p style="opacity:0.5">b</p>`, []string{`hidden "a"`, `"b"`}},
		{"template", `<template>a<a href=https://example.com/>b</a></template>c`, []string{`hidden "a"`, "hidden a https://example.com/ | b", `"c"`}},
		{"hidden in a reference", `<a href=x.example>a<b hidden>b</b></a>`, []string{`hidden "b"`, "a x.example | a"}},
		{"all of a reference hidden", `<a href=x.example><b hidden>b</b></a>`, []string{`hidden "b"`, "a x.example | b"}},
		{"end tag left out", `<p style="display:none">a<p>b<ul><li hidden>c<li>d</ul><table><tr hidden><td>e<tr><td>f</table>`, []string{`hidden "a"`, `"b"`, `hidden "c"`, `"d"`, `hidden "e"`, `"f"`}},
		{"hidden behind an end tag left out", `<p>a<p hidden>b</p>c`, []string{`"a"`, `hidden "b"`, `"c"`}},
		{"end tag of an element around", `<div><span hidden>a</div>b`, []string{`hidden "a"`, `"b"`}},
		{"end tag in a cell", `<div hidden><table><td>a</div>b</table>c</div>d`, []string{`hidden "ab"`, `hidden "c"`, `"d"`}},
		{"unknown elements", `<x:y hidden>a<x:z>b</x:z></X:Y>c`, []string{`hidden "ab"`, `"c"`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, read(t, test.source)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.source, diff)
			}
		})
	}
}

func TestRelativeReferences(t *testing.T) {
	for _, test := range []struct{ base, reference, want string }{
		{"", "//example.net/x", "a https://example.net/x"},
		{"", `\\example.net/x`, `a https:\\example.net/x`},
		{"", "page.html", "a page.html"},
		{"", "mailto:a@example.com", "a mailto:a@example.com"},
		{"https://example.com/a/b?c", "d", "a https://example.com/a/d"},
		{"https://example.com", "d", "a https://example.com/d"},
		{"https://example.com/a/b", "/d", "a https://example.com/d"},
		{"https://example.com/a/b", `\d`, `a https://example.com\d`},
		{"https://example.com/a/b", "//example.net", "a https://example.net"},
		{"https://example.com/a/b", "?d", "a https://example.com/a/b?d"},
		{"https://example.com/a/b", "#d", "a https://example.com/a/b#d"},
		{"https://example.com/a/b", "http://example.net", "a http://example.net"},
		{"https://example.com/a/b", "HTTPS:d", "a https://example.com/a/./d HTTPS:d"},
		{"https://example.com/a/b", "http:d", "a http:d"},
		{"//example.com", "d", "a https://example.com/d"},
		{`http:\\example.com\a\b`, "d", `a http://example.com\a\d`},
		{"about:blank", "page.html", "a page.html"},
		{"https://example.com/" + strings.Repeat("x", 5000) + "/", "d", "a https://example.com/d"},
	} {
		t.Run(test.reference, func(t *testing.T) {
			got := read(t, `<a href="`+test.reference+`"></a><base href="`+test.base+`">`)
			if got[0] != test.want {
				t.Errorf("%s at %s is %s, want %s", test.reference, test.base, got[0], test.want)
			}
		})
	}
}

// TestBases: the bases of the caller and those of the source count.
func TestBases(t *testing.T) {
	var got []string
	source := `<base href="https://example.org/"><svg xml:base="https://example.net/x"><a href="y"></a></svg>`
	for item, err := range page.Read(t.Context(), source, maxToken, "https://example.com/a/b", "cid:x", "") {
		if err != nil {
			t.Fatal(err)
		}
		if item.Element == "a" && !item.Again {
			got = append(got, item.URLs...)
		}
	}
	if diff := cmp.Diff([]string{"https://example.com/a/y", "https://example.org/y", "https://example.net/y"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSource: each item stands in the source where Read says.
func TestSource(t *testing.T) {
	const source = "<p>See ex<b>ample</b>&period;com/&#228;b\u00e4 now, <a href=x.example>this</a>."
	for item, err := range page.Read(context.Background(), source, maxToken) {
		if err != nil {
			t.Fatal(err)
		}
		start := strings.Index(item.Text, "example")
		if item.Element != "" || start < 0 {
			if got := source[item.Start:item.End]; item.Element == "a" && got != "<a href=x.example>" {
				t.Errorf("the reference is at %q", got)
			}
			continue
		}
		for text, want := range map[string]string{
			"example":            "ex<b>ample",
			"ample":              "ample",
			"example.":           "ex<b>ample</b>&period;",
			"example.com/\u00e4": "ex<b>ample</b>&period;com/&#228;",
			"com/\u00e4b\u00e4":  "com/&#228;b\u00e4",
		} {
			start := strings.Index(item.Text, text)
			from, to := item.Source(start, start+len(text))
			if source[from:to] != want {
				t.Errorf("%s is at %q, want %q", text, source[from:to], want)
			}
		}
	}
}

// TestLimits: Read returns an error for a source that is too long, and when the context ends.
func TestLimits(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name   string
		ctx    context.Context
		source string
		want   error
	}{
		{"short", t.Context(), strings.Repeat("<a href=x.example>x</a>", 1000), nil},
		{"attribute", t.Context(), "<a href=x.example>x</a><img src=" + strings.Repeat("x", 1000) + ">", page.ErrTokenTooLong},
		{"text", t.Context(), "<a href=x.example>x</a>" + strings.Repeat("x", 1000), page.ErrTokenTooLong},
		{"in a comment", t.Context(), "<a href=x.example>x</a>" + strings.Repeat("<!--[if mso]><p><![endif]-->", 1000), nil},
		{"context", ended, strings.Repeat("<a href=x.example>x</a>", 10_000), context.Canceled},
	} {
		t.Run(test.name, func(t *testing.T) {
			var last error
			references := 0
			for item, err := range page.Read(test.ctx, test.source, 500) {
				if last = err; err == nil && item.Element == "a" {
					references++
				}
			}
			if !errors.Is(last, test.want) || references == 0 && test.ctx.Err() == nil {
				t.Errorf("%d references, error %v, want %v", references, last, test.want)
			}
		})
	}
}

// TestReadIsLinear: sources that are hard for parsers take linear time.
func TestReadIsLinear(t *testing.T) {
	const size = 1 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for name, source := range map[string]string{
		"less-than signs":    fill("<"),
		"nested tags":        fill("<div>") + fill("</div>"),
		"nested links":       fill("<a href=x>"),
		"nested forms":       fill("<form action=x>"),
		"end tags":           strings.Repeat("<b>", 256) + fill("</i>"),
		"paragraphs":         strings.Repeat("<b>", 256) + fill("<p>"),
		"cells":              strings.Repeat("<b>", 256) + fill("<td>"),
		"attributes":         "<a " + fill("a=b ") + ">",
		"different ones":     manyAttributes(size),
		"attribute":          "<a href=\"" + fill("x") + "\">x</a>",
		"unclosed quote":     fill("<a href=\"x>"),
		"ampersands":         fill("&"),
		"references":         fill("&amp;"),
		"long references":    fill("&aaaaaaaaaaaaaaaaaaaa"),
		"comments":           fill("<!--[if x]>x<![endif]-->"),
		"unclosed comments":  fill("<!--"),
		"hidden and not":     fill("<b hidden>x</b>y"),
		"relative links":     "<base href=https://example.com/" + strings.Repeat("x", 4000) + "/>" + strings.Repeat("<a href=x>", 10_000),
		"bases":              fill("<base>"),
		"declarations":       "<a style=\"" + fill("a:b;") + "\">",
		"imports":            "<style>" + fill("@import/*") + "</style>",
		"imported URLs":      "<style>" + fill("@import url(/*") + "</style>",
		"escaped imports":    "<style>" + fill("@import \"\\") + "</style>",
		"selectors":          "<style>" + fill("a b c{color:red}") + "</style>" + fill("<b>x"),
		"elements of rules":  "<style>" + strings.Repeat("a i:nth-child(2n)>b~u{color:red}", 100) + "</style><a href=x>" + strings.Repeat("<i><b>x</b></i>", 10_000),
		"style tags":         fill("<style</style "),
		"style tag":          "<style " + fill("a='>' "),
		"URLs in CSS":        "<style>" + strings.Repeat(`url("a"`, size/2) + "</style>",
		"blanks in CSS":      "<style>" + fill("url( ") + fill(" ") + "</style>",
		"foreign elements":   fill("<svg><style>"),
		"raw texts":          fill("<title></titl"),
		"elements of no one": fill("<x:y>"),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			for _, err := range page.Read(t.Context(), source, 8*size) {
				if err != nil && !errors.Is(err, page.ErrTooComplex) {
					t.Fatal(err)
				}
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%d bytes took %s", len(source), took)
			} else {
				t.Logf("%d bytes took %s", len(source), took)
			}
		})
	}
}

func manyAttributes(size int) string {
	var b strings.Builder
	b.WriteString("<a")
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, " a%d=x", i)
	}
	return b.String() + ">"
}

// TestAnchorsWithoutEnd: pages of formatters have anchors that end in "/>", which a parser reads as
// a start tag. A tree of them costs little, because each start tag ends the anchor before.
func TestAnchorsWithoutEnd(t *testing.T) {
	var source strings.Builder
	sentence := strings.Repeat("It returns what the caller asked for. ", 8)
	for i := range 300 {
		fmt.Fprintf(&source, `<div><h3><a name="f%d"/>f%d</h3><p>%s<i><tt>a</tt></i> <a href="https://example.com/%d">b</a></p></div>`, i, i, sentence, i)
	}
	for _, err := range page.Read(t.Context(), source.String(), 1<<20) {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestTextsThatLookLikeTags: in SVG or MathML, the tokenizer takes some texts for tags. They are
// read as written, and a frameset behind them removes nothing.
func TestTextsThatLookLikeTags(t *testing.T) {
	for source, want := range map[string]string{
		`<svg><foreignObject><a href=http://x.example/><noframes></font>`:                "</font>",
		`<math><mi><a href=http://x.example/><textarea></i><b title=a&amp;b>x`:           "</i><b title=a&b>x",
		`<math></p><frameset><table><td><a href=http://x.example/>last</a>`:              "last",
		`<math><mi><a href=http://x.example/>t<mtext><noframes><p title="`:               `t<p title="`,
		`<span><math></i><style><a href=http://x.example/>y`:                             "y",
		`<svg><nobr></nobr><svg><a xlink:href=http://x.example/></font>last`:             "last",
		`<frameset><a href=http://x.example/>t</frameset><applet>u`:                      "tu",
		`<a href=http://x.example/>t<math><mi><frame><![CDATA[u`:                         "tu",
		`<svg><desc><template></template></desc></svg><p><a href=http://x.example/>last`: "last",
	} {
		shows(t, source, want)
	}
}

// TestScriptInTree: a script that is read both as tokens and in the tree has none of the marks that
// number the tags.
func TestScriptInTree(t *testing.T) {
	for _, source := range []string{"<script><a href", "<script><m action=", "<script>href<x"} {
		for i, err := range page.Read(t.Context(), source, 4<<10) {
			if err != nil {
				t.Error(err)
			}
			if !strings.Contains(source, i.Text) {
				t.Errorf("%q: text %q", source, i.Text)
			}
		}
	}
}

// TestConditionalComments: items that Outlook reads are in a further reading, at their place.
func TestConditionalComments(t *testing.T) {
	for source, want := range map[string]string{
		`<!--[if mso]><a href=https://example.com/>x</a><![endif]-->`:                                                          "<a href=https://example.com/>",
		`<!--[if (gte mso 9)|(IE)]><v:roundrect href=https://example.com/><center>x</center></v:roundrect><![endif]-->`:        "<v:roundrect href=https://example.com/>",
		`y<!--[if mso]><a href=https://example.com/><![endif]-->x<!--[if mso]></a><![endif]-->`:                                "<a href=https://example.com/>",
		`<![if !mso]>y<![endif]><!--[if mso]><p>z<a href=https://example.com/>x</a><![endif]--><!--[if mso]>y<![endif]-->`:     "<a href=https://example.com/>",
		`<table><!--[if mso]><tr><td><![endif]--><p><a href=https://example.com/>x</a></p><!--[if mso]></td></tr><![endif]-->`: "<a href=https://example.com/>",
	} {
		got := ""
		for item, err := range page.Read(t.Context(), source, maxToken) {
			if err != nil {
				t.Fatal(err)
			}
			if slices.Contains(item.URLs, "https://example.com/") && item.Text == "x" {
				got = source[item.Start:item.End]
			}
		}
		if got != want {
			t.Errorf("%s: the link is at %q, want %q", source, got, want)
		}
	}
}

// TestDocumentsInAttributes: links of documents in attributes and URLs have the place of the tag.
func TestDocumentsInAttributes(t *testing.T) {
	for _, tag := range []string{
		`<iframe srcdoc="&lt;a href=https://example.com/>x&lt;/a>">`, `<iframe src="data:text/html,<a href=https://example.com/>x</a>">`, `<object data="data:text/html;base64,PGEgaHJlZj1odHRwczovL2V4YW1wbGUuY29tLz54PC9hPg==">`,
		`<a href="data:text/html,%3Ca href=https://example.com/%3Ex">`, `<meta http-equiv=refresh content="0;url=data:text/html,<a href=https://example.com/>x">`, `<iframe src="javascript:'<a href=https://example.com/>x</a>'">`,
		`<iframe srcdoc="&lt;iframe srcdoc='&amp;lt;a href=https://example.com/>x'>">`,
	} {
		source, found := "<p>before "+tag+" behind", false
		for item, err := range page.Read(t.Context(), source, maxToken) {
			if err != nil {
				t.Fatal(err)
			}
			if slices.Contains(item.URLs, "https://example.com/") && item.Text == "x" {
				found = true
				if got := source[item.Start:item.End]; got != tag {
					t.Errorf("%s: the link is at %q", tag, got)
				}
			}
		}
		if !found {
			t.Errorf("%s: no link", tag)
		}
	}
}

package filter_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/test/long"
)

// before are pieces of HTML that may come before a link.
var before = strings.Fields(`<svg> </svg> <math> </math> <style> </style> <title> </title> <xmp> </xmp> <textarea> </textarea> <iframe> </iframe>
	<noembed> </noembed> <noframes> </noframes> <noscript> </noscript> <script> </script> <![CDATA[> <![CDATA[ ]]> <!-- --> <!--> <select> </select>
	<option> <template> </template> <table> </table> <tr> <td> </td> <caption> <b> </b> <font> </font> <p> </p> <div> </div> </br> <desc> </desc>
	<foreignObject> <annotation-xml> <mi> </mi> <mglyph> <object> </object> <button> </button> <form> <a> </a> <li> <h1> <ruby> <rp> <html> <body> <head> </head>
	</body> <span/hidden> </span> <p/style=display:none> x &lt; < " ' <img/alt=" > <svg/> <details> <marquee> <nobr> <x:y> <image> <br>`)

// hiding has elements whose text browsers do not show.
var hiding = strings.Split(`<span style="display:none">|</span>
<span style="DISPLAY:none !important">|</span>
<span style="d\69 splay:none">|</span>
<span style="display:inline;display:none;display:nonsense">|</span>
<span style="visibility:hidden">|</span>
<span style="font-size:0">|</span>
<font style="font:0/0 a">|</font>
<span style="font-size:.01em">|</span>
<span style="opacity:0">|</span>
<span style="opacity:0.001;color:red">|</span>
<span style="display:inline-block;width:0;height:0;overflow:hidden">|</span>
<span style="display:inline-block;max-width:0px;overflow:hidden">|</span>
<span style="position:absolute;left:-9999px">|</span>
<span style="position:absolute;clip:rect(0,0,0,0)">|</span>
<span style="color:#fff">|</span>
<span style="color:transparent">|</span>
<font color="#FFFFFF">|</font>
<span style="display:inline-block;text-indent:-999em;overflow:hidden">|</span>
<span style="display:inline-block;transform:scale(0)">|</span>
<span hidden>|</span>
<span popover>|</span>
<rp>|</rp>
<template>|</template>
<datalist><option>|</datalist>
<b class=x>|</b>
<b id=y>|</b>
<i lang=z>|</i>
<u>|</u>
<span style="mso-hide:all;display:none">|</span>
<span style="content-visibility:hidden;display:inline-block">|</span>
<span style="filter:opacity(0)">|</span>`, "\n")

// unbroken has pieces of HTML that a reader does not see within a text.
var unbroken = []string{"<b>", "</b>", "<wbr>", "<i></i>", "&#8203;", "\u00ad", "<!-- x -->", "<span>", "</span>", "<font color=red>", "<img>", "<a name=x", "&zwnj;", "\u2060"}

// sheetOfHiding has the rules for those elements of hiding that hide only by a sheet.
const sheetOfHiding = `<style>.x{display:none}#y{opacity:0}@media screen{[lang=z]{font-size:0}}u{visibility:hidden}</style>`

// sheetsThatHide hide <span class=v> in a document with a background.
var sheetsThatHide = strings.Split(`<link rel=stylesheet href=https://evil.example.net/x.css>
<LINK HREF="cid:x" REL="alternate StyleSheet">
<style>@import url(https://evil.example.net/x.css);</style>
<style>@charset "utf-8"; @IMPORT 'x.css' screen;</style>
<style><!-- @import "data:text/css,.v{display:none}//fonts.googleapis.com/"; --></style>
<style>.v{color:#123}</style><body bgcolor="#112233">
<style>.v{color:#123}</style><table><tr><td style="background:#122334">`, "\n")

// TestVariantsOfSheets: a text that names another site is found, although a sheet, in the document
// or elsewhere, hides letters in it.
func TestVariantsOfSheets(t *testing.T) {
	f := newFilter(t, filter.Options{})
	r := rand.New(rand.NewPCG(3, 4))
	for _, sheet := range sheetsThatHide {
		for range 100 {
			name, tail := "https://www.paypal.com", []string{".evil.example.net", "x.evil.example.net", "-login.evil.example.net/"}[r.IntN(3)]
			at := len("https://") + r.IntN(len(name)-len("https://"))
			text := name + `<span class=v>` + tail + `</span>` + []string{"/", "", " now"}[r.IntN(3)]
			if r.IntN(2) == 0 {
				text = name[:at] + `<span class=v>` + []string{"xy", ".", "q.zz."}[r.IntN(3)] + `</span>` + name[at:] + "/"
			}
			flagged(t, f, sheet+`<p><a href=`+evil+`>`+text+`</a>`)
		}
		if t.Failed() {
			return
		}
	}
}

// variantOfText returns a random text that a reader takes for a URL of PayPal.
func variantOfText(r *rand.Rand) string {
	var b strings.Builder
	name := []string{"https://www.paypal.com", "https://paypal.com", "www.paypal.com", "http://www.paypal.com"}[r.IntN(4)]
	for _, c := range name {
		b.WriteRune(c)
		if r.IntN(12) == 0 {
			if piece := unbroken[r.IntN(len(unbroken)-3)]; !strings.HasPrefix(piece, "<a") {
				b.WriteString(piece)
			}
		}
	}
	tail := []string{".evil.example.net", "x.evil.example.net", "/", ""}[r.IntN(4)]
	if tail != "" {
		hide := hiding[r.IntN(len(hiding))]
		b.WriteString(strings.Replace(hide, "|", tail, 1))
	}
	b.WriteString([]string{"/", "", " now", "/login"}[r.IntN(4)])
	if r.IntN(4) == 0 {
		return strings.Repeat([]string{" ", "\n", "&nbsp;", "<br>", "- "}[r.IntN(5)], r.IntN(3000)) + b.String()
	}
	return b.String()
}

// TestVariantsOfTexts: a text that names another site is found, in whatever way a part of it is
// hidden.
func TestVariantsOfTexts(t *testing.T) {
	f := newFilter(t, filter.Options{})
	r := rand.New(rand.NewPCG(1, 2))
	variants := long.Rows(5000, 500)
	for range variants {
		text := variantOfText(r)
		flagged(t, f, sheetOfHiding+"<p><a href="+evil+">"+text+"</a>")
		if t.Failed() {
			return
		}
	}
	t.Logf("%d variants", variants)
}

// FuzzHTMLAttacks puts a link behind pieces of HTML. If a parser has the link with its text, the
// filter finds it.
func FuzzHTMLAttacks(f *testing.F) {
	for i := range 100 {
		f.Add([]byte{byte(i), byte(i * 7), byte(i * 31), byte(i * 13)})
	}
	filtering := newFilter(f, filter.Options{})
	f.Fuzz(func(t *testing.T, program []byte) {
		var b strings.Builder
		for _, c := range program[:min(len(program), 40)] {
			b.WriteString(before[int(c)%len(before)])
		}
		attack(t, filtering, b.String())
	})
}

// TestVariantsOfPrefixes is FuzzHTMLAttacks with random programs.
func TestVariantsOfPrefixes(t *testing.T) {
	f := newFilter(t, filter.Options{})
	r := rand.New(rand.NewPCG(1, 2))
	variants := long.Rows(10_000, 1000)
	shown := 0
	for range variants {
		var b strings.Builder
		for range 1 + r.IntN(10) {
			b.WriteString(before[r.IntN(len(before))])
		}
		if attack(t, f, b.String()) {
			shown++
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d of %d variants show the link", shown, variants)
	if shown < variants/10 {
		t.Error("too few show the link")
	}
}

// attack fails if a parser has a link behind a prefix, and the filter finds nothing.
func attack(t *testing.T, f *filter.Filter, prefix string) (shown bool) {
	t.Helper()
	source := prefix + trap
	for _, scripts := range []bool{false, true} {
		doc, err := nethtml.ParseWithOptions(strings.NewReader(source), nethtml.ParseOptionEnableScripting(scripts))
		if err != nil {
			return false
		}
		for n := range doc.Descendants() {
			shown = shown || n.Type == nethtml.ElementNode && n.Data == "a" && strings.Contains(fmt.Sprint(n.Attr), evil) && n.FirstChild != nil
		}
	}
	if shown {
		if r := f.Scan(htmlMessage(source)); !flaggedOrReported(r) {
			t.Errorf("nothing found in %s\n%s: %v", source, r, placed(r))
		}
	}
	return shown
}

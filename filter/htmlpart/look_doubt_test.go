package htmlpart_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter/htmlpart"
	"github.com/linkmilter/linkmilter/internal/test/markup"
)

// readingsOf returns the texts of the first reference of a source.
func readingsOf(t *testing.T, source string) []string {
	t.Helper()
	for item, err := range htmlpart.Read(t.Context(), source, 1<<20) {
		if err != nil {
			t.Fatal(err)
		}
		if item.Element == "a" {
			return append([]string{item.Text}, item.Readings...)
		}
	}
	t.Fatalf("no reference in %s", source)
	return nil
}

// TestStylesThatMayHide: a text beside one that a style may hide, or move away, is read
// by itself.
func TestStylesThatMayHide(t *testing.T) {
	for _, style := range []string{
		"color:#fffffe", "color:#fefefe", "color:rgb(255 255 255)", "color:rgb(250, 250, 250)", "color:hsla(0,0%,0%,0)", "color:var(--x,#fff)", "color:lab(100 0 0)",
		"color:color(srgb 1 1 1)", "color:light-dark(white,white)", "color:canvas", "color:color-mix(in srgb,white,white)", "color:#0000", "color:snow",
		"background:#123;color:#112234", "background:linear-gradient(#fff,#fff);color:#fff", "float:right", "order:-1", "z-index:-1;position:relative",
		"animation:x 0s forwards", "vertical-align:-9999px", "padding-left:9999px", "contain:strict", "*display:none", "-webkit-line-clamp:1", "display:var(--x,none)",
		"position:sticky", "columns:0", "user-select:none", "interactivity:inert", "color:white;-webkit-text-fill-color:#123", "-webkit-text-fill-color:#123;color:white",
	} {
		if got := readingsOf(t, `<a href=http://x.example/>o.ne<span style="`+style+`">two</span></a>`); !slices.Contains(got, "o.ne") {
			t.Errorf("%s: texts %q, want o.ne alone", style, got)
		}
		for _, end := range []string{"}", ""} {
			if got := readingsOf(t, `<style>.x{`+style+end+`</style><a href=http://x.example/>o.ne<span class=x>two</span></a>`); !slices.Contains(got, "o.ne") {
				t.Errorf("class with %s%s: texts %q, want o.ne alone", style, end, got)
			}
		}
	}
	for _, selector := range []string{".x", "[class~=x]", ":is(.x)", ":is(b, .x)", "a :where(.x):first-child", "span:not(.y)", "*:not(b)", "[class ~= x]"} {
		if got := readingsOf(t, `<style>`+selector+`{display:none}</style><a href=http://x.example/>o.ne<span class=x>two</span></a>`); !slices.Contains(got, "o.ne") {
			t.Errorf("%s: texts %q, want o.ne alone", selector, got)
		}
	}
}

// TestIndentedLines: a style may move away the first line of a reference alone, up to an element
// that a rule makes a block.
func TestIndentedLines(t *testing.T) {
	got := readingsOf(t, "<style>:not(b){text-indent:-9999px;display:inline-block}b{display:block}</style><a href=http://x.example/>o.ne<b>two</b>t.hree</a>")
	if !slices.Contains(got, "t.hree") {
		t.Errorf("texts %q, want t.hree alone", got)
	}
}

// TestColorsOfAncestors: a text may have the color that a rule gave an element around it, and
// the background of its own style.
func TestColorsOfAncestors(t *testing.T) {
	const source = `<style>.x{color:rgb(0 128 0)}</style><span class=x><a href=http://x.example/>o.ne<b style="background:%s">two</b></a></span>`
	for background, hides := range map[string]bool{"green": true, "#018002": true, "#fff": false} {
		if got := readingsOf(t, fmt.Sprintf(source, background)); slices.Contains(got, "o.ne") != hides {
			t.Errorf("%s: texts %q, want o.ne alone: %t", background, got, hides)
		}
	}
}

// TestStylesThatMove: a style may move away what follows its element, which may be empty.
func TestStylesThatMove(t *testing.T) {
	for _, source := range []string{
		`o.ne<b style="margin-left:-9999px">two</b>three`, `o.ne<b style="margin-left:-9999px"></b>two`, `<style>.x{margin:0 9999px}</style>o.ne<i class=x></i>two<i>three</i>`,
		`o<b>.n</b>e<b style="padding-left:9999px"></b>two<i hidden>three</i>`, `o.ne<img style="width:calc(99em)">two`, `o.ne<b style="letter-spacing:-9px"><i>two</i></b>three`,
	} {
		if got := readingsOf(t, `<a href=http://x.example/>`+source+`</a>`); !slices.Contains(got, "o.ne") {
			t.Errorf("%s: texts %q, want o.ne alone", source, got)
		}
	}
}

// TestStylesOverAttributes: a style counts before an attribute, and may show a text in a
// hidden one.
func TestStylesOverAttributes(t *testing.T) {
	for source, want := range map[string]string{
		`o.ne<font color=green style="color:#fff">two</font>`:                                           "o.ne",
		`<b bgcolor=red style="background:#123">o.ne<i style="color:#123">two</i></b>`:                  "o.ne",
		`<b style="font-size:0">x<i style="font-size:12px">o.ne</i></b>`:                                "o.ne",
		`<style>.x{visibility:hidden}i{visibility:visible}</style><b class=x>x<i>o.ne</i></b>`:          "o.ne",
		`<style>.x{color:#fff}.y{color:#000}</style><b class=x>x<i class=y>o.ne</i></b>`:                "o.ne",
		`<style>#x{font-size:0}@media all{.y{font-size:12px}}</style><b id=x>x<i class=y>o.ne</i>y</b>`: "o.ne",
	} {
		if got := readingsOf(t, `<a href=http://x.example/>`+source+`</a>`); !slices.Contains(got, want) {
			t.Errorf("%s: texts %q, want %q", source, got, want)
		}
	}
}

// TestSheetsElsewhere: a style sheet that is not in the document may hide any element,
// unless it comes from a service of fonts.
func TestSheetsElsewhere(t *testing.T) {
	const reference = `<a href=http://x.example/>o.ne<span>two</span></a>`
	for sheet, hides := range map[string]bool{
		`<link rel=stylesheet href=//x.example/x.css>`:                                              true,
		`<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=A">`:                 false,
		`<link rel="stylesheet" href="https://fonts.googleapis.com.x.example/css">`:                 true,
		`<link rel="stylesheet" href="https://x@fonts.googleapis.com/">`:                            true,
		`<link rel="icon" href="//x.example/x.png">`:                                                false,
		`<style>@import url("https://fonts.googleapis.com/css?family=A:400,700");</style>`:          false,
		`<style>@import '//use.typekit.net/x.css';b{color:red}</style>`:                             false,
		`<style>@import url(x.css);</style>`:                                                        true,
		`<style>b{color:red} @import "data:text/css,//fonts.googleapis.com/";</style>`:              true,
		`<style>@\69mport "x.css"</style>`:                                                          true,
		`<style>td{background:#123}</style>`:                                                        false,
		`<style>td{background:#123} span{color:#112233}</style>`:                                    true,
		`<style>td{background:#123} span{color:#fedcba}</style>`:                                    false,
		`<style>td{opacity:.1;background:#123} span{color:#112233}</style>`:                         true,
		`<style>td{background:none transparent} span{color:#112233}</style>`:                        false,
		`<style>span{color:#112233}</style><body bgcolor=#122334>`:                                  true,
		`<style>` + markup.Numbered(4000, "b{color:#%03d}") + `span{color:#102030}</style>`:         true,
		`<style>` + markup.Numbered(2000, "b{background:#%03dfff}") + `span{color:#102030}</style>`: true,
	} {
		got := readingsOf(t, sheet+reference)
		if slices.Contains(got, "o.ne") != hides {
			t.Errorf("%.80s: texts %q, want o.ne alone: %t", sheet, got, hides)
		}
	}
}

// TestStylesThatShow: what newsletters write in references does not fork the text.
func TestStylesThatShow(t *testing.T) {
	for _, style := range []string{
		"color:#336699", "color:red;font-weight:bold", "background-color:#0b5;color:#ffffff", "background:#000;color:#fff", "text-decoration:none;font-size:14px",
		"padding:12px 24px;border-radius:4px;border:1px solid #ccc", "font-family:Arial,Helvetica,sans-serif;line-height:1.5", "mso-line-height-rule:exactly",
		"vertical-align:middle;white-space:nowrap", "text-transform:uppercase;text-align:center", "color:rgb(0, 0, 238)", "-webkit-text-size-adjust:100%", "color:inherit",
		"display:inline-block;width:200px", "mso-fareast-language:EN-US", "mso-bidi-font-weight:normal", "font-variant:small-caps",
	} {
		if got := readingsOf(t, `<a href=http://x.example/>one<span style="`+style+`">two</span></a>`); len(got) != 1 {
			t.Errorf("%s: texts %q, want one", style, got)
		}
	}
}

// TestGeneratedTexts: a text that a style sheet puts beside that of a reference is read
// with it.
func TestGeneratedTexts(t *testing.T) {
	for rule, want := range map[string]string{
		`a::before{content:"https://www.example.org/"}`:                  "https://www.example.org/",
		`a:after{content:'.example.org'}`:                                "one.example.org",
		`.x::before{color:red;content:"www." "example.org"}`:             "www.example.org",
		`p .x:BEFORE{CONTENT:"\77ww.example.org" / "x"; top:0}`:          "www.example.org x",
		`span::before{content:"www.example.org"}`:                        "www.example.org",
		`@media all{a{&::before{content:"www.example.org" !important}}}`: "www.example.org",
	} {
		if got := readingsOf(t, `<style>`+rule+`</style><p><a class=x href=http://x.example/><span>one</span></a>`); !slices.Contains(got, want) {
			t.Errorf("%s: texts %q, want %q", rule, got, want)
		}
	}
	for _, rule := range []string{
		`a::before{content:"\201C"}`, `a::before{content:""}`, `.y::before{content:"www.example.org"}`, `a[href]::after{content:" (" attr(href) ")"}`, `b::before{content:"x.y"}`,
	} {
		if got := readingsOf(t, `<style>`+rule+`</style><p><a class=x href=http://x.example/><span>one</span></a>`); len(got) != 1 {
			t.Errorf("%s: texts %q, want one", rule, got)
		}
	}
}

// TestLettersThatRulesHide: among many letters a rule hides those that it counts, or for which
// its condition holds.
func TestLettersThatRulesHide(t *testing.T) {
	const word = "www.example.org"
	letters := func(hidden func(i int) bool, element string) string {
		var b strings.Builder
		for i, rest := 1, word; rest != ""; i++ {
			letter, attribute := rest[:1], "v"
			if hidden(i) {
				letter, attribute = "z", "h"
			} else {
				rest = rest[1:]
			}
			b.WriteString(strings.NewReplacer("A", attribute, "N", strconv.Itoa(i), "|", letter).Replace(element))
		}
		return `<a href=http://x.example/>` + b.String() + `</a>`
	}
	every := func(period int, at ...int) func(int) bool {
		return func(i int) bool { return slices.Contains(at, i%period) }
	}
	for rules, hidden := range map[string]func(int) bool{
		"i:nth-child(5n){display:none}":                                                      every(5, 0),
		"i:nth-child( 6n + 1 ){font-size:0}":                                                 every(6, 1),
		":nth-of-type(7n+2),:nth-of-type(7n+5){display:none}":                                every(7, 2, 5),
		"i:not(:nth-child(5n+1),:nth-child(5n+3)){opacity:0}":                                every(5, 0, 2, 4),
		"i:nth-child(4n){display:none}i:nth-child(5n){display:none}":                         every(20, 0, 4, 5, 8, 10, 12, 15, 16),
		"i:nth-child(2){display:none}i:nth-child(5),i:nth-child(9 of i){display:none}":       func(i int) bool { return i == 2 || i == 5 || i == 9 },
		"i{display:none}i:nth-child(5n+1),i:nth-child(5n+2),i:nth-child(5n){display:inline}": every(5, 3, 4),
		"i:nth-child(-n+4){display:none}":                                                    func(i int) bool { return i <= 4 },
	} {
		if got := readingsOf(t, "<style>"+rules+"</style>"+letters(hidden, "<i>|</i>")); !slices.Contains(got, word) {
			t.Errorf("%s: %q", rules, got)
		}
	}
	last := strings.Join(strings.Split("wwwz.exazmplez.org", ""), "</i><i>")
	if got := readingsOf(t, "<style>i:nth-last-child(5n){display:none}</style><a href=http://x.example/><i>"+last+"</i></a>"); !slices.Contains(got, word) {
		t.Errorf("from the last: %q", got)
	}
	for rules, element := range map[string]string{
		"[dir=h]{display:none}":                          `<i dir=A>|</i>`,
		"[data-x='h' i]{display:none}":                   `<i data-x=A>|</i>`,
		"i[id^=h]{display:none}":                         `<i id=AN>|</i>`,
		"[class$=h]{font-size:0}":                        `<i class=xN-A>|</i>`,
		"[title*=h]{opacity:0}":                          `<i title=NANx>|</i>`,
		"[lang|=h]{display:none}":                        `<i lang=A-x>|</i>`,
		":lang(h){display:none}":                         `<i lang=A>|</i>`,
		"[class^=m]{display:none}.v{display:inline}":     `<i class="mN A">|</i>`,
		"p i[class~=h]{display:none} p [id]{color:#fff}": `<i class="kN A" id=qN>|</i>`,
	} {
		if got := readingsOf(t, "<style>"+rules+"</style>"+letters(every(2, 0), element)); !slices.Contains(got, word) {
			t.Errorf("%s: %q", rules, got)
		}
	}
}

// TestRowsWithGaps: what stands apart in a row or in a grid is not one word.
func TestRowsWithGaps(t *testing.T) {
	const items = `<span>one</span><b>two</b> <i style="color:red">three</i>`
	for style, want := range map[string]string{
		"display:flex;gap:8px":                         "one two three",
		"display:inline-flex;column-gap:1em":           "one two three",
		"justify-content:space-between;display:flex":   "one two three",
		"display:grid;grid-gap:1rem":                   "one two three",
		"display:flex":                                 "onetwo three",
		"display:flex;gap:1px":                         "onetwo three",
		"display:flex;gap:-8px":                        "onetwo three",
		"display:block;gap:8px":                        "onetwo three",
		"display:flex;gap:8px;display:inline":          "onetwo three",
		"display:flex;gap:8px\"><span style=\"top:1px": "onetwo three",
	} {
		for _, source := range []string{`<a href=http://x.example/ style="` + style + `">` + items + `</a>`, `<a href=http://x.example/><div style="` + style + `">` + items + `</div></a>`} {
			if got := strings.Join(strings.Fields(readingsOf(t, source)[0]), " "); got != want {
				t.Errorf("%s: %q, want %q", source, got, want)
			}
		}
	}
}

// TestHiddenReference: where a reference is in a hidden element, a reading has what shows with
// that element, without what is hidden within.
func TestHiddenReference(t *testing.T) {
	for _, around := range []string{"<span hidden>", `<div style="display:none">`} {
		for _, within := range []string{"<template>x</template>", "<i hidden>x</i>", `<b style="display:none">x</b>`, "<template></table><b>x</template><select>"} {
			got := readingsOf(t, around+`<a href=http://x.example/>t`+within+`last</a>`)
			if !slices.ContainsFunc(got, func(text string) bool { return strings.ReplaceAll(text, " ", "") == "tlast" }) {
				t.Errorf("%s, %s: got %q", around, within, got)
			}
		}
	}
}

// TestTemplatesInSVG: a text in SVG goes on behind a template, whose content is not shown.
func TestTemplatesInSVG(t *testing.T) {
	const source = "<svg><a xlink:href=https://example.com/svg></noembed><title>&amp<svg><title><template>]]></div></template>" +
		"<a href=https://example.com/348>t</a><a href=https://example.com/last>last</a>"
	var texts []string
	for item, err := range htmlpart.Read(t.Context(), source, 1<<20) {
		if err != nil {
			t.Fatal(err)
		}
		if item.URL == "https://example.com/svg" {
			for _, text := range append(item.Readings, item.Text) {
				texts = append(texts, strings.Join(strings.Fields(text), ""))
			}
		}
	}
	if want := "&tlast"; !slices.Contains(texts, want) {
		t.Errorf("%s is not among the texts %q", want, texts)
	}
}

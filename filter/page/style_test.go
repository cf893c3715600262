package page_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter/page"
	"github.com/linkmilter/linkmilter/internal/test/markup"
)

// readingsOf returns the texts of the first reference of a source, and whether Read says that there
// may be others.
func readingsOf(t *testing.T, source string) (texts []string, reported bool) {
	t.Helper()
	for item, err := range page.Read(t.Context(), source, 1<<20) {
		switch {
		case errors.Is(err, page.ErrTooComplex):
			return texts, true
		case err != nil:
			t.Fatal(err)
		case item.Element == "a" && texts == nil:
			texts, reported = append([]string{item.Text}, item.Readings...), item.Styled
		}
	}
	if texts == nil {
		t.Fatalf("no reference in %s", source)
	}
	return texts, reported
}

// shows fails unless a text is a reading of the first reference of a source, or Read says that
// there may be others.
func shows(t *testing.T, source, text string) {
	t.Helper()
	if got, reported := readingsOf(t, source); !reported && !slices.Contains(got, text) {
		t.Errorf("%.300s: texts %q, want %q", source, got, text)
	}
}

// showsOnly fails if the first reference of a source has several texts.
func showsOnly(t *testing.T, source string) {
	t.Helper()
	if got, reported := readingsOf(t, source); reported || len(got) != 1 {
		t.Errorf("%s: texts %q, reported %t, want one", source, got, reported)
	}
}

// TestStylesThatMayHide: if a style may hide a part of a text, the rest is also read by itself.
func TestStylesThatMayHide(t *testing.T) {
	for _, style := range []string{
		"color:#fffffe", "color:#fefefe", "color:rgb(255 255 255)", "color:rgb(250, 250, 250)", "color:hsla(0,0%,0%,0)", "color:var(--x,#fff)", "color:lab(100 0 0)",
		"color:color(srgb 1 1 1)", "color:light-dark(white,white)", "color:canvas", "color:color-mix(in srgb,white,white)", "color:#0000", "color:snow",
		"background:#123;color:#112234", "background:linear-gradient(#fff,#fff);color:#fff", "order:-1",
		"animation:x 0s forwards", "padding-left:9999px", "contain:strict", "-webkit-line-clamp:1",
		"position:sticky", "-webkit-text-fill-color:#123;color:white",
	} {
		shows(t, `<a href=http://x.example/>o.ne<span style="`+style+`">two</span></a>`, "o.ne")
		for _, end := range []string{"}", ""} {
			shows(t, `<style>.x{`+style+end+`</style><a href=http://x.example/>o.ne<span class=x>two</span></a>`, "o.ne")
		}
	}
	for _, selector := range []string{".x", "[class~=x]", ":is(.x)", ":is(b, .x)", "a :where(.x):first-child", "span:not(.y)", "*:not(b)", "[class ~= x]"} {
		shows(t, `<style>`+selector+`{display:none}</style><a href=http://x.example/>o.ne<span class=x>two</span></a>`, "o.ne")
	}
}

// TestStylesOverAttributes: a style overrides an attribute, and may show a text inside a hidden
// element.
func TestStylesOverAttributes(t *testing.T) {
	for source, want := range map[string]string{
		`o.ne<font color=green style="color:#fff">two</font>`:                          "o.ne",
		`<b bgcolor=red style="background:#123">o.ne<i style="color:#123">two</i></b>`: "o.ne",
		`<b style="font-size:0">x<i style="font-size:12px">o.ne</i></b>`:               "o.ne",
	} {
		shows(t, `<a href=http://x.example/>`+source+`</a>`, want)
	}
}

// TestValuesThatNoProgramKnows: a later value overrides an earlier one only if programs know it. A
// value that they do not know has no effect, even with !important.
func TestValuesThatNoProgramKnows(t *testing.T) {
	for _, style := range []string{
		"visibility:hidden;visibility:foo", "font-size:0;font-size:foo", "font-size:0;font-size:12foo", "font:0/0 x;font:foo", "opacity:0;opacity:foo", "opacity:0;opacity:foo!important",
		"display:foo!important;display:none", "font-size:-1px!important;font-size:0", "visibility:hidden;visibility:var(--x)",
	} {
		shows(t, `<a href=http://x.example/>o.ne<b style="`+style+`">two</b></a>`, "o.ne")
		shows(t, `<style>b{`+style+`}</style><a href=http://x.example/>o.ne<b>two</b></a>`, "o.ne")
	}
	for _, style := range []string{"visibility:hidden;visibility:inherit", "font-size:0;font-size:medium", "font-size:0;font:inherit", "opacity:0;opacity:initial"} {
		shows(t, `<a href=http://x.example/>o.ne<b style="`+style+`">two</b><i hidden>x</i></a>`, "o.netwo")
	}
}

// TestRulesThatShow: a rule may show an element that an attribute, or a style around it, hides.
func TestRulesThatShow(t *testing.T) {
	for source, want := range map[string]string{
		`<style>b{display:inline}</style><a href=http://x.example/><b hidden>o.ne</b><i hidden>x</i></a>`:                 "o.ne",
		`<style>b{all:unset}</style><a href=http://x.example/><b hidden>o.ne<i style="display:none">x</i></b></a>`:        "o.ne",
		`<style>b{font-size:12px}</style><a href=http://x.example/><i style="font-size:0">x<b>o.ne</b></i></a>`:           "o.ne",
		`<style>b{visibility:visible}</style><a href=http://x.example/><i style="visibility:hidden">x<b>o.ne</b></i></a>`: "o.ne",
		`<style>i{background:green}</style><a href=http://x.example/>o.ne<i style="background:#fff;color:#fff">x</i></a>`: "o.ne",
		`<style>:nth-child(2){background:green}</style><a href=http://x.example/><font color=white>x</font>o.ne</a>`:      "o.ne",
		`<style>b{i{background:green}}</style><a href=http://x.example/><font color=white>x</font>o.ne</a>`:               "o.ne",
		`<style>b{display:none;i{color:red}}</style><a href=http://x.example/>o.ne<b>x</b></a>`:                           "o.ne",
		`<style>b{i{color:red} display:none}</style><a href=http://x.example/>o.ne<b>x</b></a>`:                           "o.ne",
		`<style>b{-webkit-text-fill-color:#fff}i,b{color:red}</style><a href=http://x.example/>o.ne<b>x</b></a>`:          "o.ne",
		`<a href=http://x.example/>o.ne<b style="-webkit-text-fill-color:#fff;color:red">x</b></a>`:                       "o.ne",
	} {
		shows(t, source, want)
	}
}

// TestSheetsElsewhere: a style sheet outside the document may hide any element, unless it comes
// from a service of fonts.
func TestSheetsElsewhere(t *testing.T) {
	const reference = `<a href=http://x.example/>o.ne<span>two</span></a>`
	for sheet, hides := range map[string]bool{
		`<link rel=stylesheet href=//x.example/x.css>`:                                       true,
		`<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=A">`:          false,
		`<link rel="stylesheet" href="https://fonts.googleapis.com.x.example/css">`:          true,
		`<link rel="stylesheet" href="https://x@fonts.googleapis.com/">`:                     true,
		`<link rel="icon" href="//x.example/x.png">`:                                         false,
		`<style>@import url("https://fonts.googleapis.com/css?family=A:400,700");</style>`:   false,
		`<style>@import '//use.typekit.net/x.css';b{color:red}</style>`:                      false,
		`<style>@import url(x.css);</style>`:                                                 true,
		`<style>b{color:red} @import "data:text/css,//fonts.googleapis.com/";</style>`:       true,
		`<style>td{background:#123}</style>`:                                                 false,
		`<style>td{background:#123} span{color:#fedcba}</style>`:                             false,
		`<style>td{background:none transparent} span{color:#112233}</style>`:                 false,
		`<style>span{color:#112233}</style><body bgcolor=#122334>`:                           true,
		`<style>` + markup.Numbered(4000, "b{color:#%03d}") + `span{color:#fff}</style>`:     true,
		`<style>` + markup.Numbered(20_000, "b{color:#%03d}") + `span{color:#fff}</style>`:   true,
		`<style>` + markup.Numbered(4000, ".x%d{color:#234}") + `span{color:#333}</style>`:   false,
		`<style>` + markup.Numbered(2000, "b{background:#%03dfff}") + `b{color:red}</style>`: false,
	} {
		got, reported := readingsOf(t, sheet+reference)
		if (reported || slices.Contains(got, "o.ne")) != hides {
			t.Errorf("%.80s: texts %q, want o.ne alone: %t", sheet, got, hides)
		}
	}
}

// TestStylesThatShow: styles that newsletters use in links give the text no second reading.
func TestStylesThatShow(t *testing.T) {
	for _, style := range []string{
		"color:#336699", "color:red;font-weight:bold", "background-color:#0b5;color:#ffffff", "background:#000;color:#fff", "text-decoration:none;font-size:14px",
		"padding:12px 24px;border-radius:4px;border:1px solid #ccc", "font-family:Arial,Helvetica,sans-serif;line-height:1.5", "mso-line-height-rule:exactly",
		"vertical-align:middle;white-space:nowrap", "text-transform:uppercase;text-align:center", "color:rgb(0, 0, 238)", "-webkit-text-size-adjust:100%", "color:inherit",
		"mso-fareast-language:EN-US", "mso-bidi-font-weight:normal", "font-variant:small-caps",
	} {
		for _, text := range []string{"one", "www.example.org"} {
			showsOnly(t, `<a href=http://x.example/>`+text+`<b style="`+style+`"> two</b></a>`)
		}
	}
}

// TestGeneratedTexts: if a style sheet adds a text with a dot or slash to that of a link, Read
// reports it.
func TestGeneratedTexts(t *testing.T) {
	for _, rule := range []string{
		`a::before{content:"https://www.example.org/"}`, `a:after{content:'.example.org'}`, `.x::before{color:red;content:"www." "example.org"}`, `p .x:BEFORE{CONTENT:"\77ww.example.org" / "x"; top:0}`,
		`span::before{content:"www.example.org"}`, `@media all{a{&::before{content:"www.example.org" !important}}}`, `a::before{content:attr(data-x)}`, `a::before{content:var(--x)}`,
	} {
		if _, reported := readingsOf(t, `<style>`+rule+`</style><p><a class=x href=http://x.example/><span>one</span></a>`); !reported {
			t.Errorf("%s is not reported", rule)
		}
	}
	for _, rule := range []string{
		`a::before{content:"\201C"}`, `a::before{content:""}`, `.y::before{content:"www.example.org"}`, `b::before{content:"x.y"}`,
	} {
		showsOnly(t, `<style>`+rule+`</style><p><a class=x href=http://x.example/><span>one</span></a>`)
	}
}

// TestLettersThatRulesHide: a text is found if a rule hides some of its letters, by their number or
// under a condition.
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
		shows(t, "<style>"+rules+"</style>"+letters(hidden, "<i>|</i>"), word)
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
		shows(t, "<style>"+rules+"</style><p>"+letters(every(2, 0), element), word)
	}
}

// TestDocumentTypes: if the document type defines entities or attributes, Read reports each link,
// or the whole document if it has no link.
func TestDocumentTypes(t *testing.T) {
	long := strings.Repeat("<!-- -->", 4<<10)
	for source, want := range map[string]bool{
		`<!DOCTYPE x [<!ENTITY u "http://x.example/">]><x><a href="&u;">x</a></x>`:      true,
		`<!DOCTYPE x [<!entity u 'http://x.example/' >]><x><a href="&u;">x</a></x>`:     true,
		`<!DOCTYPE x [<!ATTLIST a href CDATA "http://x.example/">]><x><a>x</a></x>`:     true,
		`<!DOCTYPE x [` + long + `<!ENTITY u "http://x.example/">]><a href="&u;">x</a>`: true,
		`<!DOCTYPE html>` + long + `<a href=http://x.example/>x</a>`:                    false,
	} {
		reported := false
		for item, err := range page.Read(t.Context(), source, maxToken) {
			reported = reported || item.Styled || errors.Is(err, page.ErrTooComplex)
		}
		if reported != want {
			t.Errorf("%.80s: reported %t, want %t", source, reported, want)
		}
	}
}

package filter_test

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// TestTextsOfStyles: styles show a text by markers, quotes, custom properties and animations.
func TestTextsOfStyles(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, source := range []string{
		`<a href=` + evil + ` style="display:list-item;list-style:'www.paypal.com' inside">&nbsp;</a>`,
		`<a href=` + evil + `><b style="display:list-item;LIST-STYLE-TYPE:'www.pay' 'pal.com'"></b></a>`,
		`<style>@counter-style z{system:cyclic;symbols:"paypal";prefix:"www.";suffix:".com"}</style><a href=` + evil + ` style="display:list-item;list-style:z">&nbsp;</a>`,
		`<style>a::before{content:attr(nope,"www.paypal.com")}</style><a href=` + evil + `></a>`,
		`<style>a::before{content:attr( data-x type(<string>), "")}</style><a href=` + evil + ` data-x=www.paypal.com></a>`,
		`<style>@property --k{syntax:"*";inherits:true;initial-value:"www.paypal.com"}a::before{content:var(--k)}</style><a href=` + evil + `></a>`,
		`<style>a::before{content:"www.paypal.com"/"x"}</style><a href=` + evil + `></a>`,
		`<style>@keyframes k{to{content:"www.paypal.com"}}a::before{content:"x";animation:k 1ms forwards}</style><a href=` + evil + `></a>`,
		`<style>a::before{content:"` + strings.Repeat(" ", 300) + `www.paypal.com"}</style><a href=` + evil + `></a>`,
	} {
		flagged(t, f, source)
	}
}

// TestTagsOfSheets: the tag of a style sheet ends where a parser ends it, or at its first ">".
func TestTagsOfSheets(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, attribute := range []string{`title="a>b"`, `title='a>b{'`, `title="</style>"`, `title="</style><style>"`, `title = ">" x='</STYLE >'`, `a b="<!--" c=">"`, `x=y>`, `/`, "title=\"\n>\n\"", `title='">'`, `media=all title="/*>"`} {
		for _, sheet := range []string{`a::before{content:"www.paypal.com"}`, `.x{}a::before{content:'www.paypal.com'}`} {
			flagged(t, f, `<style `+attribute+`>`+sheet+`</style><a href=`+evil+`></a>`)
			flagged(t, f, `<style>p{}</style><STYLE `+attribute+`>`+sheet+`</STYLE><a href=`+evil+`></a><style></style>`)
			flagged(t, f, `<svg><style `+attribute+`>`+sheet+`</style></svg><a href=`+evil+`></a>`)
		}
	}
}

// TestImportedSheets: a style sheet imports one in a URL, however it is written.
func TestImportedSheets(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const rule = `a::before{content:"www.paypal.com"}`
	utf16 := base64.StdEncoding.EncodeToString([]byte(strings.Join(strings.Split(rule, ""), "\x00") + "\x00"))
	encoded := strings.NewReplacer(`"`, "%22", " ", "%20").Replace(rule)
	nested := `@import "data:text/css,` + encoded + `";`
	for _, sheet := range []string{
		`@import "data:text/css,` + encoded + `";`, `@import "data: text/css,` + encoded + `";`, "@import 'da\tta:text/css," + encoded + "';", `@import "data:text\2f css,` + encoded + `";`, `@import "data:text\/css,` + encoded + `";`,
		`@import "\64 ata:text/css,` + encoded + `";`, `@import "data:text/css,a::before{content:\"www.paypal.com\"}";`, `@import 'data:text/css,a::before{content:\27www.paypal.com\27}';`, `@import url(data:text/css,a::before{content:\"www.paypal.com\"});`,
		`@\69mport/**/u\72l( "DATA:Text/CSS;charset=utf-8,` + encoded + `" ) screen;`, `@import src("data:text/css,` + encoded + `");`, `@import "data:text/css;charset=utf-16le;base64,` + utf16 + `";`, `@import "data:text/css,` + encoded + `%";`, "@import \"data:text/css,a::bef\\\nore{content:%22www.paypal.com%22}\";",
		`@import "data:text/css,` + strings.NewReplacer("%", "%25", `"`, "%22").Replace(nested) + `";`, `@import "data:text/css;base64,` + base64.StdEncoding.EncodeToString([]byte(nested)) + `";`, `@import "data:text/css;base64,%0a ` + base64.StdEncoding.EncodeToString([]byte(rule)) + `";`,
	} {
		flagged(t, f, `<style>`+sheet+`</style><a href=`+evil+`></a>`)
		flagged(t, f, `<style>`+sheet+`p{}</style><a href=`+evil+`></a><style>.x{color:red}</style>`)
		flagged(t, f, `<link rel=stylesheet href="data:text/css,`+url.PathEscape(sheet)+`"><a href=`+evil+`></a>`)
		flagged(t, f, `<svg><style>`+strings.NewReplacer(`@`, "&#64;", `"`, "&quot;").Replace(sheet)+`</style></svg><a href=`+evil+`></a>`)
	}
	deep := rule
	for range 6 {
		deep = `@import "data:text/css;base64,` + base64.StdEncoding.EncodeToString([]byte(deep)) + `";`
	}
	for _, sheet := range []string{deep, `@import "data:text/plain,` + encoded + `";`, strings.Repeat(`@import "data:text/css,x{}";`, 60) + nested} {
		if result := f.Scan(htmlMessage(`<style>` + sheet + `</style><a href=` + evil + `></a>`)); result.Outcome == report.OutcomeComplete {
			t.Errorf("%.200s: %s", sheet, result)
		}
	}
	const ordinary = `<style>@import url('https://fonts.googleapis.com/css2?family=Inter');@import url(https://fonts.example.com/x.css);.i{background:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)}</style><a href=https://www.example.com/>Shop</a>`
	if result := f.Scan(htmlMessage(ordinary)); worstLink(result) >= policy.SeverityMedium || result.Outcome != report.OutcomeComplete {
		t.Errorf("%s: %s", ordinary, result)
	}
}

// TestNamesOfCustomProperties: a custom property shows a text whatever its name is.
func TestNamesOfCustomProperties(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, name := range []string{`--x`, `--\>x`, `--\3e x`, `-\-x`, `\2d\2d x`, `-\2d>`, `---`, `----\>`, `--\<\!--`, `--\0000e9`} {
		for _, sheet := range []string{`a::before{content:var(|)}`, `<!-- a::before{content:var(|)} -->`, `/<!--*{}a::before{content:var(|)}`, `<!--<!---->a::before{content:var(|)}-->`} {
			flagged(t, f, `<style>`+strings.ReplaceAll(sheet, "|", name)+`</style><a href=`+evil+` style="`+name+`:'www.paypal.com'"></a>`)
		}
	}
}

// TestPicturesOfStyles: a picture in SVG in the URL of a style, or of another attribute, has a text.
func TestPicturesOfStyles(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const picture = `<svg xmlns="http://www.w3.org/2000/svg"><text y="20">www.paypal.com</text></svg>`
	for _, data := range []string{
		"data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(picture)),
		"data:image/svg+xml," + url.PathEscape(picture),
		"DATA:image/SVG+xml;charset=utf-8," + strings.ReplaceAll(url.PathEscape(picture), "%20", " "),
	} {
		for _, property := range []string{"background", "background-image", "content", "list-style-image", "border-image", "-webkit-mask", "--k"} {
			for _, value := range []string{"url(|)", "url('|')", "0 0 url( '|' ) no-repeat", "image-set('|' 1x)"} {
				rule := property + ":" + strings.ReplaceAll(value, "|", data)
				flagged(t, f, `<a href=`+evil+` style="`+rule+`">&nbsp;</a>`)
				flagged(t, f, `<form action=`+evil+`><button style="`+rule+`"></button></form>`)
				flagged(t, f, `<style>.p::before{color:red;`+rule+`}</style><a href=`+evil+`><b class=p></b></a>`)
			}
		}
		for _, form := range []string{`<img srcset="|">`, `<table background="|"><td>&nbsp;</table>`, `<input type=image src="|">`} {
			flagged(t, f, `<a href=`+evil+`>`+strings.ReplaceAll(form, "|", data)+`</a>`)
		}
		flagged(t, f, `<form action=`+evil+`><input type=image src="`+data+`"></form>`)
		if t.Failed() {
			return
		}
	}
}

// TestTextsInPlaces: elements are shown in another place than they are written at.
func TestTextsInPlaces(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, text := range []string{
		`<span style="display:flex;flex-wrap:wrap-reverse"><i style="width:100%">pal.com</i><i>www.pay</i></span>`,
		`<span style="display:-webkit-box;-webkit-box-direction:reverse"><i>pal.com</i><i>www.pay</i></span>`,
		`<span style="display:-webkit-box"><i style="-webkit-box-ordinal-group:2">pal.com</i><i>www.pay</i></span>`,
		`<span style="display:-ms-flexbox"><i style="-ms-flex-order:1">pal.com</i><i>www.pay</i></span>`,
		`<span style="display:flex;flex-direction:row-reverse"><i>pal.com</i>www.pay</span>`,
		`<span style="display:flex;direction:rtl"><i>.com</i>paypal<i>www.</i></span>`,
		`<span style="display:inline-grid;direction:rtl"><i><b>pal</b>.com</i>www.pay</span>`,
		`<i style="padding-left:60px">pal.com</i><i style="position:absolute;left:0">www.pay</i>`,
		`<svg><text x=60>pal.com</text><text x=0>www.pay</text></svg>`,
		`<svg><text><tspan x=60>pal.com</tspan><tspan x=0>www.pay</tspan></text></svg>`,
		`www.<marquee width=0>zq</marquee>paypal<marquee height=0>zq</marquee>.com`,
		`www.<span style="background-image:linear-gradient(#123,#123);color:#123">zq</span>paypal.com`,
	} {
		flagged(t, f, `<a href=`+evil+`>`+text+`</a>`)
	}
}

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

// TestTextsOfStyles: texts that styles show by markers, quotes, custom properties and animations
// are found.
func TestTextsOfStyles(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, source := range []string{
		`<a href=` + evil + ` style="display:list-item;list-style:'www.paypal.com' inside">&nbsp;</a>`,
		`<a href=` + evil + `><b style="display:list-item;LIST-STYLE-TYPE:'www.pay' 'pal.com'"></b></a>`,
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

// TestTagsOfSheets: the start tag of a style sheet ends where a parser ends it, or at its first
// ">"; both are read.
func TestTagsOfSheets(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, attribute := range []string{`title="a>b"`, `title='a>b{'`, `title="</style>"`, `title="</style><style>"`, `title = ">" x='</STYLE >'`, `a b="<!--" c=">"`, `x=y>`, `/`, "title=\"\n>\n\"", `title='">'`, `media=all title="/*>"`} {
		for _, sheet := range []string{`a::before{content:"www.paypal.com"}`, `.x{}a::before{content:'www.paypal.com'}`} {
			flagged(t, f, `<style `+attribute+`>`+sheet+`</style><a href=`+evil+`></a>`)
			flagged(t, f, `<style>p{}</style><STYLE `+attribute+`>`+sheet+`</STYLE><a href=`+evil+`></a><style></style>`)
			if attribute != "/" { // it ends the element in SVG
				flagged(t, f, `<svg><style `+attribute+`>`+sheet+`</style></svg><a href=`+evil+`></a>`)
			}
		}
	}
}

// TestImportedSheets: a style sheet that another one imports by a URL with its content is read, in
// whatever form it is written.
func TestImportedSheets(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const rule = `a::before{content:"www.paypal.com"}`
	utf16 := base64.StdEncoding.EncodeToString([]byte(strings.Join(strings.Split(rule, ""), "\x00") + "\x00"))
	encoded := strings.NewReplacer(`"`, "%22", " ", "%20").Replace(rule)
	nested := `@import "data:text/css,` + encoded + `";`
	for _, sheet := range []string{
		`@import "data:text/css,` + encoded + `";`, `@import "data: text/css,` + encoded + `";`, "@import 'da\tta:text/css," + encoded + "';", `@import "data:text\2f css,` + encoded + `";`, `@import "data:text\/css,` + encoded + `";`,
		`@import "\64 ata:text/css,` + encoded + `";`, `@import "data:text/css,a::before{content:\"www.paypal.com\"}";`, `@import 'data:text/css,a::before{content:\27www.paypal.com\27}';`, `@import url(data:text/css,a::before{content:\"www.paypal.com\"});`,
		`@import src("data:text/css,` + encoded + `");`, `@import "data:text/css;charset=utf-16le;base64,` + utf16 + `";`, `@import "data:text/css,` + encoded + `%";`, "@import \"data:text/css,a::bef\\\nore{content:%22www.paypal.com%22}\";",
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
		notClean(t, f, `<style>`+sheet+`</style><a href=`+evil+`></a>`)
	}
	const ordinary = `<style>@import url('https://fonts.googleapis.com/css2?family=Inter');@import url(https://fonts.example.com/x.css);.i{background:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)}</style><a href=https://www.example.com/>Shop</a>`
	if result := f.Scan(htmlMessage(ordinary)); worstLink(result) >= policy.SeverityMedium || result.Outcome != report.OutcomeComplete {
		t.Errorf("%s: %s", ordinary, result)
	}
}

// TestNamesOfCustomProperties: the text of a custom property is found, whatever the name of the
// property is.
func TestNamesOfCustomProperties(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, name := range []string{`--x`, `--\>x`, `--\3e x`, `-\-x`, `\2d\2d x`, `---`, `----\>`, `--\<\!--`, `--\0000e9`} {
		for _, sheet := range []string{`a::before{content:var(|)}`, `<!-- a::before{content:var(|)} -->`, `/<!--*{}a::before{content:var(|)}`, `<!--<!---->a::before{content:var(|)}-->`} {
			flagged(t, f, `<style>`+strings.ReplaceAll(sheet, "|", name)+`</style><a href=`+evil+` style="`+name+`:'www.paypal.com'"></a>`)
		}
	}
}

// TestTextsOfCustomProperties: texts that a rule joins from custom properties and others are found.
func TestTextsOfCustomProperties(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, source := range []string{
		`<style>:root{--a:"www.";--b:"paypal";--c:".com"}a::before{content:var(--a)var(--b)var(--c)}</style><a href=E></a>`,
		`<style>:root{--a:"www";--b:"paypal";--c:"com"}a::before{content:var(--a)"."var(--b)"."var(--c)}</style><a href=E></a>`,
		`<style>a::before{content:var(--b)".com"}a{--b:"paypal"}</style><a href=E></a>`, `<style>:root{--B:"paypal"}b::before{content:Var( --B )}</style><a href=E><b></b>.com</a>`,
		`<style>:root{--b:"pay"}b::before{content:var(--b)}</style><a href=https://pal.com><b></b>pal.com</a>`, `<style>b::before{content:var(--b,"pay")}</style><a href=https://pal.com><b></b>pal.com</a>`,
		`<style>b::before{content:var(--b,"x")}</style><a href=https://pal.com style="--b:'pay'"><b></b>pal.com</a>`, `<style>:root{--b:var(--c) "al";--c:"payp"}a::before{content:var(--b)".com"}</style><a href=E></a>`,
		`<style>:root{--b:"x"}.k{--b:"pay"}b::before{content:var(--b)}</style><a href=https://pal.com><b class=k></b>pal.com</a>`, `<style>:root{--b:"pay"}.k{--b:"x"}b::before{content:if(style(--x):var(--b);else:"")}</style><a href=https://pal.com><b></b>pal.com</a>`,
	} {
		flagged(t, f, strings.ReplaceAll(source, "E", evil))
	}
	allClean(t, f,
		`<style>:root{--icon:"\f101"}.btn::after{content:var(--icon)}</style><a class=btn href=https://www.example.com/>example.com</a>`,
		`<style>:root{--new:"NEW"}.n::before{content:var(--new) " "}</style><a class=n href=https://www.example.com/>www.example.com</a>`,
		`<style>td::before{content:var(--label)}</style><table><tr><td style="--label:'Name'"><a href=https://www.example.com/>example.com</a><td style="--label:'Price'">1.00</table>`,
		`<style>.fa::before{content:var(--fa)}`+strings.Repeat(`.x{--fa:"\f00d"}`, 99)+`</style><a href=https://www.example.com/><i class="fa x"></i>example.com</a>`,
	)
}

// TestPicturesOfStyles: the text of an SVG picture is read, if the URL of a style or of another
// attribute contains the picture.
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
				flagged(t, f, `<style>.p::before{color:red;`+rule+`}</style><a href=`+evil+`><b class=p></b></a>`)
			}
		}
		for _, form := range []string{`<input type=image src="|">`} {
			flagged(t, f, `<a href=`+evil+`>`+strings.ReplaceAll(form, "|", data)+`</a>`)
		}
		if t.Failed() {
			return
		}
	}
}

// TestTextsInPlaces: texts are found that elements show elsewhere than where they are written.
func TestTextsInPlaces(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, text := range []string{
		`<span style="display:flex;flex-wrap:wrap-reverse"><i style="width:100%">pal.com</i><i>www.pay</i></span>`,
		`<span style="display:-webkit-box;-webkit-box-direction:reverse"><i>pal.com</i><i>www.pay</i></span>`,
		`<span style="display:-webkit-box"><i style="-webkit-box-ordinal-group:2">pal.com</i><i>www.pay</i></span>`,
		`<span style="display:-ms-flexbox"><i style="-ms-flex-order:1">pal.com</i><i>www.pay</i></span>`,
		`<span style="display:flex;flex-direction:row-reverse"><i>pal.com</i>www.pay</span>`,
		`<i style="padding-left:60px">pal.com</i><i style="position:absolute;left:0">www.pay</i>`,
		`www.<marquee width=0>zq</marquee>paypal<marquee height=0>zq</marquee>.com`,
		`www.<span style="background-image:linear-gradient(#123,#123);color:#123">zq</span>paypal.com`,
	} {
		flagged(t, f, `<a href=`+evil+`>`+text+`</a>`)
	}
}

// notClean checks that HTML has a finding or is not read completely.
func notClean(t *testing.T, f *filter.Filter, source string) {
	t.Helper()
	if result := f.Scan(htmlMessage(source)); !flaggedOrReported(result) {
		t.Errorf("nothing found in %s", source)
	}
}

// allClean checks that honest HTML has no finding and is read completely.
func allClean(t *testing.T, f *filter.Filter, sources ...string) {
	t.Helper()
	for _, source := range sources {
		if result := f.Scan(htmlMessage(source)); worstLink(result) >= policy.SeverityMedium || result.Outcome != report.OutcomeComplete {
			t.Errorf("%s: %s %v", source, result, placed(result))
		}
	}
}

// TestTextsOfCounters: a text with letters of a counter is reported, since the filter does not
// compute counters.
func TestTextsOfCounters(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, style := range []string{
		`i::before{content:counter(p,lower-alpha)}`, `i::before{content:counter( p , Upper-Latin )}`, `i::after{content:counters(p,"",lower-greek)}`, `i::before{content:counters(p,")",lower-roman)}`, `i::before{content:counter(p,var(--a))}`, `i::before{content:"" counter(p,armenian) ""}`, `i{&::before{content:counter(p,lower-alpha)}}`,
		`i::before{content:counter(p,symbols("p" "a"))}`, `@counter-style z{system:fixed;symbols:p a y l}i::before{content:counter(p,z)}`, `i::before{content:counter(p,decimal-leading-zero)}@counter-style decimal-leading-zero{symbols:p a}`,
	} {
		notClean(t, f, `<style>`+style+`</style><a href=https://aypal.com/><i style="counter-set:p 16"></i>aypal.com</a>`)
		notClean(t, f, `<style>`+style+`</style><a href=https://www.example.com/>`+strings.Repeat(`<i></i>`, 6)+`.com</a>`)
	}
	for _, text := range []string{`www.<i></i>.com`, `<i></i>.com`, `paypa<i></i>.com`, `https://<i></i>.com/login`} {
		for _, style := range []string{`i::before{content:counter(p)}`, `i::after{content:counters(p,"")}`, `i::before{content:counter(p,decimal)}`} {
			notClean(t, f, `<style>`+style+`</style><a href=`+evil+` style="counter-reset:p 163">`+text+`</a>`)
		}
	}
	allClean(t, f,
		`<style>a::before{content:counter(a)"."counter(b)"."}</style><a href=https://www.example.com/>Introduction</a><a href=https://www.example.com/>example.com</a>`, `<style>a::before{content:"Fig."counter(i)": "}</style><a href=https://www.example.com/>Chart at example.com</a>`,
		`<style>b::before{content:counter(i)}</style><b></b><a href=https://www.example.com/>example.com</a>`,
		`<ol type=a><li><a href=https://www.example.com/>example.com</a></ol>`, `<style>ol{counter-reset:i}li::before{content:counters(i,".") " "}</style><ol><li><a href=https://www.example.com/>www.example.com</a></ol>`,
		`<style>.n::before{content:counter(s,decimal-leading-zero)}</style><a href=https://www.example.com/><b class=n></b>example.com</a>`, `<style>.n::before{content:counter(s)". "}</style><a href=https://www.example.com/><b class=n></b>example.com</a>`,
		`<style>.l-1 > li:before{content:"" counter(l-1,lower-latin) ". "}.l-2 > li:before{content:"" counter(l-2,lower-roman) ". "}</style><ol class=l-1><li><a href=https://www.example.com/>example.com</a></ol>`, `<style>b::before{content:"(" counter(l-1,lower-latin) ") "}</style><a href=https://www.example.com/><b>Read</b> more at example.com</a>`, `<style>a::before{content:counter(l-1,lower-latin)") "}</style><a href=https://www.example.com/>example.com</a>`,
		`<style>@counter-style t{system:cyclic;symbols:"\1F44D";suffix:" "}ul{list-style:t}</style><ul><li><a href=https://www.example.com/>example.com</a></ul>`,
	)
}

// TestTextsOfQuotes: the texts that style sheets and style attributes put around quotations are
// read.
func TestTextsOfQuotes(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const quotes = `quotes:"pay" ".com"`
	for _, source := range []string{
		`<style>q{|}</style><a href=E><q>pal</q></a>`, `<style>a{|}</style><a href=E><q>pal</q></a>`, `<style>*{|}</style><a href=E><q>pal</q></a>`, `<a href=E style='|'><q>pal</q></a>`,
		`<style>i::before{content:open-quote}i::after{content:close-quote}</style><a href=E style='|'><i>pal</i></a>`, `<style>i{|}i::before{content:Open-Quote}i::after{content:close-quote}</style><a href=E><i>pal</i></a>`, `<style>i::before{content:"w" open-quote "p"}i::after{content:"al"close-quote}i{quotes:"ww.pay" ".com"}</style><a href=E><i></i></a>`,
	} {
		flagged(t, f, strings.NewReplacer("|", quotes, "E", evil).Replace(source))
	}
	for _, source := range []string{
		`<style>q{quotes:var(--q)}</style><a href=E style="--q:'pay' 'com'"><q>pal.</q></a>`,
	} {
		notClean(t, f, strings.ReplaceAll(source, "E", evil))
	}
	allClean(t, f,
		`<style>blockquote{quotes:"\201C" "\201D" "\2018" "\2019"}blockquote:before{content:open-quote}blockquote:after{content:close-quote}</style><blockquote><a href=https://www.example.com/>example.com</a></blockquote>`,
		`<style>q{quotes:none}q:before,q:after{content:'';content:none}</style><a href=https://www.example.com/><q>example.com</q></a>`, `<style>i{quotes:"pay" ".com"}</style><a href=https://www.example.com/><q>example.com</q></a>`,
	)
}

// TestTextsAroundElements: the texts that a style sheet puts before and behind an element are read,
// also if several rules compete.
func TestTextsAroundElements(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, source := range []string{
		`<style>i::before{content:"pay"}i::after{content:".com"}</style><a href=E><i>pal</i></a>`, `<style>a::before{content:"pay"}a::after{content:".com"}</style><a href=E>pal</a>`, `<style>a::after{content:".com"}</style><a href=E>pay<img alt="pal"></a>`,
		`<style>i::before{content:"x"}.k::before{content:"pay"}</style><a href=https://pal.com/>see <i class=k></i>pal.com</a>`, `<style>i{@media all{&::before{content:"pay"}}}</style><a href=https://pal.com/>see <i></i>pal.com</a>`,
		`<style>i::before{content:"р" "а" "ураӏ"}</style><a href=https://pal.com/><i></i>.com</a>`, `<a href=https://pal.com/>see <i style='content:url("data:image/svg+xml,<svg><text>pay</text></svg>")'></i>pal.com</a>`, `<style>i::before{content:url("data:image/svg+xml,<svg><text>pay</text></svg>")}</style><a href=https://pal.com/>see <i></i>pal.com</a>`,
	} {
		flagged(t, f, strings.ReplaceAll(source, "E", evil))
	}
	notClean(t, f, `<style>i::before{content:"x"}.k::before{content:"pay"}.l::before{content:"y"}</style><a href=https://pal.com/>see <i class="k l"></i>pal.com</a>`)
	allClean(t, f,
		`<style>.btn::before{content:"\2192"}.btn::after{content:"Go"}</style><a class=btn href=https://www.example.com/>example.com </a>`, `<style>td:nth-of-type(1)::before{content:"Name"}td:nth-of-type(2)::before{content:"Price"}td:nth-of-type(3)::before{content:"Shop"}</style><table><td>A<td>1<td><a href=https://www.example.com/>www.example.com</a></table>`,
		`<style>.x{color:red;&:hover{color:blue}& b::before{content:"NEW"}}</style><a href=https://www.example.com/><i class=x>example.com</i></a>`,
	)
}

package filter_test

import (
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/policy"
)

// hidingStyles hide a text in rare ways.
var hidingStyles = strings.Split(`font-size-adjust:0
-webkit-text-size-adjust:1%
text-indent:100%;white-space:nowrap;overflow:hidden;display:inline-block;width:9px
filter:brightness(100)
filter:contrast(0)
filter:invert(1)
filter:url(#x)
background-color:currentColor
background:CurrentColor none
display:table-column
display:table-column-group
mso-element:comment
mso-element:header
mso-element:footnote-list
mso-special-character:comment
mso-style-textfill-type:none
mso-style-textfill-fill-alpha:0%
mso-style-textfill-fill-alpha:1.0%
mso-font-width:1%
mso-text-raise:-999pt
mso-ansi-font-size:0pt
font-family:Wingdings
font-family:'Webdings',serif
font-family:"AdobeBlank"
text-decoration:line-through
text-decoration-line:line-through
color:red;background:url(/*);display:none;background:url(*/)
background:url(x"y);display:none
content:'/*';display:none;content:'*/'
font-size:20%
font-size:3pt
font-size:4px
opacity:5%
opacity:.9;opacity:20%
border-left:9999px solid #fff
border-width:0 0 0 5000px
color:\"red;display:none`, "\n")

// hidingSheets hide elements of the class h, but only in programs that read the syntax of CSS as
// browsers do.
var hidingSheets = strings.Split(`.q{background:url(x"y)}.h{display:none}
.q{background:url(x'y)}.h{display:none}
.q{content:"/*"}.h{display:none}.r{content:"*/"}
.q{background:url(/*x)}.h{display:none}/**/
.h{background:url(});display:none}
.h{color:(});display:none}
.h{color:[}];display:none}
@media screen{.h{color:(});display:none}}
.q{background:url(x\)"y)}.h{display:none}
.h{background:linear-gradient(#00e,#00e)}
@namespace x "http://www.w3.org/1999/xhtml";x|i{display:none}
a *|*.h{opacity:0}
i[*|class]{font-size:0}
p [|class=h],|p{visibility:hidden}`, "\n")

// hidingElements are elements whose text (at |) programs do not show, strike out or make too small
// to read.
var hidingElements = []string{
	`<s>|</s>`, `<strike>|</strike>`, `<del>|</del>`, `<xml>|</xml>`, `<font face=Wingdings>|</font>`, `<font face="Webdings, x">|</font>`,
}

// TestRareWaysToHide: a text that names another site is found, although a style, sheet or element
// hides letters in it.
func TestRareWaysToHide(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const site, tail = "https://www.kleinbank.de", ".evil.example.net"
	check := func(before, hide string) {
		flagged(t, f, before+`<p><a href=`+evil+`>`+site+strings.Replace(hide, "|", tail, 1)+`/</a>`)
		flagged(t, f, before+`<p><a href=`+evil+`>`+strings.Replace(hide, "|", "evil.example.net/", 1)+site+`/</a>`)
	}
	for _, style := range hidingStyles {
		check("", `<span style="`+html.EscapeString(style)+`">|</span>`)
		check(`<style>a > .h{`+style+`}</style>`, `<i class=h>|</i>`)
	}
	for _, sheet := range hidingSheets {
		check(`<style>`+sheet+`</style>`, `<i class=h>|</i>`)
		for _, sheet := range inMarkup(sheet) {
			check(sheet, `<i class=h>|</i>`)
		}
	}
	check("<style>.q{content:\"\f}.h{display:none}</style>", `<i class=h>|</i>`)
	check("<style>"+strings.Repeat("@media all{", 80)+".h{display:none}"+strings.Repeat("}", 80)+"</style>", `<i class=h>|</i>`)
	for _, hide := range hidingElements {
		check("", hide)
	}
	for _, body := range []string{`<body link=#ffffff vlink=#954f72>`, `<body vlink="white" link=blue>`, `<body bgcolor=#123456 link="#123455">`, `<BODY style="background:#000" LINK=black>`} {
		flagged(t, f, body+`<p><a href=`+evil+`>evil.example.net <span style="color:blue">`+site+`</span></a>`)
	}
	flagged(t, f, `<a href=`+evil+`>`+site+"\u060dlogin.evil.example.net</a>")
	const apart = `<style>.q:not(.z){width:0}</style><form action=` + evil + `><label>kleinb<u style="opacity:.1">.</u><i>ank.d</i><code style="opacity:.1">0</code><dialog></dialog>e/x<input type=submit></label></form>`
	notClean(t, f, apart)
}

// inMarkup returns elements with a style sheet in the forms of SVG, MathML and XML, where the sheet
// is parsed as ordinary text.
func inMarkup(sheet string) (sources []string) {
	var references strings.Builder
	for _, c := range sheet {
		fmt.Fprintf(&references, "&#x%x;", c)
	}
	cut := strings.IndexByte(sheet, '{') + 1
	for _, text := range []string{
		references.String(), html.EscapeString(sheet), strings.ReplaceAll(html.EscapeString(sheet), "{", "&lbrace;"), html.EscapeString(sheet[:cut]) + "<!-- } -->" + html.EscapeString(sheet[cut:]),
		html.EscapeString(sheet[:cut]) + "<?x }?><![CDATA[" + sheet[cut:] + "]]>",
	} {
		sources = append(sources, "<svg><style>"+text+"</style></svg>", "<math><style>"+text+"</style></math>")
	}
	return sources
}

// sheetsWithTexts show a text T in the element <i class=h>, or in parts of it, in place of soft
// hyphens.
var sheetsWithTexts = strings.Split(`.h::before{content:"T"}
i{hyphenate-character:"T"}
i{-webkit-hyphenate-character:'T'}
@function --f(){result:"T"}i::before{content:--f()}
i::after{content:if(style(--x):"x";else:"T")}
i::after{content:if(media(print):"x";supports(x:y):"y";else:"T");color:red}
i::before{content:attr(x,"T")}
i::before{content:attr(*|data-x)}
i::before{content:attr(|data-x)}
*|*::before{content:"T"}
@namespace x "http://www.w3.org/1999/xhtml";x|i.h::before{content:"T"}`, "\n")

// TestTextsOfSheets: a text for a link that a style sheet shows, wherever the sheet is, and that
// names another site, is found.
func TestTextsOfSheets(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const link = `<p><a href=` + evil + `><i class=h data-x="` + shownAs + `">&shy;x</i></a>`
	for _, sheet := range sheetsWithTexts {
		sheet = strings.Replace(sheet, "T", shownAs, 1)
		flagged(t, f, "<style>"+sheet+"</style>"+link)
		flagged(t, f, "<style>.x{color:red}"+strings.TrimSuffix(sheet, "}")+"</style>"+link)
		for _, rule := range []string{"@media all{", "p{", "@layer x{", "@supports (color:red){@media screen{"} {
			for _, deep := range []int{1, 40, 70, 300} {
				flagged(t, f, "<style>"+strings.Repeat(rule, deep)+sheet+"</style>"+link)
				flagged(t, f, "<style>"+strings.Repeat(rule, deep)+sheet+strings.Repeat("}", deep)+"i{color:red}</style>"+link)
			}
		}
		for _, source := range inMarkup(sheet) {
			flagged(t, f, source+link)
		}
	}
}

// TestSignsOfSheets: a text whose dots and slashes a style sheet shows is found.
func TestSignsOfSheets(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, sign := range []string{".", `\2e `, "\u2024", "\uff0e"} {
		for _, test := range [][2]string{
			{"i::before", "www<i></i>paypal<i></i>com"},
			{"i:after", "www<i> </i>paypal<i></i>com"},
			{"b::after", "<b>www</b><b>paypal</b>com"},
			{".d::before", "www<b class=d>paypal</b><b class=d>com</b>"},
			{"[x]::after", "<b x>www</b><b x>paypal</b><b>com</b>"},
			{"u:not(.z)::before", "www<u>paypal</u><u>com</u>"},
		} {
			flagged(t, f, `<style>`+test[0]+`{content:"`+sign+`"}</style><p><a href=`+evil+`>`+strings.Replace(test[1], "> <", "><", 1)+`</a>`)
		}
	}
	flagged(t, f, `<style>i::before{content:"://"}</style><a href=`+evil+`>https<i>www.paypal.com</i></a>`)
	for _, honest := range []string{
		`<style>.c:after{content:".";display:block;height:0;visibility:hidden}</style><a href=https://www.example.org/ class=c><b class=c>Shop</b><b class=c>now</b></a>`,
		`<style>li::before{content:"/"}.k::after{content:":"}</style><ul><li><a href=https://www.example.org/><b class=k>Example</b> www.example.org</a></ul>`,
	} {
		if r := f.Scan(htmlMessage(honest)); worstLink(r) >= policy.SeverityMedium {
			t.Errorf("%s: %v", honest, placed(r))
		}
	}
}

// TestOrdinaryStyles: the same properties, as ordinary mail uses them, are no finding.
func TestOrdinaryStyles(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, source := range []string{
		`<style>body{-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%}.a{filter:none}.b:hover{filter:brightness(1.1)}</style><p class=b><a href=https://click.example.com/1>www.example.com</a></p>`,
		`<a href=https://www.example.com/><i style="mso-font-width:-100%;mso-text-raise:20pt">&nbsp;</i><span style="mso-text-raise:10pt">www.example.com</span></a>`,
		`<a href=https://www.example.com/>www.example.com <span style="font-family:Wingdings">J</span></a> <a href=https://www.example.com/><s>9,99</s> 4,99 www.example.com</a>`,
		`<style>@font-face{font-family:x;src:url(https://fonts.example.com/x.woff)}@page WordSection1{size:612pt 792pt}.i{background:url(data:image/svg+xml;utf8,<svg xmlns='x'/>)}</style><a href=https://www.example.com/>www.<b>example</b>.com</a>`,
		`<body link="#0563C1" vlink="#954F72"><a href=https://www.example.org/><mark>www</mark>.<b>example</b>.org</a> <a href=https://www.example.org/1><font color=red>Sale</font> at www.example.org</a>`,
		`<body link=white bgcolor=navy><a href=https://www.example.org/><font color=yellow>www.</font>example.org</a>`,
		`<div style="font-size:62.5%"><p style="font-size:1.6em"><a href=https://www.example.com/>www.example.com<sup><small>&reg;</small></sup></a></p></div>`,
		`<a href=https://www.example.com/><span style="mso-style-textfill-fill-alpha:100.0%">www.example.com</span></a><xml><o:p>www.example.net</o:p></xml>`,
		`<style><!-- /* x < y & z */ .a{width:calc(100% - (2px + 1px));content:"\201C"} --></style><p class=a><a href=https://www.example.com/>www.<b>example</b>.com</a></p>`,
		`<svg><style>.b&gt;c{fill:red}</style></svg><style>@namespace svg url(http://www.w3.org/2000/svg);svg|a{display:none}i{hyphenate-character:"-"}</style><a href=https://www.example.com/>www.<b>example</b>.com</a>`,
	} {
		if result := f.Scan(htmlMessage(source)); worstLink(result) >= policy.SeverityMedium {
			t.Errorf("%s: %v", source, placed(result))
		}
	}
}

// TestHiddenBeginnings: a text is found if a rule hides the first letter or line of an element in a
// link.
func TestHiddenBeginnings(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, source := range []string{
		`<style>i::first-letter{color:white}</style><a href=E><i>xwww.</i><i>xpaypal</i><i>x.com</i></a>`, `<style>i::first-letter{COLOR:transparent}</style><a href=E><i>xwww.</i><i>xpaypal</i><i>x.com</i></a>`,
		`<style>i::first-letter{font-size:0}</style><a href=E>pay<i>xpal</i>.com</a>`, `<style>i:first-letter{FONT:0/0 x}</style><a href=E>pay<i><b>xpal</b></i>.com</a>`, `<style>.i{&::first-letter{font-size:0}}</style><a href=E>pay<i class=i>(x)pal</i>.com</a>`,
		`<style>i::first-letter{font-size:0}</style><a href=E><i>xpay</i><i>xpal</i>.com</a>`, `<style>i::first-letter{font-size:0}</style><a href=E><i>xpa</i><i>xy</i><i>xpa</i><i>xl</i>.com</a>`, `<style>i::first-letter{font-size:0}</style><a href=E>pay<i>&nbsp;<b>x</b></i>pal.com</a>`,
		`<style>i::first-line{font-size:0}</style><a href=E>pay<i>x<br>pal</i>.com</a>`, `<style>i::first-line{font-size:0}</style><a href=E>pay<i>x<b>y</b> pal</i>.com</a>`, `<style>i::first-line{font-size:0}</style><a href=E>pay<i>x pal</i>.com</a>`,
	} {
		flagged(t, f, strings.ReplaceAll(source, "E", evil))
	}
	allClean(t, f,
		`<style>p::first-line{font-weight:bold;text-transform:uppercase;color:#333}</style><p><a href=https://www.example.com/>www.example.com</a>`, `<style>i::first-letter{font-size:2em;float:left}</style><a href=https://ebooking.com/x>see <i>ebooking.com</i></a>`,
		`<style>i::first-letter{font-size:0}</style><a href=https://www.example.com/><i>- </i>www.example.com</a>`,
	)
}

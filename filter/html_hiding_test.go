package filter_test

import (
	"html"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/policy"
)

// hidingStyles hide a text in ways that few messages use.
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
color:\"red;display:none`, "\n")

// hidingSheets hide elements of the class h where programs read the signs of CSS as browsers do.
var hidingSheets = strings.Split(`.q{background:url(x"y)}.h{display:none}
.q{background:url(x'y)}.h{display:none}
.q{content:"/*"}.h{display:none}.r{content:"*/"}
.q{background:url(/*x)}.h{display:none}/**/
.h{background:url(});display:none}
.h{color:(});display:none}
.h{color:[}];display:none}
@media screen{.h{color:(});display:none}}
.q{background:url(x\)"y)}.h{display:none}
.h{background:linear-gradient(#00e,#00e)}`, "\n")

// hidingElements are elements around a text that programs do not show, or struck out, or too
// small: | is the text.
var hidingElements = []string{
	`<s>|</s>`, `<strike>|</strike>`, `<del>|</del>`, `<xml>|</xml>`, `<font face=Wingdings>|</font>`, `<font face="Webdings, x">|</font>`,
	strings.Repeat("<small>", 8) + "|" + strings.Repeat("</small>", 8), strings.Repeat("<sub>", 9) + "|" + strings.Repeat("</sub>", 9),
	strings.Repeat(`<i style="font-size:.8em">`, 6) + "|" + strings.Repeat("</i>", 6), `<b style="font-size:60%"><i style="font-size:smaller"><u style="font-size:60%">|</u></i></b>`,
}

// TestRareWaysToHide: no style, no sheet and no element hides that a text names another site.
func TestRareWaysToHide(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const site, tail = "https://www.kleinbank.de", ".evil.example.net"
	check := func(before, hide string) {
		flagged(t, f, before+`<p><a href=`+evil+`>`+site+strings.Replace(hide, "|", tail, 1)+`/</a>`)
		flagged(t, f, before+`<p><a href=`+evil+`>`+strings.Replace(hide, "|", "evil.example.net/", 1)+site+`/</a>`)
	}
	for _, style := range hidingStyles {
		check("", `<span style="`+html.EscapeString(style)+`">|</span>`)
		check(`<style>p > .h{`+style+`}</style>`, `<i class=h>|</i>`)
	}
	for _, sheet := range hidingSheets {
		check(`<style>`+sheet+`</style>`, `<i class=h>|</i>`)
	}
	check("<style>.q{content:\"\f}.h{display:none}</style>", `<i class=h>|</i>`)
	for _, hide := range hidingElements {
		check("", hide)
	}
}

// TestOrdinaryStyles: what ordinary mail does with the same properties is nothing.
func TestOrdinaryStyles(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, source := range []string{
		`<style>body{-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%}.a{filter:none}.b:hover{filter:brightness(1.1)}</style><p class=b><a href=https://click.example.com/1>www.example.com</a></p>`,
		`<a href=https://www.example.com/><i style="mso-font-width:-100%;mso-text-raise:20pt">&nbsp;</i><span style="mso-text-raise:10pt">www.example.com</span></a>`,
		`<a href=https://www.example.com/>www.example.com <span style="font-family:Wingdings">J</span></a> <a href=https://www.example.com/><s>9,99</s> 4,99 www.example.com</a>`,
		`<style>@font-face{font-family:x;src:url(https://fonts.example.com/x.woff)}@page WordSection1{size:612pt 792pt}.i{background:url(data:image/svg+xml;utf8,<svg xmlns='x'/>)}</style><a href=https://www.example.com/>www.<b>example</b>.com</a>`,
		`<div style="font-size:62.5%"><p style="font-size:1.6em"><a href=https://www.example.com/>www.example.com<sup><small>&reg;</small></sup></a></p></div>`,
		`<a href=https://www.example.com/><span style="mso-style-textfill-fill-alpha:100.0%">www.example.com</span></a><xml><o:p>www.example.net</o:p></xml>`,
	} {
		if result := f.Scan(htmlMessage(source)); worstLink(result) >= policy.SeverityMedium {
			t.Errorf("%s: %v", source, placed(result))
		}
	}
}

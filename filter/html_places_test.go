package filter_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// over are links that may lie over the text T beside them, and links that T may lie over.
var over = []string{
	`<div style="position:relative">T<a href=E style="position:absolute;inset:0"></a></div>`,
	`<div style="position:relative"><a href=` + shownAs + `>T</a><a href=E style="position:absolute;top:0;left:0;width:100%;height:100%">&nbsp;</a></div>`,
	`<a href=E style="position:fixed;inset:0"></a><p>T</p>`,
	`T<a href=E style="display:inline-block;margin-left:-300px;width:300px"> </a>`,
	`<a href=E style="display:block;height:40px;margin-bottom:-40px"></a><div>T</div>`,
	`<style>.o{position:absolute}</style>T<a class=o href=E></a>`,
	`<style>a::after{content:"";position:absolute;inset:0}</style>T<a href=E></a>`,
	`T<a href=E><span style="position:absolute;inset:0"></span></a>`,
	`<a href=E style="position:absolute;inset:0;color:transparent">Click here to go on</a>T`,
	`<a href=E style="position:absolute;inset:0;opacity:.01">Click here to go on</a>T`,
	`<a href=E style="position:absolute;inset:0;text-indent:-999px;overflow:hidden">Click here to go on</a>T`,
	`<div>T</div><a href=E style="display:block;margin-block-start:-30px;height:30px"></a>`,
	`<style>.c>*{grid-area:1/1}</style><div class=c><div>T</div><a href=E></a></div>`,
	`<style>.o{text-indent:-9em;display:inline-block}</style><p>T</p><a class=o href=E>&nbsp;</a>`,
	`<div style="position:relative"><a href=E>Click here to go on</a><span style="position:absolute;inset:0;pointer-events:none">T</span></div>`,
	`<div style="position:relative"><p>T</p><p>Log in</p><p>Now</p><p>Soon</p><p>Today</p><a href=E style="position:absolute;inset:0"></a></div>`,
	`<a href=E style="position:fixed;inset:0"></a><p>Hello</p><p>Log in</p><p>T</p>`,
	`<div style="position:relative"><h1>T</h1><title>x</title><template><p>x</template><a href=E style="position:absolute;inset:0"></a></div>`,
	`<div>T</div><p hidden>x</p><a href=E style="display:block;height:40px;margin-top:-40px"></a>`,
}

// TestHiddenBetweenCovered: a text that a link may lie over is found, although hidden texts are
// between its letters.
func TestHiddenBetweenCovered(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, hidden := range []string{`<b style="display:none">x</b>`, `<b hidden>x</b>`, `<b class=h>x<i>y</i></b>`, `<style></style><b style="font-size:0">x</b>`} {
		flagged(t, f, `<style>.h{opacity:0}</style><h1>www.pay`+hidden+`pal<b style="color:red">.com</b></h1><a href=`+evil+` style="position:absolute;inset:0"></a>`)
	}
}

// TestLinksOverTexts: a link that a style moves over a text beside it is judged with that text.
func TestLinksOverTexts(t *testing.T) {
	f := newFilter(t, filter.Options{})
	r := rand.New(rand.NewPCG(5, 6))
	for _, source := range over {
		flagged(t, f, strings.NewReplacer("T", shownAs, "E", evil).Replace(source))
		for range 50 {
			text := variantOfText(r)
			if len(text) > 500 || strings.Contains(text, "<") {
				continue // it may be far from the link
			}
			flagged(t, f, strings.NewReplacer("T", text, "E", evil).Replace(source))
		}
	}
}

// TestOrdinaryPlaces: links with pictures beside texts, and links with a position of their own,
// have no finding.
func TestOrdinaryPlaces(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, source := range []string{
		`<p>www.example.org</p><a href=https://click.example.net/1><img src=cid:x></a>`,
		`<p>www.example.org</p><a href=https://click.example.net/1 style="margin:0 auto;padding:10px"><img src=cid:x></a>`,
		`<div style="position:absolute">www.example.org</div><a href=https://click.example.net/1><img src=cid:x></a>`,
		`<p>www.paypal.com</p><a href=https://click.example.net/1><img src=cid:x style="margin:-2px"></a>`,
		`<p>www.paypal.com</p><p style="margin-left:-.5in"><a href=https://click.example.net/1><img src=cid:x></a></p>`,
		`<div style="margin-top:-40px"><p>www.paypal.com</p><a href=https://click.example.net/1><img src=cid:x></a></div>`,
		`<a href=https://click.example.net/1>Read more</a><p style="text-indent:-18pt">www.paypal.com</p>`,
		`<style>p.o{text-indent:-.25in;margin-left:.5in}</style><a href=https://click.example.net/1>Read more</a><p class=o>www.paypal.com</p>`,
		`<a href=https://click.example.net/1>Read more</a><div style="position:relative;top:1px">www.paypal.com</div>`,
		`<a href=https://click.example.net/1>Read more</a><div style="position:absolute">Our news. <a href=https://www.paypal.com/>www.paypal.com</a></div>`,
		`<svg><text>www.paypal.com</text><a href=https://click.example.net/1><text>Read more</text></a></svg>`,
		`<p>www.paypal.com</p><img usemap="#m"><map name=m><area href=https://click.example.net/1></map>`,
		`<div style="position:fixed"><a href=https://click.example.net/1><img src=cid:x></a> <b>www.paypal.com</b></div>`,
		`<div style="transform:rotate(-30deg)"><a href=https://click.example.net/1><img src=cid:x></a></div>www.paypal.com`,
		`<p>www.example.org</p><a style="position:absolute" href=https://click.example.net/1>Read more</a>`,
		`<div style="position:relative">Our news<a href=https://click.example.net/1 style="position:absolute;inset:0"></a></div>`,
		`<p>www.paypal.com</p><a style="position:absolute;right:0;top:0" href=https://click.example.net/1>Read more</a>`,
		`<p>www.paypal.com</p><p>a</p><p>b</p><p>c</p><a style="display:block;margin-top:-20px" href=https://click.example.net/1><img src=cid:x></a>`,
	} {
		if r := f.Scan(htmlMessage(source)); worstLink(r) >= policy.SeverityMedium || r.Outcome != report.OutcomeComplete {
			t.Errorf("%s\n%s: %v", source, r, placed(r))
		}
	}
}

// TestTextsByID: a text elsewhere in the document that programs show, or read aloud, for a link is
// compared with its target.
func TestTextsByID(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, source := range map[string]string{
		"label":            `<a href=` + evil + ` aria-labelledby="y q">x</a><span id=q>` + shownAs + `</span>`,
		"label before":     `<span id=q hidden>` + shownAs + `</span><a href=` + evil + ` aria-labelledby=q>x</a>`,
		"label within":     `<a href=` + evil + `><b aria-describedby=q>x</b></a><p id=q><i>www</i>.paypal.com</p>`,
		"use":              `<svg><defs><text id=q>` + shownAs + `</text></defs></svg><a href=` + evil + `><svg><use href="#q"/></svg></a>`,
		"use of an escape": `<svg><defs><g id="b "><use href="#z%C3%A4"/></g><text id="zä">` + shownAs + `</text></defs><a href=` + evil + `><use href="#b%20"/></a></svg>`,
		"use in SVG":       `<svg><symbol id=q><text>` + shownAs + `</text></symbol><a href=` + evil + `><use xlink:href="#q"/></a></svg>`,
		"use before":       `<svg><a href=` + evil + `><use href="#q"/></a><g id=q><g></g><text>` + shownAs + `</text></g></svg>`,
		"tref":             `<svg><text id=q>` + shownAs + `</text><a href=` + evil + `><text><tref xlink:href="#q"/></text></a></svg>`,
		"text area":        `<a href=` + evil + `><textarea placeholder="` + shownAs + `"></textarea></a>`,
		"property":         `<style>a::before{content:var(--x)}</style><a href=` + evil + ` style="--x:'www.paypal.com'"></a>`,
		"sheet in a link":  `<link rel=stylesheet href="data:text/css,a::before{content:%22www.paypal.com%22}"><a href=` + evil + `></a>`,
		"sheet in base64":  `<link rel=stylesheet href="data:text/css;base64,YTo6YmVmb3Jle2NvbnRlbnQ6Ind3dy5wYXlwYWwuY29tIn0="><a href=` + evil + `></a>`,
		"sheet by import":  `<style>@import "data:text/css,a::before{content:%22www.paypal.com%22}";</style><a href=` + evil + `></a>`,
		"import by url":    `<style>@import url(data:text/css;base64,YTo6YmVmb3Jle2NvbnRlbnQ6Ind3dy5wYXlwYWwuY29tIn0=);</style><a href=` + evil + `></a>`,
		"click on a cell":  `<table><tr><td onclick="location.href='` + evil + `'">` + shownAs + `</td></tr></table>`,
		"click on a block": `<div onmousedown="location='` + evil + `'"><div>x</div>` + shownAs + `</div>`,
		"click on SVG":     `<svg onclick="open('` + evil + `')"><text>` + shownAs + `</text></svg>`,
		"click on a text":  `<img alt="` + shownAs + `" onpointerup="open('` + evil + `')">`,
		"animation behind": `<svg><a href="#"><text>` + shownAs + `</text><animate attributeName=href values="` + evil + `"/></a></svg>`,
		"setting behind":   `<svg><a><text>www.paypal.com</text><set attributeName="xlink:href" to="` + evil + `"/></a></svg>`,
		"script in a URL":  `<a href="javascript:document.write(unescape('%3Ca href=` + evil + `%3E` + shownAs + `%3C/a%3E'))">x</a>`,
		"VBScript":         `<a href="vbscript:document.write(unescape(&quot;%3Ca href=` + evil + `%3E` + shownAs + `%3C/a%3E&quot;))">x</a>`,
		"frame of a URL":   `<iframe src="java&Tab;script:document.write('<form action=` + evil + `><button>` + shownAs + `</button></form>')"></iframe>`,
		"form in a script": `<script>document.write(atob("PGZvcm0gYWN0aW9uPSJodHRwczovL2V2aWwuZXhhbXBsZS5uZXQveCI+PGJ1dHRvbj5odHRwczovL3d3dy5wYXlwYWwuY29tLzwvYnV0dG9uPjwvZm9ybT4="))</script>`,
		"button in a text": `<body onload="document.body.innerHTML='<form><button formaction=` + evil + `>www.paypal.com</button></form>'">`,
		"lines of letters": `<a href=` + evil + `>` + strings.Join(strings.Split("www.paypal.com", ""), "\n") + `</a>`,
		"host of a link":   `<a href="` + shownAs + `" onclick="this.host='evil.example.net'">` + shownAs + `</a>`,
		"host of the page": `<a href="` + shownAs + `" onclick="location['hostname'] = 'evil.' + 'example.net';return false">` + shownAs + `</a>`,
	} {
		t.Run(name, func(t *testing.T) { flagged(t, f, source) })
	}
}

// TestFieldsOfWord: Word fields that are links are read, since Outlook opens them.
func TestFieldsOfWord(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, source := range map[string]string{
		"in comments":    `<!--[if supportFields]><span style='mso-element:field-begin'></span> HYPERLINK "` + evil + `" <span style='mso-element:field-separator'></span><![endif]-->` + shownAs + `<!--[if supportFields]><span style='mso-element:field-end'></span><![endif]-->`,
		"with a tip":     `<!--[if supportFields]><span style="mso-element:field-begin"></span>hyperlink \l &quot;` + evil + `&quot;<![endif]--><b>www.</b>paypal.com<!--[if supportFields]><span style="mso-element:field-end"></span><![endif]-->`,
		"outside":        `<p><span style='mso-element:field-begin'></span> HYPERLINK "` + evil + `" <span style='mso-element:field-separator'></span><b>` + shownAs + `</b><span style='mso-element:field-end'></span></p>`,
		"in one element": `<span style="MSO-ELEMENT: field-begin"> HYPERLINK &quot;` + evil + `&quot; <span style="mso-element: field-separator"></span></span>` + shownAs,
		"style":          `<span style='mso-field-code:" HYPERLINK \0022` + evil + `\0022 "'>` + shownAs + `</span>`,
		"escapes":        `<span style='MSO-field-code:"HYPERLINK https\:\/\/evil\.example\.net\/x"'>` + shownAs + `</span>`,
		"alt with o":     `<v:image href="` + evil + `" o:alt="` + shownAs + `"/>`,
		"link of WordML": `<w:hlink w:dest="` + evil + `"><w:t>` + shownAs + `</w:t></w:hlink>`,
	} {
		t.Run(name, func(t *testing.T) { flagged(t, f, source) })
	}
	flagged(t, f, `<!--[if supportFields]><span style='mso-element:field-begin'></span>HYPERLINK "`+lookLike+`"<![endif]-->x`)
	flagged(t, f, `<span style='mso-field-code:"HYPERLINK `+lookLike+`"'>x</span>`)
}

// TestFieldsOfWordBehindComments: a field is found behind a comment with a quote, and behind a "<"
// that is no tag.
func TestFieldsOfWordBehindComments(t *testing.T) {
	f := newFilter(t, filter.Options{})
	mark := func(name string) string { return `<span style='mso-element:field-` + name + `'></span>` }
	field := mark("begin") + ` HYPERLINK "` + evil + `" ` + mark("separator") + shownAs + mark("end")
	filler := strings.Repeat("x ", 1<<10)
	for _, before := range []string{`<!-- a=' ` + filler + `-->`, `<!-- a=' ` + filler + `--!>`, `<!-->`, `<!--->`, `1 < a='` + filler, `<`, `<!-- ` + mark("begin") + ` -->`} {
		flagged(t, f, before+field)
	}
}

// TestFieldsOfWordWithinFields: of nested fields, the outer one is a link, too. If some are not
// read, the message is partial.
func TestFieldsOfWordWithinFields(t *testing.T) {
	f := newFilter(t, filter.Options{})
	mark := func(name string) string { return `<span style='mso-element:field-` + name + `'></span>` }
	inner := mark("begin") + ` PAGEREF x ` + mark("separator") + `1` + mark("end")
	flagged(t, f, mark("begin")+` HYPERLINK "`+evil+`" `+mark("separator")+inner+shownAs+mark("end"))
	flagged(t, f, strings.Repeat(mark("begin"), 3)+strings.Repeat(mark("separator")+mark("end"), 2)+`HYPERLINK "`+evil+`" `+mark("separator")+shownAs+mark("end"))
	for _, source := range []string{strings.Repeat(mark("begin"), 20), mark("begin") + `HYPERLINK ` + inner + mark("separator") + shownAs + mark("end")} {
		if part := f.Scan(htmlMessage("<p>" + source)).Parts[0]; part.Outcome != report.OutcomePartial {
			t.Errorf("%s: %v", source, part)
		}
	}
}

// TestGeneratedTextsTogether: texts that a style sheet adds at several places are read as one text.
func TestGeneratedTextsTogether(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, source := range []string{
		`<style>.x:before{content:attr(data-c)}.x:after{content:".com"}</style><a href=` + evil + `><span class=x data-c="www.paypal"></span></a>`,
		`<style>i::before{content:"paypal"}u::before{content:".com"}b::before{content:"www."}</style><a href=` + evil + `><b></b><i></i><u></u></a>`,
		`<style>a::before{content:"www.paypal.com</style><a href=` + evil + `></a>`,
	} {
		flagged(t, f, source)
	}
}

// TestTextsInAnotherOrder: a text whose elements a style shows in another order is found.
func TestTextsInAnotherOrder(t *testing.T) {
	f := newFilter(t, filter.Options{})
	letters := strings.Split("www.paypal.com", "")
	slices.Reverse(letters)
	for _, text := range []string{
		`<span style="display:inline-flex;flex-direction:row-reverse"><i>.com</i><i>paypal</i><i>www.</i></span>`,
		`<span style="display:flex;flex-flow:row-reverse wrap"><i>` + strings.Join(letters, "</i><i>") + `</i></span>`,
		`<style>.r{flex-direction:row-reverse}</style><span class=r><i>pal.com</i><i>www.pay</i></span>`,
		`<span style="display:flex"><i style="order:3">.com</i><i style="order:1">www.</i><i style="order:2">paypal</i></span>`,
		`<span style="display:grid"><i style="grid-column:2">pal.com</i><i style="grid-column:1;grid-row:1">www.pay</i></span>`,
		`<span dir=rtl><bdi>pal.com</bdi><bdi>www.pay</bdi></span>`,
		`<span dir=rtl><bdi dir=ltr>pal.com</bdi><bdi dir=ltr>www.pay</bdi></span>`,
		`<bdi dir=ltr><bdi><bdi>pal.com</bdi><bdi>www.pay</bdi></bdi></bdi>`,
		`<bdi dir=ltr><span dir=rtl><bdi>pal.com</bdi><bdi>www.pay</bdi></span></bdi>`,
		`<bdi dir=ltr style="direction:rtl"><bdi>pal.com</bdi><bdi>www.pay</bdi></bdi>`,
		`<bdi dir=ltr><span style="direction:rtl"><bdi>pal.com</bdi><bdi>www.pay</bdi></span></bdi>`,
		`<style>bdi{direction:rtl}</style><bdi dir=ltr><bdi>pal.com</bdi><bdi>www.pay</bdi></bdi>`,
		`<bdi dir=ltr><b style="display:flex;flex-direction:row-reverse"><i>pal.com</i><i>www.pay</i></b></bdi>`,
		`<i style="position:relative;left:60px">pal.com</i><i style="position:relative;left:-60px">www.pay</i>`,
		`<i style="margin-left:60px">pal.com</i><i style="margin-left:-120px">www.pay</i>`,
		`<i style="margin:0 -60px 0 60px">pal.com</i><i style="margin:0 60px 0 -60px">www.pay</i>`,
		`<i style="margin-inline:60px -60px">pal.com</i><i style="-webkit-margin-start:-60px">www.pay</i>`,
		`<i style="position:relative;inset-inline:60px auto">pal.com</i><i style="position:relative;inset-inline-start:-60px">www.pay</i>`,
		`<i style="position:relative;--x:60px;left:var(--x)">pal.com</i><i style="position:relative;--y:-60px;left:var(--y)">www.pay</i>`,
		`<i style="display:inline-block;translate:60px">pal.com</i><i style="display:inline-block;translate:-60px">www.pay</i>`,
		`<i style="display:inline-block;transform:translateX(60px)">pal.com</i><i style="display:inline-block;-webkit-transform:matrix(1,0,0,1,-60,0)">www.pay</i>`,
		`<b style="display:inline-block;scale:-1 1"><i style="display:inline-block;scale:-1 1">pal.com</i><i style="display:inline-block;scale:-1 1">www.pay</i></b>`,
		`<b style="display:inline-block;rotate:180deg"><i style="display:inline-block;rotate:180deg">pal.com</i><i style="display:inline-block;transform:rotate(180deg)">www.pay</i></b>`,
		`Go to <u style="display:inline-block;width:0;text-indent:70px">pal.com</u><u style="position:absolute">www.pay</u>`,
		`<b style="display:flex"><i>Hello you</i><i style="order:5">pal.com</i><i>Click on this</i><i>some more</i><i style="order:4">www.pay</i></b>`,
		`<b style="display:inline-grid"><i style="grid-column-end:4">pal.com</i><i style="grid-row-end:2;grid-column-end:3">www.pay</i></b>`,
		`<b style="display:block;writing-mode:vertical-rl"><i style="display:block;writing-mode:horizontal-tb">pal.com</i><i style="display:block;writing-mode:horizontal-tb">www.pay</i></b>`,
		`<style>.v{writing-mode:tb-rl}.v td{writing-mode:horizontal-tb}</style><table class=v><tr><td>pal.com<tr><td>www.pay</table>`,
		`<table style="-webkit-writing-mode:vertical-lr"><tfoot><tr><td>pal.com<tbody><tr><td>www.pay</table>`,
		`<u style="color:transparent;text-shadow:68px 0 #000">pal.com</u><u style="color:transparent;text-shadow:-80px 0 #000">www.pay</u>`,
		`<b style="display:block;width:14ch;font:16px/0 monospace"><i style="display:block;text-align:right">pal.com</i>www.pay</b>`,
		`<b style="display:block;line-height:0;text-indent:7ch">pal.com<br>www.pay</b>`,
		`<i style="display:block;text-align:right;max-height:0">pal.com</i>www.pay`, `<i style="display:block;text-align:right;block-size:0">pal.com</i>www.pay`,
		`<i style="display:block;text-align:right;height:1px">pal.com</i>www.pay`, `<i style="display:block;text-align:right;contain:size">pal.com</i>www.pay`,
		`<b style="display:block;columns:2;direction:rtl"><i style="display:block">pal.com</i><i style="display:block">www.pay</i></b>`,
		`<details open style="display:flex">pal.com<summary style="display:block">www.pay</summary></details>`,
		`<math><mpadded width=0 lspace=50px><mtext>pal.com</mtext></mpadded><mtext>www.pay</mtext></math>`,
		`<b style="display:flex"><i style="order:5">pal.com</i><i style="order:2">!</i><i style="order:1">→</i><i style="order:3">$9</i><i style="order:4">www.pay</i></b>`,
	} {
		flagged(t, f, `<a href=`+evil+`>`+text+`</a>`)
	}
	for _, honest := range []string{
		`<a href=https://www.example.org/ style="display:flex;flex-direction:row-reverse"><i> www.example.org</i> <b>Shop</b> <i>now</i></a>`,
		`<a href=https://www.example.org/><b>Shop at</b> <b>example.org</b> <i style="display:inline-block;transform:rotate(45deg)">now</i></a>`,
		`<a href=https://www.example.org/><img alt="Trail Runner 2.0" style="float:left"><b>Sale.</b><b>Runner</b><i style="display:none">New</i><s>€12.99</s><b>9.99€</b><i>4.5/5</i><u>Buy</u></a>`,
		`<a href=https://www.example.org/ style="display:flex"><i style="order:2">Details</i><b>12.99</b><b>4.8</b><b>from</b><b>now</b><b style="margin-left:10px">Buy</b></a>`,
		`<a href=https://www.example.org/><span style="float:right">Why not?</span><b>ASP.NET</b><i>ab 9.90€</i></a>`,
		`<a href=https://www.example.org/><b style="float:left">Shop</b><i style="margin-right:20px">top?</i><u>one.</u>off</a>`,
		`<div style="line-height:0"><a href=https://www.example.org/ style="font-size:0;line-height:1px"><img alt="Runner"><b>Sale.</b></a></div>`,
		`<a href=https://www.example.org/ style="text-shadow:0 1px 2px #fff"><b>Trail.</b><b>Runner</b></a>`,
		`<a href=https://www.example.org/><details><summary>Is it new?</summary><p>See www.example.org</p></details></a>`,
		`<style>.b{display:inline-block}.r{direction:rtl}</style><a href=https://www.example.org/><i class=b>www.example.org</i> <i class=b>Shop</i></a>`,
	} {
		if r := f.Scan(htmlMessage(honest)); worstLink(r) >= policy.SeverityMedium || r.Outcome != report.OutcomeComplete {
			t.Errorf("%s: %v", honest, placed(r))
		}
	}
}

// TestOrdinaryLettersOfStyles: numbers of lists, fonts and letter spacing have no finding.
func TestOrdinaryLettersOfStyles(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, honest := range []string{
		`<ol type=a start=27><li value=30><a href=E>next</a></ol>`, `<ol start=2026><li><a href=E>next</a></ol>`,
		`<style>@font-face{font-family:f;src:url(https://fonts.example.org/f.woff2)}ol{list-style:lower-alpha}</style><a href=E>next</a>`,
		`<a href=E style="word-spacing:normal;letter-spacing:-1px;text-emphasis:none;text-emphasis-style:dot">next</a>`,
		`<a href=E><input type=a value=2026><select><option value=1000>next</select></a>`,
	} {
		if r := f.Scan(htmlMessage(strings.ReplaceAll(honest, "E", "https://www.example.org/"))); r.Outcome != report.OutcomeComplete {
			t.Errorf("%s: %s", honest, r)
		}
	}
}

// partsFromRight show the parts of T, which | separates, from right to left.
var partsFromRight = []string{
	`<span dir=rtl>T</span>`, `<bdi dir=rtl>T</bdi>`, `<span style="direction:rtl;unicode-bidi:embed">T</span>`, `<style>p{direction:rtl}</style><p>T</p>`,
	"\u202bT\u202c", "\u2067T\u2069", "&#x2067;T&#x2069;",
}

// TestTextsFromTheRight: a text is found whose parts read from left to right and are shown from
// right to left, with marks, isolates, boxes or cells between them.
func TestTextsFromTheRight(t *testing.T) {
	f := newFilter(t, filter.Options{})
	r := rand.New(rand.NewPCG(7, 8))
	between := []string{"|\u200f", "|&rlm;", "|\u061c", "\u2066|\u2069", "\u2068|\u2069", "&#x2066;|&#x2069;", `<b style="display:inline-block">|</b>`, `<i style="display:inline-table">|</i>`}
	for range 500 {
		name := []string{"www.paypal.com", "https://www.paypal.com", "https://www.kleinbank.de"}[r.IntN(3)]
		at := len(name) - 3 - r.IntN(6)
		around, part := partsFromRight[r.IntN(len(partsFromRight))], between[r.IntN(len(between))]
		if strings.Contains(part, "<") && !strings.Contains(around, "rtl") {
			continue // boxes are neutral
		}
		text := strings.Replace(part, "|", name[at:], 1) + strings.Replace(part, "|", name[:at], 1)
		flagged(t, f, `<a href=`+evil+`>`+strings.Replace(around, "T", text, 1)+`</a>`)
		if t.Failed() {
			return
		}
	}
	flagged(t, f, `<a href=`+evil+`><table dir=rtl><td>pal.com<td>www.pay</table></a>`)
	flagged(t, f, `<div dir=rtl><a href=`+evil+`><table><td>pal.com<td>www.pay</table></a></div>`)
	for _, honest := range []string{
		"<div dir=rtl><a href=https://www.example.org/>\u200fwww.example.org\u200f <b>\u05d7\u05e0\u05d5\u05ea</b></a></div>",
		"<a href=https://www.example.org/>\u2068example.org\u2069 by \u2068Ann\u2069</a>",
		`<table dir=rtl><tr><td><a href=https://click.example.org/>www.example.org<table><td>Shop<td>now</table></a></table>`,
	} {
		if r := f.Scan(htmlMessage(honest)); worstLink(r) >= policy.SeverityMedium {
			t.Errorf("%s: %v", honest, placed(r))
		}
	}
}

// TestHiddenLettersFromTheRight: a right-to-left letter divides a text as a mark does, even if it
// is hidden.
func TestHiddenLettersFromTheRight(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, letter := range []string{"א", "ع", "<b>א</b>", "&#1488;ב", " א ", "xאy", "\U0001e900", "&#x1f;", "\u2029"} {
		for _, style := range []string{"font-size:0", "opacity:0", "display:none;display:inline;visibility:hidden", "font-size:1px;color:white", "display:inline-block;width:0;height:0;overflow:hidden"} {
			hidden := `<i style="` + style + `">` + letter + `</i>`
			for _, around := range []string{
				`<a href=E><span dir=rtl>T</span></a>`, `<a href=E style="direction:rtl">T</a>`, `<a href=E style="unicode-bidi:plaintext">T</a>`, `<div dir=rtl><a href=E>T</a></div>`,
				`<form action=E><button dir=rtl>T</button></form>`, `<a href=E><bdi dir=rtl>T</bdi></a>`,
			} {
				flagged(t, f, strings.NewReplacer("E", evil, "T", "om"+hidden+"paypal.c").Replace(around))
				flagged(t, f, strings.NewReplacer("E", evil, "T", "l.com"+hidden+"<i hidden>zz</i>ypa"+hidden+"www.pa").Replace(around))
			}
		}
	}
	for _, divided := range []string{
		`om<a href=E><i style="opacity:0">ع</i>paypal.c</a>`,
		`<a href=E>pal.com</a><i style="font-size:0">א</i>https://www.pay`,
		`om<a href=E>&rlm;paypal.c</a>`,
		`<a href=E>om</a><a href=https://evil.example.org/><i style="font-size:0">א</i>paypal.c</a>`,
	} {
		flagged(t, f, strings.ReplaceAll(`<p dir=rtl>`+divided+`</p>`, "E", evil))
	}
	for _, honest := range []string{
		`<p dir=rtl>ראו&rlm; <a href=https://click.example.org/>example.org</a>&rlm;, (&rlm;<a href=https://click.example.org/>ASP.NET</a>)</p>`,
		`<p dir=rtl>ב-<i hidden>א</i><a href=https://www.example.org/>www.example.org</a><i hidden>א</i>. היום</p>`,
		`<p dir=rtl>אתר&rlm;<a href=https://click.example.org/>Facebook</a>.</p>`,
		`<div dir=rtl><a href=https://click.example.org/><i style="font-size:0">שלום</i>קראו עוד ב-example.org<i style="opacity:0">עוד</i> היום</a></div>`,
		`<div dir=rtl><a href=https://www.example.org/>www.example.org<i style="font-size:0">א</i> <b>חנות</b></a></div>`,
		`<div dir=rtl><a href=https://click.example.org/>Shop <i style="font-size:0">א</i>Node.js <i style="font-size:0">א</i>now</a></div>`,
		`<div dir=rtl style="font-family:Wingdings,Arial"><a href=https://click.example.org/>מדריך ל-Node.js ו-ASP.NET ב-2024</a></div>`,
	} {
		if r := f.Scan(htmlMessage(honest)); worstLink(r) >= policy.SeverityMedium {
			t.Errorf("%s: %v", honest, placed(r))
		}
	}
}

// TestIslands: an element with a direction of its own moves as one unit within a right-to-left
// text.
func TestIslands(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, around := range []string{`<a href=E dir=rtl>T</a>`, `<p dir=RTL><a href=E>T</a>`, `<body dir=rtl><a href=E>T</a>`, `<html dir=rtl><a href=E>T</a>`, `<div dir=rtl><b><a href=E><i>T</i></a></b></div>`, `<p style="direction:rtl"><a href=E>T</a>`, `<style>p{direction:rtl}</style><p><a href=E>T</a>`, "<p dir=auto>\u05d0<br><a href=E>T</a>", "<a href=E><bdi><b hidden></b>T</bdi></a>"} {
		for _, island := range []string{`<span dir=ltr>|</span>`, `<i dir=auto>|</i>`, `<bdo dir=ltr>|</bdo>`, `<bdi>|</bdi>`, `<font dir=LTR>|</font>`} {
			for _, pieces := range [][]string{{".com", "paypal", "www."}, {"pal.com", "pay"}, {"m", "o", "c", ".", "paypal", "www."}} {
				var all, some strings.Builder
				for i, piece := range pieces {
					in := strings.Replace(island, "|", piece, 1)
					all.WriteString(in)
					if i%2 == 0 {
						some.WriteString(in)
					} else {
						some.WriteString(piece)
					}
				}
				for _, text := range []string{all.String(), some.String()} {
					flagged(t, f, strings.NewReplacer("E", evil, "T", text).Replace(around))
				}
			}
		}
	}
	for _, honest := range []string{
		`<html dir=ltr><body dir=ltr><p dir=ltr><a href=https://www.example.com/><span dir=ltr>pal.com</span><span dir=ltr>pay</span></a>`,
		`<div dir=auto>Hi <a href=https://www.example.com/ dir=ltr><span dir=ltr>www.example.com</span><b>/shop</b></a></div>`,
		`<div dir=rtl><a href=https://www.example.com/><span dir=ltr>www.example.com</span></a></div>`,
	} {
		if result := f.Scan(htmlMessage(honest)); worstLink(result) >= policy.SeverityMedium {
			t.Errorf("%s: %v", honest, placed(result))
		}
	}
}

// TestElementsShownOneByOne: rules hide all elements of a kind, and show some by classes of their
// own, or the reverse. The text that remains is found.
func TestElementsShownOneByOne(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, rules := range [][2]string{{"i{display:none}", ".k%d{all:unset}"}, {"i{font-size:0}", "#k%d{font-size:16px}"}, {"b{color:red}", ".j%d{display:none}"}} {
		var sheet, text strings.Builder
		for n, c := range "www.paypal.com" {
			fmt.Fprintf(&sheet, rules[1], n)
			fmt.Fprintf(&text, "<i class=k%d id=k%d>%c</i><i class=j%d id=j%d>z</i>", n, n, c, n, n)
		}
		flagged(t, f, `<style>`+rules[0]+sheet.String()+`</style><a href=`+evil+`>`+text.String()+`</a>`)
	}
}

// TestElementsByNumber: a text is found if a style sheet hides or shows its elements by their
// number.
func TestElementsByNumber(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, rules := range []string{
		"i:nth-child(PN+1)~i{color:red}i:not(:nth-child(PN+1)){display:none}", "a i{display:none}a i:NTH-of-type( PN + 1 ){display:inline}", "i{font-size:0}i:nth-last-child(PN){font-size:1em}",
		"b+i{color:#fff}i+i,i:last-child{color:#fff}i:not(i+i){color:#000}",
	} {
		for period := 2; period <= 4; period++ {
			var text strings.Builder
			for _, c := range "www.paypal.com" {
				fmt.Fprintf(&text, "<i>%c</i>%s", c, strings.Repeat("<i>z</i>", period-1))
			}
			flagged(t, f, `<style>`+strings.ReplaceAll(rules, "P", fmt.Sprint(period))+`</style><a href=`+evil+`>`+text.String()+`</a>`)
		}
	}
}

// TestScriptsThatPutURLsTogether: a host is found if a script has it without a scheme, or in parts.
func TestScriptsThatPutURLsTogether(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, source := range []string{
		`location.host="paypa1.com"`, `location["hostname"]='paypa1.com'`, "with(location)host=`paypa1.com:443`", `var h="paypa1.com";location="https://"+h+"/x"`,
		`location=["https:","","paypa1.com","x"].join("/")`, `fetch("//"+d)//"paypa1.com/x"`,
	} {
		flagged(t, f, `<script>`+source+`</script>`)
	}
	flagged(t, f, `<script src="data:text/javascript,location='`+lookLike+`'"></script>`)
	flagged(t, f, `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>location=atob("aHR0cDovL3BheXBhMS5jb20vbG9naW4=")</script></svg>`)
}

// TestScriptsAreOpaque: a script that browsers run may open any URL.
func TestScriptsAreOpaque(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for source, want := range map[string]bool{
		`<script>location=x.split("").reverse().join("")</script>`: true,
		`<script type=module src=x.js></script>`:                   true,
		`<svg><script href=x></script></svg>`:                      true,
		`<script type="application/ld+json">{}</script>`:           false,
		`<p>script</p>`: false,
	} {
		r := f.Scan(htmlMessage(source))
		got := slices.ContainsFunc(r.Findings, func(f policy.Finding) bool { return f.Code == report.CodeOpaque && f.Detail == "script" })
		if got != want {
			t.Errorf("%s: opaque %t, want %t: %v", source, got, want, r.Findings)
		}
	}
}

// TestSheetsInOtherParts: the filter does not read a style sheet that HTML names by its Content-ID.
// Links whose text it may change have the finding styled-text.
func TestSheetsInOtherParts(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const (
		named  = `<link rel=stylesheet href="cid:s">`
		fields = "Content-Type: text/html\r\n\r\n"
	)
	for sheet, source := range map[string]string{
		`a::before{content:"www.paypal.com"}`:          named + `<a href=` + evil + `></a>`,
		`a::before{content:"www." "paypal" "\2e com"}`: `<style>@import "cid:s";</style><a href=` + evil + `></a>`,
		`i:nth-child(even){display:none}`:              named + `<a href=` + evil + `>` + alternatingLetters("www.paypal.com") + `</a>`,
	} {
		for _, part := range []string{
			"Content-Type: text/css\r\nContent-ID: <s>\r\n\r\n" + sheet,
			"Content-Type: application/octet-stream; name=s.css\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte(sheet)),
		} {
			message := "From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n" + fields + source + "\r\n--b\r\n" + part + "\r\n--b--\r\n"
			if r := f.Scan([]byte(message)); !flaggedOrReported(r) {
				t.Errorf("nothing found in %s\n%s: %v", message, r, placed(r))
			}
		}
	}
}

// alternatingLetters returns the letters of a text in elements, each before an element with another
// letter.
func alternatingLetters(text string) string {
	var b strings.Builder
	for _, c := range text {
		fmt.Fprintf(&b, "<i>%c</i><i>z</i>", c)
	}
	return b.String()
}

package filter_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

const (
	evil     = "https://evil.example.net/x"
	shownAs  = "https://www.paypal.com/"
	trap     = "<a href=" + evil + ">" + shownAs + "</a>"
	lookLike = "http://paypa1.com/login"
)

// worstLink returns the highest severity of the findings about links.
func worstLink(r report.Report) policy.Severity {
	worst := policy.SeverityNone
	for _, link := range r.Links {
		worst = max(worst, link.Verdict.Worst())
	}
	return worst
}

// attacks collects the sources that flagged gets; nil: it collects none.
var attacks *[]string

// flaggedOrReported reports whether a link has a finding of medium or above, or the report says
// that styles draw its text or that something was not read.
func flaggedOrReported(r report.Report) bool {
	return worstLink(r) >= policy.SeverityMedium || r.Outcome != report.OutcomeComplete && len(r.Reasons) > 0 || isStyled(r)
}

// isStyled reports whether a link has the finding styled-text.
func isStyled(r report.Report) bool {
	for i := range r.Links {
		if slices.ContainsFunc(r.Links[i].Verdict.Findings, func(f policy.Finding) bool { return f.Code == policy.CodeStyledText }) {
			return true
		}
	}
	return false
}

// flagged fails if HTML is not flaggedOrReported.
func flagged(tb testing.TB, f *filter.Filter, source string) {
	tb.Helper()
	if attacks != nil {
		*attacks = append(*attacks, source)
	}
	r := f.Scan(htmlMessage(source))
	if !flaggedOrReported(r) {
		if len(source) > 500 {
			source = source[:250] + " … " + source[len(source)-250:]
		}
		tb.Errorf("nothing found in %s\n%s: %v", source, r, placed(r))
	}
}

// TestHTMLReadAsBrowsersDo: a link that browsers show is found behind any HTML.
func TestHTMLReadAsBrowsersDo(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, before := range map[string]string{
		"end of CDATA in a style":         `<svg><![CDATA[></svg><style>]]></svg>`,
		"end of CDATA in a title":         `<svg><![CDATA[></svg><title>]]></svg>`,
		"CDATA in MathML":                 `<math><![CDATA[></math><textarea>]]></math>`,
		"CDATA with a comment":            `<svg><![CDATA[><!--]]></svg>`,
		"CDATA outside of SVG":            `<![CDATA[x><style>]]></style>`,
		"style in a description":          `<math><desc><style><p>`,
		"SVG that html does not end":      `<html><svg></html><style></svg>`,
		"SVG in a cell that another ends": `<table><td><svg><td><style></svg>`,
		"SVG below many elements":         strings.Repeat("<b>", 257) + `<svg><style></svg>`,
		"SVG in a paragraph":              `<p><svg><xmp></svg>`,
		"font in SVG":                     `<svg><font><style></svg>`,
		"font that ends SVG":              `<svg><font color=red><style></style>`,
		"annotation":                      `<math><annotation-xml encoding="text/html"><svg><style></svg></annotation-xml></math>`,
		"annotation of another kind":      `<math><annotation-xml encoding="text/plain"><svg></math><style></svg></style>`,
		"token elements of MathML":        `<math><mi><style></mi></style></math>`,
		"glyph of MathML":                 `<math><mtext><mglyph><style></math>`,
		"style in a select":               `<select><style></select>`,
		"xmp in a select":                 `<select><xmp></select>`,
		"title in a select":               `<select><option><title></select>`,
		"noscript":                        `<noscript><style></noscript>`,
		"noscript and attribute":          `<noscript><p title="</noscript>`,
		"noscript in the head":            `<head><noscript><style></noscript></style></head>`,
		"iframe in SVG":                   `<svg><iframe></svg>`,
		"plaintext in SVG":                `<svg><plaintext></svg>`,
		"noembed in MathML":               `<math><noembed></math>`,
		"script in SVG":                   `<svg><script></svg>`,
		"script with a comment":           `<svg><script><!--</svg>--></svg>`,
		"textarea in SVG":                 `<svg><textarea></svg>`,
		"template":                        `<template><svg><style></template>`,
		"foreign object":                  `<svg><foreignObject><math><style></svg>`,
		"empty SVG":                       `<svg/><style></style>`,
		"upper case":                      `<SVG><STYLE></SVG>`,
		"end tag br":                      `<svg></br><style></style><math><style></math>`,
		"end tag p":                       `<svg></p><style></style>`,
		"abrupt comment":                  `<!--><style></style>`,
		"wrong end of a comment":          `<!-- --!><svg><style></svg>`,
		"processing instruction":          `<?xml version="1.0"?><svg><style></svg>`,
		"frames":                          `<noframes><style></noframes>`,
	} {
		t.Run(name, func(t *testing.T) { flagged(t, f, before+trap) })
	}
}

// TestOpeners: every kind of element and attribute that opens a URL is judged.
func TestOpeners(t *testing.T) {
	f := newFilter(t, filter.Options{})
	escaped := strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace
	for name, source := range map[string]string{
		"area":                   `<map><area href=` + lookLike + `></map>`,
		"form":                   `<form action=` + lookLike + `><button>x</button></form>`,
		"button":                 `<form><button formaction=` + lookLike + `>x</button></form>`,
		"input":                  `<form><input type=submit formaction=` + lookLike + `></form>`,
		"text of a button":       `<form action=` + evil + `><button>` + shownAs + `</button></form>`,
		"value of a button":      `<form action=` + evil + `><input type=submit value="` + shownAs + `"></form>`,
		"value beside formation": `<input type=image formaction=` + evil + ` alt="` + shownAs + `">`,
		"iframe":                 `<iframe src=` + lookLike + `></iframe>`,
		"srcdoc":                 `<iframe srcdoc="` + escaped(trap) + `"></iframe>`,
		"srcdoc in srcdoc":       `<iframe srcdoc="` + escaped(`<iframe srcdoc="`+escaped(trap)+`">`) + `"></iframe>`,
		"data in a frame":        `<iframe src="data:text/html,` + escaped(trap) + `"></iframe>`,
		"base64 in an object":    `<object data="data:text/html;base64,PGEgaHJlZj0iaHR0cDovL3BheXBhMS5jb20vbG9naW4iPng8L2E+"></object>`,
		"frame":                  `<frameset><frame src=` + lookLike + `></frameset>`,
		"object":                 `<object data=` + lookLike + `></object>`,
		"embed":                  `<embed src=` + lookLike + `>`,
		"refresh":                `<meta http-equiv=refresh content="0;url=` + lookLike + `">`,
		"refresh without url":    `<meta http-equiv=refresh content="0 ` + lookLike + `">`,
		"refresh with a comma":   `<meta http-equiv="Refresh" content="0.5, URL = '` + lookLike + `'x">`,
		"refresh in the body":    `<p>x<meta content="1;uRl=` + lookLike + `" http-equiv="REFRESH">`,
		"refresh in noscript":    `<noscript><meta http-equiv=refresh content="0;url=` + lookLike + `"></noscript>`,
		"link":                   `<link rel=next href=` + lookLike + `>`,
		"link of SVG":            `<svg><a href=` + lookLike + `><text>x</text></a></svg>`,
		"xlink":                  `<svg><a xlink:href=` + lookLike + `><text>x</text></a></svg>`,
		"another prefix":         `<svg xmlns:q="http://www.w3.org/1999/xlink"><a q:href=` + lookLike + `><text>x</text></a></svg>`,
		"prefix of an element":   `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:a q:href="` + lookLike + `">x</s:a></s:svg>`,
		"text of SVG":            `<svg><a xlink:href=` + evil + `><text>` + shownAs + `</text></a></svg>`,
		"CDATA in SVG":           `<svg><a href=` + evil + `><text><![CDATA[` + shownAs + `]]></text></a></svg>`,
		"use":                    `<svg><use href=` + lookLike + `></svg>`,
		"set":                    `<svg><a><set attributeName=href to=` + lookLike + ` /><text>x</text></a></svg>`,
		"animate":                `<svg><a><animate attributeName="xlink:href" values="https://example.org;` + lookLike + `"/></a></svg>`,
		"animate from":           `<svg><a><animate attributename=href from=` + lookLike + ` to=#x></a></svg>`,
		"MathML":                 `<math><mtext href=` + lookLike + `>x</mtext></math>`,
		"maction":                `<math><maction actiontype=statusline xlink:href=` + lookLike + `><mi>x</mi></maction></math>`,
		"link in a cell":         `<a href=` + evil + `><table><tr><td></a>` + shownAs + `</td></tr></table>`,
		"end tag in an object":   `<a href=` + evil + `><object></a>` + shownAs + `</object></a>`,
		"end tag in SVG":         `<a href=` + evil + `><svg><desc></a>` + shownAs + `</desc></svg></a>`,
		"opened again":           `<p><a href=` + evil + `></p><p>` + shownAs + `</p>`,
		"two links as one":       `<a href=` + evil + `>https://www.pay</a><a href=` + evil + `>pal.com/</a>`,
		"template around":        `<template>` + trap + `</template>`,
		"misplaced text":         `<table>http://paypa1<tr><td>x</td></tr>.com/login</table>`,
		"text around a template": `http://pay<template>x</template>pa1.com/login`,
	} {
		t.Run(name, func(t *testing.T) { flagged(t, f, source) })
	}
}

// TestBases: a base that some programs use counts, behind any HTML.
func TestBases(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const base = `<base href=http://paypa1.com/>`
	for name, source := range map[string]string{
		"alone":            base,
		"second":           `<base href=https://www.example.org/>` + base,
		"in a template":    `<template><base href=https://www.example.org/></template>` + base,
		"in SVG":           `<svg><base href=https://www.example.org/></svg>` + base,
		"in CDATA":         `<svg><![CDATA[<base href=https://www.example.org/>]]></svg>` + base,
		"about":            `<base href=about:blank>` + base,
		"data":             `<base href=data:,x>` + base,
		"script":           `<base href=javascript:x>` + base,
		"empty":            `<base href>` + base,
		"without slashes":  `<base href="http:paypa1.com/">`,
		"with one":         `<base href="http:/paypa1.com/">`,
		"with backslashes": `<base href="http:\\paypa1.com\">`,
		"with white space": "<base href=\" ht\ntp://paypa1.com/ \">",
		"without a scheme": `<base href=//paypa1.com/>`,
		"after the link":   `<base target=x>` + `<p>x` + base,
		"in a comment":     `<!-- <base href=https://www.example.org/> -->` + base,
	} {
		t.Run(name, func(t *testing.T) {
			flagged(t, f, source+`<a href=login>x</a>`)
			flagged(t, f, `<a href=/login>x</a>`+source)
		})
	}
	t.Run("bare host", func(t *testing.T) {
		flagged(t, f, `<base href=https://www.example.org/><a href="paypa1.com/login">x</a>`)
	})
	t.Run("same scheme", func(t *testing.T) {
		flagged(t, f, `<base href=http://www.example.org/><a href="http:paypa1.com/login">x</a>`)
	})
	for _, base := range []string{`xml:base="http://paypa1.com/"`, `xml:BASE = 'http://paypa1.com/x'`, `x xml:base=http://paypa1.com/`} {
		t.Run(base, func(t *testing.T) {
			flagged(t, f, `<svg `+base+`><a href=login><text>x</text></a></svg>`)
		})
	}
}

// TestBasesInFields: header fields of a part that programs take for a base count, with and without
// a base in the HTML.
func TestBasesInFields(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, field := range []string{
		"Content-Base: http://paypa1.com/", "Content-Location: http://paypa1.com/page.html", "content-base:\r\n \"http://pay\r\n pa1.com/\"", "Content-Location: <http://paypa1.com>",
		"Content-Location: =?utf-8?Q?http=3A//paypa1.com/?=", "Content-Base: https://www.example.org/\r\nContent-Location: http://paypa1.com/", "Content-Location: HTTP:\\\\paypa1.com\\x",
	} {
		for _, source := range []string{`<a href=login>x</a>`, `<base href=https://www.example.org/><a href=/login>x</a>`, `<form action="?x"><button>x</button></form>`} {
			if r := f.Scan(beside(field+"\r\nContent-Type: text/html", source)); !flaggedOrReported(r) {
				t.Errorf("%s\n%s\n%s: %v", field, source, r, placed(r))
			}
		}
	}
	const reference = `<a href=login>` + shownAs + `</a>`
	for _, outer := range []string{"Content-Base: " + evil + "\r\nContent-Type: multipart/related; boundary=c", "Content-Type: multipart/related; boundary=c; start=\"<x>\"\r\nContent-Location: " + evil} {
		if r := f.Scan(beside(outer, "--c\r\nContent-Type: multipart/alternative; boundary=d\r\n\r\n--d\r\nContent-Type: text/html\r\n\r\n"+reference+"\r\n--d--\r\n--c--")); !flaggedOrReported(r) {
			t.Errorf("%s: %v", outer, placed(r))
		}
	}
	if r := f.Scan(beside("Content-Base: "+evil+"\r\nContent-Type: text/plain\r\n\r\nx\r\n--b\r\nContent-Type: text/html", reference)); worstLink(r) >= policy.SeverityMedium {
		t.Errorf("of another part: %v", placed(r))
	}
	if r := f.Scan(beside("Content-Location: cid:x\r\nContent-Base: x.html\r\nContent-Type: text/html", `<a href=login>www.example.com</a>`)); worstLink(r) >= policy.SeverityMedium {
		t.Errorf("not a URL of the web: %v", placed(r))
	}
}

// TestSchemesOfPrograms: if a URL of a program's scheme contains a URL that it opens, that is
// judged.
func TestSchemesOfPrograms(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, url := range []string{
		"intent://paypa1.com/login#Intent;scheme=https;end", "intent:#Intent;S.browser_fallback_url=http%3A%2F%2Fpaypa1.com%2Flogin;end",
		"intent://x#Intent;scheme=https;S.browser_fallback_url=http://paypa1.com;end",
		"x-safari-https://paypa1.com/login", "x-safari-http://paypa1.com/login", "googlechrome://paypa1.com/login",
		"googlechromes://paypa1.com/login", "googlechrome://navigate?url=http://paypa1.com/login", "microsoft-edge:http://paypa1.com/login",
		"microsoft-edge-https://paypa1.com/login", "microsoft-edge:paypa1.com/login", "firefox://open-url?url=http%3A%2F%2Fpaypa1.com%2Flogin",
		"brave://open-url?url=http%253A%252F%252Fpaypa1.com", "opera-https://paypa1.com/login", "touch-http://paypa1.com/login",
		"view-source:http://paypa1.com/login", "safari-reader://paypa1.com/login",
		"feed:http://paypa1.com/", "feed://paypa1.com/", "webcal://paypa1.com/x.ics", "X-Safari-HTTPS://paypa1.com/",
		"about:reader?url=http%3A%2F%2Fpaypa1.com%2F", "ms-word:ofe|u|http://paypa1.com/x.docx", "jar:http://paypa1.com/x.jar!/", "blob:http://paypa1.com/1",
		"whatsapp://send?text=http%3A%2F%2Fpaypa1.com%2F", "search-ms:query=x&crumb=location:http://paypa1.com/x", "filesystem:http://paypa1.com/x",
		"file://paypa1.com/x", "javascript:location=%27http%3A%2F%2Fpaypa1.com%2F%27", " \tintent\n://paypa1.com/login", `googlechrome:\\paypa1.com/login`, "market://details?id=x&url=http%3a%2f%2fpaypa1.com",
	} {
		t.Run(url, func(t *testing.T) { flagged(t, f, `<a href="`+url+`">x</a>`) })
	}
	for _, url := range []string{"intent://evil.example.net/x#Intent;scheme=https;end", "x-safari-https://evil.example.net/", "microsoft-edge:https://evil.example.net"} {
		t.Run("text for "+url, func(t *testing.T) { flagged(t, f, `<a href="`+url+`">`+shownAs+`</a>`) })
	}
	for _, url := range []string{"googlegmail:///co?to=", "googlegmail://co?subject=x&amp;to=", "ms-outlook://compose?to=", "ymail://mail/compose?TO=", "readdle-spark://compose?recipient=", "airmail://compose?subject=x&amp;cc=y@evil.example.net&amp;to="} {
		t.Run("mail by "+url, func(t *testing.T) {
			flagged(t, f, `<a href="`+url+`x@evil.example.net">service@paypal.com</a>`)
			flagged(t, f, `<a href="`+url+`x%40paypa1.com">x</a>`)
		})
	}
	for _, source := range []string{
		`<a href="ms-outlook://compose?to=anna@example.org">anna@example.org</a>`, `<a href="slack://user?team=T1&amp;to=general">general</a>`, `<a href="googlegmail:///co?to=shop@example.org">Write to us</a>`,
	} {
		if r := f.Scan(htmlMessage(source)); worstLink(r) >= policy.SeverityMedium || r.Outcome != report.OutcomeComplete {
			t.Errorf("%s\n%s: %v", source, r, placed(r))
		}
	}
}

// TestAttributesOfURLs: the filter reads the URL in an attribute as a browser does.
func TestAttributesOfURLs(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, url := range []string{
		"http:paypa1.com/login", "http:/paypa1.com/login", "http:///paypa1.com", `http:\\paypa1.com\login`, `\\paypa1.com/login`, `/\paypa1.com`, "//paypa1.com", "///paypa1.com",
		"\x01http://paypa1.com", "ht&#9;tp://pay&#10;pa1.com", "http&colon;//paypa1&period;com", "http&#58//paypa1&#46com", "http&#x3a;&sol;&sol;paypa1.com", "HTTP://PAYPA1.COM",
		"http://x:y@paypa1.com", "http://www.paypal.com@paypa1.com", "http://paypa1%2ecom/", "http://paypa1\uff0ecom/", "http://paypa1&#8203;.com/", "  http://paypa1.com  ",
		"&NewLine;http://paypa1.com", "&Tab;http://paypa1.com", "http://p&#97ypa1.com", "http://paypa1.com:80", "http://paypa1.com:/", "http://paypa1.com./",
	} {
		t.Run(url, func(t *testing.T) { flagged(t, f, `<a href="`+url+`">x</a>`) })
	}
}

// TestTextsThatMayBeHidden: a text is judged both with and without the parts that a style may hide.
func TestTextsThatMayBeHidden(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, text := range map[string]string{
		"spaces before":        strings.Repeat(" ", 2100) + shownAs,
		"a long text before":   strings.Repeat("word ", 200_000) + shownAs,
		"display twice":        `<span style="display:none;display:inline">` + shownAs + `</span> x`,
		"important":            `<span style="display:inline!important;display:none">` + shownAs + `</span> x`,
		"invalid display":      `https://www.paypal.com<span style="display:none;display:nonsense">.evil.example.net</span>/`,
		"no height inline":     `<span style="height:0;overflow:hidden">` + shownAs + `</span> x`,
		"hidden and displayed": `<span hidden style="display:inline">` + shownAs + `</span> x`,
		"ruby parentheses":     `https://www.paypal.com<ruby><rp>.evil.example.net/</rp></ruby>`,
		"ruby text":            `https://www.paypal.com<ruby>/<rt>.evil.example.net/</rt></ruby>`,
		"escaped":              `https://www.paypal.com<span style="d\69splay:none">.evil.example.net</span>/`,
		"escaped value":        `https://www.paypal.com<span style="display:n\6fne">.evil.example.net</span>/`,
		"escaped with zeroes":  `https://www.paypal.com<span style="\000064 isplay:none">.evil.example.net</span>/`,
		"comment":              `https://www.paypal.com<span style="dis/**/play:/*x*/none">.evil.example.net</span><span style="display:/**/none">.evil.example.net</span>`,
		"class":                `<style>.x{display:none}</style>https://www.paypal.com<span class=x>.evil.example.net</span>/`,
		"class of two":         `<style>@media all{p .y.x:not(z) , .w{color:red;DISPLAY :none}}</style>https://www.paypal.com<span class="a x">.evil.example.net</span>/`,
		"id":                   `<style>#x{font-size:0}</style>https://www.paypal.com<span id=x>.evil.example.net</span>/`,
		"element":              `<style>b{visibility:hidden}</style>https://www.paypal.com<b>.evil.example.net</b>/`,
		"attribute selector":   `<style>[lang]{opacity:0}</style>https://www.paypal.com<b lang=x>.evil.example.net</b>/`,
		"nth child":            `<style>:nth-child(2){opacity:0}</style><b>https://www.paypal.com</b><b>.evil.example.net</b>/`,
		"nested rules":         `<style>p{.x{display:none}}</style>https://www.paypal.com<b class=x>.evil.example.net</b>/`,
		"escaped class":        `<style>.\78 {display:none}</style>https://www.paypal.com<span class=x>.evil.example.net</span>/`,
		"font size":            `https://www.paypal.com<font style="font-size:0.1px">.evil.example.net</font>/`,
		"one pixel":            `https://www.paypal.com<span style="font:1px/1 x">.evil.example.net</span>/`,
		"opacity":              `https://www.paypal.com<span style="opacity:.01">.evil.example.net</span>/`,
		"white on white":       `https://www.paypal.com<span style="color:#FFF">.evil.example.net</span>/`,
		"font color":           `https://www.paypal.com<font color=white>.evil.example.net</font>/`,
		"same as around":       `<span style="background:#123456">https://www.paypal.com<span style="color:#123456">.evil.example.net</span></span>/`,
		"transparent":          `https://www.paypal.com<span style="color:transparent">.evil.example.net</span>/`,
		"off the screen":       `https://www.paypal.com<span style="position:absolute;left:-9999px">.evil.example.net</span>/`,
		"clipped":              `https://www.paypal.com<span style="clip-path:inset(50%)">.evil.example.net</span>/`,
		"scaled":               `https://www.paypal.com<span style="display:inline-block;transform:scale(0)">.evil.example.net</span>/`,
		"no width":             `https://www.paypal.com<span style="display:inline-block;width:0;overflow:hidden">.evil.example.net</span>/`,
		"Word":                 `https://www.paypal.com<span style="mso-hide:all">.evil.example.net</span>/`,
		"details":              `https://www.paypal.com<details>.evil.example.net</details>`,
		"popover":              `https://www.paypal.com<span popover>.evil.example.net</span>/`,
		"template":             `https://www.paypal.com<template>.evil.example.net</template>/`,
		"select":               `https://www.paypal.com<datalist><option>.evil.example.net</datalist>/`,
		"two ways":             `<i style="display:none;display:inline">https://www.pay</i>pal.com<rp>.evil.example.net</rp>/`,
		"junk before":          `<b style="font-size:0">x</b>https://www.paypal.com<b style="font-size:0">.evil.example.net</b>/`,
		"many":                 strings.Repeat(`<i style="opacity:0">x</i>`, 30) + `https://www.paypal.com<i style="opacity:0">.evil.example.net</i>/`,
		"two classes":          `<style>.z{display:none}.y{color:#fff}</style>` + alternating("<b class=y>", "<b class=z>"),
		"two styles":           alternating(`<b style="opacity:.1">`, `<b style="font-size:1px">`),
		"two of three colors":  alternating("<b><font color=white>", `<b style="color:#fefefe">`),
		"in pieces":            `ht<b></b>tps:<wbr>//www.<i>pay</i>pal.com/`,
		"zero width":           "https://www.pay\u200bpal.com/",
	} {
		t.Run(name, func(t *testing.T) { flagged(t, f, `<a href=`+evil+`>`+text+`</a>`) })
	}
}

// alternating returns a text whose letters are in two elements in turn, shown and hidden.
func alternating(shown, hidden string) string {
	var b strings.Builder
	for _, r := range "https://www.paypal.com/login" {
		b.WriteString(shown + string(r) + "</b>" + hidden + "x</b>")
	}
	return b.String()
}

// TestTextsThatReadAsURLs: a text that a reader takes for a URL is judged as one.
func TestTextsThatReadAsURLs(t *testing.T) {
	f := newFilter(t, filter.Options{})
	texts := []string{
		"-https://www.paypal.com/", "//www.paypal.com/", ">https://www.paypal.com", "see-https://www.paypal.com/", "xhttps://www.paypal.com/", "\u2022https://www.paypal.com/",
		"/www.paypal.com", "..www.paypal.com/", "https:www.paypal.com/", `https:\\www.paypal.com\login`, "https:///www.paypal.com/", "https://www.paypal.com%", "https://www.paypal.com:99999/",
		"[https://www.paypal.com/]", "(https://www.paypal.com/)", "www.https://www.paypal.com/", "https://www.paypa1.com/", "https://www.p\u0430ypal.com/",
		"&#8594;https://www.paypal.com/", "&laquo;https://www.paypal.com&raquo;", "___https://www.paypal.com/", "***https://www.paypal.com/", "1.https://www.paypal.com/",
		`\\www.paypal.com\x`, "https://www.paypal.com,", "https://www.paypal.com;x", "Go:https://www.paypal.com", "\u200bhttps://www.paypal.com/", "https://https://www.paypal.com/",
		"https://www.pay\u0085pal.com/", "pay\u0085pal.com", strings.Join(strings.Split("www.paypal.com", ""), "\u0085"),
		"\uff48\uff54\uff54\uff50\uff53\uff1a\uff0f\uff0f\uff57\uff57\uff57\uff0e\uff50\uff41\uff59\uff50\uff41\uff4c\uff0e\uff43\uff4f\uff4d",
		"\U0001d421\U0001d42d\U0001d42d\U0001d429\U0001d42c://\U0001d429\U0001d41a\U0001d432\U0001d429\U0001d41a\U0001d425.\U0001d41c\U0001d428\U0001d426/",
	}
	texts = append(texts, "www. paypal. com", "www .paypal.com", "h t t p s : / / w w w . p a y p a l . c o m", "https:// www. paypal.com/", "www.\u00a0paypal.com")
	for _, dot := range []string{"\u2219", "\u2e33", "\u16eb", "\u1427", "\ua78f", "\u25e6", "\u2024", "\ufe52", "\uff0e", "\u3002", "\uff61", "\u0701", "\ua4f8", "\u00b7", "\u2027", "\u2804", "\u2e3c"} {
		texts = append(texts, "https://www"+dot+"paypal"+dot+"com/")
	}
	texts = append(texts, "www..paypal.com", "www.paypal..com", "paypal..com", "www...paypal.com", "www\u2025paypal\u2025com", "See www..paypal.com/login")
	texts = append(texts, "https://www.\u2006paypal.com/")
	for _, sign := range []string{",", "\u201a", "\u00b8", "-", "_", "\uff0c", "\u3001", "\u060c", "\u2588", "\u26ac", "*", "|", "\u00a6"} {
		texts = append(texts, "www"+sign+"paypal"+sign+"com", "https://WWW"+sign+"paypal"+sign+"com/login")
	}
	for _, colon := range []string{"\ua789", "\uff1a", "\ufe55", "\u2236", "\u02d0", "\u0589", "\ufe13", "\u05c3", "\u02f8", "\u1803"} {
		texts = append(texts, "https"+colon+"//www.paypal.com/", "https"+colon+"\u2215\u2215www.paypal.com")
	}
	for _, slash := range []string{"\u2215", "\u2044", "\u29f8", "\uff0f", "\u2571", "\u27cb"} {
		texts = append(texts, "https:"+slash+slash+"www.paypal.com"+slash, "https://www.paypal.com"+slash+"login.evil.example.net/")
	}
	for _, text := range texts {
		t.Run(text, func(t *testing.T) {
			flagged(t, f, `<a href=`+evil+`><input value="`+text+`"></a>`)
			flagged(t, f, `<a href=`+evil+`><b><input placeholder="`+text+`"></b></a>`)
			flagged(t, f, `<a href=`+evil+`>`+text+`</a>`)
			flagged(t, f, `<a href=`+evil+`><img alt="`+text+`"></a>`)
		})
	}
}

// TestTextsInPieces: the texts of links to one site that directly follow each other are read as one
// text.
func TestTextsInPieces(t *testing.T) {
	f := newFilter(t, filter.Options{})
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var b strings.Builder
		for rest := []string{shownAs, "www.paypal.com/login"}[r.IntN(2)]; rest != ""; {
			n := 1 + r.IntN(min(len(rest), 12))
			fmt.Fprintf(&b, []string{`<a href="%s?%d">%s</a>`, `<A href=%s/%d><b>%s</b></A><!-- x -->`, `<a href='%s#%d'>%s</a><span></span>`}[r.IntN(3)], evil, r.IntN(20), rest[:n])
			rest = rest[n:]
		}
		flagged(t, f, "<p>"+b.String())
		if t.Failed() {
			return
		}
	}
}

// TestTextsWithTheOwnHost: a text that deceives counts, even if it also names a host of the
// target's owner.
func TestTextsWithTheOwnHost(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, text := range []string{
		"https://www.paypal.com.evil.example.net/", "www.paypal.com.secure.evil.example.net/login", "https://www.paypal.com-login.evil.example.net/",
		"https://www.paypal.com@evil.example.net/", "https://www.paypal.com:443@evil.example.net/x", "https://www.paypal.com%2flogin@evil.example.net/",
		"https://www.paypal.com\u30fblogin.evil.example.net/", "https://www.p\u0430ypal.evil.example.net/",
	} {
		t.Run(text, func(t *testing.T) {
			flagged(t, f, `<a href=`+evil+`>`+text+`</a>`)
			flagged(t, f, `<a href=`+evil+`><i hidden>x</i>`+text+`</a>`)
			for _, label := range []string{`<a href=E><img alt="T"></a>`, `<a href=E title="T">x</a>`, `<a href=E aria-label="T"></a>`, `<a href=E><input value="T"></a>`, `<a href=E><input type=button value="T"></a>`, `<form action=E><button aria-label="T">x</button></form>`} {
				flagged(t, f, strings.NewReplacer("E", evil, "T", text).Replace(label))
			}
		})
	}
	allClean(t, f, `<a href=https://www.example.com/1 title="https://www.example.com/1?a=b@c.d"><img alt="logo@2x.png"></a>`, `<a href=https://click.example.com/1 title="https://www.example.com/"><img alt="example.com"></a>`)
}

// TestSVGIsXML: entities, default attributes and prefixes of an SVG file are read.
func TestSVGIsXML(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">`
	for name, source := range map[string]string{
		"entity":             `<!DOCTYPE svg [<!ENTITY u "` + lookLike + `">]>` + svg + `<a href="&u;"><text>x</text></a></svg>`,
		"entity in another":  `<!DOCTYPE svg [<!ENTITY v 'paypa1.com'><!ENTITY u "http://&v;/">]>` + svg + `<a href="&u;"><text>x</text></a></svg>`,
		"entity like HTML":   `<!DOCTYPE svg [<!ENTITY sol "` + lookLike + `">]>` + svg + `<a href="&sol;"><text>x</text></a></svg>`,
		"with references":    `<!DOCTYPE svg [<!ENTITY u "http://&#112;aypa1.com/">]>` + svg + `<a href="&u;"><text>x</text></a></svg>`,
		"element":            `<!DOCTYPE svg [<!ENTITY u "&#60;a href='` + lookLike + `'>x&#60;/a>">]>` + svg + `&u;</svg>`,
		"text":               `<!DOCTYPE svg [<!ENTITY u "paypal.com">]>` + svg + `<a href="` + evil + `"><text>https://www.&u;/</text></a></svg>`,
		"parameter entity":   `<!DOCTYPE svg [<!ENTITY % p "<!ENTITY u '` + lookLike + `'>"> %p;]>` + svg + `<a href="&u;"><text>x</text></a></svg>`,
		"default attribute":  `<!DOCTYPE svg [<!ATTLIST a xlink:href CDATA "` + lookLike + `">]>` + svg + `<a><text>x</text></a></svg>`,
		"fixed attribute":    `<!DOCTYPE svg [<!ATTLIST a id ID #IMPLIED href CDATA #FIXED '` + lookLike + `'>]>` + svg + `<a id="x"><text>x</text></a></svg>`,
		"prefixes":           `<?xml version="1.0"?><s:svg xmlns:s="http://www.w3.org/2000/svg" xmlns:q="http://www.w3.org/1999/xlink"><s:a q:href="` + lookLike + `"><s:text>x</s:text></s:a></s:svg>`,
		"markup in a style":  `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><style><a href="` + lookLike + `"/></style></svg>`,
		"HTML with a prefix": `<?xml version="1.0"?><s:svg xmlns:s="http://www.w3.org/2000/svg" xmlns:h="http://www.w3.org/1999/xhtml"><s:foreignObject><h:form action="` + lookLike + `"/></s:foreignObject></s:svg>`,
		"markup in a title":  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><title><a href="` + lookLike + `">x</a></title></body></html>`,
	} {
		t.Run(name, func(t *testing.T) {
			message := "From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: image/svg+xml; charset=utf-8\r\nContent-Disposition: attachment; filename=x.svg\r\n\r\n" + source
			if r := f.Scan([]byte(message)); !flaggedOrReported(r) {
				t.Errorf("nothing found in %s\n%s: %v", source, r, placed(r))
			}
		})
	}
}

// TestOrdinaryHTML: common forms of HTML have no finding.
func TestOrdinaryHTML(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, source := range map[string]string{
		"newsletter":              `<style>.hide{display:none} a{color:#fff} *{margin:0}</style><a href=https://click.example.com/1>Click here</a> <a href="https://example.com/x">www.example.com</a>`,
		"name in colors":          `<style>.a{color:white}</style><a href=https://www.myshop.example/><span class=a>www.</span><span style="color:red">my</span>shop.example</a>`,
		"white button":            `<td bgcolor=#336699><a href=https://www.example.com/ style="color:#fff"><font color=white>www.example.com</font></a></td>`,
		"hidden for some screens": `<a href=https://www.example.com/><span class=d>Visit www.example.com</span><span style="display:none" class=m>Shop</span></a>`,
		"full stop of Chinese":    "<a href=https://www.example.com/>\u8bf7\u8bbf\u95ee\uff1awww.example.com\u3002\u8c22\u8c22</a>",
		"archive":                 `<a href=https://web.archive.org/web/2026/http://example.com/>https://web.archive.org/web/2026/http://example.com/</a>`,
		"search form":             `<form action=https://www.example.com/search><input type=submit value="example.com"></form>`,
		"program":                 `<a href="slack://channel?id=1">Slack</a><a href="tel:+491234">+49 1234</a><a href="spotify:track:1">x</a><a href="msteams:/l/meetup">x</a>`,
		"old comment":             `<!-- <a href="https://click.example.net/">www.example.com</a> -->`,
		"icon":                    `<svg viewBox="0 0 1 1"><title>Logo</title><style>.a{fill:red}</style><path d="M0"/></svg><a href=https://www.example.com/>www.example.com</a>`,
		"fonts":                   `<link rel=stylesheet href="https://fonts.googleapis.com/css?family=Roboto"><a href=https://www.examplepal.com/>www.example<b>pal</b>.com</a>`,
		"fonts by import":         `<style>@import url('https://fonts.googleapis.com/css2?family=Inter:wght@400;700');</style><a href=https://www.examplepal.com/>www.example<b>pal</b>.com</a>`,
		"colors":                  `<style>a{color:#07f}.btn{background:#07f;color:#fff}</style><a class=btn href=https://www.example.com/><span>www.example.com</span></a> <a href=https://www.example.com/>example.com</a>`,
		"input":                   `<a href=https://www.example.com/><input type=hidden value=https://www.paypal.com/><input value=Search></a>`,
		"own subdomain":           `<a href=https://click.example.com/1>https://www.example.com/</a>`,
		"adjacent links":          `<a href=https://www.example.com/>www.example.com</a><a href=https://www.example.com/>Shop</a>`,
		"adjacent pages":          `<a href=https://www.example.com/1>www.example.com</a><a href=https://www.example.com/2>Shop</a><a href=https://www.example.com/3>example.com/news</a>`,
		"bases":                   `<base href=https://www.example.com/><a href=page.html>www.example.com</a>`,
		"text after a host":       `<a href=https://www.example.com/>www.example.com. Thanks</a>`,
		"files":                   `<a href="file:///C:/Users/a/report.docx">report.docx</a> <a href="file://server/share/x.txt">\\server\share</a>`,
		"list with hyphens":       `<a href=https://www.example.com/>-www.example.com</a>`,
	} {
		t.Run(name, func(t *testing.T) {
			if r := f.Scan(htmlMessage(source)); worstLink(r) >= policy.SeverityMedium || r.Outcome != report.OutcomeComplete {
				t.Errorf("%s\n%s: %v", source, r, placed(r))
			}
		})
	}
}

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

// TestDocumentsInReferences: a document inside the URL of a link, form or refresh is read.
func TestDocumentsInReferences(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, document := range []string{
		trap, `<meta http-equiv=refresh content="0;url=` + lookLike + `">`, `<script>location.replace("` + lookLike + `")</script>`, `<body onload="location='` + lookLike + `'">`,
	} {
		for _, data := range []string{
			"data:text/html," + url.PathEscape(document), "data:text/html;charset=utf-8;base64," + base64.StdEncoding.EncodeToString([]byte(document)),
			" DATA:Text/HTML;base64," + base64.RawStdEncoding.EncodeToString([]byte(document)),
		} {
			for _, source := range []string{
				`<a href="|">x</a>`, `<map><area href="|"></map>`, `<form action="|"><button>x</button></form>`, `<meta http-equiv=refresh content="0;url=|">`,
				`<svg><a xlink:href="|"><text>x</text></a></svg>`, `<iframe src="|"></iframe>`,
			} {
				flagged(t, f, strings.Replace(source, "|", data, 1))
			}
		}
	}
}

// TestScripts: URLs in scripts and in data for mail programs are judged.
func TestScripts(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, source := range map[string]string{
		"assignment":        `<script>location="` + lookLike + `"</script>`,
		"upper case":        `<SCRIPT>location='HTTP://PAYPA1.COM/'</SCRIPT>`,
		"JSON":              `<script type="application/ld+json">{"target":"http:\/\/paypa1.com\/login"}</script>`,
		"escapes":           `<script>location="http:\x2f\u002fpaypa1.com"</script>`,
		"without an end":    `<script>location="` + lookLike,
		"template literal":  "<script>open(`" + lookLike + "?${x}`)</script>",
		"in a table":        `<table><script>location="` + lookLike + `"</script></table>`,
		"handler":           `<a href="#" onclick="location.href='` + lookLike + `'">x</a>`,
		"handler of a body": `<body onload="location='` + lookLike + `'">`,
		"handler of SVG":    `<svg onload="location='` + lookLike + `'"></svg>`,
		"button":            `<input type=button onclick="location='` + lookLike + `'" value=x>`,
		"text of a link":    `<a href="` + shownAs + `" onclick="location='` + evil + `'">` + shownAs + `</a>`,
		"text of a button":  `<button type=button onclick="open('` + evil + `')">` + shownAs + `</button>`,
		"AMP form":          `<form method=post action-xhr="` + lookLike + `"><input type=submit></form>`,
		"button of AMP":     `<form method=post action-xhr="` + evil + `"><input type=submit value="` + shownAs + `"></form>`,
		"AMP binding":       `<a href="` + shownAs + `" [href]="'` + evil + `'">` + shownAs + `</a>`,
		"AMP in attributes": `<a data-amp-bind-href="'` + lookLike + `'" href="#">x</a>`,
	} {
		t.Run(name, func(t *testing.T) { flagged(t, f, source) })
	}
}

// TestReferencesOfTheElementAround: an animation inside an element, or the base, changes what the
// element opens.
func TestReferencesOfTheElementAround(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, source := range map[string]string{
		"set":                  `<svg><a href="` + shownAs + `"><set attributeName="href" to="` + evil + `"/><text>` + shownAs + `</text></a></svg>`,
		"animate":              `<svg><a><animate attributeName=href values="` + evil + `;x"/><text>` + shownAs + `</text></a></svg>`,
		"animate with end":     `<svg><a><animate attributeName=xlink:href from="` + evil + `"></animate><text>` + shownAs + `</text></a></svg>`,
		"form elsewhere":       `<form id=z action="` + evil + `"></form><form action="https://www.example.org/"><button form=z>` + shownAs + `</button></form>`,
		"form of the same id":  `<form id=z action="` + evil + `"></form><form id=z action="https://www.example.org/"></form><button form=z>` + shownAs + `</button>`,
		"form after":           `<button form=z>` + shownAs + `</button><form id=z action="` + evil + `"></form>`,
		"form after an input":  `<input type=submit value="` + shownAs + `" form=z><p>x</p><form id=z action="` + evil + `"></form>`,
		"set of another":       `<svg><a id=q href="` + shownAs + `"><text>` + shownAs + `</text></a><set href="#q" attributeName="href" to="` + evil + `"/></svg>`,
		"set before":           `<svg><set xlink:href="#q" attributeName="xlink:href" to="` + evil + `"/><a id=q xlink:href="` + shownAs + `"><text>` + shownAs + `</text></a></svg>`,
		"set of an escaped id": `<svg><a id="zä"><text>` + shownAs + `</text></a><set href="#z%C3%A4" attributeName=href to="` + evil + `"/></svg>`,
		"set of an id like it": `<svg><a id="z%61"><text>` + shownAs + `</text></a><set href="#z%61" attributeName=href to="` + evil + `"/></svg>`,
		"animate of another":   `<svg><a id=q><text>` + shownAs + `</text></a><animate href=#q attributeName=href values="x;` + evil + `"/></svg>`,
		"set after the text":   `<svg><a href="` + shownAs + `"><text>` + shownAs + `</text><set attributeName="href" to="` + evil + `"/></a></svg>`,
		"form after a cell":    `<table><tr><form id=z action="` + evil + `"></form><input type=submit form=z value="` + shownAs + `"></tr></table>`,
		"empty href":           `<base href="` + evil + `"><a href="">` + shownAs + `</a>`,
		"href without":         `<base href="` + evil + `"><a href>` + shownAs + `</a>`,
		"both kinds of href":   `<svg><a href="https://www.example.org/" xlink:href="` + evil + `"><text>` + shownAs + `</text></a></svg>`,
		"empty href of SVG":    `<svg><a href xlink:href="` + evil + `"><text>` + shownAs + `</text></a></svg>`,
		"prefix before href":   `<svg><a xlink:href="` + evil + `" href=""><text>` + shownAs + `</text></a></svg>`,
		"empty area":           `<base href="` + lookLike + `"><map><area href=""></map>`,
		"path of VML":          `<v:shape href="` + evil + `"><v:textpath string="` + shownAs + `"/></v:shape>`,
		"path in a comment":    `<!--[if mso]><v:shape href="` + evil + `"><v:textpath style="x" string="` + shownAs + `"/></v:shape><![endif]-->`,
	} {
		t.Run(name, func(t *testing.T) { flagged(t, f, source) })
	}
}

// TestRawTextWithoutAnEnd: in an element of raw text without an end tag, links are found, since
// programs that do not know the element show them.
func TestRawTextWithoutAnEnd(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, name := range []string{"xmp", "noembed", "noframes", "iframe", "textarea", "title", "style", "script", "noscript", "plaintext"} {
		t.Run(name, func(t *testing.T) {
			flagged(t, f, `<`+name+`>`+trap)
			flagged(t, f, `<p>x</p><`+name+` x=y>`+trap+`<p>y`)
		})
	}
}

// TestScriptsThatSendForms: an element whose script submits a form opens what the form opens.
func TestScriptsThatSendForms(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, script := range []string{"this.form.submit()", "f.submit()", "document.forms[0].requestSubmit()", "with(document.f)submit()"} {
		for _, element := range []string{`<input type=button value=T onclick="|">`, `<button type=button onclick="|">T</button>`, `<a href="#" onclick="|">T</a>`, `<b onclick="|">T</b>`, `<img alt=T onclick="|">`, `<p onmousedown="|"><i>T</i></p>`} {
			element = strings.NewReplacer("|", script, "T", "www.paypal.com").Replace(element)
			flagged(t, f, `<form action=`+evil+` name=f>`+element+`</form>`)
			flagged(t, f, element+`<form action=`+evil+` name=f></form>`)
		}
	}
	allClean(t, f, `<form action=https://a.example.com/search><button type=button onclick="this.form.submit()">Search www.example.com</button></form>`)
}

// TestScriptsThatAreDocuments: a frame shows the text that the script in its URL returns.
func TestScriptsThatAreDocuments(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, url := range []string{`javascript:'<a href=E>T</a>'`, `JavaScript:&quot;<a href=E>T</a>&quot;`, "javascript:`<form action=E><button>T</button></form>`", `javascript:%27%3ca href=E%3eT%3c/a%3e%27`, `javascript:'\x3ca href=E\x3eT\x3c/a\x3e'`} {
		url = strings.NewReplacer("E", evil, "T", shownAs).Replace(url)
		flagged(t, f, `<iframe src="`+url+`"></iframe>`)
		flagged(t, f, `<a href="`+url+`">x</a>`)
	}
}

// TestOrdinaryScripts: scripts of honest mail have no finding.
func TestOrdinaryScripts(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, source := range map[string]string{
		"JSON":       `<script type="application/ld+json">{"@context":"http:\/\/schema.org","target":"https:\/\/www.example.org\/x"}</script><a href="https://www.example.org/x">www.example.org</a>`,
		"handlers":   `<body onload="init('https://www.example.org/')"><a href="#" onclick="window.open('https://www.example.org/share');return false">Share www.example.org</a>`,
		"words":      `<script>var name = a.is + "httpd"; window.location.reload(); // http:// https://</script>`,
		"empty href": `<base href="https://www.example.org/"><a href="">www.example.org</a> <a href>x</a>`,
		"truncated":  `<a href="https://www.example.org/">www.example.org</a><style>.x{color:red}`,
	} {
		t.Run(name, func(t *testing.T) {
			if r := f.Scan(htmlMessage(source)); worstLink(r) >= policy.SeverityMedium || r.Outcome != report.OutcomeComplete {
				t.Errorf("%s\n%s: %v", source, r, placed(r))
			}
		})
	}
}

// TestTextsBesideButtons: a text beside a button counts as its label.
func TestTextsBesideButtons(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, source := range map[string]string{
		"label":            `<form><label>` + shownAs + `</label><button formaction=` + evil + `>Go</button></form>`,
		"label around":     `<form><label>` + shownAs + `<button formaction=` + evil + `>Go</button></label></form>`,
		"label in pieces":  `<form action=` + evil + `><label>www.pay<i style="display:none">x</i>pal.com<input type=submit></label></form>`,
		"another label":    `<form><label>www.pay<i hidden>x</i>pal.com<!--</label>--><style></label></style><input type=submit formaction=` + evil + `></label></form>`,
		"label of another": `<form action=` + evil + ` id=g></form><label>www.pay<i hidden>x</i>pal.com<input type=submit form=g></label>`,
		"label in another": `<form action=` + evil + `><label>www.pay<i style="opacity:.1">x</i><label>pal</label>.com<input type=submit></label></form>`,
		"label elsewhere":  `<label for=b>` + shownAs + `</label><p>x</p><form action=` + evil + `><input id=b type=submit></form>`,
		"legend":           `<form action=` + evil + `><fieldset><legend>` + shownAs + `</legend><button>Go</button></fieldset></form>`,
		"text":             `<form action=` + evil + `>` + shownAs + ` <input type=submit value=Go></form>`,
		"text in noframes": `<frameset></frameset><noframes><form action=` + evil + `>` + shownAs + ` <input type=submit value=Go></form></noframes>`,
		"long text before": `<form action=` + evil + `>` + strings.Repeat("word ", 1000) + shownAs + ` <button>Go</button></form>`,
	} {
		t.Run(name, func(t *testing.T) { flagged(t, f, source) })
	}
	for _, source := range []string{
		`<p>See www.example.org.</p><form action=https://lists.example.com/><input type=submit value=Subscribe></form>`,
		`<form action=https://www.example.com/><label>Search www.example.com</label><button>Go</button></form><p>` + shownAs + `</p>`,
		`<form action=https://lists.example.com/><label>I agree to the terms at www.example.org <input type=checkbox></label> <label>Mail <input></label><input type=submit></form>`,
	} {
		if r := f.Scan(htmlMessage(source)); worstLink(r) >= policy.SeverityMedium {
			t.Errorf("%s: %v", source, placed(r))
		}
	}
}

// TestGeneratedTexts: a text that a style sheet takes from an attribute is judged.
func TestGeneratedTexts(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, source := range map[string]string{
		"attribute":            `<style>a::after{content:attr(data-x)}</style><a href=` + evil + ` data-x="` + shownAs + `">.</a>`,
		"strings around":       `<style>a::before{content:"https://www." attr( data-x ) "/"}</style><a href=` + evil + ` data-x="paypal.com">.</a>`,
		"typed":                `<style>a::before{content:attr(data-x type(<string>), "")}</style><a href=` + evil + ` data-x="` + shownAs + `">.</a>`,
		"of an element within": `<style>.q:before{content:attr(data-x)}</style><a href=` + evil + `><i class=q data-x="` + shownAs + `"></i></a>`,
		"misnested":            `<style>a::after{content:attr(data-x)}</style><b><p></b><a href=` + evil + ` data-x="` + shownAs + `">.</a></p>`,
	} {
		t.Run(name, func(t *testing.T) { flagged(t, f, source) })
	}
	const print = `<style>a[href]::after{content:" (" attr(href) ")"}</style><a href=https://click.example.net/1>www.example.org</a>`
	if r := f.Scan(htmlMessage(print)); worstLink(r) >= policy.SeverityHigh {
		t.Errorf("%v", placed(r))
	}
}

// TestTextsForSchemesOfPrograms: if a link opens no web page, a URL as its text is a finding if it
// is that of a protected domain.
func TestTextsForSchemesOfPrograms(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, url := range []string{"tel:+4912345", "cid:x", "mid:x", "tg://resolve?domain=x", "sms:1", "callto:x", "geo:1,2", "magnet:?xt=1", "ms-settings:x", "about:blank", "x-unknown:1"} {
		flagged(t, f, `<a href="`+url+`">`+shownAs+`</a>`)
	}
	for _, source := range []string{
		`<a href="tel:+4912345">Call www.paypal.com now</a>`, `<a href="tel:+4912345">www.example.org</a>`, `<a href="#top">` + shownAs + `</a>`,
		`<a href="paypal://checkout">` + shownAs + `</a>`, `<a href="spotify:track:1">https://open.spotify.com/track/1</a>`,
	} {
		if r := f.Scan(htmlMessage(source)); worstLink(r) >= policy.SeverityMedium {
			t.Errorf("%s: %v", source, placed(r))
		}
	}
}

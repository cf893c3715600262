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

// TestDocumentsInReferences: a document in the URL of a link, a form or a refresh is read.
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
		"AMP binding":       `<a href="` + shownAs + `" [href]="'` + evil + `'">` + shownAs + `</a>`,
		"AMP in attributes": `<a data-amp-bind-href="'` + lookLike + `'" href="#">x</a>`,
	} {
		t.Run(name, func(t *testing.T) { flagged(t, f, source) })
	}
}

// TestReferencesOfTheElementAround: an element opens what an animation in it or the base
// says.
func TestReferencesOfTheElementAround(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, source := range map[string]string{
		"set":               `<svg><a href="` + shownAs + `"><set attributeName="href" to="` + evil + `"/><text>` + shownAs + `</text></a></svg>`,
		"animate":           `<svg><a><animate attributeName=href values="` + evil + `;x"/><text>` + shownAs + `</text></a></svg>`,
		"animate with end":  `<svg><a><animate attributeName=xlink:href from="` + evil + `"></animate><text>` + shownAs + `</text></a></svg>`,
		"form elsewhere":    `<form id=z action="` + evil + `"></form><form action="https://www.example.org/"><button form=z>` + shownAs + `</button></form>`,
		"form after a cell": `<table><tr><form id=z action="` + evil + `"></form><input type=submit form=z value="` + shownAs + `"></tr></table>`,
		"empty href":        `<base href="` + evil + `"><a href="">` + shownAs + `</a>`,
		"href without":      `<base href="` + evil + `"><a href>` + shownAs + `</a>`,
		"empty area":        `<base href="` + lookLike + `"><map><area href=""></map>`,
		"path of VML":       `<v:shape href="` + evil + `"><v:textpath string="` + shownAs + `"/></v:shape>`,
		"path in a comment": `<!--[if mso]><v:shape href="` + evil + `"><v:textpath style="x" string="` + shownAs + `"/></v:shape><![endif]-->`,
	} {
		t.Run(name, func(t *testing.T) { flagged(t, f, source) })
	}
}

// TestRawTextWithoutAnEnd: programs that do not know an element show a link in it.
func TestRawTextWithoutAnEnd(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, name := range []string{"xmp", "noembed", "noframes", "iframe", "textarea", "title", "style", "script", "noscript", "plaintext"} {
		t.Run(name, func(t *testing.T) {
			flagged(t, f, `<`+name+`>`+trap)
			flagged(t, f, `<p>x</p><`+name+` x=y>`+trap+`<p>y`)
		})
	}
}

// TestOrdinaryScripts: scripts of honest mail are nothing.
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

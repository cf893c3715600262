package markup

import "strings"

// whole are sources of about n bytes that are hard for parsers, or for filter/page.
var whole = map[string]func(n int) string{
	"bold":                     func(n int) string { return fill(n, "<b>") },
	"nested":                   func(n int) string { return fill(n, "<div>") },
	"different formats":        func(n int) string { return Numbered(n/4, "<b a%d>") + strings.Repeat("<p>x", n*3/16) },
	"formats closed in tables": func(n int) string { return Numbered(n, "<b a%d><table></b></table>") },
	"same formats":             func(n int) string { return strings.Repeat("<font color=red>", 3) + fill(n, "<p>x") },
	"links in formats":         func(n int) string { return fill(n, "<a><div><b><p></a></b>") },
	"attributes of formats":    func(n int) string { return strings.Repeat("<b "+Numbered(n/600, "a%d ")+">", 500) },
	"attributes of body": func(n int) string {
		return "<body " + Numbered(n/2, "a%d ") + ">" + fill(n/2, "<body x>")
	},
	"new attributes of body":     func(n int) string { return Numbered(n, "<body a%d>") },
	"tags after many attributes": func(n int) string { return "</p><i " + Numbered(n/2, "a%d ") + ">" + fill(n/2, "<p a b>") },
	"one tag":                    func(n int) string { return "<a " + Numbered(n, "a%d ") + ">" },
	"attribute":                  func(n int) string { return "<a x=\"" + strings.Repeat("x", n) + "\">" },
	"tags in attributes":         func(n int) string { return "<svg>" + fill(n, `<a x="`) },
	"tags in quotes":             func(n int) string { return "<svg>" + fill(n, `<a "`) },
	"raw text in SVG":            func(n int) string { return "<svg>" + fill(n, "<style>") },
	"raw text with ends":         func(n int) string { return "<svg>" + fill(n, "<style><a href=x></style>") },
	"other ways":                 func(n int) string { return "<svg></svg>" + fill(n, "<title><b x=</title>") },
	"CDATA":                      func(n int) string { return "<svg>" + fill(n, "<![CDATA[") },
	"CDATA with ends":            func(n int) string { return "<svg>" + fill(n, "<![CDATA[x>]]>") },
	"links in SVG": func(n int) string {
		return "<svg>" + strings.Repeat("<a href=http://example.com>", 500) + fill(n, "x ")
	},
	"open link": func(n int) string {
		return "<svg><a href=http://example.com>" + fill(n, "<i hidden>x</i>")
	},
	"doubts": func(n int) string {
		return fill(n, "<a href=http://x.example>a<i hidden>x</i>b<i style=opacity:0>y</i></a>")
	},
	"bases": func(n int) string { return Numbered(n, "<base href=http://a%d.example/>") },
	"relative links": func(n int) string {
		return Numbered(n/10, "<base href=http://a%d.example/"+strings.Repeat("x", 4000)+"/>") + fill(n, "<a href=x>")
	},
	"labels": func(n int) string { return "<a href=http://x.example>" + fill(n, "<img alt=xxxxxxxxx>") },
	"frames": func(n int) string { return Numbered(n, "<iframe srcdoc=%d>") },
	"frame":  func(n int) string { return "<iframe srcdoc='" + fill(n, "<b>") + "'>" },
	"sheet": func(n int) string {
		return "<style>" + Numbered(n/2, ".a%d{display:none}") + "</style>" + fill(n/2, "<p class=a>")
	},
	"selectors":       func(n int) string { return "<style>" + strings.Repeat("{", n) },
	"sheets":          func(n int) string { return fill(n, "<style>") },
	"declarations":    func(n int) string { return "<p style=\"" + fill(n, "display:none;") + "\">" },
	"important":       func(n int) string { return "<p style=\"" + Numbered(n, "a%d:x!important;") + "\">" },
	"comments of CSS": func(n int) string { return "<p style=\"" + fill(n, "/*") + "\">" },
	"entities of XML": func(n int) string {
		return `<!DOCTYPE x [<!ENTITY a "&b;&b;&b;&b;"><!ENTITY b "&c;&c;&c;&c;"><!ENTITY c "&d;&d;&d;&d;"><!ENTITY d "` + strings.Repeat("x", 1000) + `">]><x>` + fill(n, "&a;")
	},
	"declared": func(n int) string { return "<!DOCTYPE x [" + Numbered(n, `<!ENTITY a%d "x">`) + "]>" },
	"parameters": func(n int) string {
		return "<!DOCTYPE x [<!ENTITY % a '%b;%b;%b;'><!ENTITY % b '%a;%a;%a;'>" + fill(n, "%a;") + "]>"
	},
	"long parameter": func(n int) string {
		return "<!DOCTYPE x [<!ENTITY % a '" + strings.Repeat("x", min(n/2, 100<<10)) + "'>" + fill(n/2, "%a;") + "]>"
	},
	"listed attributes": func(n int) string {
		return "<!DOCTYPE x [" + fill(n, "<!ATTLIST a"+strings.Repeat(" b c ''", 64)+">") + "]>"
	},
	"default attributes": func(n int) string {
		return "<!DOCTYPE x [<!ATTLIST a href CDATA 'http://x.example/'>]>" + fill(n, "<a>")
	},
	"conditional comments": func(n int) string {
		return "<a href=http://x.example>" + fill(n, "<!--[if mso]>x<![endif]-->")
	},
	"conditional comments without ends": func(n int) string {
		return "<a href=http://x.example>" + fill(n, "<![if !a]>")
	},
	"conditional comments with one end": func(n int) string {
		return "<a href=http://x.example>" + fill(n, "<![if !a]>") + "<![endif]>"
	},
	"conditional comments in tags": func(n int) string {
		return "<a href=http://x.example><!--[if a]>x<![endif]-->" + fill(n, "<![if !")
	},
	"generated texts": func(n int) string {
		return "<style>" + Numbered(n/2, ".a%d::before{content:'x.example'}") + "</style>" + fill(n/2, "<a href=x class=a1>x</a>")
	},
	"scripts":   func(n int) string { return "<script>" + fill(n, "http://x.example/ ") },
	"raw texts": func(n int) string { return fill(n, "<xmp>") },
	"animations": func(n int) string {
		return "<svg><a>" + fill(n, "<set attributename=href to=http://x.example/>")
	},
	"noscript":  func(n int) string { return fill(n, "<noscript><style>") },
	"templates": func(n int) string { return fill(n, "<template>") },
	"selects":   func(n int) string { return fill(n, "<select><option>") },
	"cells":     func(n int) string { return "<table>" + fill(n, "<td>x") },
	"misplaced": func(n int) string { return "<table>" + fill(n, "x<b>") },
	"buttons":   func(n int) string { return "<form action=http://x.example/>" + fill(n, "<button>x") },
	"rules": func(n int) string {
		return "<style>" + Numbered(n/2, ".a%d{color:red}") + "</style>" + fill(n/2, "<p class=a1>x")
	},
	"styles": func(n int) string { return Numbered(n, `<p style="color:#%06d;margin:0 5px">x`) },
	"rules and styles": func(n int) string {
		return "<style>p{color:blue}[a]{display:none}</style>" + Numbered(n, `<p style="color:#%06d" a>x`)
	},
	"different links": func(n int) string { return Numbered(n, "<a href=http://example.org/%d>x</a>") },
	"different hosts": func(n int) string { return Numbered(n, "<a href=http://a%d.example.org/>b%[1]d.example.org</a>") },
	"documents": func(n int) string {
		return Numbered(n, `<iframe srcdoc="<a href=http://example.org/%d>x</a>"></iframe>`)
	},
	"documents in links": func(n int) string {
		return Numbered(n, "<a href='data:text/html,<a href=http://example.org/%d>x</a>'>x</a>")
	},
	"plaintext":             func(n int) string { return "<plaintext>" + fill(n, "<a href=http://example.org/>x</a>") },
	"links after SVG":       func(n int) string { return "<svg></svg>" + fill(n, "<a href=http://example.org/>x</a>") },
	"tags of one letter":    func(n int) string { return fill(n, "<p>") },
	"less-than signs":       func(n int) string { return fill(n, "<") },
	"nested and closed":     func(n int) string { return fill(n/2, "<div>") + fill(n/2, "</div>") },
	"end tags in formats":   func(n int) string { return strings.Repeat("<b>", 256) + fill(n, "</i>") },
	"paragraphs in formats": func(n int) string { return strings.Repeat("<b>", 256) + fill(n, "<p>") },
	"end tags in a depth":   func(n int) string { return strings.Repeat("<div>", 250) + fill(n, "</x></p></li></span>") },
	"items in a depth":      func(n int) string { return strings.Repeat("<div>", 250) + fill(n, "<li>x<td>y<dd>") },
}

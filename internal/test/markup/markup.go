// Package markup has HTML that is hard to read, for tests and benchmarks.
package markup

// Repeated are pieces of sources that are hard to read when they are repeated. Of some a tree
// takes much longer than the tokens: what a parser moves out of tables, copies, or opens again.
var Repeated = map[string]string{
	"unclosed":               "<b><p>An ordinary sentence, as people write them.",
	"formats":                "<font color=red size=2><b><i><p>x",
	"links in tables":        "<table><a href=http://example.org/>x",
	"tables in links":        "<table><a href=http://example.org/>x<table><a href=http://example.net/>y</a></table>",
	"tables in bold":         "<b><a href=http://example.org/><table>x",
	"adoption":               "<b><a href=http://example.org/><div>x</b><p>y</a>",
	"nobr":                   "<nobr><a href=http://example.org/>x<nobr>",
	"attributes":             `<p a=1 b="2" c='3' d e=5 data-f="6" onclick="f()">x</p>`,
	"same attributes":        `<b a=1 b="2" c='3' d e=5 data-f="6">x`,
	"double attributes":      `<p a=1 a=2 A=3>x`,
	"entities":               "&amp;&lt;&nbsp;&#65;&eacute; word ",
	"entities in attributes": `<p title="&amp;&lt;&#65;" alt='&nbsp;x' class=&quot; value="x&y">x`,
	"SVG and MathML":         "<svg><a href=http://example.org/>x</a></svg><math><mtext>y</mtext></math>",
	"in and out":             "<svg><foreignObject><p>x<math><mi><svg><desc>",
	"template links":         "<template><a href=http://example.org/>x</template>",
	"table cells":            "<table><td>x",
	"deep tables":            "<table><tr><td>x",
	"foster parents":         "<table>x<tr>y<b><td>z</table>",
	"options":                "<select><option><a href=http://example.org/>x",
	"framesets":              "<frameset><a href=http://example.org/>x",
	"iframes":                "<iframe><b>x",
	"headings":               "<h1><a href=http://example.org/>x<h2>",
	"forms":                  "<form action=http://example.org/><input name=x><button>x</button></form>",
	"nested forms":           "<form action=http://example.org/>x",
	"nested forms and links": "<form><a href=http://example.org/>x</a><input name=x>",
	"selections":             "<select><option value=1>An option<option value=2>Another</select>",
	"nested formats":         "<b><i><u><font color=red><a href=http://example.org/>x</a></font></u></i></b>",
	"crossed formats":        "<b><i><u><font color=red><a href=http://example.org/>x</b></i></u></font></a>",
	"crossed links":          "<a href=http://example.org/><b>x<a href=http://example.net/></b>y</a>",
	"crossed tables":         "<table><b><tr><i><td><a href=http://example.org/>x</b></a></td></i></tr></table>",
	"pictures":               "<svg><g><text x=1 y=2>An ordinary text</text><a xlink:href=http://example.org/><rect/></a></g></svg>",
	"unclosed sections":      "<section><article><aside>x",
	"end tags":               "</p></b></a></div></form></br>x",
	"end tags in links":      "<a href=http://example.org/></p></b></div>x",
	"comments":               "<!-- x --><!----><!--->--!>x",
	"conditions":             "<!--[if mso]><a href=http://example.org/>x</a><![endif]-->y",
	"noscript links":         "<noscript><a href=http://example.org/>x</a></noscript>",
	"quotes":                 `<p a="x'y" b='z"w' c=d"e>x<p "f" 'g'>`,
	"broken tags":            "<p <b =a / c=/d>x< y</ z>",
	"links":                  "<a href=http://example.org/>x</a>",
	"hidden in links":        "<a href=http://example.org/>a<i hidden>b</i>c<i style=opacity:0>d</i></a>",
	"pictures in links":      `<a href=http://example.org/><img alt="x.example" src=x></a>`,
	"scripts in attributes":  `<p onclick="open('http://example.org/')">x`,
	"names of XML":           "<x:y a:href=http://example.org/>x</x:y><x-z>",
	"lists":                  "<dl><dt>x<dd>y<ul><li>z<li>",
	"ruby":                   "<ruby>x<rp>(<rt>y<rp>)</ruby>",
	"objects":                "<object data=http://example.org/><param name=a value=//b.example>x</object>",
	"NUL":                    "<p>x\x00<b\x00 a\x00=b>",
	"labelled buttons":       "<label for=a>x</label><button id=a>y</button><input type=submit value=z>",
}

// Hostile returns a source of about n bytes for each name: those of the repeated pieces, and
// others.
func Hostile() map[string]func(n int) string {
	all := make(map[string]func(n int) string, len(Repeated)+len(whole))
	for name, piece := range Repeated {
		all[name] = func(n int) string { return fill(n, piece) }
	}
	for name, source := range whole {
		all[name] = source
	}
	return all
}

package page_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// fragments are pieces of HTML that parsers read differently, or whose meaning depends on the HTML
// before.
var fragments = strings.Split(`<svg>
</svg>
<SVG/>
<math>
</math>
<style>
</style>
<STYLE type=x>
<title>
</title>
<textarea>
</textarea>
<xmp>
</xmp>
<iframe>
</iframe>
<noembed>
</noembed>
<noframes>
</noframes>
<noscript>
</noscript>
<script>
</script>
<script><!--
<!--<script>
<plaintext>
<![CDATA[
<![CDATA[x>
]]>
]]
<!--
-->
--!>
<!-->
<!--->
<!x>
<?x
?>
</ >
</>
<!DOCTYPE html>
<select>
</select>
<option>
<optgroup>
<input>
<keygen>
<template>
</template>
<table>
</table>
<tr>
<td>
</td>
<th>
<tbody>
<caption>
</caption>
<colgroup>
<col>
<b>
</b>
<i>
</i>
<font color=red>
<font>
</font>
<nobr>
<p>
</p>
</br>
<br>
<div>
</div>
<ul><li>
<dd>
<h1>
</h1>
<h2>
<center>
<blockquote>
<form action=https://example.com/form>
</form>
<button>
</button>
<object>
</object>
<applet>
<marquee>
</marquee>
<embed>
<area>
<desc>
</desc>
<foreignObject>
</foreignObject>
<annotation-xml>
<annotation-xml encoding="text/html">
<annotation-xml encoding="application/xhtml+xml">
</annotation-xml>
<mi>
</mi>
<mtext>
<mglyph>
<malignmark>
<ms>
<image>
<img>
<html>
</html>
<head>
</head>
<body>
</body>
<frame>
</frameset>
<base>
<link>
<meta>
<ruby>
<rt>
<rp>
<rtc>
<details>
<summary>
<dialog>
<a>
</a>
<a name=x>
<span hidden>
</span>
<span style="display:none">
<p hidden>
<div title="
">
<div title='
'>
<p x=
 x
>
<
</
&lt;
&#0;
&amp
&notin;
"
'
/
=
<svg><style>
<svg><title>
<math><mi>
<math><annotation-xml>
<svg><foreignObject>
<svg></p>
<table><td>
<table><svg>
<select><svg>
<a href=https://example.com/open>
<svg><a xlink:href=https://example.com/svg>
<x:y>
<x:y/>
<div/>
<p/>`, "\n")

// plainFragments are pieces of HTML as people write it.
var plainFragments = strings.Split(`<p>
</p>
<div>
</div>
<b>
</b>
<i>
</i>
<span>
</span>
<br>
<table><tr><td>
</td><td>
</td></tr><tr><td>
</td></tr></table>
<ul><li>
<li>
</li></ul>
<h1>
</h1>
<img alt=x>
<blockquote>
</blockquote>
<center>
</center>
<font size=2>
</font>
<form action=https://example.com/form>
</form>
<style>p{color:red}</style>
<!-- x -->
<hr>
<pre>
</pre>
<dl><dt>
<dd>
</dl>
<html>
<head>
</head>
<body>
</body>
</html>
<title>x</title>
<tbody>
<table>
</table>
<tr>
<td>
</td>
</tr>
<a name=x>
</a>`, "\n")

// openers are elements that open %s, a URL with the number of the element.
var openers = strings.Split(`<a href=%s>t</a>
<a href="%s">t
<A HREF='%s' >t</A>
<a/href=%s>t</a>
<a x=y href = %s>t</a>
<a href=%s href=https://example.org/>t</a>
<svg><a href="%s"/></svg>
<svg><a xlink:href="%s"><text>t</text></a></svg>
<math><mi xlink:href="%s">t</mi></math>
<area href=%s>
<form action=%s></form>
<button formaction=%s>t</button>
<input formaction=%s>
<iframe src="%s"></iframe>
<embed src=%s>
<object data=%s></object>
<frame src=%s>
<base href="%s"><a href=x>t</a>
<a href="&#32;%s">t</a>
<a href="`+"\x01"+`%s&Tab;">t</a>
<a href=x/%s title="<a href=%[1]s>">t</a>`, "\n")

// spellings are ways to write "https://".
var spellings = []string{
	"https://", "https://", "https://", "HTTPS://", "https:/", "https:", `https:\\`, `https:/\`, "https:///", "ht\ntps://", "https&colon;//", "https&#58//", "&#104ttps:&sol;/",
}

// randomDocument returns a random document of fragments and openers.
func randomDocument(r *rand.Rand) string {
	var b strings.Builder
	from := fragments
	if r.IntN(4) == 0 {
		from = plainFragments
	}
	for range 1 + r.IntN(12) {
		switch r.IntN(4) {
		case 0:
			url := fmt.Sprintf("%sexample.com/%d", spellings[r.IntN(len(spellings))], r.IntN(1000))
			fmt.Fprintf(&b, openers[r.IntN(len(openers))], url)
		default:
			b.WriteString(from[r.IntN(len(from))])
		}
	}
	b.WriteString("<a href=https://example.com/last>last</a>")
	if r.IntN(8) == 0 {
		return mutated(r, b.String())
	}
	return b.String()
}

// mutated returns a document with a byte or two changed, left out or repeated.
func mutated(r *rand.Rand, document string) string {
	for range 1 + r.IntN(3) {
		at := r.IntN(len(document))
		switch r.IntN(4) {
		case 0:
			document = document[:at] + document[at+1:]
		case 1:
			document = document[:at] + string("<>\"'/=! -&;\x00"[r.IntN(12)]) + document[at:]
		case 2:
			document = document[:at] + document[r.IntN(at+1):]
		case 3:
			document = document[:at] + strings.ToUpper(document[at:])
		}
	}
	return document
}

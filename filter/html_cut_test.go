package filter_test

import (
	"html"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/policy"
)

// narrowBoxes are boxes that show only the beginning of a link L.
var narrowBoxes = []string{
	`<div style="width:180px;overflow:hidden;white-space:nowrap">L</div>`,
	`<div style="MAX-WIDTH:15em;overflow:clip">L</div>`,
	`<p style="text-overflow:ellipsis;overflow:hidden;white-space:nowrap">L</p>`,
	`<div style="height:1.2em;overflow:hidden">L</div>`,
	`<div style="-webkit-line-clamp:1;display:-webkit-box;overflow:hidden;-webkit-box-orient:vertical">L</div>`,
	`<div style="overflow-x:scroll;width:50mm">L</div>`,
	`<style>.c{overflow:hidden;width:180px}</style><div class=c>L</div>`,
	`<style>.c{overflow:hidden}.d{max-width:200px}</style><div class="c d">L</div>`,
	`<style>#c{overflow:hidden}</style><div id=c style="white-space:nowrap">L</div>`,
	`<style>.d{width:180px}@media all{[x]{overflow:hidden}}</style><table><tr><td x class=d>L</table>`,
	`<div style="width:163px;overflow:auto">L</div>`,
	`<div style="width:163px;overflow:scroll;scrollbar-width:none">L</div>`,
	`<style>.c{width:163px;overflow-x:auto}</style><div class=c>L</div>`,
	`<div style="width:163px"><div style="overflow:inherit">L</div></div>`,
	`<div style="width:163px;max-width:600px;overflow:hidden">L</div>`,
	`<div style="width:42.9vw;overflow:hidden">L</div>`,
	`<div style="width:8.6%;overflow:hidden">L</div>`,
	`<div style="width:min(163px,90%);overflow:hidden">L</div>`,
	`<div style="--w:163px;width:var(--w);overflow:hidden">L</div>`,
	`<div style="max-inline-size:16ch;overflow:hidden">L</div>`,
	`<div style="width:163px"><div style="overflow:hidden">L</div></div>`,
	`<style>.c{width:163px}</style><div class=c><div style="overflow:hidden">L</div></div>`,
	`<div style="display:grid;grid-template-columns:163px;overflow:hidden">L</div>`,
	`<div style="display:grid;grid-template-columns:163px 1fr"><div style="overflow:hidden">L</div></div>`,
	`<div style="display:flex"><div style="flex:0 0 163px;overflow:hidden">L</div></div>`,
	`<div style="contain:paint;width:163px">L</div>`,
	`<div style="contain:strict;width:163px;height:20px">L</div>`,
	`<div style="contain:content;width:163px">L</div>`,
	`<div style="content-visibility:auto;width:163px">L</div>`,
	`<div style="clip-path:inset(0 116px 0 0)">L</div>`,
	`<div style="clip-path:polygon(0 0,163px 0,163px 20px,0 20px);min-width:600px">L</div>`,
	`<style>.c{clip-path:inset(0 116px 0 0)}</style><div class=c>L</div>`,
	`<div style="position:absolute;clip:rect(0,163px,20px,0)">L</div>`,
	`<div style="mask:linear-gradient(90deg,#000 163px,transparent 163px)">L</div>`,
	`<div style="-webkit-mask-image:linear-gradient(90deg,#000 163px,transparent 163px)">L</div>`,
	`<style>.c{mask-image:linear-gradient(90deg,#000 163px,transparent 163px)}</style><div class=c>L</div>`,
	`<div style="-webkit-mask-box-image:linear-gradient(90deg,#000 163px,transparent 163px)">L</div>`,
	`<table style="table-layout:fixed"><tr><td width=163 style="overflow:hidden">L</table>`,
	`<table style="table-layout:fixed"><tr><td width=" 163PX">L<td style="position:relative;background:#fff">&nbsp;</table>`,
	`<table style="table-layout:fixed"><col width=163><tr><td style="overflow:hidden">L</table>`,
	`<style>table{table-layout:fixed}td{overflow:hidden}</style><table><col width=163><tr><td>L</table>`,
	`<table style="table-layout:fixed" width=163><tr><td><div style="overflow:hidden">L</div></table>`,
	`<marquee width=163>L</marquee>`,
	`<iframe width=163 srcdoc='L'></iframe>`,
	`<iframe style="width:163px" src='data:text/html,L'></iframe>`,
	`<svg width=600><foreignObject width=163 height=20>L</foreignObject></svg>`,
}

// cutLinks are links to E whose text T may be cut off.
var cutLinks = []string{
	`<a href=E style="clip-path:inset(0 116px 0 0)">T</a>`,
	`<a href=E><b style="clip-path:inset(0 116px 0 0)">T</b></a>`,
	`<a href=E style="mask:linear-gradient(90deg,#000 163px,transparent 163px)">T</a>`,
	`<a href=E style="display:block;contain:paint;width:163px">T</a>`,
	`<a href=E style="display:block;content-visibility:auto;width:163px">T</a>`,
	`<a href=E style="position:absolute;clip:rect(0 163px 20px 0)">T</a>`,
	`<a href=E style="display:block;width:163px;overflow:auto">T</a>`,
	`<a href=E style="color:transparent;background-image:linear-gradient(90deg,#000 163px,transparent 163px);-webkit-background-clip:text">T</a>`,
	`<a href=E style="color:transparent;background-image:linear-gradient(90deg,#000 163px,transparent 163px);background-clip:text">T</a>`,
	`<svg width=165><a href=E><text y=20>T</text></a></svg>`,
	`<svg><a xlink:href=E><text y=20>T</text></a></svg>`,
	`<svg viewBox="0 0 165 20"><a href=E><text y=20>T</text></a></svg>`,
	`<a href=E><svg width=165><text y=20>T</text></svg></a>`,
	`<a href=E><svg width=165><text y=20><tspan>T</tspan></text></svg></a>`,
	`<svg width=600><clipPath id=c><rect width=165 height=30 /></clipPath><a href=E clip-path="url(#c)"><text y=20>T</text></a></svg>`,
}

// TestTextsThatAreCutOff: a box that shows only the beginning of a host, which is another site, is
// found.
func TestTextsThatAreCutOff(t *testing.T) {
	f := newFilter(t, filter.Options{})
	r := rand.New(rand.NewPCG(9, 10))
	for _, box := range narrowBoxes {
		for range 50 {
			scheme, path := []string{"", "https://", "http://"}[r.IntN(3)], []string{"", "/", "/login", "/" + strings.Repeat("a", r.IntN(2000)), ":443/x"}[r.IntN(5)]
			text := []string{"", " ", "Go to ", "&nbsp;"}[r.IntN(4)] + scheme + "www.kleinbank.de." + []string{"", "x.", "sign-in.account."}[r.IntN(3)] + "evil.example.net" + path
			if r.IntN(2) == 0 {
				text = strings.Replace(text, ".de.", []string{".de<wbr>.", "<b>.de</b>.", ".d<i>e.</i>", ".de&#46;"}[r.IntN(4)], 1)
			}
			link := `<a href=` + evil + `>` + text + `</a>`
			if r.IntN(4) == 0 {
				link = `<b>x</b><i>` + link + `</i>`
			}
			flagged(t, f, strings.Replace(box, "L", link, 1))
		}
		if t.Failed() {
			return
		}
	}
	for _, link := range cutLinks {
		flagged(t, f, strings.NewReplacer("E", evil, "T", "https://www.kleinbank.de.evil.example.net/").Replace(link))
	}
	for _, style := range []string{"overflow:hidden;width:20ch;display:inline-block", "display:block;width:180px;overflow:hidden;text-overflow:'>'"} {
		flagged(t, f, `<a href=`+evil+` style="`+html.EscapeString(style)+`">https://www.kleinbank.de.evil.example.net/</a>`)
		flagged(t, f, `<form action=`+evil+`><button style="`+html.EscapeString(style)+`">https://www.kleinbank.de.evil.example.net/</button></form>`)
	}
	for _, honest := range []string{
		`<div style="max-width:600px;overflow:hidden"><a href=https://news.email.example.com/1>news.email.example.com</a></div>`,
		`<div style="overflow:hidden;width:180px"><a href=https://click.example.co.uk/1>https://www.example.co.uk/a/long/path/to/a/page</a></div>`,
		`<div style="overflow:hidden;width:180px"><a href=https://shop.example.com.br/1>https://shop.example.com.br/a/long/path/to/a/page</a></div>`,
		`<div style="overflow:hidden;white-space:nowrap"><a href=https://www.example.org/>https://www.static.images.example.org/</a></div>`,
		`<div style="overflow:hidden;white-space:nowrap"><a href=https://www.example.org/>www.example.org and https://www.example.org/ are one site</a></div>`,
		`<div style="width:180px"><a href=https://www.example.org/>https://my.store.example.org/</a></div>`,
		`<style>.c{overflow:hidden;width:100%}.d{max-width:600px}</style><div class="c d"><a href=https://www.example.org/>https://my.store.example.org/</a></div>`,
		`<table width=600 style="border-radius:8px;overflow:hidden"><tr><td><a href=https://www.example.org/>https://my.store.example.org/</a></table>`,
		`<style>table{table-layout:fixed}</style><table width=100%><tr><td width=50><a href=x><img alt=x></a><td><a href=https://www.example.org/>https://my.store.example.org/</a></table>`,
		`<div style="overflow-x:auto"><a href=https://www.example.org/>https://my.store.example.org/</a></div>`,
		`<div style="display:flex;flex:1 1 auto;overflow:hidden;max-width:100vw"><a href=https://www.example.org/>https://my.store.example.org/</a></div>`,
		`<div style="clip-path:none;mask:none;overflow:unset;contain:layout;width:180px"><a href=https://www.example.org/>https://my.store.example.org/</a></div>`,
		`<a href=https://www.example.org/ style="background:url(text.png) no-repeat">https://my.store.example.org/</a>`,
		`<div style="clip-path:inset(0 round 8px)"><a href=https://www.example.org/>https://www.example.org/news</a></div>`,
	} {
		if r := f.Scan(htmlMessage(honest)); worstLink(r) >= policy.SeverityMedium {
			t.Errorf("%s: %v", honest, placed(r))
		}
	}
}

// TestInstructionsOfFields: the instruction of a Word field is read as a text, since programs other
// than Outlook show it.
func TestInstructionsOfFields(t *testing.T) {
	f := newFilter(t, filter.Options{})
	mark := func(name string) string { return `<span style='mso-element:field-` + name + `'></span>` }
	for _, field := range []string{
		mark("begin") + "|" + mark("end"), mark("begin") + "|" + mark("separator") + mark("end"), mark("begin") + "<b>|</b>" + mark("end"),
		`<span style="color:red; MSO-ELEMENT: field-begin">|</span>` + mark("end"),
	} {
		hidden := strings.Replace(field, "|", ".evil.example.net", 1)
		flagged(t, f, `<p><a href=`+evil+`>https://www.kleinbank.de`+hidden+`/</a>`)
		flagged(t, f, `<table><a href=`+evil+`>https://www.kleinbank.de`+hidden+`/</a>`) // by the tree
	}
	const honest = `<a href=https://www.example.org/><!--[if supportFields]><span style='mso-element:field-begin'></span> PAGEREF x <span style='mso-element:field-separator'></span><![endif]-->www.example.org<!--[if supportFields]><span style='mso-element:field-end'></span><![endif]--> shop</a>`
	if r := f.Scan(htmlMessage(honest)); worstLink(r) >= policy.SeverityMedium {
		t.Errorf("%s: %v", honest, placed(r))
	}
}

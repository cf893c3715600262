package filter_test

import (
	"html"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/policy"
)

// narrowBoxes show the beginning of a link L.
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
}

// TestTextsThatAreCutOff: a box shows the beginning of a host, which is another site.
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
	} {
		if r := f.Scan(htmlMessage(honest)); worstLink(r) >= policy.SeverityMedium {
			t.Errorf("%s: %v", honest, placed(r))
		}
	}
}

// TestInstructionsOfFields: Outlook does not show the instruction of a field, other programs do.
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

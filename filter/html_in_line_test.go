package filter_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/policy"
)

// pieceOfHost is a host none of whose pieces, such as "pay" and "pal.com", names a host of another
// site.
const pieceOfHost = "paypal.com"

// TestBlocksInOneLine: blocks that a style or a table shows beside each other are read as one text.
func TestBlocksInOneLine(t *testing.T) {
	f := newFilter(t, filter.Options{})
	r := rand.New(rand.NewPCG(8, 5))
	styles := []string{"display:inline", "display:inline-block", "display:table-cell", "float:left", "DISPLAY : Inline !important", "display:contents", "display:inline flow"}
	boxes := []string{"display:inline-block", "display:table-cell", "float:left"} // blocks inside these stay beside each other
	rows := []string{"display:flex", "display:inline-flex", "display:grid;grid-auto-flow:column", "display:-webkit-box", "columns:2", "-webkit-column-count:2"}
	for range 300 {
		style, row, box := styles[r.IntN(len(styles))], rows[r.IntN(len(rows))], boxes[r.IntN(len(boxes))]
		at := 1 + r.IntN(len(pieceOfHost)-len(".com"))
		before, after := pieceOfHost[:at], pieceOfHost[at:]
		for _, form := range []string{
			fmt.Sprintf(`<a href=%s><div style=%q>%s</div><div style=%[2]q>%[4]s</div></a>`, evil, style, before, after),
			fmt.Sprintf(`<a href=%s><p style=%q>%s<p style=%[2]q>%[4]s</a>`, evil, style, before, after),
			fmt.Sprintf(`<style>a>*{%s}</style><a href=%s><h2>%s</h2><section>%s</section></a>`, style, evil, before, after),
			fmt.Sprintf(`<style>.q{%s}</style><a href=%s><div class=q>%s</div><div class=q>%s</div></a>`, style, evil, before, after),
			fmt.Sprintf(`<a href=%s><div style=%q><p>%s</p><p>%s</p></div></a>`, evil, row, before, after),
			fmt.Sprintf(`<a href=%s style=%q><p>%s</p><p>%s</p></a>`, evil, row, before, after),
			fmt.Sprintf(`<style>.q{%s}</style><a class=q href=%s><p>%s</p><p>%s</p></a>`, row, evil, before, after),
			fmt.Sprintf(`<a href=%s><table><tr><td>%s</td> <td>%s</td></tr></table></a>`, evil, before, after),
			fmt.Sprintf(`<a href=%s><table><tr><th>%s<td>%s</table></a>`, evil, before, after),
			fmt.Sprintf(`<a href=%s><div style=%q><p>%s</p></div><div style=%[2]q><ul><li>%[4]s</ul></div></a>`, evil, box, before, after),
			fmt.Sprintf(`<a href=%s><span style=%q><p>%s</p></span><span style=%[2]q><p>%[4]s</p></span></a>`, evil, box, before, after),
			fmt.Sprintf(`<a href=%s style=%q><div><p>%s</p></div><div><p>%s</p></div></a>`, evil, row, before, after),
			fmt.Sprintf(`<a href=%s><table><tr><td><table><tr><td>%s</table><td><table><tr><td>%s</table></table></a>`, evil, before, after),
			fmt.Sprintf(`<a href=%s><table align=left><tr><td>%s</table><table align=left><tr><td>%s</table></a>`, evil, before, after),
			fmt.Sprintf(`<form action=%s><button><p style=%q>%s</p><p style=%[2]q>%[4]s</p></button></form>`, evil, style, before, after),
		} {
			flagged(t, f, form)
		}
		if t.Failed() {
			return
		}
	}
}

// TestOrdinaryBlocksInOneLine: a word beside a host in a row is no part of the host.
func TestOrdinaryBlocksInOneLine(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, target := range []string{"https://www.example.com/1", "https://example.design/"} {
		_, host, _ := strings.Cut(strings.TrimRight(target, "/1"), "://")
		name := strings.TrimPrefix(host, "www.")
		for _, texts := range [][]string{
			{"Shop", host}, {host, "Shop"}, {"Shop", name + "/news"}, {name + "/news", "Shop"}, {"See", "https://" + host + "/", "now"}, {"No. 1", "Read", name}, {"info@" + name, "Sign"}, {"a.m.", "Info"},
		} {
			for _, form := range [][2]string{
				{`<table><tr><td>`, `</td><td>`}, {`<div style="display:inline-block">`, `</div><div style="display:inline-block">`}, {`<p style="float:left">`, `</p><p style="float:left">`}, {`<ul style="display:flex"><li>`, `<li>`},
			} {
				source := `<a href="` + target + `">` + form[0] + strings.Join(texts, form[1]) + `</a>`
				if result := f.Scan(htmlMessage(source)); worstLink(result) >= policy.SeverityMedium {
					t.Errorf("%s: %v", source, placed(result))
				}
			}
		}
	}
}

// TestBlanksBetweenBlocksInOneLine: white space that browsers show, and the end of a sentence, end
// a host. White space at the ends of blocks, between cells or in a tiny font does not, since
// browsers do not show it.
func TestBlanksBetweenBlocksInOneLine(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const shop = `<a href="https://shop.example/">`
	for _, honest := range []string{
		shop + `Free delivery. <span style="display:inline-block">Men/Women</span></a>`,
		shop + `Free delivery <span style="display:inline-block">.men/women</span></a>`,
		shop + `<span style="display:inline-block">Free delivery</span>&nbsp;<span style="display:inline-block">.men/women</span></a>`,
		shop + `<b style="display:inline">Free delivery. </b><b style="display:inline">men/women</b></a>`,
		`<style>.q{display:inline-block}</style>` + shop + `Free delivery. <span class=q>men/women</span></a>`,
		`<table>` + shop + `Free delivery. <span style="display:inline-block">men/women</span></a>`,
		shop + `<table><tr><td>Sale.</td><td>Shop/Outlet</td></tr></table></a>`,
		shop + `<table><tr><td>Sale.</td><td></td><td>SHOP/OUTLET</td></tr></table></a>`,
		`<style>.q{float:left}</style>` + shop + `<p class=q>Free delivery.</p><p class=q>Men/Women</p></a>`,
	} {
		if result := f.Scan(htmlMessage(honest)); worstLink(result) >= policy.SeverityMedium {
			t.Errorf("%s: %v", honest, placed(result))
		}
	}
	for _, form := range []string{
		`<a href=%s><div style="display:inline-block">%s </div><div style="display:inline-block"> %s</div></a>`,
		`<a href=%s style="font-size:0"><b style="display:inline-block;font-size:16px">%s</b> <b style="display:inline-block;font-size:16px">%s</b></a>`,
		`<a href=%s><div style="float:left">%s</div> <div style="float:left">%s</div></a>`,
		`<style>.q{float:left}</style><a href=%s><p class=q>%s</p> <p class=q>%s</p></a>`,
		`<a href=%s style="display:flex"> <p>%s</p> <p>%s</p> </a>`,
		`<a href=%s><table><tr><td> %s </td> <td> %s </td></tr></table></a>`,
	} {
		for _, texts := range [][2]string{{"paypal.", "com/login"}, {"www.PayPal.", "Com"}} {
			flagged(t, f, fmt.Sprintf(form, evil, texts[0], texts[1]))
		}
	}
}

// TestHiddenInputs: an input that browsers never show does not divide a text.
func TestHiddenInputs(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, input := range []string{`<input type=hidden>`, `<input type="HIDDEN" value="x y">`, `<input type=hidden style="display:inline">`, `<input hidden>`} {
		flagged(t, f, `<a href=`+evil+`>paypa`+input+`l.com</a>`)
	}
}

// TestPresentationAttributes: an attribute of SVG or MathML hides a text as a style does.
func TestPresentationAttributes(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, attribute := range []string{
		`opacity=0`, `fill=none`, `FILL=white`, `visibility=hidden`, `display=none`, `font-size=0`, `transform="translate(-999)"`, `clip-path="url(#c)"`, `style="fill:none"`,
	} {
		for _, name := range []string{"tspan", "svg:tspan"} {
			flagged(t, f, `<svg><a href=`+evil+`><text>paypa<`+name+` `+attribute+`>x y</`+name+`>l.com</text></a></svg>`)
		}
	}
	for _, attribute := range []string{`mathcolor=white`, `mathsize=0`} {
		flagged(t, f, `<math href=`+evil+`><mtext>paypa</mtext><mtext `+attribute+`>x y</mtext><mtext>l.com</mtext></math>`)
	}
	const icon = `<a href="https://www.example.com/"><svg fill="none" viewBox="0 0 9 9"><path d="M0 0" opacity=".5"/><text x="1" y="9" fill="#333" font-size="12">www.example.com</text></svg> Shop</a>`
	if result := f.Scan(htmlMessage(icon)); worstLink(result) >= policy.SeverityMedium {
		t.Errorf("icon: %v", placed(result))
	}
}

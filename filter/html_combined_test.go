package filter_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// tricks show the text paypal.com in a link; each | stands for HTML without an effect of its own.
var tricks = []string{
	`pay<img alt="pal">.com|`, `<img alt="pay">|pal<img alt=".com">`, `paypal.c<p style="display:inline">om</p>|`, `<div style="float:left">pay</div>|<div style="float:left">pal.com</div>`,
	`<bdo dir=rtl>|moc.lapyap</bdo>`, `pay<b class=g></b>.com|`, `|<b class=k></b>.com`, `<i style="float:right">.com</i><i><b class=k>|</b></i>`, `paypal<b class=d></b>|com`, `<b class=d>paypal</b>com|`,
}

// idle has pieces of HTML that show nothing in a text, but give it one more reading.
var idle = []string{`<i style="display:none">x</i>`, `<b style="font-size:0">zq </b>`, `<img alt="">`, `<bdi></bdi>`, `<u class=h>y</u>`, `<i style="float:left"></i>`, `<span hidden>www.</span>`, `<s></s>`}

// TestTricksTogether: a link whose text names another host is found, also if it uses several
// tricks.
func TestTricksTogether(t *testing.T) {
	f := newFilter(t, filter.Options{})
	r := rand.New(rand.NewPCG(7, 5))
	const sheet = `<style>.g::before{content:"pal"}.k::before{content:"paypal"}.d::after{content:"."}.h{display:none}</style>`
	for _, trick := range tricks {
		for range 30 {
			between := ""
			for range 1 + r.IntN(2) {
				between += idle[r.IntN(len(idle))]
			}
			flagged(t, f, sheet+`<div><a href=`+evil+`>`+strings.Replace(trick, "|", between, 1)+`</a>`)
		}
	}
	for _, source := range []string{
		`<p dir=rtl><a href=E><bdi>.com</bdi><bdi><img alt="paypal"></bdi></a>`, `<style>.k::before{content:"paypal"}</style><a href=E>.com<i style="float:left" class=k></i></a>`,
		`<style>.a::before{content:"p"}.b::before{content:"a"}.c::before{content:"y"}.d::before{content:"l"}.e::before{content:"."}.f::before{content:"com"}</style><a href=E><b class=a></b><b class=b></b><b class=c></b><b class=a></b><b class=b></b><b class=d></b><b class=e></b><b class=f></b></a>`,
	} {
		flagged(t, f, strings.ReplaceAll(source, "E", evil))
	}
	for _, honest := range []string{
		`<a href=https://www.example.com/><img alt="Logo">Shop at www.example.com<i style="display:none">now</i><div style="float:left">Sale</div></a>`,
		`<style>.i::before{content:"NEW"}.h{display:none}</style><a href=https://www.example.com/><b class=i></b>example.com <i class=h>today</i><img alt="&raquo;"></a>`,
		`<a href=https://t.example.net/1><img alt="Sale. "><div style="display:inline-block">50% off.</div><span style="display:none">x</span><div style="display:inline-block">Buy now.</div></a>`,
	} {
		if result := f.Scan(htmlMessage(honest)); worstLink(result) >= policy.SeverityMedium || result.Outcome != report.OutcomeComplete {
			t.Errorf("%s: %s %v", honest, result, placed(result))
		}
	}
}

// TestTextsAtTheirPlaces: if programs show or omit something at a place within a text, and so make
// it a host, that is found.
func TestTextsAtTheirPlaces(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, source := range []string{
		`<a href=E><q style="quotes:'www.' '.com'">paypal</q></a>`, `<a href=E><q style='quotes:"pay" ".com"'>pal</q></a>`,
		`<style>i::before{content:var(--a)}</style><a href=E>paypal.c<i style="--a:'om'"></i></a>`, `<style>i::after{content:var(--a)}</style><a href=E>pay<i style="--a:'pal'"></i>.com</a>`,
		`<a href=E style="--x:'www.paypal.com';display:list-item;list-style-position:inside;list-style-type:var(--x)">&nbsp;</a>`,
		`<a href=E>pay<object>pal</object>.com</a>`, `<a href=E>paypa<svg width=60 height=20><foreignObject width=60 height=20>l.com</foreignObject></svg></a>`,
		`<style>a::first-letter{font-size:0}a{display:inline-block}</style><a href=E>2paypal.com</a>`, `<style>.a:first-letter{opacity:0}</style><a class=a href=E>(x)paypal.com</a>`,
	} {
		flagged(t, f, strings.ReplaceAll(source, "E", evil))
	}
	for _, honest := range []string{
		`<td><a href=https://www.facebook.com/x>Facebook</a></td><td><a href=mailto:info@booking.com>info@booking.com</a></td>`,
		`<a href=https://www.linkedin.com/x>LinkedIn</a><a href="mailto:info@booking.com">info@booking.com</a>`,
		`<a href=https://www.facebook.com/x>Facebook</a><a href=https://booking.com/>@booking.com</a>`, `<a href=https://booking.com/>booking.com|de</a><a href=https://www.facebook.com/x>Facebook</a>`,
		`<style>p.intro::first-letter{float:left;font-size:75px;color:#903}</style><a href=https://ebooking.com/x>ebooking.com/x</a>`,
		`<style>p::first-letter{font-size:3em;color:red}</style><p><a href=https://www.example.com/>Example.com</a>`, `<a href=https://www.example.com/>www.example.com <button>Shop</button></a>`, `<a href=https://www.example.com/>example.com<svg><path d="M0"/></svg>Shop</a>`,
		`<style>:root{--f:'Inter'}p{font-family:var(--f)}</style><a href=https://www.example.com/><b style="--f:'Lato'">www.</b>example.com</a>`, `<a href=https://www.example.com/><q>example.com</q></a>`,
	} {
		if result := f.Scan(htmlMessage(honest)); worstLink(result) >= policy.SeverityMedium || result.Outcome != report.OutcomeComplete {
			t.Errorf("%s: %s %v", honest, result, placed(result))
		}
	}
}

// TestBoundsOfReadings: if a text has more readings than the filter makes, the message is partial.
func TestBoundsOfReadings(t *testing.T) {
	f := newFilter(t, filter.Options{})
	var signs, parts, hidden strings.Builder
	for i, sign := range []string{"..", "...", "//", "/", "://", ":", "::", "./", "."} {
		fmt.Fprintf(&signs, ".j%d::before{content:%q}", i, sign)
	}
	for i, piece := range []string{"com", "pay", "www.", "pal", "."} {
		fmt.Fprintf(&parts, "<i style=order:%d>%s</i>", i, piece)
	}
	for _, letter := range "paypal.com" {
		fmt.Fprintf(&hidden, "<b>%c</b><u><b>q</b></u>", letter)
	}
	for _, source := range []string{
		`<style>` + signs.String() + `</style><a href=E>www<b class=j8></b>paypal<b class=j8></b>com</a>`,
		`<a href=E><span style="display:flex">` + parts.String() + `</span></a>`,
		`<style>u b{display:none}</style><a href=E>` + hidden.String() + `</a>`, `<style>b:has(u){display:none}</style><a href=E>` + strings.ReplaceAll(strings.ReplaceAll(hidden.String(), "<u><b>", "<b><u></u>"), "</b></u>", "</b>") + `</a>`,
	} {
		if result := f.Scan(htmlMessage(strings.ReplaceAll(source, "E", evil))); !flaggedOrReported(result) {
			t.Errorf("%s: %s", source, result)
		}
	}
	flagged(t, f, `<p dir=rtl><a href=`+evil+`>`+strings.Repeat("Dear customer, please read this. ", 40)+`<bdi>pal.com</bdi><bdi>pay</bdi></a>`)
	card := `<style>.x{display:none}</style><a href=https://www.example.com/>` + strings.Repeat(`<b class=x>Only now.</b> <span class=x style="color:red">Read more: www.example.com/news</span> `, 9) + `</a>`
	if result := f.Scan(htmlMessage(card)); result.Outcome != report.OutcomeComplete {
		t.Errorf("card: %s", result)
	}
}

package filter_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// pieceForms are ways to write a piece of a text as a link: | is the target, ^ the piece.
var pieceForms = []string{
	`<td><a href="|">^</a></td>`, `<td><a href='|'><b>^</b></a>`, `<a href="|">^</a> `, `<a href="|"><img alt="^"></a>`, `<td><a href="|"><img src=cid:x alt="^"></a></td>`,
	`<div style="float:left"><a href="|">^</a></div>`, `<area href="|" alt="^">`, `<p style="display:inline"><a href="|">^</a></p>`,
}

// TestTextsInBoxes: the texts or pictures of links to one site, in cells of a table or with blanks
// between them, are read as one.
func TestTextsInBoxes(t *testing.T) {
	f := newFilter(t, filter.Options{})
	r := rand.New(rand.NewPCG(2, 5))
	for range 500 {
		form := pieceForms[r.IntN(len(pieceForms))]
		var b strings.Builder
		for rest := []string{shownAs, "www.paypal.com/login", "http://paypal.com"}[r.IntN(3)]; rest != ""; {
			n := 1 + r.IntN(min(len(rest), 9))
			b.WriteString(strings.NewReplacer("|", fmt.Sprintf("%s?%d", evil, r.IntN(3)), "^", rest[:n]).Replace(form))
			rest = rest[n:]
		}
		flagged(t, f, "<table><tr>"+b.String())
		if t.Failed() {
			return
		}
	}
}

// besideForms are ways to write a piece of a host as a link beside others: | is the target, ^ the
// piece.
var besideForms = []string{
	`<a href="|">^</a>`, `<a href="|"><img alt="^"></a>`, `<td><a href="|">^</a></td>`, `<td> <a href='|'>^</a> </td>` + "\n", `<div style="float:left"> <a href="|">^</a></div> `,
	`<p style="display:inline"><a href="|">^</a></p>`, `<span style="display:inline-block"><a href="|">^</a></span>`, `<b><a href="|"><i>^</i></a></b>`, `<a href="|">^</a><a href="https://www.example.org/"></a>`,
}

// TestLinksBeside: the texts of links to different sites, with nothing shown between them, are read
// as one text, of which each link opens its own target.
func TestLinksBeside(t *testing.T) {
	f := newFilter(t, filter.Options{})
	r := rand.New(rand.NewPCG(6, 5))
	for range 500 {
		form := besideForms[r.IntN(len(besideForms))]
		var pieces []string
		for rest := []string{pieceOfHost, "www." + pieceOfHost, "PayPal.com"}[r.IntN(3)]; rest != ""; {
			n := min(len(rest), 1+r.IntN(7))
			pieces = append(pieces, rest[:n])
			rest = rest[n:]
		}
		trapped := r.IntN(len(pieces)) // the others open what is honest
		var b strings.Builder
		for i, piece := range pieces {
			url := fmt.Sprintf("https://www.example.com/%d", i)
			if i == trapped {
				url = evil
			}
			b.WriteString(strings.NewReplacer("|", url, "^", piece).Replace(form))
		}
		source := "<table><tr>" + b.String()
		flagged(t, f, source)
		if len(pieces) > 1 {
			// Only the link to the trap is bad by itself.
			source = strings.ReplaceAll(source, "https://www.example.com/", "https://www.paypal.com/")
			flagged(t, f, source)
		}
		if t.Failed() {
			return
		}
	}
	for _, honest := range []string{
		`<a href=https://a.example/>a.example</a><a href=https://b.example/>b.example</a>`, `<table><td><a href=https://www.example.com/>www.example.com</a></td><td><a href=https://www.example.org/>www.example.org</a></td>`,
		`<a href=https://t.example.com/1>Home</a><a href=https://t.example.com/2>News</a><a href=https://t.example.com/3>Shop</a>`, `<table><td><a href=https://t.example.com/1>Pay</a></td><td><a href=https://www.example.org/>www.example.org</a></td><td><a href=https://t.example.com/2>Pal</a></td>`,
		`<a href=https://t.example.net/1>Pay</a> <a href=https://t.example.net/2>pal.com</a>`, `<a href=https://t.example.net/1>Pay</a><br><a href=https://t.example.net/2>pal.com</a>`, `<p><a href=https://t.example.net/1>Pay</a></p><p><a href=https://t.example.net/2>pal.com</a></p>`,
		`<li><a href=https://t.example.net/1>Pay</a></li><li><a href=https://t.example.net/2>pal.com</a></li>`, `<table><tr><td><a href=https://t.example.net/1>Pay</a></td></tr><tr><td><a href=https://t.example.net/2>pal.com</a></td></tr>`,
		`<a href=https://t.example.net/1>Read more.</a><a href=https://t.example.net/2>Info</a>`, `<a href=https://t.example.net/1>Pay</a> | <a href=https://t.example.net/2>pal.com</a>`, `<a href=https://www.example.com/1>Pay</a>at<a href=https://t.example.net/2>pal.com</a>`,
	} {
		if result := f.Scan(htmlMessage(honest)); worstLink(result) >= policy.SeverityMedium {
			t.Errorf("%s: %v", honest, placed(result))
		}
	}
}

// TestLinksInWords: a link whose text is part of a URL in the text around it is judged with that
// URL.
func TestLinksInWords(t *testing.T) {
	f := newFilter(t, filter.Options{})
	r := rand.New(rand.NewPCG(3, 5))
	for range 500 {
		text := []string{shownAs, "www.paypal.com/login", "http://paypal.com/", "paypal.com/login"}[r.IntN(4)]
		start := r.IntN(len(text) - 3)
		end := start + 2 + r.IntN(len(text)-start-1)
		if end > len(text) || !strings.Contains(text[start:end], "pa") && !strings.Contains(text[start:end], "al") {
			continue
		}
		after := text[end:]
		if r.IntN(2) == 0 && len(after) > 1 {
			after = "<b>" + after[:1] + "</b>" + after[1:]
		}
		flagged(t, f, []string{"<p>", "<p>See ", "<td>&nbsp;\n"}[r.IntN(3)]+text[:start]+`<a href=`+evil+`>`+text[start:end]+`</a>`+after+[]string{"", " now", "<br>"}[r.IntN(3)])
		if t.Failed() {
			return
		}
	}
	flagged(t, f, `<a href="mailto:x@evil.example.net">service</a>@paypal.com`)
	flagged(t, f, `service@<a href="mailto:x@evil.example.net">shop.example.com</a>`)
	for _, source := range []string{
		`See <a href=|>https</a>://www.paypal.com/`, `See <a href=|>https:</a>//www.paypal.com/`,
	} {
		flagged(t, f, strings.ReplaceAll(source, "|", evil))
	}
	flagged(t, f, `www.<a href=`+evil+">\u24df\u24d0\u24e8\u24df\u24d0\u24db</a>"+`.com`)
	for _, beside := range []string{"[1]", "(map)", "\u2192", "\u2197", "\u2605\u2605", "\u2460", "\u00ae", "\u00b9\u00b2", "\u201cx\u201d", "**"} {
		for _, honest := range []string{"www.example.com<a href=https://news.example.net/1>" + beside + "</a>", "<a href=https://news.example.net/1>" + beside + "</a>www.example.com"} {
			if result := f.Scan(htmlMessage(honest)); worstLink(result) >= policy.SeverityMedium {
				t.Errorf("%s: %v", honest, placed(result))
			}
		}
	}
	for _, honest := range []string{
		`<a href=mailto:anna@example.com>anna</a>@example.com`, `Finished.<a href=https://www.example.net/>Read</a>, or now.<a href=https://www.example.net/>Click</a>.`, `example.org<a href="https://www.example.net/#1">[1]</a>`, `www.<a href=https://www.example.com/>example</a>.com`,
		`(<a href=https://www.example.com/>www.example.com</a>).`, `https://<a href=https://www.example.com/>www.example.com</a>/`, `joe@<a href=https://www.example.com/>example.com</a>`, `<a href=https://www.example.com/>Linux</a>-based.Thing`,
		`<td><a href=https://www.example.com/a>www.example.com</a></td><td><a href=https://www.example.com/b>Shop</a></td> <a href=https://www.example.com/c>network</a>`, `<a href=https://www.example.com/><img alt="www.example.com"></a><a href=https://www.example.com/><img alt="au"></a>`,
	} {
		if result := f.Scan(htmlMessage(honest)); worstLink(result) >= policy.SeverityMedium {
			t.Errorf("%s: %v", honest, placed(result))
		}
	}
}

// TestWordsInSeveralBoxes: a word that begins in the box before that of a link, or ends in the box
// behind it, is read as one word if nothing is shown between them.
func TestWordsInSeveralBoxes(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, boxes := range []string{
		"<table><tr><td>|<td>|<td>|</table>", "<table><tr><td align=right> |</td>\n<td>|</td>\n<td> |</td></tr></table>", "<div style=float:left>|</div><div style=float:left>|</div><div style=float:left>|</div>",
		"<div style=display:inline-block>|</div><div style=display:inline-block>|</div><div style=display:inline-block>|</div>", "<div style=display:flex><p>|</p><p>|</p><p>|</p></div>", "<style>p{display:inline}</style><p>|</p><p>|</p><p>|</p>",
	} {
		for _, pieces := range [][3]string{{"https://www.payp", "al.com", ""}, {"https://www.payp", "al", ".com/"}, {"www.", "paypal", ".com"}, {"", "https://www.payp", "al.com/"}, {"http://pay", "pal.", "com"}, {"Go to www.payp", "al", ".com now"}} {
			source := boxes
			for i, piece := range pieces {
				if i == 1 {
					piece = "<a href=" + evil + ">" + piece + "</a>"
				}
				source = strings.Replace(source, "|", piece, 1)
			}
			flagged(t, f, source)
		}
	}
	for _, source := range []string{
		`<style>a::before{content:"al.com"}</style>www.payp<a href=E></a>`, `<b on="tap:AMP.navigateTo(url='E')">www.paypal.com</b>`,
	} {
		flagged(t, f, strings.ReplaceAll(source, "E", evil))
	}
	allClean(t, f,
		`<table><tr><td>www.paypal.com</td><td><a href=https://click.example.net/1>example.com</a></td></tr></table>`, `<table><tr><td>https://www.paypal.com</td><td><a href=https://click.example.net/1>Details</a></td></tr></table>`,
		`<table><tr><td>www.</td><td>x</td></tr><tr><td><a href=https://click.example.net/1>paypal</a></td></tr></table>`, `<div>https://www.pay</div><a href=https://click.example.net/1>pal</a>`, `<table><tr><td>http://intranet</td><td><a href=https://intranet.example.com>intranet.example.com</a></table>`,
		`<div style=float:left>www.example.com</div><div style=float:right><a href=https://click.example.net/1>Unsubscribe</a></div>`, `<table><tr><td>www.pay<td>Hello <a href=https://click.example.net/1>pal</a></table>`,
		`<form action=https://www.example.com/search>Search example.com <input name=q placeholder="www.example.com"><button>Go</button></form>`,
	)
}

// TestSeveralLinksInWords: several links and the texts between them that show one host together are
// found, if none of the links opens it.
func TestSeveralLinksInWords(t *testing.T) {
	f := newFilter(t, filter.Options{})
	r := rand.New(rand.NewPCG(9, 5))
	for range 500 {
		var pieces []string
		for rest := []string{pieceOfHost, "www." + pieceOfHost, "PayPal.com"}[r.IntN(3)]; rest != ""; {
			n := min(len(rest), 1+r.IntN(4))
			pieces = append(pieces, rest[:n])
			rest = rest[n:]
		}
		if len(pieces) < 3 {
			continue
		}
		first := r.IntN(len(pieces) - 1)
		last := first + 1 + r.IntN(len(pieces)-first-1)
		var b strings.Builder
		for i, piece := range pieces {
			switch {
			case i == first || i == last || first < i && i < last && (r.IntN(2) == 0 || strings.ContainsAny(piece, "./")):
				fmt.Fprintf(&b, `<b><a href=%s%d>%s</a></b>`, evil, r.IntN(2), piece)
			case r.IntN(4) == 0:
				b.WriteString("<i>" + piece + "</i>")
			default:
				b.WriteString(piece)
			}
		}
		flagged(t, f, "<p>See "+b.String()+" now")
		if t.Failed() {
			return
		}
	}
	for _, source := range []string{
		`pa<a href=https://al.com/>y</a><a href=https://al.com/>pal.com</a>`, `<a href=E>pay</a></svg><a href=https://www.example.com/>pal.com</a>`, `<a href=E>pay</a><param name=a value=//www.example.com/><a href=https://www.example.com/>pal.com</a>`,
		`<style>i::before{content:"pal"}</style>www.<a href=E>pay</a><i></i><a href=E>.com</a>`,
	} {
		flagged(t, f, strings.ReplaceAll(source, "E", evil))
	}
	allClean(t, f,
		`Web:<a href=https://www.example.com/>www.example.com</a><a href=https://www.example.com/x>Shop</a>`, `<a href=https://t.example.net/1>Home</a>|<a href=https://t.example.net/2>News</a>|<a href=https://t.example.net/3>Shop</a>.`, `See <a href=https://www.example.com/>example.com</a>.<a href=https://www.example.net/>Read</a> more`,
		`No.<a href=https://t.example.net/1>1</a><a href=https://t.example.net/2>2</a>.Then go.`, `<a href=https://www.facebook.com/x>Facebook</a>.<a href=https://www.linkedin.com/x>LinkedIn</a>.<a href=https://www.youtube.com/x>YouTube</a>`, `<a href=mailto:anna@example.com>anna</a><a href=mailto:anna@example.com>@example</a>.com`,
		`<style>li::before{content:"NEW"}b::after{content:":"}</style><li><b>Web</b><a href=https://www.example.com/>www.example.com</a>`,
	)
}

// TestTextsOfElements: texts that programs show for elements inside a link are read, and elements
// beside links that open something.
func TestTextsOfElements(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const picture = `<svg xmlns="http://www.w3.org/2000/svg"><text y="20">` + shownAs + `</text></svg>`
	for _, source := range []string{
		`<a href=` + evil + `><select><option label="` + shownAs + `">x</select></a>`, `<a href=` + evil + `><select><optgroup label="` + shownAs + `"></select></a>`,
		`<a href=` + evil + `><i aria-valuetext="` + shownAs + `">x</i></a>`, `<a href=` + evil + ` aria-placeholder="` + shownAs + `">x</a>`, `<a href=` + evil + `><math alttext="` + shownAs + `"></math></a>`, `<a href=` + evil + `><table summary="` + shownAs + `"></table></a>`,
		`<span title="` + shownAs + `"><a href=` + evil + `>Open</a></span>`, `<div title="` + shownAs + `"><p><b><a href=` + evil + `></a></b></div>`, `<div title="` + shownAs + `"><form action=` + evil + `><button>Open</button></form></div>`,
		`<a href=` + evil + ` aria-description="` + shownAs + `">x</a>`, `<svg><a href=` + evil + ` xlink:title="` + shownAs + `"><rect/></a></svg>`, `<a href=` + evil + `><span [text]="'` + shownAs + `'">x</span></a>`,
		`<a href=` + evil + `><iframe srcdoc="<p>` + shownAs + `"></iframe></a>`,
		`<a href=` + evil + `><img src="data:image/svg+xml,` + url.PathEscape(picture) + `"></a>`, `<a href=` + evil + `><IMG src=" DATA:Image/svg+xml;base64,` + base64.StdEncoding.EncodeToString([]byte(picture)) + `"></a>`,
		`<object><param name=movie value="` + lookLike + `"></object>`, `<object><PARAM NAME=src VALUE='` + lookLike + `'></object>`,
	} {
		flagged(t, f, source)
	}
}

// TestTextsByReference: texts that SVG shows by reference, by a style or an element with their id,
// are read.
func TestTextsByReference(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const text, shape = `<text y=15>` + shownAs + `</text>`, `<svg><rect width=200 height=20 `
	for _, source := range []string{
		`<pattern id=p>` + text + `</pattern>^<a href=E>` + shape + `fill="url(#p)"/></svg></a>`, `<PATTERN id=p>` + text + `</pattern><pattern id=q href="#p"/>^<style>rect{fill:url(#q)}</style><a href=E>` + shape + `/></svg></a>`,
		`<clipPath id=p>` + text + `</clipPath>^<a href=E style="display:inline-block;clip-path:url(#p)"></a>`, `<mask id=p>` + text + `</mask>^<style>.m{mask:url(#p)}</style><a href=E><b class=m></b></a>`,
		`<marker id=p>` + text + `</marker>^<a href=E><svg><path d="M0 10L1 10" marker-start="url(#p)"/></svg></a>`, `<filter id=p><feImage href="data:image/svg+xml,<svg>` + text + `</svg>"/></filter>^<a href=E>` + shape + `filter="url(#p)"/></svg></a>`,
		`<g id=t>` + text + `</g><g id=u><use href="#t"/></g>^<a href=E><svg><use href="#u"/></svg></a>`, `<g id=t>` + text + `</g><use id=u xlink:href="#t"/>^<a href=E><svg><use href="#u"/></svg></a>`, `<g id=t>` + text + `</g><mask id=p><use href="#t"/></mask>^<a href=E style="mask:url(#p)"></a>`,
	} {
		svg, html, _ := strings.Cut(source, "^")
		flagged(t, f, `<svg width=0 height=0><defs>`+svg+`</defs></svg>`+strings.ReplaceAll(html, "E", evil))
		flagged(t, f, strings.ReplaceAll(html, "E", evil)+`<svg width=0 height=0><defs>`+svg+`</defs></svg>`)
	}
	loop := `<svg><g id=a><use href="#b"/></g><g id=b><use href="#a"/><use href="#b"/></g></svg><a href=` + evil + `><svg><use href="#a"/></svg></a>`
	notClean(t, f, loop)
	allClean(t, f,
		`<svg><defs><clipPath id=c><rect width=9 height=9 /></clipPath><pattern id=p/><mask id=m /></defs></svg><p>www.paypal.com</p><a href=https://www.example.com/><svg><path clip-path="url(#c)" mask="url(#m)"/></svg>example.com</a>`,
		`<svg><defs><g id=t><path d="M0"/></g></defs></svg><a href=https://www.example.com/><svg><use href="#t"/></svg>example.com</a>`, `<main><a href=https://www.example.com/><mark>www.example.com</mark></a></main>`,
	)
}

// TestScriptsThatDecode: URLs and HTML are found that a script joins or decodes at the place where
// they are written.
func TestScriptsThatDecode(t *testing.T) {
	f := newFilter(t, filter.Options{})
	r := rand.New(rand.NewPCG(4, 5))
	codes := func(s string) string {
		return strings.Trim(strings.Join(strings.Fields(fmt.Sprint([]byte(s))), ","), "[]")
	}
	escaped := func(s string) string {
		var b strings.Builder
		for i := range len(s) {
			b.WriteString(fmt.Sprintf([]string{`\x%02x`, `\u%04x`, `\u{%x}`, `\%03o`, "%c", "\\\n%c"}[r.IntN(6)], s[i]))
		}
		return b.String()
	}
	joined := func(s string) string {
		at := 1 + r.IntN(len(s)-1)
		return s[:at] + []string{`"+"`, `" + "`, "\"\n+ \""}[r.IntN(3)] + s[at:]
	}
	for _, text := range []string{lookLike, trap, "HTTP://PAYPA1.COM/"} {
		encoded := base64.StdEncoding.EncodeToString([]byte(text))
		for _, script := range []string{
			`f("` + escaped(text) + `")`, `f(atob("` + encoded + `"))`, `f(window.atob('` + strings.TrimRight(encoded, "=") + `'))`, `f(unescape("` + url.PathEscape(text) + `"))`, `f(decodeURIComponent('` + url.QueryEscape(strings.ReplaceAll(text, " ", "\n")) + `'))`,
			`f(String.fromCharCode(` + codes(text) + `))`, `f("` + joined(text) + `")`, `f(atob("` + joined(encoded) + `"))`,
		} {
			flagged(t, f, `<script>`+script+`</script>`)
		}
	}
	flagged(t, f, `<script>location="//paypa1.com/login"</script>`)
	flagged(t, f, `<body onload="location=atob('`+base64.StdEncoding.EncodeToString([]byte(lookLike))+`')">`)
	flagged(t, f, `<script>document.write('`+trap+`')</script>`)
	for _, honest := range []string{
		`<script>document.write("<a href='" + url + "'>" + name + "</a>" + unescape("%3Cscript src='https://www.example.com/ga.js'%3E%3C/script%3E"))</script>`, `<script>x = "//" + host + "/" // www.example.com` + "\n" + `y = a + "b" + 'c'; z = atob(data)</script>`,
	} {
		if result := f.Scan(htmlMessage(honest)); worstLink(result) >= policy.SeverityMedium || result.Outcome != report.OutcomeComplete {
			t.Errorf("%s: %s %v", honest, result, placed(result))
		}
	}
	long := `<script>` + strings.Repeat("x = atob('QUFBQUFBQUE=') + 'y';\n", 30_000) + `</script>`
	if result := f.Scan(htmlMessage(long)); result.Outcome == report.OutcomeComplete {
		t.Errorf("long: %s", result)
	}
}

// TestWordsBesideEachOther: entries of a menu without spaces between them name no other host.
func TestWordsBesideEachOther(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{})
	for _, words := range []string{"Info Co. Team", "Terms U.S. News", "About Node.js Shop", "Dr. St. Contact", "v2.0 etc. Games", "Shop www.example.org"} {
		var menu strings.Builder
		for i, word := range strings.Fields(words) {
			fmt.Fprintf(&menu, `<a href="https://www.example.org/%d">%s</a>`, i, word)
		}
		if result := f.Scan(htmlMessage(menu.String())); result.Worst() > policy.SeverityNone {
			t.Errorf("%s: %v", words, placed(result))
		}
	}
}

// TestPassedOnBesideEachOther: services that check links rewrite all links of a message to their
// own host, so neighbouring links have one host. A text behind a whole URL is still no part of it.
func TestPassedOnBesideEachOther(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{})
	safe := func(target string) string {
		return "https://eur01.safelinks.protection.outlook.com/?url=" + url.QueryEscape(target) + "&data=05"
	}
	defense := func(url string) string { return "https://urldefense.com/v3/__" + url + "__;!!abc$" }
	defense2 := func(url string) string {
		return "https://urldefense.proofpoint.com/v2/url?u=" + strings.NewReplacer("-", "-2D", ":", "-3A", "/", "_", "?", "-3F", "&", "-26").Replace(url) + "&d=x"
	}
	for _, between := range []string{"", " ", "<td>", " | ", "<br>"} {
		for _, wrapped := range []func(string) string{safe, defense, defense2} {
			for _, texts := range [][2]string{{"https://www.example.org/", "LinkedIn"}, {"https://www.my-firm.example.org/", "LinkedIn"}, {"www.example.org/a", "kontakt"}, {"https://www.paypal.com/myaccount", "LinkedIn"}, {"www.example.org", "LinkedIn.com"}} {
				first := "https://" + strings.TrimPrefix(texts[0], "https://")
				source := "<table><td><a href='" + wrapped(first) + "'>" + texts[0] + "</a>" + between + "<a href='" + wrapped("https://www.linkedin.com/in/anna") + "'>" + texts[1] + "</a>"
				if result := f.Scan(htmlMessage(source)); worstLink(result) >= policy.SeverityMedium {
					t.Errorf("%s: %v", source, placed(result))
				}
			}
			for _, texts := range [][2]string{{"https://www.pay", "pal.com/"}, {"https://", "www.paypal.com/"}, {"https://www.paypal.com", "/login"}} {
				source := "<table><td><a href='" + wrapped(evil+"?www.pay&paypal.com/") + "'>" + texts[0] + "</a>" + between + "<a href='" + wrapped(evil+"?pal.com/&www.paypal.com/") + "'>" + texts[1] + "</a>"
				if between == "" || between == "<td>" {
					flagged(t, f, source)
				}
			}
		}
	}
	for _, table := range []string{
		`<table><td><a href="https://pkg.go.dev/golang.org/x/net">golang.org/x/net</a></td> <td><a href="https://renovatebot.com/diffs/go/x">v0.1.0</a></td></table>`,
		`<a href="https://calendly.com/url?q=https%3A%2F%2Fzoom.us%2Fj%2F1">https://zoom.us/j/1</a> <a href="https://calendly.com/events/x">Join</a>`,
	} {
		if result := f.Scan(htmlMessage(table)); worstLink(result) >= policy.SeverityMedium {
			t.Errorf("%s: %v", table, placed(result))
		}
	}
	// The documentation page of a module is no redirect to the beginning of a host.
	const split = `<a href="https://pkg.go.dev/www.payp">www.payp</a><a href=` + evil + `>al.com/login</a>`
	if result := f.Scan(htmlMessage(split)); worstLink(result) < policy.SeverityHigh {
		t.Errorf("%s: %v", split, placed(result))
	}
}

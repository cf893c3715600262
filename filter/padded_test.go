package filter_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/policy"
)

// TestManyTextsAreNotClean: the last of many texts of a link is found, or the message is partial.
func TestManyTextsAreNotClean(t *testing.T) {
	f := newFilter(t, filter.Options{})
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, strings.ReplaceAll(format, "#", "%[1]d"), i)
		}
		return b.String()
	}
	for _, n := range []int{4, 5, 8, 16, 64, 100, 1000, 20_000}[:long.Rows(8, 7)] {
		for _, source := range []string{
			`<style>` + many(n, `.a#::before{content:"x#.org"}`) + `a::before{content:"www.paypal.com"}</style><a href=` + evil + `></a>`,
			`<style>` + many(n, `a::before{content:"x#.org"}`) + `a::before{content:"www.paypal.com"}</style><a href=` + evil + `></a>`,
			`<style>:root{` + many(n, `--a#:"x#.org";`) + `--z:"www.paypal.com"}a::before{content:var(--z)}</style><a href=` + evil + `></a>`,
			`<a href=` + evil + `>` + many(n, `<img alt="Shop now #">`) + `<img alt="` + shownAs + `"></a>`,
			`<a href=` + evil + `>` + many(n, `<i title="Shop now #">y</i>`) + `<i title="` + shownAs + `">z</i></a>`,
			`<a href=` + evil + `><math>` + many(n, `<mrow id=m# href=`+shownAs+`>`) + `<mtext>` + shownAs + `</mtext></math></a>`,
			many(n, `<i id=a#>x</i>`) + `<b id=z>` + shownAs + `</b><a href=` + evil + ` aria-labelledby=z>x</a>`,
		} {
			if r := f.Scan(htmlMessage(source)); !flaggedOrReported(r) {
				t.Errorf("nothing found in %.300s, with %d texts: %s: %v", source, n, r, placed(r))
			}
		}
	}
	const columns = `<table><td class=c7>x<td><a href=https://www.example.org/>www.example.org</a></table>`
	for _, rules := range []string{`.c#::before{content:"Column #"}`, `td:nth-child(#)::before{content:"Column #: "}`, `.ext#::after{content:" (file #)"}`} {
		if r := f.Scan(htmlMessage(`<style>` + many(200, rules) + `</style>` + columns)); worstLink(r) >= policy.SeverityMedium || r.Outcome != report.OutcomeComplete {
			t.Errorf("%s: %s: %v", rules, r, placed(r))
		}
	}
}

// TestPaddedTextsAreNotClean: behind padding that shows nothing, a text that deceives is found, or
// the message is partial.
func TestPaddedTextsAreNotClean(t *testing.T) {
	f := newFilter(t, filter.Options{})
	var alternating, conditions strings.Builder
	for _, c := range "www.paypal.com" {
		fmt.Fprintf(&alternating, "<b class=y>%c</b><b class=z>x</b>", c)
	}
	for i := range 100 {
		fmt.Fprintf(&conditions, "[x%d=a]{display:none}", i)
	}
	const classes = "<style>.y{display:none}.z{color:#fff}</style>"
	for _, n := range []int{30, 300, 600, 1100, 4200, 20_000} {
		for _, pad := range []string{strings.Repeat("&#8203;", n), strings.Repeat("\u00ad", n), strings.Repeat("&nbsp; ", n), strings.Repeat("<br>", n), strings.Repeat("\u2800", n)} {
			for _, source := range []string{
				classes + `<a href=` + evil + `>|` + alternating.String() + `</a>`,
				`<style>b:nth-child(even){display:none}</style><a href=` + evil + `>|` + alternating.String() + `</a>`,
				`<a href=` + evil + `>|<img alt="www.">paypal<img alt=".com"></a>`,
				`<form action=` + evil + `>www.paypal.com|<button>Go</button></form>`,
			} {
				if r := f.Scan(htmlMessage(strings.ReplaceAll(source, "|", pad))); !flaggedOrReported(r) {
					t.Errorf("nothing found behind %d times %.20q in %.200s: %s: %v", n, pad, source, r, placed(r))
				}
			}
		}
	}
	for _, pad := range []string{"", strings.Repeat("&#8203;", 1000), strings.Repeat("&nbsp; ", 600)} {
		for _, source := range []string{
			`<b id=z>|www.paypal.com</b><a href=` + evil + ` aria-labelledby=z>x</a>`,
			`<a href=` + evil + `><img alt="|www.paypal.com"></a>`,
			`<style>` + conditions.String() + `[class=z]{display:none}</style>|<a href=` + evil + `>` + alternating.String() + `</a>`,
			strings.Repeat(`<img usemap=#x alt=x>`, 40) + `<map name=m><area href=` + evil + `></map><img usemap=#m alt="www.paypal.com">`,
			`<a href=` + evil + `><img src="data:image/svg+xml,<svg><path d='` + strings.Repeat("M0 0", 8000) + `'/><text>www.paypal.com</text></svg>"></a>`,
		} {
			if r := f.Scan(htmlMessage(strings.ReplaceAll(source, "|", pad))); !flaggedOrReported(r) {
				t.Errorf("nothing found behind %d bytes in %.200s: %s: %v", len(pad), source, r, placed(r))
			}
		}
	}
}

// TestDeepRTF: a link in more groups than the parser distinguishes is found, or the message is
// partial.
func TestDeepRTF(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, depth := range []int{10, 1000, 1100, 10_000} {
		text := `{\rtf1 ` + strings.Repeat(`{\b `, depth) + `{\field{\*\fldinst HYPERLINK "` + evil + `"}{\fldrslt ` + shownAs + `}}}`
		if r := f.Scan(beside(inBase64("Content-Type: application/rtf; name=x.rtf", text))); !flaggedOrReported(r) {
			t.Errorf("%d groups: %s: %v", depth, r, placed(r))
		}
	}
}

// TestLongAddressFields: a name that deceives is found in the longest field that Postfix accepts.
func TestLongAddressFields(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const sender = `"service@paypal.com" <x@evil.example.net>`
	for name, from := range map[string]string{
		"others behind":  sender + strings.Repeat(", a@example.com", 6000),
		"comment behind": sender + " (" + strings.Repeat("a ", 45_000) + ")",
		"comment before": "(" + strings.Repeat("a ", 45_000) + ") " + sender,
		"group":          strings.Repeat("a ", 45_000) + ": " + sender + ";",
	} {
		if r := f.Scan([]byte("From: " + from + "\r\n\r\nHello\r\n")); worstLink(r) < policy.SeverityMedium {
			t.Errorf("%s: %s: %v", name, r, placed(r))
		}
	}
}

package filter_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// TestOutlookReadsConditionalComments: the text that Outlook shows for a link is judged, wherever a
// conditional comment begins and ends.
func TestOutlookReadsConditionalComments(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, condition := range []string{"[if mso]", "[if gte mso 9]", "[ if mso ]", "[IF (mso)|(IE)]", " [if\tvml]"} {
		open, end := "<!--"+condition+">", "<![endif]-->"
		for name, source := range map[string]string{
			"link":            open + trap + end,
			"text":            `<a href=` + evil + `>` + open + shownAs + end + `</a>`,
			"part of a text":  `<a href=` + evil + `>https://www.` + open + `paypal.com/` + end + `</a>`,
			"start tag":       open + `<a href=` + evil + `>` + end + shownAs + open + `</a>` + end,
			"button of VML":   open + `<v:roundrect href=` + evil + `><center>` + end + shownAs + open + `</center></v:roundrect>` + end,
			"link in VML":     open + `<v:roundrect href=` + evil + `><w:anchorlock/><center>` + end + `<a href=` + shownAs + `>` + shownAs + `</a>` + open + `</center></v:roundrect>` + end,
			"behind a link":   open + `<v:roundrect href=` + evil + `><center>` + end + `<a href=` + evil + `>x</a>` + shownAs + open + `</center></v:roundrect>` + end,
			"after two links": open + `<v:rect href=` + evil + `>` + end + `<a href=` + shownAs + `>x<a href=` + shownAs + `>y</a>` + shownAs + open + `</v:rect>` + end,
			"another link":    `<a href=` + shownAs + `>` + open + `</a><a href=` + evil + `>` + end + shownAs + `</a>`,
			"hidden by Word":  `<a href=` + evil + `>https://www.paypal.com` + open + `<span style="mso-hide:all">` + end + `.evil.example.net` + open + `</span>` + end + `/</a>`,
			"comment before":  `<!-- x --><a href=` + evil + `>` + open + shownAs + end + `</a>`,
			"SVG":             open + `<svg><style></svg>` + trap + end,
			"style around":    `<svg><style><!--</style><a href=` + evil + `>` + open + shownAs + end + `</a></svg>`,
			"another inside":  open + `<a href=` + evil + `>https://www.paypal.com<![if !mso]>.evil.example.net<![endif]>/</a>` + end,
			"end in capitals": `<a href=` + evil + `>` + open + shownAs + `<![ENDIF]--></a>`,
		} {
			t.Run(condition+" "+name, func(t *testing.T) { flagged(t, f, source) })
		}
	}
	for i, negated := range []string{"<!--[if !mso]><!-->|<!--<![endif]-->", "<!--[if !mso]><!-- -->|<!--<![endif]-->", "<![if !mso]>|<![endif]>", "<!--[if (!mso)]>-->|<!--<![endif]-->"} {
		t.Run(fmt.Sprint("negated ", i), func(t *testing.T) {
			var open, end string
			for i, c := range negated {
				if c == '|' {
					open, end = negated[:i], negated[i+1:]
				}
			}
			flagged(t, f, `<a href=`+evil+`>https://www.paypal.com`+open+`.evil.example.net`+end+`/</a>`)
			flagged(t, f, open+`<a href=`+evil+`><!--[if mso]>`+shownAs+`<![endif]--></a>`+end)
			flagged(t, f, open+`<!--[if mso]><a href=`+evil+`><![endif]-->`+shownAs+`<!--[if mso]></a><![endif]-->`+end)
			flagged(t, f, `<a href=`+evil+`>`+open+`Your account`+end+`<!--[if mso]>`+shownAs+`<![endif]--></a>`)
		})
	}
}

// TestOrdinaryConditionalComments: buttons and columns for Outlook have no finding.
func TestOrdinaryConditionalComments(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const shop = "https://shop.example.com/sale"
	for name, source := range map[string]string{
		"button":      `<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="` + shop + `" arcsize="10%"><w:anchorlock/><center>shop.example.com</center></v:roundrect><![endif]--><!--[if !mso]><!--><a href="` + shop + `">shop.example.com</a><!--<![endif]-->`,
		"generated":   `<!--[if mso]><v:roundrect href="http://"><w:anchorlock/><center><![endif]--><a href="` + shop + `">shop.example.com</a><!--[if mso]></center></v:roundrect><![endif]-->`,
		"padding":     `<a href="` + shop + `"><!--[if mso]><i style="letter-spacing:30px;mso-font-width:-100%">&nbsp;</i><![endif]--><span>www.example.com</span><!--[if mso]><i style="letter-spacing:30px">&nbsp;</i><![endif]--></a>`,
		"columns":     `<!--[if mso]><table><tr><td><![endif]--><a href="` + shop + `">www.example.com</a><!--[if mso]></td><td><![endif]--><p>x<!--[if mso]></td></tr></table><![endif]-->`,
		"list":        `<p><![if !supportLists]><span>1.</span><![endif]><a href="` + shop + `"><![if !vml]><img alt="www.example.com"><![endif]></a>`,
		"endless":     `<a href="` + shop + `"><![if !mso]>www.example.com</a>`,
		"not the end": `<a href="` + shop + `"><!--[if mso]>x`,
	} {
		t.Run(name, func(t *testing.T) {
			if r := f.Scan(htmlMessage(source)); worstLink(r) >= policy.SeverityMedium || r.Outcome != report.OutcomeComplete {
				t.Errorf("%s\n%s: %v", source, r, placed(r))
			}
		})
	}
}

// aroundOutlook are pieces of HTML around a link that Outlook shows.
var aroundOutlook = []string{
	"<!--[if mso]>|<![endif]-->", "<!--[if (gte mso 9)]>|<![endif]-->", "<!--[if !mso]><!-->|<!--<![endif]-->", "<![if !vml]>|<![endif]>", "<table><tr><td>|</td></tr></table>",
	"<table><tr>|</tr></table>", "<center><font color=red>|</font></center>", "<!-- x -->|<!-- y -->", "<o:p>|</o:p>",
	`<div style="display:none">x</div>|`, `<a href="https://www.example.org/">x|`, `<form action="https://www.example.org/">|</form>`, "<ul><li>|<li>x</ul>", "<noscript>|</noscript>",
}

// linksOfOutlook are links with texts that Outlook shows.
var linksOfOutlook = []string{
	`<a href=` + evil + `><!--[if mso]>` + shownAs + `<![endif]--></a>`, `<!--[if gte mso 9]><a href=` + evil + `><![endif]-->` + shownAs + `<!--[if mso]></a><![endif]-->`,
	`<v:rect href=` + evil + `><center>` + shownAs + `</center></v:rect>`, `<a href=` + evil + `>https://www.paypal.com<![if !mso]>.evil.example.net<![endif]>/</a>`,
	`<a href=` + evil + `>https://www.paypal.com<!--[if !mso]><!-->.evil.example.net<!--<![endif]-->/</a>`, `<form id=z action=` + evil + `></form><button form=z>` + shownAs + `</button>`,
	`<a href=` + lookLike + `>x</a>`, trap,
}

// TestVariantsOfOutlook: a link is found inside any conditional comment and element.
func TestVariantsOfOutlook(t *testing.T) {
	f := newFilter(t, filter.Options{})
	variants := 0
	for _, link := range linksOfOutlook {
		for _, inner := range aroundOutlook {
			for _, outer := range aroundOutlook {
				if strings.HasPrefix(outer, "<!--[if") && strings.HasPrefix(inner, "<![if !vml]") {
					continue // only Outlook reads the outer one, and it ignores the inner one
				}
				flagged(t, f, strings.Replace(outer, "|", strings.Replace(inner, "|", link, 1), 1))
				variants++
			}
		}
	}
	t.Logf("%d variants", variants)
}

package filter_test

import (
	"fmt"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// TestOutlookReadsConditionalComments: what Outlook shows for a reference is judged,
// wherever a conditional comment begins and ends.
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
			"another link":    `<a href=` + shownAs + `>` + open + `</a><a href=` + evil + `>` + end + shownAs + `</a>`,
			"hidden by Word":  `<a href=` + evil + `>https://www.paypal.com` + open + `<span style="mso-hide:all">` + end + `.evil.example.net` + open + `</span>` + end + `/</a>`,
			"text beside":     `http://paypa1` + open + `.com/login` + end,
			"comment before":  `<!-- x --><a href=` + evil + `>` + open + shownAs + end + `</a>`,
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
			flagged(t, f, `<a href=`+evil+`>`+open+`Your account`+end+`<!--[if mso]>`+shownAs+`<![endif]--></a>`)
		})
	}
}

// TestOrdinaryConditionalComments: buttons and columns for Outlook are nothing.
func TestOrdinaryConditionalComments(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const shop = "https://shop.example.com/sale"
	for name, source := range map[string]string{
		"button":      `<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="` + shop + `" arcsize="10%"><w:anchorlock/><center>shop.example.com</center></v:roundrect><![endif]--><!--[if !mso]><!--><a href="` + shop + `">shop.example.com</a><!--<![endif]-->`,
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

package policy_test

import (
	"fmt"
	neturl "net/url"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/policy"
)

// TestWrappedPlaces: the text of a link may name what the wrapper opens. It may not name a URL
// elsewhere in the link, which the wrapper does not open. It may show the link itself.
func TestWrappedPlaces(t *testing.T) {
	const text = "https://www.shop.com/"
	scanner, j := newScanner(t), newJudge(t, policy.Options{})
	shop, evil := neturl.QueryEscape(text), neturl.QueryEscape("https://www.elsewhere.org/")
	worst := func(link string) policy.Severity {
		return policy.Verdict{Findings: textTarget(t, scanner, j, text, link)}.Worst()
	}
	for host, places := range policy.Wrappers() {
		base := "https://" + host + "/"
		var honest, spoofed []string
		for _, name := range strings.Fields(places) {
			if strings.HasPrefix(name, "/") {
				base = "https://" + host + name
				continue
			}
			if name == "path" {
				honest = append(honest, base+"1/"+text, base+"1/"+text+"?x="+evil)
				spoofed = append(spoofed, base+"1/https://www.elsewhere.org/?x="+shop, base+"1/https://www.elsewhere.org/#"+text)
				continue
			}
			honest = append(honest, base+"?"+name+"="+shop, base+"?x="+evil+"&"+strings.ToUpper(name)+"="+shop+"#"+evil)
			for _, wrong := range []string{"?x=" + shop + "&", "?" + name + "=" + shop + "&", "1/" + text + "?"} {
				spoofed = append(spoofed, base+wrong+name+"="+evil, base+wrong+fmt.Sprintf("%%%02X", name[0])+name[1:]+"="+evil)
			}
			spoofed = append(spoofed, base+"?"+name+"="+evil+"&"+name+"="+shop, base+"?"+name+"="+evil+"&x="+shop, base+"?"+name+"="+evil+"#"+shop)
		}
		for _, link := range honest {
			if got := worst(link); got > policy.SeverityInfo {
				t.Errorf("%s: %s, opens what the text names", link, got)
			}
		}
		for _, link := range spoofed {
			if got := worst(link); got < policy.SeverityMedium {
				t.Errorf("%s: %s, opens another site", link, got)
			}
		}
		for _, link := range append(honest, spoofed...) {
			if own := textTarget(t, scanner, j, link, link); len(own) > 0 {
				t.Errorf("%s for itself: %+v", link, own)
			}
		}
	}
	if got := worst("https://www.youtube.com/watch?q=" + shop); got < policy.SeverityMedium {
		t.Errorf("a page that does not pass on: %s", got)
	}
}

// TestTextOfWrapper: a text that names the service of a wrapper names another site than the
// link opens, unless it shows the link itself.
func TestTextOfWrapper(t *testing.T) {
	scanner, j := newScanner(t), newJudge(t, policy.Options{})
	escape := neturl.QueryEscape
	const evil, ours = "https://www.elsewhere.org/", "https://eur01.safelinks.protection.outlook.com/?url="
	for _, test := range []struct {
		text, target string
		want         policy.Severity
	}{
		{"www.google.com", "https://www.google.com/url?q=" + escape(evil), policy.SeverityHigh},
		{"https://www.google.com/search", "https://www.google.de/url?sa=t&url=" + escape(evil), policy.SeverityHigh},
		{"https://www.google.com/", "https://translate.google.com/translate?sl=de&u=www.elsewhere.org", policy.SeverityHigh},
		{"https://www.google.com/", "https://www.google.com/amp/s/www.elsewhere.org", policy.SeverityHigh},
		{"https://www.microsoft.com/", ours + escape(evil), policy.SeverityHigh},
		{"https://login.microsoftonline.com/", ours + escape("https://urldefense.com/v3/__"+evil+"__;!!abc$"), policy.SeverityHigh},
		{"https://www.linkedin.com/in/anna", "https://www.linkedin.com/redir/redirect?url=" + escape(evil), policy.SeverityMedium},
		{"https://steamcommunity.com/", "https://steamcommunity.com/linkfilter/?url=" + escape(evil), policy.SeverityHigh},
		{"https://medium.com/", "https://medium.com/r/?url=" + escape(evil), policy.SeverityMedium},
		{"https://www.reddit.com/", "https://click.redditmail.com/CL0/" + escape(evil) + "/1/x", policy.SeverityHigh},
		{"https://search.yahoo.com/", "https://r.search.yahoo.com/_ylt=x/RU=" + escape(evil) + "/RK=2/RS=x", policy.SeverityHigh},
		{"https://www.shop.com/", "https://steamcommunity.com/linkfilter/?url=" + escape("https://www.shop.com/"), policy.SeverityInfo},
		{"https://www.shop.com/", ours + escape("https://www.google.com/url?q="+escape(evil)), policy.SeverityMedium},
		{"https://www.shop.com/", ours + escape("https://www.google.com/url?q="+escape("https://www.shop.com/")), policy.SeverityInfo},
		{"https://www.shop.com/", ours + escape("https://u1.ct.sendgrid.net/ls/click?upn=1"), policy.SeverityLow},
		{"https://zoom.us/j/1", "https://calendly.com/url?q=" + escape("https://zoom.us/j/1"), policy.SeverityInfo},
		{"https://zoom.us/j/1", "https://calendly.com/url?q=" + escape(evil), policy.SeverityHigh},
		{"https://zoom.us/j/1", "https://calendly.com/anybody?q=" + escape("https://zoom.us/j/1"), policy.SeverityHigh},
		{"https://www.shop.com/", "https://urldefense.com/v3/__https://www.google.com/url?q=https:*2F*2Fwww.shop.com*2F__;JSUl!!abc$", policy.SeverityInfo},
		{"https://www.shop.com/", "https://urldefense.com/v3/__https://www.google.com/url?q=https:*2F*2Fwww.elsewhere.org*2F__;JSUl!!abc$", policy.SeverityMedium},
		{"https://www.shop.com/", "https://urldefense.com/v3/__https://www.elsewhere.org/?q=https:*2F*2Fwww.shop.com*2F__;JSUl!!abc$", policy.SeverityMedium},
		{"https://www.shop.com/", "https://urldefense.com/v3/?q=__https://www.shop.com/__;!!abc$", policy.SeverityMedium},
		{"www.firm.deshop.com", ours + escape("https://www.shop.com/"), policy.SeverityInfo},
		{"www.paypal.com", ours + escape("https://www.pal.com/"), policy.SeverityHigh},
		{"https://docs.google.com/document/d/1", "https://www.google.com/url?q=" + escape("https://docs.google.com/document/d/1"), policy.SeverityNone},
		{"https://www.shop.com/", "https://www.google.com/url?sa=t&q=&source=web&url=" + escape("https://www.shop.com/"), policy.SeverityInfo},
		{"https://youtu.be/1", "https://www.youtube.com/redirect?q=" + escape("https://youtu.be/1"), policy.SeverityNone},
		{"https://www.google.com/url?q=" + evil, "https://www.google.com/url?q=" + evil, policy.SeverityNone},
		{ours + escape(evil) + "&data=05", ours + escape(evil) + "&data=05", policy.SeverityNone},
		{ours + evil, ours + escape(evil) + "&data=05", policy.SeverityNone},
		{ours + escape("https://www.else") + "...", ours + escape(evil) + "&data=05", policy.SeverityNone},
		{strings.Replace(ours, "/?", "?", 1) + evil, ours + evil, policy.SeverityNone},
		{ours + escape("https://www.shop.com/"), ours + escape(evil), policy.SeverityHigh},
		{strings.TrimSuffix(ours, "?url="), ours + escape(evil), policy.SeverityHigh},
		{"www.google.com", strings.Repeat("https://www.google.com/url?q=", 9) + evil, policy.SeverityMedium},
		{"www.google.com", "https://www.google.com/url?q=" + escape(evil) + "&q=x", policy.SeverityHigh},
		{"www.google.com", "https://www.google.com/url?q=" + escape(evil) + strings.Repeat("&q="+escape("https://www.google.com/"), 30), policy.SeverityHigh},
		{"www.google.com", "https://www.google.com/url?q=" + strings.Repeat("&q="+escape("https://www.google.com/"), 30) + "&q=" + escape(evil), policy.SeverityHigh},
		{"https://www.microsoft.com/", "https://www.microsoft.com/?url=" + escape(evil), policy.SeverityNone},
	} {
		if got := (policy.Verdict{Findings: textTarget(t, scanner, j, test.text, test.target)}).Worst(); got != test.want {
			t.Errorf("%s for %s: %s, want %s", test.text, test.target, got, test.want)
		}
	}
}

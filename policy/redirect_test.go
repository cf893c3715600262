package policy_test

import (
	"fmt"
	neturl "net/url"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/policy"
)

// TestWrappedPlaces: a text may name what the link of a wrapper opens. It may not name a URL
// in another place of that link, which the wrapper does not open.
func TestWrappedPlaces(t *testing.T) {
	const text = "https://www.shop.com/"
	scanner, j := newScanner(t), newJudge(t, policy.Options{})
	shop, evil := neturl.QueryEscape(text), neturl.QueryEscape("https://www.elsewhere.org/")
	worst := func(link string) policy.Severity {
		return policy.Verdict{Findings: textTarget(t, scanner, j, text, link)}.Worst()
	}
	for host, places := range policy.Wrappers() {
		path := "/"
		var parameters []string
		for _, place := range strings.Fields(places) {
			if strings.HasPrefix(place, "/") {
				path = place
			} else {
				parameters = append(parameters, place)
			}
		}
		base := "https://" + host + path
		var honest, spoofed []string
		for _, name := range parameters {
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
	}
	if got := worst("https://www.youtube.com/watch?q=" + shop); got < policy.SeverityMedium {
		t.Errorf("a page that does not pass on: %s", got)
	}
}

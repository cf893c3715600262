package policy_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/policy"
)

// accents has letters with marks or strokes that look like letters of ASCII.
var accents = map[string][]string{
	"a": {"à", "ạ", "ą"}, "c": {"ç", "ċ"}, "d": {"đ", "ḍ"}, "e": {"é", "ẹ"}, "g": {"ğ"}, "h": {"ħ"}, "i": {"í", "ị"}, "k": {"ķ"}, "l": {"ł", "ḷ"}, "n": {"ñ"},
	"o": {"ö", "ø"}, "r": {"ř"}, "s": {"ś", "ṣ"}, "t": {"ţ"}, "u": {"ü", "ụ"}, "y": {"ý"}, "z": {"ż"},
}

// digitsAndPairs has digits and pairs of ASCII letters that people read as other letters.
var digitsAndPairs = map[string][]string{"a": {"4"}, "b": {"8"}, "d": {"cl"}, "e": {"3"}, "i": {"1", "l"}, "l": {"1", "i"}, "m": {"rn"}, "o": {"0"}, "s": {"5"}, "w": {"vv"}}

// inLetters returns variants of a name: each letter replaced in turn by one like it, and all
// letters replaced.
func inLetters(name string, likes map[string][]string) (spoofs []string) {
	all := name
	for i := range len(name) {
		for _, like := range likes[name[i:i+1]] {
			spoofs = append(spoofs, name[:i]+like+name[i+1:])
			all = strings.ReplaceAll(all, name[i:i+1], like)
		}
	}
	if all != name {
		spoofs = append(spoofs, all)
	}
	return spoofs
}

// TestDisguised: a brand in other letters is found at the beginning of another owner's domain, and
// beside words of phishing.
func TestDisguised(t *testing.T) {
	j := newJudge(t, policy.Options{})
	judged := 0
	check := func(text string) {
		t.Helper()
		judged++
		if v := j.Link(parse(t, text)); v.Worst() < policy.SeverityMedium || v.DisplayUnicode {
			t.Errorf("%s: %v, displayed: %t", text, v.Findings, v.DisplayUnicode)
		}
	}
	for _, brand := range brands {
		name, suffix, _ := strings.Cut(brand, ".")
		for _, spoof := range append(inLetters(name, accents), inLetters(name, digitsAndPairs)...) {
			check("https://" + spoof + "." + suffix + ".example.net/")
			check("https://www." + spoof + "." + suffix + "-login.example.net/x")
			check("service@" + spoof + "." + suffix + ".example.net")
			if len(name) >= 6 {
				check("https://" + spoof + "login.com/")
				check("https://www.secure" + spoof + ".example/")
			}
		}
		if len(name) < 8 || name == "telegram" { // "telegramm" is a German word
			continue
		}
		for kind, spoofs := range edits(name) {
			for _, spoof := range spoofs {
				if kind == "omission" || kind == "repetition" || kind == "transposition" {
					check("https://" + spoof + "." + suffix + ".example.net/")
					check("https://login-" + spoof + ".net/")
				}
			}
		}
	}
	t.Logf("%d hosts", judged)
	if judged < 3000 {
		t.Errorf("only %d hosts", judged)
	}
}

// TestBesideLures: a brand of six letters or more beside a lure is found, also without hyphens and
// with a typing error.
func TestBesideLures(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for _, host := range strings.Fields(`paypalllogin.com paypalogin.com paypall-login.com paypallogin.github.io netflixbilling.com accountsgoogle.com
		verifypaypl.net amazom-support.com secureamzon.com appleid-verify.net login-paypalservice.com microsoftaccess-login.net dropboxxlogin.net microsofftlogin.com mypaypallogin.com`) {
		if v := j.Link(parse(t, "https://"+host+"/")); v.Worst() < policy.SeverityMedium {
			t.Errorf("%s: %v", host, v.Findings)
		}
	}
	for _, host := range strings.Fields(`financelogin.com telecomsupport.com papal-login.com goggle-login.com hortonbilling.com switchupdate.com
		paypalid.example appletree-login.example appleid.example login.appleid.example adobeclay-support.example applesupport.example androidupdate.com myauthor.com worldupdate.com creditaccount.com paysupport.com cloudwallet.com
		pcloud-login.example vcloud-login.example ecloudaccount.com gcloudsupport.net mcloud-verify.example xcloudlogin.com payal-support.com`) {
		if v := j.Link(parse(t, "https://"+host+"/")); v.Worst() >= policy.SeverityMedium {
			t.Errorf("%s: %v", host, v.Findings)
		}
	}
}

// TestSuffixOfCountry: a brand with its suffix of a country is found with hyphens in place of the
// dots.
func TestSuffixOfCountry(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for host, want := range map[string]policy.Severity{
		"amazon-co-uk.net": policy.SeverityMedium, "www.amazon-co-jp.example": policy.SeverityMedium, "paypal-com-br.example.net": policy.SeverityMedium, "login-ebay-co-uk-id.example.net": policy.SeverityMedium,
		"amazon-co-op.example": policy.SeverityNone, "amazon-co.example": policy.SeverityNone, "ikea-de.example": policy.SeverityNone, "google-co-working.example": policy.SeverityNone,
	} {
		if v := j.Link(parse(t, "https://"+host+"/")); likenessOf(v) != want {
			t.Errorf("%s: %v, want %s", host, v.Findings, want)
		}
	}
}

// TestNotDisguised: sites behind a proxy, ordinary words, and names of other owners have no
// finding.
func TestNotDisguised(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for _, host := range strings.Fields(`www.mercadolivre.com.proxy.example.edu www.sharepointonline.com.proxy.example.edu
		1cloud.ru.example.net äpple.se.example.net raiffeisenbank.rs login.microsoftonline.us paypal.example.com amazonas-login.example applesupport.example
		linkedlist-login.example googol-auth.example`) {
		if v := j.Link(parse(t, "https://"+host+"/")); v.Worst() >= policy.SeverityMedium {
			t.Errorf("%s: %v", host, v.Findings)
		}
	}
}

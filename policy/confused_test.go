package policy_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/policy"
)

// lettersAcross has, for letters beyond ASCII, letters of other scripts that look like them, and
// the reverse.
var lettersAcross = map[string][]string{
	"а": {"a", "ɑ", "а́"}, "о": {"o", "ο", "ö"}, "е": {"e", "ё"}, "р": {"p"}, "с": {"c"}, "х": {"x"}, "у": {"y"}, "к": {"k", "κ", "ќ"}, "м": {"m"}, "т": {"t"},
	"α": {"a", "а", "ά"}, "ο": {"o", "о", "ό"}, "ν": {"v"}, "ι": {"i", "ί"}, "κ": {"k", "к"}, "ρ": {"p", "р"},
	"ü": {"u", "ú", "ụ"}, "ö": {"o", "ó", "ø"}, "ä": {"a", "á", "а"}, "é": {"e", "è", "е"}, "ß": {"ss", "b"},
	"か": {"が"}, "は": {"ば", "ぱ"}, "さ": {"ざ"}, "く": {"ぐ"},
}

// confusionsOf returns the names that differ from a label by one more confusion: a letter that
// looks like one of its letters, a mark, or a pair or digit in place of a letter.
func confusionsOf(label string, likes map[string][]string) (names []string) {
	runes := []rune(label)
	for i, r := range runes {
		before, after := string(runes[:i]), string(runes[i+1:])
		for _, table := range []map[string][]string{likes, accents, digitsAndPairs, lettersAcross} {
			for _, like := range table[string(r)] {
				names = append(names, before+like+after)
			}
		}
	}
	return names
}

// TestConfusedFlaggedNames: one more confusion in a name that is flagged leaves it flagged as high. A spoof of a spoof
// is a spoof. One in a thousand may be lost: an rn that arises by a typing error reads as m, and a word that has
// Latin twins for all its letters but one.
func TestConfusedFlaggedNames(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	likes := map[string][]string{}
	for letter, all := range lookalikesOf(t) {
		for _, like := range all {
			if name, err := idna.Lookup.ToUnicode("x" + like + "x"); err == nil && name == "x"+like+"x" {
				likes[letter] = append(likes[letter], like)
			}
		}
	}
	own := append(slices.Clone(ownDomains), internationalDomains...)
	j := newJudge(t, policy.Options{Protected: own})
	tally := struct{ all, worse int }{}
	worst := func(host string) (policy.Severity, policy.Verdict) {
		link, err := engine.ParseLink("https://" + host + "/")
		if err != nil {
			return policy.SeverityHigh, policy.Verdict{} // no browser opens it
		}
		v := j.Link(link)
		return v.Worst(), v
	}
	for _, domain := range append(own, strings.Fields("paypal.com microsoft.com linkedin.com americanexpress.com docusign.com sparkasse.de")...) {
		kinds := variantsOf(domain)
		name, suffix, _ := strings.Cut(domain, ".")
		if slices.Contains(internationalDomains, domain) {
			kinds = internationalVariants(domain)
		}
		kinds["homograph"] = nil
		for _, c := range confusionsOf(name, likes) {
			kinds["homograph"] = append(kinds["homograph"], c+"."+suffix)
		}
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			for range long.Rows(60, 6) {
				if len(kinds[kind]) == 0 {
					break
				}
				host := kinds[kind][random.IntN(len(kinds[kind]))]
				before, v := worst(host)
				if before < policy.SeverityLow {
					continue
				}
				labels := strings.Split(host, ".")
				at := slices.IndexFunc(labels, func(l string) bool {
					return len(v.Findings) > 0 && (l == v.Findings[0].Label || strings.HasPrefix(v.Findings[0].Label, l+"."))
				})
				if at < 0 || !strings.ContainsAny(labels[at], name) {
					continue
				}
				more := confusionsOf(labels[at], likes)
				if len(more) == 0 {
					continue
				}
				labels[at] = more[random.IntN(len(more))]
				confused := strings.Join(labels, ".")
				after, with := worst(confused)
				tally.all++
				if after < before && confused != domain {
					tally.worse++
					t.Logf("%s: %s of %s: %s, %s: %s %+v", domain, kind, host, before, confused, after, with.Findings)
				}
			}
		}
	}
	t.Logf("%d of %d names are flagged less with one more confusion", tally.worse, tally.all)
	if tally.worse*1000 > tally.all {
		t.Errorf("%d of %d names are flagged less", tally.worse, tally.all)
	}
}

// internationalDomains are invented domains in ten scripts.
var internationalDomains = strings.Fields(`
	müllers-bäcker.de schönfelder.at café-lumière.fr ромашка.рф северныйветер.рф квітковий.укр φεγγαρόπετρα.ελ θαλασσινός.gr さくら銀行.jp ひまわり工業.jp
	北方之光.cn 蓝天科技.中国 한빛은행.kr 푸른바다.kr النخيل.com شركة-الهلال.السعودية בנק-אורן.co.il דקל-ירוק.org.il विश्वास-बैंक.भारत ธนาคารใบไม้.ไทย`)

// internationalVariants returns the hosts that imitate a domain beyond ASCII, character by
// character, by kind.
func internationalVariants(domain string) map[string][]string {
	name, suffix, _ := strings.Cut(domain, ".")
	kinds := disguises(name, suffix)
	delete(kinds, "subdomain")
	runes := []rune(name)
	add := func(kind, variant string) {
		if variant != name && variant[0] != '-' && !strings.HasSuffix(variant, "-") && !strings.Contains(variant, "--") {
			if aLabel, err := idna.Registration.ToASCII(variant); err == nil && aLabel != "" {
				kinds[kind] = append(kinds[kind], variant+"."+suffix)
			}
		}
	}
	for i, r := range runes {
		before, after := string(runes[:i]), string(runes[i+1:])
		add("omission", before+after)
		add("repetition", before+string(r)+string(r)+after)
		for _, other := range runes {
			add("replacement", before+string(other)+after)
			add("insertion", before+string(other)+string(r)+after)
		}
		if i+1 < len(runes) {
			add("transposition", before+string(runes[i+1])+string(r)+string(runes[i+2:]))
			add("hyphenation", before+string(r)+"-"+after)
		}
	}
	for _, word := range ownScriptWords[scriptOf(name)] {
		for _, variant := range []string{name + "-" + word, word + "-" + name, name + word} {
			add("added word", variant)
		}
	}
	for _, r := range runes {
		add("addition", name+string(r))
	}
	for i, r := range runes {
		for _, like := range lettersAcross[string(r)] {
			add("homograph", string(runes[:i])+like+string(runes[i+1:]))
		}
	}
	add("company or country", name+"-gmbh")
	add("company or country", name+"-"+suffix)
	for _, before := range []string{name + "-login", "verify-" + name, "login." + name + "-secure"} {
		kinds["left of another domain"] = append(kinds["left of another domain"], before+".files-host.net")
	}
	for _, other := range strings.Fields("com net org de") {
		if other != suffix {
			kinds["other suffix"] = append(kinds["other suffix"], name+"."+other)
		}
	}
	return kinds
}

// ownScriptWords has words that phishing adds to a name, by the script of the name.
var ownScriptWords = map[string][]string{
	"Latn": strings.Fields("login konto rechnung zahlung gmbh paiement"), "Cyrl": strings.Fields("вход оплата доставка кабинет"), "Grek": strings.Fields("σύνδεση πληρωμή λογαριασμός"),
	"Hira": strings.Fields("ログイン 認証 支払い"), "Hani": strings.Fields("登录 支付 验证"), "Hang": strings.Fields("로그인 결제 인증"), "Arab": strings.Fields("دخول دفع حساب"),
	"Hebr": strings.Fields("כניסה תשלום"), "Deva": strings.Fields("लॉगिन भुगतान"), "Thai": strings.Fields("เข้าสู่ระบบ ชําระเงิน"),
}

// scriptOf returns the code of the script of the first letter of a name beyond ASCII.
func scriptOf(name string) string {
	for _, r := range name {
		switch {
		case r < 0x80 || unicode.Is(unicode.Latin, r):
		case unicode.Is(unicode.Cyrillic, r):
			return "Cyrl"
		case unicode.Is(unicode.Greek, r):
			return "Grek"
		case unicode.Is(unicode.Hiragana, r):
			return "Hira"
		case unicode.Is(unicode.Han, r):
			return "Hani"
		case unicode.Is(unicode.Hangul, r):
			return "Hang"
		case unicode.Is(unicode.Arabic, r):
			return "Arab"
		case unicode.Is(unicode.Hebrew, r):
			return "Hebr"
		case unicode.Is(unicode.Devanagari, r):
			return "Deva"
		case unicode.Is(unicode.Thai, r):
			return "Thai"
		}
	}
	return "Latn"
}

// TestInternationalVariants: of each kind of variants of protected domains in ten scripts, at least
// 98 % have a finding of medium or above.
func TestInternationalVariants(t *testing.T) {
	j := newJudge(t, policy.Options{Protected: internationalDomains})
	tallies := map[string]*tally{}
	for _, domain := range internationalDomains {
		if v := j.Link(parse(t, "https://www."+domain+"/")); v.Worst() > policy.SeverityLow {
			t.Errorf("%s: %+v", domain, v.Findings)
		}
		for kind, hosts := range internationalVariants(domain) {
			if tallies[kind] == nil {
				tallies[kind] = &tally{}
			}
			for _, host := range hosts {
				link, err := engine.ParseLink("https://" + host + "/")
				if err != nil || link.ASCIIHost() == "" {
					continue
				}
				c := tallies[kind]
				if c.all++; j.Link(link).Worst() >= policy.SeverityMedium {
					c.found++
				} else {
					c.missed = append(c.missed, host)
				}
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(tallies)) {
		tallies[kind].check(t, kind)
	}
}

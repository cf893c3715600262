package policy_test

import (
	"testing"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/policy"
)

// displayTests has hosts on both sides of each display rule; rule "" displays.
var displayTests = []struct{ host, rule string }{
	{"ᏣᎳᎩ.com", "profile"},
	{"ᑖᓂᓯ.ca", "profile"},
	{"ⵜⵉⴼⵉⵏⴰⵖ.ma", "profile"},
	{"ꆈꌠꁱꂷ.cn", "profile"},
	{"ϧ.com", "profile"},
	{"ꓲꓳ.com", "profile"},
	{"hardᴡare.com", "profile"},
	{"comɂx.example.net", "profile"},
	{"סֶקְס.com", "profile"},
	{"北京大學.cn", ""},
	{"हिन्दी.in", ""},
	{"ภาษาไทย.th", ""},

	{"abc‐def.com", "idna-2008"},
	{"a’b.com", "idna-2008"},
	{"a‧b.com", "idna-2008"},
	{"ա֊բ.com", "idna-2008"},
	{"お゠い.com", "idna-2008"},
	{"abc-def-é.com", ""},
	{"שב״צ.il", ""},

	{"aʻb.com", "quote"},
	{"aʼb.com", "quote"},
	{"wwwˬtest.com", "profile"},
	{"שב׳צ.il", ""},

	{"oĸ.com", "profile"},
	{"ǔnion.com", "rare-letter"},
	{"ḷily.com", "rare-letter"},
	{"việt.vn", ""},
	{"šachy.com", ""},

	{"ру--авто.com", "hyphens"},
	{"р--уавто.com", ""},

	{"กขค\u0303.com", "mark"},
	{"x\u0303x.com", ""},

	{"नम\u094d\u200cते.com", "joiner"},
	{"नमस्ते.com", ""},

	{"mnðpqr.com", "country-letter"},
	{"aþcdef.de", "country-letter"},
	{"əxample.com", "country-letter"},
	{"þ.com", ""},
	{"aþcdef.is", ""},
	{"mnðpqr.fo", ""},
	{"əxample.az", ""},

	{"google·com.com", "middle-dot"},
	{"l·l.com", "middle-dot"},
	{"a·l.cat", "middle-dot"},
	{"l·a.cat", "middle-dot"},
	{"l·l.cat", ""},
	{"col·legi.cat", ""},

	{"ѕсоре.com", "whole-script"},
	{"ѕсоре-рау.한국", "whole-script"},
	{"ыоԍ.com", "profile"},
	{"сю.com", "whole-script"},
	{"ικα.com", "whole-script"},
	{"ոսւօ.com", "whole-script"},
	{"ყიოო.com", "whole-script"},
	{"חסד.com", "whole-script"},
	{"ሠዐዐፐ.com", "whole-script"},
	{"င၀ဂခဂ.com", "whole-script"},
	{"ટડટ.com", "whole-script"},
	{"ടഠധ.com", "whole-script"},
	{"டபடப.com", "whole-script"},
	{"ทนบพรห.com", "whole-script"},
	{"ຟຮບ.com", ""},
	{"сох.me", "whole-script"},
	{"шах.com", ""},
	{"ههه.com", ""},
	{"ѕсоре.рф", ""},
	{"ѕсоре.ru", ""},
	{"курс.com", ""},
	{"восток.com", ""},
	{"музей.com", ""},
	{"ικα.gr", ""},
	{"ικα.ελ", ""},
	{"ոսւօ.am", ""},
	{"חסד.il", ""},
	{"ทนบพรห.th", ""},
	{"ทนบพรห.ไทย", ""},

	{"16კ.com", "digits"},
	{"2୫.com", "profile"},
	{"৪২.com", "digits"},
	{"12უვ.com", ""},
	{"12б.рф", ""},
	{"12б.com", ""},
	{"२०२४.भारत", ""},

	{"héllo中国.cn", "latin-beyond-ascii"},
	{"café카페.kr", "latin-beyond-ascii"},
	{"hello中国.cn", ""},

	{"cfp-франк.com", "words"},
	{"shop-ไทย.com", "words"},
	{"i̇stanbul.com", "dot"},
	{"istanbul.com", ""},
	{"café.kr", ""},

	{"googleノevil.jp", "slash"},
	{"example丿test.net", "slash"},
	{"ビタミンb1.com", ""},
	{"丶乀乁丿.com", ""},

	{"d12一.cn", "ideograph"},
	{"google丨com.com", "ideograph"},
	{"丁est.net", "ideograph"},
	{"gㄚㄚgle.com", "profile"},
	{"一123.com", ""},
	{"一生gamer.com", ""},
	{"一丁.com", ""},

	{"ー動画ー.com", "kana-mark"},
	{"日本ー野球.jp", "kana-mark"},
	{"かヽ.jp", "kana-mark"},
	{"一ヾ.jp", "kana-mark"},
	{"本・.jp", "kana-mark"},
	{"カー野球.jp", ""},
	{"カヽ.jp", ""},
	{"日本・野球.jp", ""},

	{"モヒートへブン.com", "kana-twin"},
	{"あヘい.com", "kana-twin"},
	{"モヒートヘブン.com", ""},
	{"あへい.com", ""},
	{"への道.jp", ""},

	{"spaçe.com", "popular"},
	{"www.ámazon.de", "popular"},
	{"öbb.at", ""},
}

// TestDisplayRules: each display rule hides what it should, typed or as A-label. A
// verdict names the rule unless a finding of medium or above hides the host.
func TestDisplayRules(t *testing.T) {
	j := newJudge(t, policy.Options{})
	fired := map[string]bool{}
	for _, tt := range displayTests {
		rule := policy.DisplayRuleOf(parse(t, "http://"+tt.host+"/"))
		if rule.String() != tt.rule {
			t.Errorf("%s: hidden by %q, want %q", tt.host, rule, tt.rule)
		}
		fired[tt.rule] = true
		aLabels, err := idna.Punycode.ToASCII(tt.host)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{tt.host, aLabels} {
			v := j.Link(parse(t, "http://"+form+"/"))
			if v.DisplayUnicode != (tt.rule == "") {
				t.Errorf("%s: displayed %t, findings %+v", form, v.DisplayUnicode, v.Findings)
			}
			if v.Worst() < policy.SeverityMedium && v.HiddenBy != rule {
				t.Errorf("%s: verdict has rule %q, want %q", form, v.HiddenBy, tt.rule)
			}
		}
	}
	for _, rule := range policy.DisplayRules() {
		if !fired[rule.String()] {
			t.Errorf("%s: no example", rule)
		}
	}
}

// TestDisplaySeverity: an operator who lowers the code of a display rule sees the
// host in Unicode.
func TestDisplaySeverity(t *testing.T) {
	j := newJudge(t, policy.Options{Severities: map[policy.Code]policy.Severity{policy.CodeWholeScript: policy.SeverityInfo}})
	for host, want := range map[string]bool{"ικα.com": true, "héllo中国.cn": false} {
		if v := j.Link(parse(t, host)); v.DisplayUnicode != want {
			t.Errorf("%s: displayed %t, want %t", host, v.DisplayUnicode, want)
		}
	}
}

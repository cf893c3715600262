package engine_test

import (
	"testing"

	"github.com/linkmilter/linkmilter/engine"
)

// adjustments has the adjustments of Options.Strict that concern running text. Each has texts that
// it changes, and texts in five or more languages that it must not change.
var adjustments = []struct {
	name          string
	changed, same []string
}{
	{
		name: "neighbouring text",
		changed: []string{
			"请发邮件到⸠service@example.com⸡", "ติดต่อ⸠info@example.com⸡", "連絡先⸠joe@example.com⸡まで", "문의⸠info@example.com⸡", "إلى⸠info@example.com⸡",
			"ל⸠info@example.com⸡", "ל-⸠info@example.com⸡", "ב-⸠example.com⸡", "ב⸠example.com⸡", "بـ⸠example.com⸡", "ب⸠example.com⸡", "በ⸠example.com⸡", "པར⸠info@example.com⸡",
			"⸠example.com⸡と⸠example.jp⸡", "⸠example.com⸡です。⸠example.jp⸡",
		},
		same: []string{
			"⸠用户@例子.公司⸡", "⸠用户123@例子.公司⸡", "⸠σωκράτης@example.com⸡", "⸠почта@пример.рф⸡", "⸠müller@example.com⸡", "⸠joão.silva@example.com⸡",
			"⸠דוגמה.com⸡", "⸠דוגמה1.com⸡", "⸠مثال.إختبار.com⸡", "⸠मेल.डाटामेल.भारत⸡", "⸠用户+tag@example.com⸡",
			"⸠mail.com例え.io/a⸡", "⸠www.пример.com例え.io⸡", "⸠a.co.uk例え.io⸡", "⸠https://www.paypal.com例え.io/⸡",
		},
	},
	{
		name: "punctuation",
		changed: []string{
			"☎️⸠info@example.org⸡", "✉️⸠info@example.org⸡", "Mail✉️⸠info@example.org⸡", "❤️⸠info@example.org⸡", "☎︎⸠info@example.org⸡", "👨\u200d⸠info@example.org⸡", "ℹ️⸠info@example.org⸡", "Mailℹ️⸠info@example.org⸡",
			"1️⃣⸠README.md⸡", "1️⃣⸠example.com⸡", "2️⃣⸠main.py⸡", "☎️1️⃣2⃣⸠example.com⸡", "#️⃣⸠example.com⸡",
			"詳細はこちら→⸠example.com⸡", "여기👉⸠example.com⸡", "点击👉🏻⸠example.com⸡", "Web│⸠example.com⸡", "HP→⸠www.example.com⸡", "Copyright©⸠example.com⸡", "old.py→⸠new.py⸡",
			"example.com→⸠example.org⸡", "сайт→⸠example.com⸡", "Web●⸠example.com⸡", "Web➡️⸠example.com/a⸡", "公式≫⸠example.com⸡", "サイト★⸠example.com⸡", "ライブ♪⸠example.com⸡", "価格￥⸠www.example.com⸡", "价格¥⸠99www.example.com⸡", "a→b→⸠example.com⸡", "→ב-⸠example.com⸡",
			"⸠www.example.com⸡￥1,000", "⸠example.com⸡￥",
		},
		same: []string{
			"⸠i❤tacos→.ws⸡", "⸠→.ws⸡", "⸠a❤example.com⸡", "⸠a✉example.com⸡", "⸠http://a→example.com⸡", "⸠joe@a→example.com⸡",
			"⸠p€1x.com⸡", "⸠5€x.com⸡", "⸠пи€1x.com⸡",
			"⸠️info@example.org⸡", "a ⸠\u200dinfo@example.org⸡", "⸠1️⃣.ws⸡", "⸠i❤tacos.ws⸡", "⸠1example.com⸡", "⸠info️@example.org⸡", "⸠ℹinfo@example.org⸡", "⸠ℹ️@example.org⸡",
		},
	},
	{
		name: "suffixes",
		changed: []string{
			"⸠example.com⸡-ot", "⸠example.com⸡-ում", "⸠example.com⸡-ზე", "⸠example.com⸡-এ", "⸠example.com⸡-ல்", "⸠example.com⸡-аас", "⸠example.com⸡-Server", "⸠example.com⸡හි",
			"⸠https://example.com⸡-ot", "⸠joe@example.com⸡-ზე.", "⸠пример.рф⸡-е", "⸠example.com⸡رو", "(⸠example.com⸡-ra)", "⸠example.com⸡-ra, a",
			"⸠https://example.com/a⸡'dan", "⸠https://example.com/a⸡’ya", "⸠https://example.com/a⸡:ssa", "⸠https://example.com/a⸡-ში", "⸠https://example.com/a⸡'s",
		},
		same: []string{
			"example.com-ot/x", "example.com-ot:80", "⸠example.com-login.example.net⸡", "example.com-x.zzzz", "example.com-x,example.zzzz", "example.com-x@y", "⸠a-b.com⸡",
			"example.comé", "example.comа", "example.com-1", "example.com_x", "⸠https://fr.wikipedia.org/wiki/Chute_d'eau⸡", "⸠https://it.wikipedia.org/wiki/L'Aquila⸡",
			"⸠https://de.wikipedia.org/wiki/Hilfe:Seite⸡", "⸠https://example.com/rock-'n'-roll⸡", "⸠https://ru.wikipedia.org/wiki/Санкт-Петербург⸡", "⸠https://example.com/covid-вакцина⸡",
		},
	},
	{
		name:    "sentence",
		changed: []string{"Thanks.It", "come.Is", "done.In", "yes.So", "вижу.Ею", "A.b.It/x", "です。info＠⸠example.jp⸡"},
		same:    []string{"⸠www.Thanks.It⸡", "⸠thanks.it⸡", "⸠THANKS.IT⸡", "⸠Thanks.Info⸡", "⸠http://Thanks.It⸡", "⸠joe@Thanks.It⸡", "⸠Bücher.de⸡", "⸠Пример.рф⸡", "⸠παράδειγμα.gr⸡", "⸠例子.cn⸡", "⸠です。info⸡＠x", "⸠a。info⸡＠⸠b.com⸡"},
	},
	{
		name: "marks",
		changed: []string{
			"*⸠https://example.com/a⸡*", "**⸠https://example.com/a⸡**,b", "_⸠https://example.com/a_b⸡_", "|⸠https://example.com/a⸡|⸠https://example.com/b⸡|", "`⸠https://example.com/a⸡`",
			"~~⸠https://example.com/a⸡~~", "_⸠example.com⸡_", "_⸠https://example.com⸡_", "_⸠www.example.com/a⸡_", "'⸠joe@example.com⸡'", "*⸠joe@example.com⸡*", "_⸠joe@example.com⸡_",
			"{⸠joe@example.com⸡}", "„⸠https://example.com/a⸡“-Seite", "“⸠https://example.com/a⸡”를", "»⸠https://example.com/a⸡«ом", "\"⸠https://example.com/a⸡\"で",
		},
		same: []string{
			"_foo_bar.example.com_", "_dmarc.example.com", "⸠https://example.com/a*⸡ b", "⸠https://example.com/_a_⸡", "*⸠https://example.com/a*b⸡", "'⸠https://example.com/d'eau⸡'",
			"⸠https://en.wikipedia.org/wiki/M*A*S*H⸡", "⸠https://fr.wikipedia.org/wiki/L'Équipe⸡", "⸠https://ja.wikipedia.org/wiki/「A」の話⸡", "⸠https://de.wikipedia.org/wiki/_⸡", "⸠https://ru.wikipedia.org/wiki/«Да»_и⸡", "⸠_joe@example.com⸡ x",
		},
	},
	{
		name: "punctuation behind ASCII",
		changed: []string{
			"⸠https://example.com/guide⸡，谢谢", "⸠https://example.com/a⸡、または", "⸠https://example.com/a⸡。다음", "⸠https://example.com/a⸡،وشكرا", "⸠https://example.com/a⸡।और", "⸠https://example.com/a⸡።እና",
			"⸠https://example.com/a⸡（中文）", "⸠https://example.com/⸡（公式）", "⸠https://example.com/?a=b⸡：说明", "⸠https://example.com/#a⸡！好", "⸠https://example.com/%E6%97%A5⸡、次",
			"⸠https://ja.wikipedia.org/wiki/東京⸡、⸠https://ja.wikipedia.org/wiki/京都⸡", "⸠https://example.com/a⸡;почта", "⸠https://example.com/a⸡—then",
		},
		same: []string{
			"⸠https://zh.wikipedia.org/wiki/联合国教育、科学⸡", "⸠https://ja.wikipedia.org/wiki/「いき」の構造⸡", "⸠https://example.com/a,b;c⸡", "⸠https://de.wikipedia.org/wiki/A_–_Ä⸡",
			"⸠https://ar.wikipedia.org/wiki/كتاب،علم⸡", "⸠https://hi.wikipedia.org/wiki/क।ख⸡", "⸠https://example.com/(a，b)⸡", "⸠https://ru.wikipedia.org/wiki/Wikipedia:Форум⸡", "⸠https://ja.wikipedia.org/wiki/Dr.スランプ⸡",
		},
	},
	{
		name: "particles",
		changed: []string{
			"⸠https://example.com/path⸡を見て", "⸠https://example.com/docs⸡にアクセス", "⸠https://example.com/⸡からどうぞ", "⸠https://example.com/download⸡를", "⸠https://example.com/download⸡에서 받아",
			"⸠https://example.com/a⸡下载最新", "⸠https://example.com/a⸡和⸠https://example.com/b⸡", "⸠https://example.com/th⸡ครับ", "⸠https://example.com/my⸡ကို", "⸠https://example.com/#aé:~:text=download⸡를",
		},
		same: []string{
			"⸠https://ja.wikipedia.org/wiki/Tシャツ⸡", "⸠https://ja.wikipedia.org/wiki/Xの悲劇⸡", "⸠https://example.com/javascriptを学ぶ/1⸡", "⸠https://namu.wiki/w/C언어⸡", "⸠https://ko.wikipedia.org/wiki/GS건설⸡",
			"⸠https://zh.wikipedia.org/wiki/T恤⸡", "⸠https://th.wikipedia.org/wiki/ประเทศไทย⸡", "⸠https://ko.wikipedia.org/wiki/나⸡", "⸠https://ja.wikipedia.org/wiki/はじめに⸡", "⸠https://ru.wikipedia.org/wiki/Windowsы⸡", "⸠https://ar.wikipedia.org/wiki/Xبكس⸡",
		},
	},
	{
		name: "less-than sign",
		changed: []string{
			"⸠https://www.example.com/page.html⸡<⸠https://www.example.com/page.html⸡>", "⸠https://ja.wikipedia.org/wiki/東京⸡<⸠https://ja.wikipedia.org/wiki/%E6%9D%B1%E4%BA%AC⸡> を",
			"⸠https://ru.wikipedia.org/wiki/Москва⸡<⸠https://ru.wikipedia.org/wiki/Москва⸡>", "⸠https://example.com/a⸡<br>b", "⸠example.com/a⸡<br/>", "⸠https://example.com/a⸡<-- here", "⸠https://example.com/?a=b⸡<⸠mailto:joe@example.com⸡>",
			"⸠https://example.com/#a⸡<⸠https://example.com/#a⸡>", "⸠https://example.com/a_(b)⸡<⸠https://example.com/a_(b)⸡>", "⸠https://example.com/(⸡<⸠https://example.com/⸡>)", "⸠https://example.com⸡?<b>", "⸠example.com./⸡<⸠https://example.com./⸡>",
		},
		same: []string{
			"⸠https://www.example.com⸡<⸠https://www.example.com/⸡>", "⸠joe@example.com⸡<⸠mailto:joe@example.com⸡>", "⸠почта@пример.рф⸡<⸠mailto:почта@пример.рф⸡>", "<⸠https://ar.wikipedia.org/wiki/كتاب⸡>", "⸠https://ja.wikipedia.org/wiki/「東京」⸡",
			"⸠https://hi.wikipedia.org/wiki/दिल्ली_(शहर)⸡>", "⸠https://th.wikipedia.org/wiki/กรุงเทพ[1]⸡", "⸠https://example.com/%3Cbr%3E⸡",
		},
	},
	{
		name: "underscores",
		changed: []string{
			"⸠https://my_site.example.com⸡", "⸠http://other_side.example.com/⸡ b", "⸠HTTP://Planet_News.example.com/a_b⸡", "⸠https://_dmarc.example.com:8080/⸡", "⸠https://a._b.example.com./c⸡", "_⸠https://my_site.example.com⸡_",
			"⸠ftp://a__b_.example.com⸡.", "⸠https://my_page.пример.рф/а⸡", "⸠https://my_site.bücher.example.com⸡、または", "(⸠https://my_site.example.com⸡)", "⸠https://my_site.example.com⸡<⸠https://my_site.example.com/⸡>",
		},
		same: []string{
			"my_site.example.com", "https://example.com_foo.example.net/", "https://example.com._foo.example.net/", "http://192.0.2.1._foo.example.net/", "joe@my_site.example.com", "https://example.com_foo/", "https://joe@my_site.example.com", "https://my_site.example.com+x.example.net/", "https://my_site/", "https://my_-.example.com", "https://xn--a_b.рф", "https://моя_страница.пример.рф/а",
			"https://my＿site.example.com", "https://сайт_пример/", "https://自分_の.例", "_⸠https://example.com/⸡",
		},
	},
	{
		name: "dashes",
		changed: []string{
			"\u202a⸠https://example.com/a⸡\u202c", "\u2066⸠https://example.com/a?b⸡\u2069.", "⸠https://example.com/a⸡\u200f\u200e",
			"⸠https://example.com/a⸡…", "⸠https://example.com/a⸡—", "⸠https://ru.wikipedia.org/wiki/Москва⸡…", "⸠https://example.com/a⸡——谢谢", "⸠https://example.com/a⸡……", "⸠https://example.com/a⸡👍",
		},
		same: []string{
			"⸠https://en.wikipedia.org/wiki/Michelson–Morley_experiment⸡", "⸠https://ru.wikipedia.org/wiki/Ижевск—Москва⸡", "⸠https://example.com/long…/x⸡",
			"⸠https://ja.wikipedia.org/wiki/涙…そして⸡", "⸠https://example.com/a-⸡", "⸠https://example.com/🎉⸡", "⸠https://fr.wikipedia.org/wiki/Paris–Brest⸡",
		},
	},
}

// TestAdjustments: in the texts of an adjustment, default mode finds other links than strict mode;
// in its other texts, the modes agree.
func TestAdjustments(t *testing.T) {
	strict, normal := newScanner(t, engine.Options{Strict: true}), newScanner(t, engine.Options{})
	for _, a := range adjustments {
		t.Run(a.name, func(t *testing.T) {
			for _, marked := range a.changed {
				text := unmarker.Replace(marked)
				if got := mark(normal, text); got != marked {
					t.Errorf("got %s, want %s", got, marked)
				}
				if mark(strict, text) == marked {
					t.Errorf("strict mode finds %s, too", marked)
				}
			}
			for _, marked := range a.same {
				text := unmarker.Replace(marked)
				for _, s := range []*engine.Scanner{strict, normal} {
					if got := mark(s, text); got != marked {
						t.Errorf("strict %t: got %s, want %s", s == strict, got, marked)
					}
				}
			}
			if len(a.changed) < 5 || len(a.same) < 5 {
				t.Error("too few texts")
			}
		})
	}
}

package filter_test

import (
	"html"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy"
)

// likeASCII returns the letters that look like each letter of ASCII and the full stop (UTS #39 §4).
func likeASCII() map[rune][]rune {
	all := make(map[rune][]rune)
	for r := rune(0xa1); r < 0x20000; r++ {
		if class := ucd.ConfusableOf(r); class != 0 && len(class.Prototype()) == 1 {
			if like := rune(class.Prototype()[0]); 'a' <= like && like <= 'z' && norm.NFC.IsNormalString(string(r)) {
				all[like] = append(all[like], r)
			}
		}
	}
	for i, r := range []rune("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ") {
		if letter := 'a' + rune(i); letter != 'x' {
			all[letter] = append(all[letter], r, 0x1f150+rune(i), 0x1f170+rune(i), 0x249c+rune(i))
		}
	}
	return all
}

// TestTextsInOtherLetters: a text whose letters look like those of a URL names its host, also if
// the letters of the top-level domain only look alike.
func TestTextsInOtherLetters(t *testing.T) {
	f := newFilter(t, filter.Options{})
	like := likeASCII()
	r := rand.New(rand.NewPCG(7, 39))
	other := func(text string) string {
		return strings.Map(func(c rune) rune {
			if others := like[c]; len(others) > 0 {
				return others[r.IntN(len(others))]
			}
			return c
		}, text)
	}
	for range long.Rows(2000, 500) {
		var text string
		switch r.IntN(5) {
		case 0:
			text = "https://www.paypal." + other("com") + "/"
		case 1:
			text = "www.paypal." + other("com")
		case 2:
			text = "paypal" + []string{"𝅭", "܁", "ꓸ", "٠", "˙", "۔", "•"}[r.IntN(7)] + "com/login"
		case 3:
			text = other("https") + "://www.paypal." + other("com")
		case 4:
			text = strings.ToUpper(other("paypal"))[:0] + "paypal" + []string{" . ", " ."}[r.IntN(2)] + "com/login"
		}
		flagged(t, f, `<a href=`+evil+`>`+html.EscapeString(text)+`</a>`)
		if t.Failed() {
			return
		}
	}
	for _, text := range []string{
		"ʜᴛᴛᴘs://ᴡᴡᴡ.ᴘᴀʏᴘᴀʟ.ᴄᴏᴍ", "🅗🅣🅣🅟🅢://🅦🅦🅦.🅟🅐🅨🅟🅐🅛.🅒🅞🅜/", "🅿🅰🆈🅿🅰🅻.🅲🅾🅼/login", "⒫⒜⒴⒫⒜⒧.⒞⒪⒨/login", "PayPal .com",
		"раураӏ.сом", "РАУРАL.СОМ", "paypal.сом", "https://www.раураӏ.сом/",
		"p a y p a l . c o m", "p\u2800a\u2800y\u2800p\u2800a\u2800l\u2800.\u2800c\u2800o\u2800m", "p\u2028a\u2028y\u2028p\u2028a\u2028l.\u2028c\u2028o\u2028m",
	} {
		flagged(t, f, `<a href=`+evil+`>`+text+`</a>`)
	}
	for _, honest := range []string{
		"Подробнее на сайте. Спасибо", "т.е. см. раздел", "оса.со", "новости.рф/страница", "www.почта.рф", "и.о. директора А.С.Попов", "اقرأ المزيد.الآن", "المزيد . هنا", "קרא עוד.כאן", "詳細はこちら。クリック", "続きを読む．次へ",
		"더 보기.", "Διαβάστε περισσότερα.εδώ", "อ่านต่อ...", "और पढ़ें।यहाँ", "Կարդալ ավելին․այստեղ", "müller.de", "www.café.fr/menü", "1.000,00 €.", "Node .js", "z. B. i. d. R.", "P . S .", "Z E I T . 2", "A . d e", "домашний.сом", "хоум.ру", "мама.ру", "ме.ме", "место.Вот", "Сам. Сам", "мама.там", "т.е.м.", "Моя мама.Сам", "дом.ком", "оса.ком", "ᏣᎳᎩ.ᎦᏬᏂ", "ᐃᓄᒃᑎᑐᑦ.ᐊᑕ", "ᓀᐦᐃᔭᐍᐏᐣ᙮ᐊᐢ", "Việt ̣Nam", "a\u0323.b", "བོད་ཡིག", "डॉ॰ राम", "ⴰⵎⴰⵣⵉⵖ",
		"Version 2 . 0", "ⒶⒷⒸ.", "Ⓡ 2.0", "🅰.🅱", "Mehr . . .",
	} {
		if result := f.Scan(htmlMessage(`<a href="https://click.example.net/1">` + honest + `</a>`)); worstLink(result) >= policy.SeverityMedium && !strings.ContainsAny(honest, "/w") {
			t.Errorf("%s: %v", honest, placed(result))
		}
	}
}

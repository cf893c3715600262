package policy_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// A displayFamily has hosts for one display rule, made from Unicode data: hosts of two labels that
// it hides or shows.
type displayFamily struct {
	name  string
	hosts []string
}

// lettersOf has the lower-case letters and marks that hosts may have, by script.
var lettersOf = func() map[ucd.Script][]rune {
	letters := make(map[ucd.Script][]rune)
	for r := rune(0x80); r < 0x20000; r++ {
		if ucd.HostClassOf(r) == ucd.HostValid && (unicode.IsLetter(r) || ucd.IsMark(r)) && (r < 0x3400 || r > 0x4dbf) && (r < 0x4e00 || r > 0x9fff) && (r < 0xac00 || r > 0xd7a3) {
			letters[ucd.ScriptOf(r)] = append(letters[ucd.ScriptOf(r)], r)
		}
	}
	letters[ucd.ScriptHani] = append(letters[ucd.ScriptHani], []rune("中国文本字网")...)
	letters[ucd.ScriptHang] = []rune("한국어글자")
	letters[ucd.ScriptLatn] = append([]rune("abcx"), letters[ucd.ScriptLatn]...)
	return letters
}()

// plainOf has, for each script of general use, a word that looks like no word of another script.
var plainOf = map[ucd.Script]string{
	ucd.ScriptLatn: "word", ucd.ScriptCyrl: "где", ucd.ScriptGrek: "δφλ", ucd.ScriptArmn: "բդֆ", ucd.ScriptHebr: "אבש", ucd.ScriptArab: "كتب",
	ucd.ScriptThaa: "ކަމު", ucd.ScriptDeva: "कखग", ucd.ScriptBeng: "কখগ", ucd.ScriptGuru: "ਕਖਗ", ucd.ScriptGujr: "કખગ", ucd.ScriptOrya: "କଖଗ",
	ucd.ScriptTaml: "கசஞ", ucd.ScriptTelu: "కఖగ", ucd.ScriptKnda: "ಕಖಗ", ucd.ScriptMlym: "കഖഗ", ucd.ScriptSinh: "කඛග", ucd.ScriptThai: "กขค",
	ucd.ScriptLaoo: "ກຂຄ", ucd.ScriptTibt: "ཀཁག", ucd.ScriptMymr: "ကဆည", ucd.ScriptGeor: "გფჯ", ucd.ScriptEthi: "ሐመሸ", ucd.ScriptKhmr: "កខគ",
	ucd.ScriptHira: "あきむ", ucd.ScriptKana: "アキム", ucd.ScriptHani: "中国文", ucd.ScriptHang: "한국어", ucd.ScriptBopo: "ㄅㄆㄇ",
}

// displayFamilies returns the hosts of all families.
func displayFamilies() []displayFamily {
	var families []displayFamily
	add := func(name string, make func(add func(labels ...string))) {
		f := displayFamily{name: name}
		make(func(labels ...string) {
			for _, label := range labels {
				if !strings.Contains(label, ".") {
					label += ".com"
				}
				if norm.NFC.IsNormalString(label) && !ascii.Is(strings.Split(label, ".")[0]) {
					f.hosts = append(f.hosts, label)
				}
			}
		})
		families = append(families, f)
	}
	scripts := ucd.AllScripts().Append(nil)
	alphabet := func(script ucd.Script) []rune {
		letters := slices.Clone(lettersOf[script])
		return append(letters, []rune("0123456789---")...)
	}
	plain := func(yield func(ucd.Script, string)) {
		for _, script := range scripts {
			if word := plainOf[script]; word != "" {
				yield(script, word)
			}
		}
	}
	add("scripts", func(add func(...string)) {
		for _, script := range scripts {
			letters := lettersOf[script]
			for i := 0; i < len(letters); i += max(1, len(letters)/4) {
				add(strings.Repeat(string(letters[i]), 2) + string(letters[len(letters)/2]))
			}
		}
	})
	add("letters", func(add func(...string)) {
		plain(func(script ucd.Script, word string) {
			for _, r := range lettersOf[script] {
				add(word + string(r))
			}
		})
	})
	add("common-letters", func(add func(...string)) {
		for _, script := range []ucd.Script{ucd.ScriptZyyy, ucd.ScriptZinh} {
			for _, r := range lettersOf[script] {
				for _, of := range []ucd.Script{ucd.ScriptLatn, ucd.ScriptCyrl, ucd.ScriptGrek, ucd.ScriptHebr, ucd.ScriptDeva, ucd.ScriptThai, ucd.ScriptKana, ucd.ScriptHang} {
					add(plainOf[of] + string(r))
				}
			}
		}
	})
	add("mixed-scripts", func(add func(...string)) {
		plain(func(a ucd.Script, first string) {
			plain(func(b ucd.Script, second string) {
				if a != b {
					add(first + second)
				}
			})
		})
	})
	add("latin-beyond-ascii", func(add func(...string)) {
		plain(func(_ ucd.Script, word string) {
			for _, latin := range []string{"é", "ñ", "ł", "ß", "ı", "ż", "ớ", "café"} {
				add(latin+word, word+"-"+latin)
			}
		})
	})
	add("digits", func(add func(...string)) {
		for r := rune(0x80); r < 0x20000; r++ {
			if ucd.DigitZero(r) == r && ucd.HostClassOf(r) == ucd.HostValid {
				zero, two, nine := string(r), string(r+2), string(r+9)
				script := ucd.ScriptOf(r)
				add(two+nine, two+"2", zero+"0"+plainOf[script], plainOf[script]+two+nine, "word"+two, plainOf[script]+"12", plainOf[ucd.ScriptCyrl]+nine)
			}
		}
	})
	add("digit-likes", func(add func(...string)) {
		plain(func(script ucd.Script, _ string) {
			for _, r := range lettersOf[script] {
				if unicode.IsLetter(r) && script != ucd.ScriptLatn && script != ucd.ScriptHani {
					add("1" + string(r) + "2")
				}
			}
		})
	})
	add("whole-script", func(add func(...string)) {
		plain(func(script ucd.Script, _ string) {
			for _, r := range lettersOf[script] {
				if unicode.IsLetter(r) && script != ucd.ScriptLatn && script != ucd.ScriptHani {
					add(strings.Repeat(string(r), 3))
				}
			}
		})
	})
	add("whole-script-tld", func(add func(...string)) {
		for _, top := range strings.Fields("com org net ru su ua by bg kz kg mk mn rs tj uz me am ge gr cy il et er th la mm in bd lk np pk ir eg sa ae cn tw jp kr de fr uk us pl az md " +
			"рф бг срб укр мкд қаз мон бел ею ελ ευ հայ გე ישראל ไทย ລາວ भारत ভারত ලංකා இந்தியா 中国 한국 дети москва сайт онлайн орг ком קום") {
			for _, label := range []string{"сох", "ερα", "ηνα", "ոսհ", "ხიო", "חסס", "ዐሰዘ", "ทนร", "ຣມພ", "ຟຮບ", "ခဝင", "ડટ", "ടധ", "ടറ", "டப", "০৭"} {
				add(label + "." + top)
			}
		}
	})
	add("middle-dot", func(add func(...string)) {
		for _, top := range []string{"cat", "com", "es", "ad", "fr", "co.uk"} {
			for _, label := range []string{"l·l", "col·legi", "a·b", "l·a", "a·l", "l·", "paral·lel", "ll·l", "1·2", "l·l·l", "中·国", "л·л"} {
				add(label + "." + top)
			}
		}
	})
	add("kana-marks", func(add func(...string)) {
		around := []string{"", "あ", "ア", "中", "a", "5", "한", "д", "-"}
		for _, mark := range []string{"ー", "ヽ", "ヾ", "ゝ", "ゞ", "・", "々", "〆"} {
			for _, before := range around {
				for _, after := range around {
					if !strings.HasPrefix(before, "-") && !strings.HasSuffix(after, "-") {
						add(before+mark+after, "x"+before+mark+after+"x", "ん"+before+mark+after+"ン")
					}
				}
			}
		}
	})
	add("kana-twins", func(add func(...string)) {
		for r := rune('ぁ'); r <= 'ゖ'; r++ {
			add("アイ"+string(r)+"ウ", "ア"+string(r), "あ"+string(r+0x60)+"う", "中"+string(r+0x60)+"い")
		}
	})
	add("ideographs", func(add func(...string)) {
		var narrow []rune
		for r := rune(0x4e00); r < 0x4ea0; r++ {
			narrow = append(narrow, r)
		}
		narrow = append(narrow, []rune("乙九八十冂冖冫几凵刀力勹匕匚卜厂厶又口囗土士夂夕大女子寸小尢尸山川工己巾干幺广廴弋弓彐彡彳三下上入口日月木水火王丁讠丨〇")...)
		for r := rune('ㄅ'); r <= 'ㄯ'; r++ {
			narrow = append(narrow, r)
		}
		for r := rune('ノ'); r <= 'ン'; r++ {
			narrow = append(narrow, r)
		}
		narrow = append(narrow, 'ソ', 'ゾ', 'ノ', 'エ', 'ロ', 'ニ', 'ハ', 'ト', 'カ', 'タ')
		for _, r := range narrow {
			c := string(r)
			add("ab"+c+"cd", "ab"+c, c+"ab", "中"+c+"国", "1"+c+"2", "한"+c+"국", c+"a中")
		}
	})
	add("marks", func(add func(...string)) {
		bases := []string{"x", "ж", "ψ", "ب", "ก", "ກ", "क", "ა", "字", "한", "ı", "ȷ", "i", "j", "l", "1", "あ"}
		for mark := rune(0x300); mark <= 0x36f; mark++ {
			if ucd.HostClassOf(mark) == ucd.HostValid {
				for _, base := range bases {
					add(base + string(mark) + base)
				}
			}
		}
		for _, mark := range []string{"\u0301", "\u0307", "\u0e34", "\u0941", "\u064b", "\u3099", "\u309a", "\u0338", "\u05b7", "\u0670"} {
			for _, base := range bases {
				add(base+mark+mark, base+mark+base+mark, base+mark)
			}
		}
	})
	add("script-marks", func(add func(...string)) {
		plain(func(script ucd.Script, word string) {
			for _, r := range lettersOf[script] {
				if ucd.IsMark(r) {
					add(word+string(r)+string(r), "word"+string(r))
				}
			}
		})
	})
	add("letters-like-marks", func(add func(...string)) {
		for r := rune(0x2b0); r <= 0x2ff; r++ {
			if ucd.HostClassOf(r) == ucd.HostValid {
				add("o"+string(r)+"lelo", "д"+string(r)+"д", "ש"+string(r))
			}
		}
		add("hawai\u2019i", "a\u2018b", "ab\u2010cd", "ab\u2011cd", "ab\u2027cd", "ա\u058aբ", "ア\u30a0イ", "שב״צ", "שב׳צ", "ab״cd", "ab׳cd", "a\u0375b", "λ\u0375δ", "a\u05f3", "־אב", "א־ב")
	})
	add("hyphens", func(add func(...string)) {
		plain(func(_ ucd.Script, word string) {
			two := string([]rune(word)[:2])
			add(two+"--"+word, word+"--"+word, word+"-"+word, two+"---x", "a--"+word)
		})
	})
	add("joiners", func(add func(...string)) {
		plain(func(script ucd.Script, word string) {
			for _, joiner := range []string{"\u200c", "\u200d"} {
				add(word + joiner + word)
				for _, r := range lettersOf[script] {
					if ucd.IsMark(r) && norm.NFC.PropertiesString(string(r)).CCC() == 9 {
						add(word+string(r)+joiner+word, word+string(r)+joiner)
					}
				}
			}
		})
		add("straße", "faß", "ßß", "λόγος", "ςς", "βόλος", "ßд", "xς")
	})
	add("country-letters", func(add func(...string)) {
		for _, r := range "þðəøæœđłħŋıſŧĸƶǎʒ" {
			for _, top := range []string{"is", "fo", "az", "com", "de", "tr", "no", "dk", "xn--fiqs8s"} {
				add("ab"+string(r)+"cd."+top, string(r)+"."+top)
			}
		}
	})
	add("letters-beside-latin", func(add func(...string)) {
		plain(func(script ucd.Script, _ string) {
			for _, r := range lettersOf[script] {
				if unicode.IsLetter(r) && (script == ucd.ScriptHira || script == ucd.ScriptKana || script == ucd.ScriptBopo) {
					add("ab"+string(r)+"cd", "ab"+string(r), string(r)+"ab", string(r)+"1")
				}
			}
		})
	})
	add("digits-tld", func(add func(...string)) {
		for _, host := range strings.Fields("12б.рф 16з.рф 16з.ru зз.ru ӡӡ.com ӡ1.ua ৪২.bd ৪২.ভারত ৪২.in 2೩.in ೩೩.ಭಾರತ 16კ.ge კკ.გე შ5.ge ٥٥.مصر २०२४.भारत २०२४.in 12ձ.am շշ.հայ ឧ1.kh ๑๒.th ๑๒.ไทย 6Ֆ.am θ1.gr θθ.ελ 丩1.cn ㄐ2.tw ㄐㄐ.台灣 ੨੩.in ટ2.in ટ2.ભારત ஒ1.in ဒဒ.mm ၁၂.mm ຣ1.la ໑໒.ລາວ") {
			add(host)
		}
	})
	add("random", func(add func(...string)) {
		random := rand.New(rand.NewPCG(1, 2))
		pick := func(from []rune, n int) string {
			var b strings.Builder
			for range n {
				b.WriteRune(from[random.IntN(len(from))])
			}
			return strings.Trim(b.String(), "-")
		}
		plain(func(script ucd.Script, word string) {
			for range 40 {
				add(pick(alphabet(script), 2+random.IntN(5)), pick(lettersOf[script], 1+random.IntN(3)))
			}
			for range 10 {
				add(word+pick(alphabet(ucd.ScriptLatn), 2), pick([]rune("abcdeo0123-"), 3)+pick(lettersOf[script], 2))
			}
		})
		japanese := slices.Concat(lettersOf[ucd.ScriptHira], lettersOf[ucd.ScriptKana], []rune("ー・々中国文一二三十工口ノヘべab1"))
		for range 400 {
			add(pick(japanese, 2+random.IntN(5)))
		}
	})
	return families
}

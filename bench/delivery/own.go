package main

import (
	"fmt"
	"strings"
)

// writers are people who write in their language, about a page in their script. Where a writer
// has no language here, the text is English.
var writers = []struct{ code, page, greeting, sentence, thanks string }{
	{"am", "am.wikipedia.org/wiki/አዲስ_አበባ", "ሰላም አበበ፣", "ትናንት የተነጋገርንበት ጽሑፍ እዚህ ነው፣ እባክህ ከስብሰባው በፊት አንብበው።", "አመሰግናለሁ፣ ሰላም"},
	{"ar", "ar.wikipedia.org/wiki/خط_عربي", "", "", ""},
	{"be", "be.wikipedia.org/wiki/Мінск", "Вітаю, Алесь!", "Вось артыкул, пра які мы гаварылі ўчора, прачытай яго да сустрэчы.", "Дзякуй, Янка"},
	{"bg", "bg.wikipedia.org/wiki/София", "Здравей, Иване,", "ето статията, за която говорихме вчера, прочети я преди срещата.", "Благодаря, Мария"},
	{"bn", "bn.wikipedia.org/wiki/ঢাকা", "প্রিয় রহিম,", "গতকাল আমরা যে লেখাটি নিয়ে কথা বলেছিলাম তা এখানে আছে, সভার আগে পড়ে নিও।", "ধন্যবাদ, করিম"},
	{"bo", "bo.wikipedia.org/wiki/བོད", "", "", ""},
	{"chr", "chr.wikipedia.org/wiki/ᏣᎳᎩ", "", "", ""},
	{"cs", "cs.wikipedia.org/wiki/Příbram", "Ahoj Jiří,", "tady je článek, o kterém jsme včera mluvili, přečti si ho prosím před schůzkou.", "Díky, Zdeněk"},
	{"de", "de.wikipedia.org/wiki/Übungsaufgabe", "", "", ""},
	{"dv", "dv.wikipedia.org/wiki/މާލެ", "", "", ""},
	{"el", "el.wikipedia.org/wiki/Αθήνα", "", "", ""},
	{"en", "en.wikipedia.org/wiki/Café_Müller", "", "", ""},
	{"es", "es.wikipedia.org/wiki/España", "Hola Begoña:", "aquí está el artículo del que hablamos ayer, léelo por favor antes de la reunión.", "Gracias, Íñigo"},
	{"fa", "fa.wikipedia.org/wiki/تخت_جمشید", "", "", ""},
	{"fr", "fr.wikipedia.org/wiki/Éléphant_d'Asie", "", "", ""},
	{"gu", "gu.wikipedia.org/wiki/અમદાવાદ", "પ્રિય મીના,", "ગઈકાલે આપણે જે લેખ વિશે વાત કરી હતી તે અહીં છે, કૃપા કરીને સભા પહેલાં વાંચજો.", "આભાર, રમેશ"},
	{"he", "he.wikipedia.org/wiki/ירושלים", "", "", ""},
	{"hi", "hi.wikipedia.org/wiki/महात्मा_गांधी", "", "", ""},
	{"hu", "hu.wikipedia.org/wiki/Győr", "Kedves Ödön!", "Itt a cikk, amelyről tegnap beszéltünk, kérlek, olvasd el az értekezlet előtt.", "Köszönöm, Géza"},
	{"hy", "hy.wikipedia.org/wiki/Երևան", "Բարև Արամ,", "ահա այն հոդվածը, որի մասին երեկ խոսեցինք, խնդրում եմ կարդա հանդիպումից առաջ։", "Շնորհակալություն, Անի"},
	{"iu", "iu.wikipedia.org/wiki/ᐃᓄᒃᑎᑐᑦ", "", "", ""},
	{"ja", "ja.wikipedia.org/wiki/東京都写真美術館", "", "", ""},
	{"ka", "ka.wikipedia.org/wiki/თბილისი", "გამარჯობა ნინო,", "აი სტატია, რომელზეც გუშინ ვისაუბრეთ, გთხოვ წაიკითხე შეხვედრამდე.", "მადლობა, გიორგი"},
	{"km", "km.wikipedia.org/wiki/ភ្នំពេញ", "", "", ""},
	{"kn", "kn.wikipedia.org/wiki/ಬೆಂಗಳೂರು", "ಪ್ರಿಯ ರವಿ,", "ನಿನ್ನೆ ನಾವು ಮಾತನಾಡಿದ ಲೇಖನ ಇಲ್ಲಿದೆ, ದಯವಿಟ್ಟು ಸಭೆಯ ಮೊದಲು ಓದಿ.", "ಧನ್ಯವಾದಗಳು, ಲತಾ"},
	{"ko", "ko.wikipedia.org/wiki/경복궁", "", "", ""},
	{"lo", "lo.wikipedia.org/wiki/ວຽງຈັນ", "", "", ""},
	{"ml", "ml.wikipedia.org/wiki/കേരളം", "പ്രിയ അനിൽ,", "ഇന്നലെ നമ്മൾ സംസാരിച്ച ലേഖനം ഇവിടെയുണ്ട്, യോഗത്തിന് മുമ്പ് വായിക്കുക.", "നന്ദി, മീര"},
	{"mn", "mn.wikipedia.org/wiki/Улаанбаатар", "Сайн уу, Бат аа,", "өчигдөр ярилцсан нийтлэл энд байна, уулзалтаас өмнө уншаарай.", "Баярлалаа, Сараа"},
	{"my", "my.wikipedia.org/wiki/ရန်ကုန်မြို့", "", "", ""},
	{"or", "or.wikipedia.org/wiki/ଓଡ଼ିଶା", "", "", ""},
	{"pa", "pa.wikipedia.org/wiki/ਅੰਮ੍ਰਿਤਸਰ", "ਪਿਆਰੇ ਗੁਰਪ੍ਰੀਤ,", "ਕੱਲ੍ਹ ਅਸੀਂ ਜਿਸ ਲੇਖ ਬਾਰੇ ਗੱਲ ਕੀਤੀ ਸੀ ਉਹ ਇੱਥੇ ਹੈ, ਮੀਟਿੰਗ ਤੋਂ ਪਹਿਲਾਂ ਪੜ੍ਹ ਲੈਣਾ।", "ਧੰਨਵਾਦ, ਹਰਜੀਤ"},
	{"pl", "pl.wikipedia.org/wiki/Łódź", "Cześć Stanisławie,", "tutaj jest artykuł, o którym wczoraj mówiliśmy, przeczytaj go proszę przed spotkaniem.", "Dziękuję, Michał"},
	{"ru", "ru.wikipedia.org/wiki/Санкт-Петербург", "", "", ""},
	{"si", "si.wikipedia.org/wiki/කොළඹ", "", "", ""},
	{"sr", "sr.wikipedia.org/wiki/Београд", "Здраво Милоше,", "ево чланка о којем смо јуче говорили, молим те прочитај га пре састанка.", "Хвала, Јелена"},
	{"ta", "ta.wikipedia.org/wiki/சென்னை", "அன்புள்ள குமார்,", "நேற்று நாம் பேசிய கட்டுரை இங்கே உள்ளது, கூட்டத்திற்கு முன் படிக்கவும்.", "நன்றி, செல்வி"},
	{"te", "te.wikipedia.org/wiki/హైదరాబాదు", "ప్రియమైన రవి,", "నిన్న మనం మాట్లాడుకున్న వ్యాసం ఇక్కడ ఉంది, సమావేశానికి ముందు చదవండి.", "ధన్యవాదాలు, లక్ష్మి"},
	{"th", "th.wikipedia.org/wiki/กรุงเทพมหานคร", "", "", ""},
	{"uk", "uk.wikipedia.org/wiki/Київ", "", "", ""},
	{"ur", "ur.wikipedia.org/wiki/لاہور", "پیارے علی،", "یہ وہ مضمون ہے جس کے بارے میں ہم نے کل بات کی تھی، براہ کرم ملاقات سے پہلے پڑھ لیں۔", "شکریہ، سارہ"},
	{"vi", "vi.wikipedia.org/wiki/Hà_Nội", "Chào anh Tuấn,", "đây là bài viết mà chúng ta đã nói hôm qua, anh đọc giúp trước cuộc họp nhé.", "Cảm ơn, Hương"},
	{"zh", "zh.wikipedia.org/wiki/故宫博物院", "", "", ""},
}

// signatures are what stands below mail, without what separates it.
var signatures = []string{
	"Marek Novak\nhttps://www.example.org/\n+42 1 2345 678",
	"M. Novak | Example GmbH | www.example.org",
	"Marek Novak, Example Ltd\nm.novak@example.org",
	"Sent from my phone",
}

// ownForms are mails as people write them, with an over-escaped link outside quotes. In HTML, a
// line is a paragraph, and links are as in htmlForms.
var ownForms = []struct {
	name string
	html bool
	body func(l language, u, other, signature string) string
}{
	{"note", false, func(l language, u, _, _ string) string {
		return l.greeting + "\n\n" + l.sentence + "\n" + u + "\n\n" + l.thanks
	}},
	{"signed-note", false, func(l language, u, _, signature string) string {
		return l.greeting + "\n\n" + l.sentence + " " + u + "\n\n" + l.thanks + "\n\n-- \n" + signature
	}},
	{"inline", false, func(l language, u, _, _ string) string {
		return l.greeting + "\n\n" + l.sentence + " (" + u + ") " + l.sentence + "\n" + l.thanks
	}},
	{"top-reply", false, func(l language, u, other, _ string) string {
		return l.sentence + "\n" + u + "\n" + l.thanks + "\n\n> " + l.greeting + "\n> " + l.sentence + "\n> " + other
	}},
	{"greeting", false, func(l language, u, _, _ string) string { return l.greeting + "\n" + u + "\n" + l.thanks }},
	{"two", false, func(l language, u, other, _ string) string {
		return l.greeting + "\n" + l.sentence + "\n\n- " + u + "\n- " + other + "\n\n" + l.thanks
	}},
	{"bare-greeting", false, func(l language, u, _, _ string) string { return l.greeting + "\n" + u }},
	{"http", false, func(l language, u, _, signature string) string {
		return l.greeting + "\n\n" + l.sentence + "\n" + strings.Replace(u, "https", "http", 1) + ".\n\n" + l.thanks + "\n\n-- \n" + signature
	}},
	{"idn", false, func(l language, u, _, signature string) string {
		return l.greeting + "\n\n" + l.sentence + "\n" + u + "\n" + "https://bücher.example.de/\n\n" + l.thanks + "\n\n-- \n" + signature
	}},
	{"idn-a-label", false, func(l language, u, _, _ string) string {
		return l.greeting + "\n" + l.sentence + " https://" + aLabels("bücher.example.de") + "/ " + u + "\n" + l.thanks
	}},
	{"html-note", true, func(l language, u, _, _ string) string {
		return l.greeting + "\n" + l.sentence + "\n" + named(u) + "\n" + l.thanks
	}},
	{"html-signed", true, func(l language, u, _, signature string) string {
		return l.greeting + "\n" + l.sentence + " " + named(u) + "\n" + l.thanks + "\n" + signature
	}},
	{"html-reply", true, func(l language, u, other, _ string) string {
		return l.sentence + "\n" + named(u) + "\n" + l.thanks + "\n> " + l.sentence + "\n> " + named(other)
	}},
	{"html-bare", true, func(l language, u, _, signature string) string {
		return l.greeting + "\n" + l.sentence + "\n" + u + "\n" + l.thanks + "\n" + signature
	}},
	{"html-two", true, func(l language, u, other, _ string) string {
		return l.greeting + "\n" + l.sentence + "\n" + named(u) + "\n" + named(other) + "\n" + l.thanks
	}},
	{"html-greeting", true, func(l language, u, _, _ string) string { return l.greeting + "\n" + named(u) }},
	{"html-titled", true, func(l language, u, _, _ string) string {
		return l.greeting + "\n[https://www.example.com/agenda " + l.short + "]\n" + l.sentence + " " + named(u) + "\n" + l.thanks
	}},
}

// ownMessages returns mail of one's own users in 43 languages with 30 scripts: plain texts, and HTML
// of five programs beside a text or alone.
func ownMessages() []message {
	const rounds = 8
	var all []message
	for n := range rounds * len(writers) {
		i := n % len(writers)
		w, form := writers[i], &ownForms[(n/len(writers)*2+i)%len(ownForms)]
		l := languages[0]
		for _, known := range languages {
			if known.code == w.code {
				l = known
			}
		}
		if w.sentence != "" {
			l = language{code: w.code, greeting: w.greeting, sentence: w.sentence, short: w.sentence, thanks: w.thanks}
		}
		other := escaped(writers[(i+1)%len(writers)].page)
		body := form.body(l, escaped(w.page), other, signatures[n%len(signatures)])
		m := message{name: fmt.Sprintf("%s-%s-%d", w.code, form.name, n), wants: true}
		if form.html {
			page := encoded("html", "utf-8", styles[n%len(styles)].document(body, "utf-8"), n)
			structure := []func(text, html string) string{alternative, alternative, related, alone}[n%4]
			m.raw = []byte(head(n, form.name) + structure(encoded("plain", "utf-8", inText(body), n), page))
		} else {
			m.raw = []byte(head(n, form.name) + encoded("plain", "utf-8", body+"\n", n))
		}
		all = append(all, m)
	}
	return all
}

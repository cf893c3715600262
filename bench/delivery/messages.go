package main

import (
	"encoding/base64"
	"fmt"
	"mime/quotedprintable"
	"net/url"
	"strings"
)

// A message is a message as its sender's program wrote it.
type message struct {
	name string // language and form: "ja-reply"
	raw  []byte
}

// A language has what people write in it.
type language struct {
	code, greeting, sentence, thanks string
	page                             string // host and path of a page, readable
	host                             string // an IDN host
}

var languages = []language{
	{"en", "Hi Ann,", "here is the article that we talked about yesterday, please read it before Monday.", "Thanks, Bob", "en.wikipedia.org/wiki/Café_Müller", "café.example.com"},
	{"de", "Hallo Frau Krüger,", "die Unterlagen zur Übung am Freitag liegen jetzt auf der Seite, bitte bis Mittwoch ansehen.", "Viele Grüße, Jonas", "de.wikipedia.org/wiki/Übungsaufgabe", "bücher.example.com"},
	{"fr", "Bonjour Élodie,", "voici l'article dont nous avons parlé hier, merci de le lire avant la réunion.", "À bientôt, Zoé", "fr.wikipedia.org/wiki/Éléphant_d'Asie", "élan.example.fr"},
	{"ru", "Привет, Олег!", "Посмотри, пожалуйста, статью, о которой мы говорили вчера на встрече.", "Спасибо, Мария", "ru.wikipedia.org/wiki/Санкт-Петербург", "пример.рф"},
	{"uk", "Вітаю, Олено!", "Ось стаття, про яку ми говорили вчора, прочитай її до понеділка.", "Дякую, Тарас", "uk.wikipedia.org/wiki/Київ", "приклад.укр"},
	{"el", "Γεια σου Νίκο,", "ορίστε το άρθρο που συζητήσαμε χθες, διάβασέ το πριν από τη συνάντηση.", "Ευχαριστώ, Ελένη", "el.wikipedia.org/wiki/Αθήνα", "παράδειγμα.ελ"},
	{"ja", "佐藤様", "先日お話しした資料はこちらにあります。ご確認をお願いいたします。", "よろしくお願いします。 田中", "ja.wikipedia.org/wiki/東京都写真美術館", "例え.jp"},
	{"zh", "王老师:", "昨天我们讨论的文章在这里，请在会议之前阅读。", "谢谢，李明", "zh.wikipedia.org/wiki/故宫博物院", "例子.中国"},
	{"ko", "김 선생님,", "어제 이야기한 글이 여기에 있습니다. 회의 전에 읽어 주세요.", "감사합니다, 박민수", "ko.wikipedia.org/wiki/경복궁", "예시.한국"},
	{"ar", "مرحبا سامي،", "هذه هي المقالة التي تحدثنا عنها أمس، أرجو أن تقرأها قبل الاجتماع.", "شكرا، ليلى", "ar.wikipedia.org/wiki/خط_عربي", "مثال.مصر"},
	{"fa", "سلام مریم،", "این همان مقاله‌ای است که دیروز درباره آن صحبت کردیم، لطفا پیش از جلسه بخوان.", "با سپاس، رضا", "fa.wikipedia.org/wiki/تخت_جمشید", "نمونه.ایران"},
	{"he", "שלום דנה,", "הנה המאמר שדיברנו עליו אתמול, נא לקרוא אותו לפני הפגישה.", "תודה, יואב", "he.wikipedia.org/wiki/ירושלים", "דוגמה.co.il"},
	{"hi", "नमस्ते सुनीता जी,", "यह वही लेख है जिसके बारे में हमने कल बात की थी, कृपया बैठक से पहले पढ़ लें।", "धन्यवाद, अर्जुन", "hi.wikipedia.org/wiki/महात्मा_गांधी", "उदाहरण.भारत"},
	{"th", "สวัสดีคุณสมชาย", "นี่คือบทความที่เราคุยกันเมื่อวาน กรุณาอ่านก่อนการประชุมวันจันทร์", "ขอบคุณ มาลี", "th.wikipedia.org/wiki/กรุงเทพมหานคร", "ตัวอย่าง.ไทย"},
}

// escaped returns the URL of a page as programs send it.
func escaped(page string) string {
	host, path, _ := strings.Cut(page, "/")
	return "https://" + host + "/" + (&url.URL{Path: path}).EscapedPath()
}

// forms are the forms of texts that are written in every language.
var forms = []struct {
	name string
	text func(l language, other []string) string // other has links in other languages
}{
	{"short", func(l language, _ []string) string {
		return l.greeting + "\n\n" + l.sentence + "\n" + escaped(l.page) + "\n\n-- \nM. Novak\n"
	}},
	{"reply", func(l language, _ []string) string {
		return l.greeting + "\n\n" + l.sentence + "\n" + escaped(l.page) + "\n\n> " + l.sentence + "\n> " + l.sentence + "\n"
	}},
	{"quoting-reply", func(l language, other []string) string {
		return l.greeting + "\n\n" + l.thanks + "\n\n> " + l.sentence + "\n> " + escaped(l.page) + "\n> > " + l.sentence + "\n> > " + other[0] + "\n"
	}},
	{"long", func(l language, _ []string) string {
		return l.greeting + "\n\n" + strings.Repeat(l.sentence+"\n", 12) + "\n" + escaped(l.page) + "\n\n" + strings.Repeat(l.sentence+"\n", 4) + l.thanks + "\n"
	}},
	{"sentence", func(l language, _ []string) string { return l.sentence + "\n" + escaped(l.page) + "\n" }},
	{"inline", func(l language, _ []string) string {
		return l.greeting + "\n\n" + l.sentence + " (" + escaped(l.page) + ") " + l.sentence + "\n\n" + l.thanks + "\n"
	}},
	{"link-alone", func(l language, _ []string) string { return escaped(l.page) + "\n" }},
	{"greeting-and-link", func(l language, _ []string) string { return l.greeting + "\n" + escaped(l.page) + "\n" }},
	{"links-alone", func(l language, other []string) string {
		return escaped(l.page) + "\n" + strings.Join(other, "\n") + "\n"
	}},
	{"list", func(l language, other []string) string {
		return l.greeting + "\n\n" + l.sentence + "\n\n* " + escaped(l.page) + "\n* " + strings.Join(other, "\n* ") + "\n\n" + l.thanks + "\n"
	}},
	{"beside-ascii", func(l language, _ []string) string {
		return l.greeting + "\n\n" + l.sentence + "\nhttps://www.example.com/schedule.html\n" + escaped(l.page) + "\n\n" + l.thanks + "\n"
	}},
	{"www", func(l language, _ []string) string {
		_, path, _ := strings.Cut(l.page, "/")
		return l.greeting + "\n\n" + l.sentence + "\n" + escaped("www.example.de/"+path) + "?q=1\n\n" + l.thanks + "\n"
	}},
	{"idn", func(l language, _ []string) string {
		return l.greeting + "\n\n" + l.sentence + "\nhttps://" + l.host + "/\n\n" + l.thanks + "\n"
	}},
	{"idn-a-label", func(l language, _ []string) string {
		return l.greeting + "\n\n" + l.sentence + "\n" + escaped(aLabels(l.host)+"/"+l.page) + "\n\n" + l.thanks + "\n"
	}},
}

// messages returns all messages: every form in every language, and those with an HTML
// sibling.
func messages() []message {
	var all []message
	add := func(name, text, html string) { all = append(all, compose(len(all), name, text, html)) }
	for i, l := range languages {
		var other []string
		for n := 1; n <= 3; n++ {
			other = append(other, escaped(languages[(i+3*n)%len(languages)].page))
		}
		for _, form := range forms {
			add(l.code+"-"+form.name, form.text(l, other), "")
		}
		link := escaped(l.page)
		add(l.code+"-html", forms[0].text(l, other), "<html><body><p>"+l.greeting+"</p><p>"+l.sentence+`</p><p><a href="`+link+`">`+link+"</a></p></body></html>\n")
	}
	return all
}

// compose returns the nth message. The transfer encoding of its text changes with n.
func compose(n int, name, text, html string) message {
	subject, thread := "Notes for Monday", ""
	if strings.Contains(name, "reply") {
		subject = "Re: " + subject
		thread = "In-Reply-To: <20261121090000.77@example.com>\r\nReferences: <20261121090000.77@example.com>\r\n"
	}
	head := fmt.Sprintf("Received: from client.example.org (client.example.org [192.0.2.7]) by mx.example.com with ESMTPSA id Q%d; Sun, 22 Nov 2026 10:00:00 +0000\r\n"+
		"Date: Sun, 22 Nov 2026 10:00:00 +0000\r\nFrom: Marek Novak <marek.novak@example.org>\r\nTo: Anna Berg <anna.berg@example.com>\r\n"+
		"Subject: %s\r\nMessage-ID: <20261122100000.%d.abcdef%04d@client.example.org>\r\n%sMIME-Version: 1.0\r\n", n, subject, n, n, thread)
	plain := encoded("plain", text, n)
	if html == "" {
		return message{name, []byte(head + plain)}
	}
	const boundary = "=_f7d2b1"
	return message{name, []byte(head + "Content-Type: multipart/alternative; boundary=\"" + boundary + "\"\r\n\r\n--" + boundary + "\r\n" + plain +
		"\r\n--" + boundary + "\r\n" + encoded("html", html, n) + "\r\n--" + boundary + "--\r\n")}
}

// encoded returns a part with its fields.
func encoded(subtype, text string, n int) string {
	text = strings.ReplaceAll(text, "\n", "\r\n")
	fields := "Content-Type: text/" + subtype + "; charset=utf-8\r\nContent-Transfer-Encoding: "
	switch n % 3 {
	case 0:
		return fields + "8bit\r\n\r\n" + text
	case 1:
		var b strings.Builder
		w := quotedprintable.NewWriter(&b)
		_, _ = w.Write([]byte(text)) // a strings.Builder does not fail
		_ = w.Close()
		return fields + "quoted-printable\r\n\r\n" + b.String()
	}
	const width = 76
	body := base64.StdEncoding.EncodeToString([]byte(text))
	var b strings.Builder
	for len(body) > width {
		b.WriteString(body[:width] + "\r\n")
		body = body[width:]
	}
	return fields + "base64\r\n\r\n" + b.String() + body + "\r\n"
}
